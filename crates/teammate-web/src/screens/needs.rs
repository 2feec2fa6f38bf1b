//! The needs of the user: exactly what is asked, why, what it holds up, and the answers, each bound to the digest shown.

use schemars::JsonSchema;
use serde::Serialize;
use teammate_core::{
    Timestamp,
    permission::Breadth,
    request::{PermissionRequest, Request},
};
use teammate_view::{Need, NeedKind, TeamView, diff::read_diff};

use super::{
    part::{Part, member_link, since},
    room::{Room, beginning, joined, line},
};
use crate::{html::Html, markup};

/// The most bytes of what is asked. What is longer is answered where all of it can be seen.
const SHOWN_BYTES_MAX: usize = 128 << 10;

/// The most bytes of a reason.
const REASON_BYTES_MAX: usize = 4 << 10;

/// So many of the tasks and members that a need holds up are named.
const HELD_MAX: usize = 20;

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct NeedsScreen {
    /// How many wait.
    count: usize,
    /// The first ones.
    needs: Vec<NeedCard>,
}

/// Something that waits for the user.
#[derive(Debug, Serialize, JsonSchema)]
struct NeedCard {
    /// `permission`, `plan`, `failed_member`, `limited_member`, `unplaced_member` or `failed_task`.
    kind: &'static str,
    /// The request, member or task.
    id: String,
    member: Option<String>,
    /// What is wanted, in a sentence.
    title: String,
    /// Exactly what is asked, whole.
    shows: String,
    /// Whether it is a change of a file.
    is_diff: bool,
    /// Why it is asked, and what it would reach: each with its name.
    reasons: Vec<(&'static str, String)>,
    holds_tasks: Vec<String>,
    holds_members: Vec<String>,
    /// Its digest: an answer has to name it.
    saw: Option<String>,
    since: Option<u64>,
    /// When it is refused without an answer.
    deadline: Option<u64>,
    answers: Vec<AnswerButton>,
    /// How it goes on where there is nothing to answer.
    way_on: &'static str,
}

/// An answer that can be given.
#[derive(Debug, Serialize, JsonSchema)]
struct AnswerButton {
    /// The word for it in `/v/answer`.
    answer: &'static str,
    label: String,
    key: &'static str,
}

impl NeedCard {
    fn of(view: &TeamView, need: &Need) -> Self {
        let team = view.team();
        let request = need.kind.request().and_then(|id| team.requests().get(id));
        let permission = request.and_then(|request| request.permission());
        let shows = match (request, &need.kind) {
            (Some(request), _) => request.shows(),
            (None, NeedKind::FailedTask(id)) => {
                let task = team.board().task(*id);
                let failure = task.map(|task| format!("{}\n{}", task.subject, task.last_failure));
                failure.unwrap_or_default()
            }
            (None, _) => need.about.clone(),
        };
        let is_whole = shows.len() <= SHOWN_BYTES_MAX;
        let reasons = permission.map(PermissionRequest::reasons);
        let reasons = reasons.unwrap_or_default().into_iter();
        let subjects = need
            .holds
            .tasks
            .iter()
            .map(|id| match team.board().task(*id) {
                Some(task) => format!("{id} {}", task.subject),
                None => id.to_string(),
            });
        Self {
            kind: need.kind.as_str(),
            id: need.kind.id(),
            member: need.member.as_ref().map(ToString::to_string),
            title: match permission {
                Some(ask) => format!("asks to run {}", ask.tool),
                None => need
                    .in_a_sentence()
                    .split_once(' ')
                    .map_or_else(String::new, |(_, what)| line(what)),
            },
            is_diff: shows.lines().any(|line| line.starts_with("@@ ")),
            shows: beginning(&shows, SHOWN_BYTES_MAX, "too long to be answered here"),
            reasons: reasons
                .map(|(name, why)| {
                    (
                        name,
                        beginning(&why, REASON_BYTES_MAX, "`/requests` has all of it"),
                    )
                })
                .collect(),
            holds_tasks: joined(subjects, HELD_MAX),
            holds_members: joined(need.holds.members.iter().map(ToString::to_string), HELD_MAX),
            saw: request
                .and_then(|request| request.digest())
                .map(ToString::to_string),
            since: need.since.map(|at| at.0),
            deadline: need.deadline.map(|at| at.0),
            answers: match request {
                Some(request) if is_whole => answers(request),
                Some(_) | None => Vec::new(),
            },
            way_on: match is_whole {
                true => way_on(&need.kind),
                false => "a terminal has all of it and takes the answer",
            },
        }
    }

