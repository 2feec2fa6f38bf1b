//! The needs of the user: exactly what is asked, why, what it holds up, and the answers, each bound to the digest shown.

use schemars::JsonSchema;
use serde::Serialize;
use teammate_core::request::PermissionRequest;

use super::room::{Room, beginning, joined};
use crate::{AnswerChoice, Need, NeedKind, TeamView};

const REASON_BYTES_MAX: usize = 4 << 10;

/// So many of the tasks and members that a need holds up are named.
const HELD_MAX: usize = 20;

/// The questions that wait for the user, as every screen draws them.
#[derive(Debug, Serialize, JsonSchema)]
pub struct NeedsScreen {
    /// How many wait.
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
    /// The wish, in a sentence.
    pub title: String,
    /// Exactly what is asked, whole.
    pub shows: String,
    /// Whether it is a change of a file.
    pub is_diff: bool,
    /// Why it is asked, and what it would reach: each with its name.
    pub reasons: Vec<(&'static str, String)>,
    pub holds_tasks: Vec<String>,
    pub holds_members: Vec<String>,
    /// Its digest: an answer has to name it.
    pub saw: Option<String>,
    pub since: Option<u64>,
    /// When it is refused without an answer.
    pub deadline: Option<u64>,
    pub answers: Vec<AnswerButton>,
    /// How it goes on where there is nothing to answer.
    pub way_on: &'static str,
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
        let is_whole = shows.len() <= bytes_max;
        let reasons = permission.map(PermissionRequest::reasons);
        let reasons = reasons.unwrap_or_default().into_iter();
        let tasks = need.holds.tasks.iter();
        let subjects = tasks.map(|id| match team.board().task(*id) {
            Some(task) => format!("{id} {}", task.subject),
            None => id.to_string(),
        });
        let button = |choice: AnswerChoice| {
            let is_plan = request.is_some_and(|request| request.plan().is_some());
            let offers = request.map(|request| request.offers()).unwrap_or_default();
            AnswerButton {
                choice,
                answer: choice.word(),
                word: choice.label(is_plan),
                label: choice.text(&offers, is_plan),
                key: choice.key(),
            }
        };
        Self {
            kind: need.kind.as_str(),
            id: need.kind.id(),
            member: need.member.as_ref().map(ToString::to_string),
            title: need.title(team),
            is_diff: shows.lines().any(|line| line.starts_with("@@ ")),
            shows: beginning(&shows, bytes_max, "too long to be answered here"),
            reasons: reasons
                .map(|(name, why)| {
                    let why = beginning(&why, REASON_BYTES_MAX, "`/requests` has all of it");
                    (name, why)
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
                Some(request) if is_whole => AnswerChoice::offered(&request.offers())
                    .map(button)
                    .collect(),
                Some(_) | None => Vec::new(),
            },
            way_on: match is_whole {
                true => need.kind.way_on(),
                false => "a terminal has all of it and takes the answer",
            },
        }
    }

    /// The digest in short.
    pub fn digest(&self) -> &str {
        let saw = self.saw.as_deref().unwrap_or_default();
        saw.get(..12).unwrap_or_default()
    }
}

impl NeedsScreen {
    pub const NONE: &str = "Nothing needs you";

    /// With what is asked of each if that has at most so many bytes.
    pub fn of(view: &TeamView, bytes_max: usize) -> Self {
        let needs = view.needs();
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
