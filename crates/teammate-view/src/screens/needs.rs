//! The needs of the user: who asks what and why, exactly what it is, what it holds up, since when and until when, and the answers,
//! each bound to the digest shown. What is exactly the same is one question, of however many members.

use crate::language::translated_sentence;
use crate::t;
use schemars::JsonSchema;
use serde::Serialize;
use teammate_core::request::{PermissionRequest, Request};

use super::room::{Room, beginning, joined};
use crate::{
    AnswerChoice, Need, NeedKind, TeamView, asking_the_same,
    clean::clean,
    counted,
    diff::{lay_out_diff, read_diff},
    markdown::{layout, parse},
    text::{TextLine, TextRole},
    width::{WidthPolicy, without_tabs},
};

const REASON_BYTES_MAX: usize = 4 << 10;

/// So many of the tasks and members that a need holds up are named.
const HELD_MAX: usize = 20;

/// The questions that wait for the user, as every screen draws them.
#[derive(Debug, Serialize, JsonSchema)]
pub struct NeedsScreen {
    /// How many wait; what is exactly the same counts once.
    pub count: usize,
    /// The first ones.
    pub needs: Vec<NeedCard>,
}

/// Something that waits for the user.
#[derive(Debug, Serialize, JsonSchema)]
pub struct NeedCard {
    /// As [`NeedKind::as_str`] has it.
    pub kind: &'static str,
    /// The request, member or task.
    pub id: String,
    pub member: Option<String>,
    /// Who asks: the member, or how many do.
    pub who: String,
    /// The wish, behind who has it: `asks: edit src/parse.rs +3 -2`.
    pub title: String,
    /// Exactly what is asked, whole.
    pub shows: String,
    pub form: ShownForm,
    /// Why it is asked, and what it would reach: each with its name.
    pub reasons: Vec<(&'static str, String)>,
    pub holds_tasks: Vec<String>,
    pub holds_members: Vec<String>,
    /// Its digest: an answer has to name it.
    pub saw: Option<String>,
    /// The requests of others that ask exactly the same, each with its digest: they are answered with it.
    pub alike: Vec<(String, String)>,
    pub since: Option<u64>,
    /// When it is refused without an answer.
    pub deadline: Option<u64>,
    pub answers: Vec<AnswerButton>,
    /// How it goes on where there is nothing to answer.
    pub way_on: &'static str,
}

/// The form of what is asked, by which it is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ShownForm {
    /// As it is: a command, what goes to a service.
    Text,
    /// A change of files.
    Diff,
    /// A text for people: a plan.
    Markdown,
}

/// An answer that can be given.
#[derive(Debug, Serialize, JsonSchema)]
pub struct AnswerButton {
    #[serde(skip)]
    pub choice: AnswerChoice,
    /// The word for it in `/v/answer`.
    pub answer: &'static str,
    /// In a word or two.
    #[serde(skip)]
    pub word: &'static str,
    /// All that it does.
    pub label: String,
    pub key: &'static str,
}

impl NeedCard {
    /// With what is asked if that has at most so many bytes. What is longer is answered where all of it can be seen.
    pub fn of(view: &TeamView, need: &Need, bytes_max: usize) -> Self {
        let team = view.team();
        let request = need.request_in(team);
        let shows = match (request, &need.kind) {
            (Some(request), _) => request.shows(),
            (None, NeedKind::FailedTask(id)) => {
                let task = team.board().task(*id);
                let failure = task.map(|task| format!("{}\n{}", task.subject, task.last_failure));
                failure.unwrap_or_default()
            }
            (None, NeedKind::MissedGoal(_)) => {
                let goal = team.goals().last();
                let tail = goal.and_then(|goal| Some(&goal.last.as_ref()?.tail));
                let text = goal.map_or("", |goal| &goal.text);
                format!(
                    "{text}\n\n{}\n{}",
                    need.about,
                    tail.map_or("", String::as_str)
                )
            }
            (None, _) => need.about.clone(),
        };
        let is_whole = shows.len() <= bytes_max;
        let alike = request.map(|request| asking_the_same(team, request));
        let alike = alike.unwrap_or_default().into_iter();
        let tasks = need.holds.tasks.iter();
        let subjects = tasks.map(|id| match team.board().task(*id) {
            Some(task) => format!("{id} {}", task.subject),
            None => id.to_string(),
        });
        let button = |choice: AnswerChoice| {
            let is_plan = request.is_some_and(|request| request.plan().is_some());
            AnswerButton {
                choice,
                answer: choice.word(),
                word: choice.label(is_plan),
                label: label(view, request, choice, need.alike.len()),
                key: choice.key(),
            }
        };
        Self {
            kind: need.kind.as_str(),
            id: need.kind.id(),
            member: need.member.as_ref().map(ToString::to_string),
            who: need.who().into_owned(),
            title: need.title(),
            form: form(request, &shows),
            shows: beginning(&shows, bytes_max, t("too long to be answered here")),
            reasons: reasons(view, need, request),
            holds_tasks: joined(subjects, HELD_MAX),
            holds_members: joined(need.holds.members.iter().map(ToString::to_string), HELD_MAX),
            saw: request
                .and_then(|request| request.digest())
                .map(ToString::to_string),
            alike: alike
                .map(|seen| (seen.request.to_string(), seen.saw.to_string()))
                .collect(),
            since: need.since.map(|at| at.0),
            deadline: need.deadline.map(|at| at.0),
            answers: match request {
                Some(request) if is_whole => AnswerChoice::offered(&request.offers())
                    .map(button)
                    .collect(),
                Some(_) | None => Vec::new(),
            },
            way_on: match is_whole {
                true => need.kind.way_on(),
                false => t("a terminal has all of it and takes the answer"),
            },
        }
    }

