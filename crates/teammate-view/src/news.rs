//! News, for user interfaces made of lines: events become news, each once. The text of news is clean; how a face colours,
//! cuts and wraps it is its own affair.

mod answer;
mod calls;
mod take;

use std::collections::{BTreeMap, BTreeSet};

use teammate_core::{
    MemberName, MessageId, permission::OfferedRules, request::RequestId, tool::CallId,
};

use self::answer::StreamedAnswer;
use crate::text::TextLine;

/// One piece of news.
#[derive(Debug, Clone, PartialEq)]
pub enum News {
    /// Some more of the lead's answer.
    Answer(String),
    /// Some more of the lead's thinking.
    Thinking(String),
    /// The lead's answer is complete, or was cut.
    AnswerEnd,
    /// About the whole team.
    Team(TextLine),
    /// About one who speaks or acts; may be cut where the terminal ends.
    Line {
        /// A member, `MEMBER/KIND` for a subagent, or the user.
        who: String,
        text: TextLine,
    },
    /// A message that the user must be able to read to the end.
    Whole {
        who: String,
        text: TextLine,
    },
    /// The output of a call, or the part of it that is worth showing.
    Printed {
        /// Whose call it was.
        who: String,
        /// Whether a line about the call stands just above.
        has_head: bool,
        /// At least one line.
        lines: Vec<String>,
    },
    /// A teammate ended a turn with this result, in one line or several.
    Result {
        who: String,
        /// Its last words.
        text: String,
    },
    /// The user said something to a member, here or elsewhere.
    UserSaid {
        to: MemberName,
        /// What, in one line or several.
        text: String,
        /// The files that came with it, a line each.
        files: Vec<String>,
    },
    Question(AskedPermission),
    /// The user is asked to approve a plan.
    Plan {
        request: RequestId,
        /// The asker.
        who: String,
        /// The plan, as it was written: it is cleaned where its lines are made.
        shows: String,
    },
}

/// A permission question. Its texts are as they were written: they are cleaned where its lines are made, which must hide nothing.
#[derive(Debug, Clone, PartialEq)]
pub struct AskedPermission {
    pub id: RequestId,
    /// The member that asks.
    pub who: MemberName,
    pub tool: String,
    /// Exactly what will run.
    pub shows: String,
    /// The rules of which "always" would add one.
    pub rules: OfferedRules,
    /// How long it may be answered, from the event on.
    pub left_ms: Option<u64>,
}

/// Turns events into news, in their order. It remembers what must not be said twice.
#[derive(Debug, Clone, Default)]
pub struct NewsFold {
    /// The part of the lead's present answer that came.
    streamed: StreamedAnswer,
    /// Members whose failed check was just said: the failure of their call is no news.
    checked: BTreeSet<MemberName>,
    /// The subject of each open question, in a line: its answer says it again.
    asked: BTreeMap<u64, String>,
    /// Calls whose refusal was said: their failure is no news.
    refused: BTreeSet<(MemberName, CallId)>,
    /// The last broadcast: one mail per member, but said once.
    broadcast: Option<(MemberName, String)>,
    /// The user's messages that were news and not heard yet.
    said: BTreeSet<MessageId>,
}

#[cfg(test)]
mod tests;
