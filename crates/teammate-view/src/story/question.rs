//! Questions to a person, and the time that passes until they are answered: it is the person's, not the member's.

use crate::t;
use serde::Serialize;
use teammate_core::{Sender, Timestamp, request::RequestId};

use crate::durations::duration_text;

/// A question to a person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct StoryQuestion {
    pub request: RequestId,
    pub at: Timestamp,
    /// Whether a call asks that this one has begun: a subagent's.
    pub is_within: bool,
    /// Whether it is about a part of the call, a connection: the call has begun, and a no ends the part only.
    pub is_part: bool,
    /// How it ended, once it has.
    pub ended: Option<QuestionEnd>,
}

/// How a question ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct QuestionEnd {
    pub at: Timestamp,
    pub how: QuestionEndKind,
    /// The one who answered; nothing where nobody did.
    pub by: Option<Sender>,
}

/// The ways in which a question ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum QuestionEndKind {
    Allowed,
    Denied,
    /// Nobody answered in time, which is a no.
    Expired,
    /// Nothing waits for its answer any more.
    Withdrawn,
}

impl QuestionEnd {
    /// The end that `permission_answered` tells.
    pub(super) fn of(at: Timestamp, allowed: bool, by: &str) -> Self {
        let how = match (allowed, by) {
            (true, _) => QuestionEndKind::Allowed,
            (false, "deadline") => QuestionEndKind::Expired,
            (false, "nobody") => QuestionEndKind::Withdrawn,
            (false, _) => QuestionEndKind::Denied,
        };
        let by = match how {
            QuestionEndKind::Allowed | QuestionEndKind::Denied => {
                Sender::try_from(by.to_owned()).ok()
            }
            QuestionEndKind::Expired | QuestionEndKind::Withdrawn => None,
        };
        Self { at, how, by }
    }
}

impl StoryQuestion {
    /// One that was asked now, about the whole of what it concerns.
    pub(super) fn open(request: RequestId, at: Timestamp) -> Self {
        Self {
            request,
            at,
            is_within: false,
            is_part: false,
            ended: None,
        }
    }

    /// How long its answer took: until `now`, where there is none yet.
    pub fn waited_ms(&self, now: Timestamp) -> u64 {
        let until = self.ended.as_ref().map_or(now, |end| end.at);
        until.millis_since(self.at)
    }

    /// Whom it waits or waited for; `user` is what the reader calls the user.
    pub(super) fn whom(&self, user: &str) -> String {
        match self.ended.as_ref().and_then(|end| end.by.as_ref()) {
            Some(Sender::Member(name)) => name.to_string(),
            Some(Sender::System) => t("a rule").to_owned(),
            Some(Sender::User | Sender::Unverified(_)) | None => user.to_owned(),
        }
    }

    /// StoryQuestion and answer in a line. `user` is what the reader calls the user: "you" on the user's own screens.
    pub fn line(&self, user: &str) -> String {
        let id = self.request;
        let Some(end) = &self.ended else {
            return t!("asks {user} ({id})", user, id);
        };
        let (whom, after) = (self.whom(user), duration_text(self.waited_ms(end.at)));
        match end.how {
            QuestionEndKind::Allowed => {
                t!("{whom} allowed it after {after} ({id})", whom, after, id)
            }
            QuestionEndKind::Denied => t!("{whom} denied it after {after} ({id})", whom, after, id),
            QuestionEndKind::Expired => t!("nobody answered within {after} ({id})", after, id),
            QuestionEndKind::Withdrawn => {
                t!("the question was withdrawn after {after} ({id})", after, id)
            }
        }
    }
}