    /// What is asked as lines of a screen with so many columns: whole, and with the indentation kept where a line is broken.
    pub fn shown_lines(&self, columns: usize, widths: WidthPolicy) -> Vec<TextLine> {
        match self.form {
            ShownForm::Markdown => layout(&parse(&self.shows), columns, widths),
            ShownForm::Diff => lay_out_diff(&read_diff(&self.shows), columns, widths),
            ShownForm::Text => self
                .shows
                .lines()
                .flat_map(|line| wrapped_code(line, columns, widths))
                .collect(),
        }
    }

    /// The members that wait for the answer, unless that is only the one that asks.
    pub fn waiting(&self) -> String {
        match &self.holds_members[..] {
            [one] if *one == self.who => String::new(),
            members => members.join(", "),
        }
    }

    /// The digest in short.
    pub fn digest(&self) -> &str {
        let saw = self.saw.as_deref().unwrap_or_default();
        saw.get(..12).unwrap_or_default()
    }
}

/// How what is asked is drawn. A command is never anything but its text.
fn form(request: Option<&Request>, shows: &str) -> ShownForm {
    let tool = request.and_then(Request::permission).map(|ask| &*ask.tool);
    let is_plan = request.is_some_and(|request| request.plan().is_some());
    match tool {
        _ if is_plan => ShownForm::Markdown,
        Some("bash") => ShownForm::Text,
        Some(_) | None if shows.lines().any(|line| line.starts_with("@@ ")) => ShownForm::Diff,
        Some(_) | None => ShownForm::Text,
    }
}

/// Why it is asked: in the member's own words, in those of the call, by the rules, and what it would reach.
fn reasons(view: &TeamView, need: &Need, request: Option<&Request>) -> Vec<(&'static str, String)> {
    let story = need.member.as_ref().and_then(|member| view.story(member));
    let words = story.zip(request);
    let words = words.map(|(story, request)| story.words_about(request.id));
    let words = words.unwrap_or_default();
    let said = words.said.as_deref().and_then(last_paragraph);
    let own = [(t("says"), said), (t("described as"), words.described)];
    let own = own
        .into_iter()
        .filter_map(|(name, text)| Some((name, text?)));
    let permission = request.and_then(Request::permission);
    let known = permission.map(PermissionRequest::reasons);
    let reasons = own.chain(known.unwrap_or_default());
    let short = |(name, why): (&'static str, String)| {
        let (name, why) = (t(name), translated_sentence(&why));
        let why = beginning(&why, REASON_BYTES_MAX, t("`/requests` has all of it"));
        (name, why)
    };
    reasons.map(short).collect()
}

/// The last paragraph of a text, which is about what comes next, without its marks.
fn last_paragraph(markdown: &str) -> Option<String> {
    let lines = layout(&parse(markdown), REASON_BYTES_MAX, WidthPolicy::Narrow);
    let lines: Vec<String> = lines.iter().map(TextLine::plain).collect();
    let last = lines.rsplit(|line| line.trim().is_empty());
    let mut last = last.filter(|paragraph| !paragraph.is_empty());
    Some(last.next()?.join(" "))
}

/// All that an answer does, with the other questions that it settles besides those that ask the same.
fn label(view: &TeamView, request: Option<&Request>, choice: AnswerChoice, alike: usize) -> String {
    let Some(request) = request else {
        return String::new();
    };
    let text = choice.text(&request.offers(), request.plan().is_some());
    let AnswerChoice::Always(breadth) = choice else {
        return text;
    };
    let covered = view.team().covered_by(request, breadth);
    match covered.count().saturating_sub(alike) {
        0 => text,
        more => {
            let others = counted(more as u64, "other question", "other questions");
            t!("{text}; answers {others}, too", text, others)
        }
    }
}

impl NeedsScreen {
    pub const NONE: &str = "Nothing needs you";

    /// With what is asked of each if that has at most so many bytes.
    pub fn of(view: &TeamView, bytes_max: usize) -> Self {
        let needs = view.grouped_needs();
        let mut room = Room::default();
        let cards = needs.iter().map(|need| NeedCard::of(view, need, bytes_max));
        Self {
            count: needs.len(),
            needs: cards
                .take_while(|card| room.takes(card.shows.len()))
                .collect(),
        }
    }
}

/// A line of code in rows: broken at words, and each row is indented as the line is.
fn wrapped_code(line: &str, columns: usize, widths: WidthPolicy) -> Vec<TextLine> {
    let line = clean(line);
    let line = without_tabs(&line);
    let text = line.trim_start_matches(' ');
    let indent = (line.len() - text.len()).min(columns / 2);
    let rows = widths.wrap(text, (columns - indent).max(1)).into_iter();
    rows.map(|row| TextLine::of(format!("{:indent$}{row}", ""), TextRole::Code))
        .collect()
}

#[cfg(test)]
mod tests;