    fn show(&self, html: &mut Html) {
        html.element("h3", &[], |html| {
            match &self.member {
                Some(name) => member_link(html, name),
                None => {
                    html.text("a task");
                }
            }
            html.text(" ").text(&self.title).text(" ");
            if let Some(at) = self.since {
                since(html, Timestamp(at));
            }
        });
        match self.is_diff {
            true => markup::diff(html, &read_diff(&self.shows)),
            false => {
                html.line("pre", &[("class", "asks"), ("tabindex", "0")], &self.shows);
            }
        }
        html.element("div", &[("class", "answers")], |html| self.buttons(html));
        html.element("dl", &[], |html| self.facts(html));
    }

    fn buttons(&self, html: &mut Html) {
        for answer in &self.answers {
            let mut attributes = vec![
                ("data-verb", "answer"),
                ("data-request", self.id.as_str()),
                ("data-answer", answer.answer),
                ("data-key", answer.key),
                ("aria-keyshortcuts", answer.key),
            ];
            attributes.extend(self.saw.as_deref().map(|saw| ("data-saw", saw)));
            html.line("button", &attributes, &answer.label);
        }
        if !self.way_on.is_empty() {
            html.line("span", &[("class", "dim")], self.way_on);
        }
    }

    fn facts(&self, html: &mut Html) {
        let mut fact = |name: &str, text: &str| {
            if !text.is_empty() {
                html.line("dt", &[], name).line("dd", &[], text);
            }
        };
        for (name, text) in &self.reasons {
            fact(name, text);
        }
        fact("holds up", &self.holds_tasks.join(", "));
        fact("waits", &self.holds_members.join(", "));
        fact(
            "digest",
            self.saw
                .as_deref()
                .unwrap_or_default()
                .get(..12)
                .unwrap_or_default(),
        );
        if let Some(deadline) = self.deadline {
            html.line("dt", &[], "no in").element("dd", &[], |html| {
                html.element("time", &[("data-until", &deadline.to_string())], |_| {});
            });
        }
    }
}

fn way_on(kind: &NeedKind) -> &'static str {
    match kind {
        NeedKind::Permission(_) | NeedKind::Plan(_) => "",
        NeedKind::FailedMember(_) | NeedKind::LimitedMember(_) => "A message to it lets it go on",
        NeedKind::UnplacedMember(_) => "It begins when such a worker joins",
        NeedKind::FailedTask(_) => "/tasks reopen ID puts it back on the board",
    }
}

fn answers(request: &Request) -> Vec<AnswerButton> {
    let is_plan = request.plan().is_some();
    let button = |answer, label: &str, key| AnswerButton {
        answer,
        label: label.to_owned(),
        key,
    };
    let mut all = vec![button(
        "once",
        if is_plan { "Approve" } else { "Once" },
        "y",
    )];
    all.extend(request.offers().all().map(|(breadth, rule)| {
        let (answer, word, key) = match breadth {
            Breadth::Exact => ("always", "Always", "a"),
            Breadth::Prefix => ("prefix", "Always, with this prefix", "p"),
            Breadth::Tool => ("tool", "This tool, until it is closed", "t"),
        };
        button(answer, &format!("{word}: {rule}"), key)
    }));
    all.push(button("no", "No", "n"));
    all.push(button("why", "No, and why", "w"));
    all
}

impl NeedsScreen {
    pub(super) fn of(view: &TeamView) -> Self {
        let needs = view.needs();
        let mut room = Room::new();
        let cards = needs.iter().map(|need| NeedCard::of(view, need));
        Self {
            count: needs.len(),
            needs: cards
                .take_while(|card| room.takes(card.shows.len()))
                .collect(),
        }
    }

    pub(super) fn parts(&self) -> Vec<Part> {
        if self.needs.is_empty() {
            return vec![Part::new("p", "need.none", "dim", |html| {
                html.text("Nothing needs you");
            })];
        }
        let cards = self.needs.iter().map(|need| {
            let id = format!("need-{}-{}", need.kind, need.id.trim_start_matches('#'));
            Part::new("article", id, "need-card", |html| need.show(html))
        });
        let more = self.count - self.needs.len();
        let rest = (more > 0).then(|| {
            Part::new("p", "need.more", "dim", |html| {
                html.text(&format!(
                    "{more} more wait: they come up when these are answered"
                ));
            })
        });
        cards.chain(rest).collect()
    }
}
