//! A member's time in pieces: turns, and in them the calls. Time in which a person was waited for is a piece of its own, and
//! no call's.

use crate::t;
use teammate_core::Timestamp;

use super::{Call, CallState, ItemKind, Story, StoryQuestion};

/// A piece of time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StorySpan {
    pub from: Timestamp,
    /// When it ended; the latest moment, if it has not.
    pub to: Timestamp,
    pub kind: SpanKind,
    /// The activity, in a line.
    pub text: String,
}

/// The kinds of pieces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SpanKind {
    /// A turn, from what was heard to its end.
    Turn,
    /// A call ran, or runs.
    Runs,
    /// A call ran and failed.
    Failed,
    /// A call did not run: it was refused.
    Refused,
    /// A person was waited for.
    Waits,
}

impl SpanKind {
    /// The word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Turn => "turn",
            Self::Runs => "tool",
            Self::Failed => "failed",
            Self::Refused => "refused",
            Self::Waits => "waits",
        }
    }
}

impl Story {
    /// The pieces of its time until `now`, by entries, oldest first. What was under way when the member was heard of last, and is
    /// no more, ends there.
    pub fn spans(&self, now: Timestamp) -> Vec<StorySpan> {
        let end = match self.doing() {
            Some(_) => now,
            None => self.last_event().unwrap_or(now),
        };
        let mut spans = Vec::new();
        let mut turn: Option<Timestamp> = None;
        for item in self.items() {
            let at = item.at;
            match &item.what {
                ItemKind::Rested { .. } => spans.push(StorySpan {
                    from: turn.take().unwrap_or(at),
                    to: at,
                    kind: SpanKind::Turn,
                    text: item.what.line().unwrap_or_default(),
                }),
                ItemKind::Stopped { .. } => turn = None,
                ItemKind::Called(call) => {
                    turn.get_or_insert(at);
                    spans.extend(of_call(call, at, end));
                }
                ItemKind::Heard { .. } | ItemKind::Said { .. } | ItemKind::Sent { .. } => {
                    turn.get_or_insert(at);
                }
                ItemKind::Request { .. }
                | ItemKind::Began { .. }
                | ItemKind::Subagent { .. }
                | ItemKind::Compacted { .. }
                | ItemKind::Task { .. }
                | ItemKind::Model { .. }
                | ItemKind::Note { .. } => {}
            }
        }
        // A plan waits between turns, whether the team runs or not.
        spans.extend(self.questions.iter().map(|question| waits(question, now)));
        if let Some(from) = turn.filter(|_| self.doing().is_some()) {
            spans.push(StorySpan {
                from,
                to: now,
                kind: SpanKind::Turn,
                text: t("works").to_owned(),
            });
        }
        spans
    }
}

/// The spans of a call, and the waits that cut its time.
fn of_call(call: &Call, at: Timestamp, end: Timestamp) -> Vec<StorySpan> {
    let ended = call.ended.as_ref();
    let to = ended.map_or(end, |end| Timestamp(at.0.saturating_add(end.took_ms)));
    let kind = match call.state() {
        CallState::Failed => SpanKind::Failed,
        CallState::Refused => SpanKind::Refused,
        CallState::Runs | CallState::Waits | CallState::Cut | CallState::Done => SpanKind::Runs,
    };
    let mut spans = Vec::new();
    let mut from = at;
    // How it came out is said of its end.
    let run = |from: Timestamp, to: Timestamp, kind: SpanKind| {
        (from < to).then(|| StorySpan {
            from,
            to,
            kind,
            text: call.line(),
        })
    };
    for question in &call.asked {
        spans.extend(run(from, question.at.min(to), SpanKind::Runs));
        let wait = waits(question, to);
        from = wait.to;
        spans.push(wait);
    }
    // What was refused has no time of its own, and is a mark; so is what was over at once.
    let rest = run(from, to, kind);
    let is_mark = rest.is_none() && ended.is_some();
    spans.extend(rest);
    if is_mark {
        spans.push(StorySpan {
            from: to,
            to,
            kind,
            text: call.line(),
        });
    }
    spans
}

fn waits(question: &StoryQuestion, until: Timestamp) -> StorySpan {
    let ended = question.ended.as_ref().map(|end| end.at);
    StorySpan {
        from: question.at,
        to: ended.unwrap_or(until).max(question.at),
        kind: SpanKind::Waits,
        text: question.line(t("you")),
    }
}
