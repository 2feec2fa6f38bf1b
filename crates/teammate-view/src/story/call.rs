//! A tool call: how it stands, what came of it, and how much of its time was its own.

use crate::t;
use teammate_core::{
    Timestamp,
    cause::Cause,
    event::{FileChange, RefusedBy},
    request::RequestId,
    tool::CallId,
};

use super::{Call, CallEnd, QuestionEnd, QuestionEndKind, StoryQuestion};
use crate::{
    clean::clean_line,
    counted::counted,
    durations::{WORTH_SAYING_MS, duration_text},
};

/// How a call stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CallState {
    Runs,
    /// It waits for an answer of a person.
    Waits,
    /// The process that ran it ended before it did.
    Cut,
    /// It worked.
    Done,
    /// It ran, and failed.
    Failed,
    /// It did not run: a rule, a hook, the plan gate, a person or the deadline said no, or nobody could be asked.
    Refused,
}

impl CallState {
    /// The sign before it.
    pub fn sign(self) -> &'static str {
        match self {
            Self::Runs => ">",
            Self::Waits => "!",
            Self::Cut => "·",
            Self::Done => "+",
            Self::Failed => "-",
            Self::Refused => "/",
        }
    }
}

impl Call {
    /// The change of a file, once the call has ended.
    pub fn change(&self) -> Option<&FileChange> {
        self.ended.as_ref()?.change.as_deref()
    }

    /// How it stands.
    pub fn state(&self) -> CallState {
        let question = self.asked.last();
        let Some(end) = &self.ended else {
            return match question {
                _ if self.is_cut => CallState::Cut,
                Some(StoryQuestion { ended: None, .. }) => CallState::Waits,
                Some(_) | None => CallState::Runs,
            };
        };
        if end.refused.is_some() {
            return CallState::Refused;
        }
        // Older logs say it by the question alone. What was refused to a call that runs was a part of it.
        let of_call = question.filter(|question| !question.is_within && !question.is_part);
        let refusal = of_call.and_then(|question| question.ended.as_ref());
        match (end.ok, refusal.map(|end| end.how)) {
            (true, _) => CallState::Done,
            (false, _) if end.exit.is_some() => CallState::Failed,
            (false, Some(QuestionEndKind::Denied | QuestionEndKind::Expired)) => CallState::Refused,
            (false, _) if self.is_unasked => CallState::Refused,
            (false, Some(QuestionEndKind::Allowed | QuestionEndKind::Withdrawn) | None) => {
                CallState::Failed
            }
        }
    }

    /// How long it has waited for answers, of all its time until `now`.
    pub fn waited_ms(&self, now: Timestamp) -> u64 {
        let asked = self.asked.iter();
        asked.fold(0, |sum, one| sum.saturating_add(one.waited_ms(now)))
    }

    /// How it stands or what came of it, and how long that took: `FAILED exit 101, 0.1 s (waited 14.8 s for you)`. `user` is
    /// what the reader calls the user.
    pub fn outcome(&self, at: Timestamp, user: &str) -> String {
        let Some(end) = &self.ended else {
            return match self.state() {
                CallState::Waits => t!("waits for {user}", user),
                CallState::Cut => t("cut off").to_owned(),
                CallState::Runs | CallState::Done | CallState::Failed | CallState::Refused => {
                    t("runs").to_owned()
                }
            };
        };
        match self.state() {
            CallState::Refused => self.refusal(end, user),
            CallState::Failed => format!("{}{}", failure(end), self.times(at, end, user)),
            CallState::Runs | CallState::Waits | CallState::Cut | CallState::Done => {
                format!("{}{}", result(end), self.times(at, end, user))
            }
        }
    }

    fn refusal(&self, end: &CallEnd, user: &str) -> String {
        match end.refused {
            Some(RefusedBy::Rule) => t("refused by a rule").to_owned(),
            Some(RefusedBy::Hook) => t("refused by a hook").to_owned(),
            Some(RefusedBy::PlanGate) => t("refused until a plan is approved").to_owned(),
            Some(RefusedBy::Other) if self.asked.is_empty() => t("refused").to_owned(),
            Some(
                RefusedBy::Answer | RefusedBy::Deadline | RefusedBy::Nobody | RefusedBy::Other,
            )
            | None => self.unanswered(user),
        }
    }

    /// By what came of its question.
    fn unanswered(&self, user: &str) -> String {
        let last = self.asked.last();
        let end = last.and_then(|question| Some((question, question.ended.as_ref()?)));
        match end {
            Some((question, end)) if end.how == QuestionEndKind::Denied => t!(
                "refused by {whom} after {time}",
                whom = question.whom(user),
                time = duration_text(question.waited_ms(end.at))
            ),
            Some((question, end)) => t!(
                "refused: no answer within {time}",
                time = duration_text(question.waited_ms(end.at))
            ),
            None => t("refused: nobody could be asked").to_owned(),
        }
    }

    /// The time that it ran, and the time that it waited.
    fn times(&self, at: Timestamp, end: &CallEnd, user: &str) -> String {
        let ended = Timestamp(at.0.saturating_add(end.took_ms));
        let waited = self.waited_ms(ended).min(end.took_ms);
        let ran = duration_text(end.took_ms.saturating_sub(waited));
        match (waited, end.took_ms) {
            (WORTH_SAYING_MS.., _) => {
                let whom = self.asked.last().map(|question| question.whom(user));
                let (waited, whom) = (duration_text(waited), whom.unwrap_or_default());
                t!(", {ran} (waited {waited} for {whom})", ran, waited, whom)
            }
            (_, WORTH_SAYING_MS..) => format!(", {ran}"),
            (..) => String::new(),
        }
    }

    /// It asks a person, about itself or a part of it, or a call that it has begun does.
    pub(super) fn ask(&mut self, request: RequestId, at: Timestamp, tool: &str, is_within: bool) {
        self.asked.push(StoryQuestion {
            is_within,
            is_part: !is_within && tool != self.tool,
            ..StoryQuestion::open(request, at)
        });
    }

    /// One of its questions ended; false if it has none of this id.
    pub(super) fn answered(&mut self, request: RequestId, end: &QuestionEnd) -> bool {
        let mut open = self.asked.iter_mut().filter(|one| one.ended.is_none());
        let Some(question) = open.find(|question| question.request == request) else {
            return false;
        };
        question.ended = Some(end.clone());
        true
    }
}

/// Whether a question has its cause in this call, one of the same member: it asks, or a call that it has begun. A cause is
/// `MEMBER/INCARNATION/ENTRY/CALL/…`, with a part for each call that began another.
pub(super) fn is_asked_by(cause: &Cause, call: &CallId) -> bool {
    let parts = cause.as_str().splitn(4, '/').nth(3);
    parts.is_some_and(|parts| format!("/{parts}").contains(&format!("/{call}/")))
}

fn failure(end: &CallEnd) -> String {
    match end.exit {
        Some(exit) => t!("FAILED exit {exit}", exit),
        None => t!("FAILED {summary}", summary = clean_line(&end.summary)),
    }
}

fn result(end: &CallEnd) -> String {
    match (&end.change, end.lines) {
        (Some(change), _) => format!("+{} -{}", change.added, change.removed),
        (None, Some(lines @ 1..)) => counted(lines, "line", "lines"),
        (None, Some(0) | None) => clean_line(&end.summary),
    }
}
