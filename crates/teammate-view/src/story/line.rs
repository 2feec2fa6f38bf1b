//! Entries of a story in a line. What takes more room on a member's own screen is said more briefly here, and nowhere else.

use crate::t;
use teammate_core::{Sender, transcript::EndReason};

use super::{Call, CallState, ItemKind};
use crate::wording::{conversation_compacted, member_began, member_stopped, turn_ended};

impl ItemKind {
    /// The entry in a line; nothing if another entry says it.
    pub fn line(&self) -> Option<String> {
        Some(match self {
            Self::Heard {
                from: Sender::User,
                text,
                ..
            } => t!("heard from you: {text}", text),
            // The sender's line tells of it.
            Self::Heard { .. } => return None,
            Self::Said { text } => t!("says: {text}", text),
            Self::Called(call) => call.line(),
            Self::Sent { to, text, .. } => match to.as_slice() {
                [one] => format!("-> {one}: {text}"),
                many => t!("=> {count} members: {text}", count = many.len(), text),
            },
            Self::Subagent { kind, title, .. } => t!("subagent {kind}: {title}", kind, title),
            Self::Began { role, woken } => member_began(role, *woken).plain(),
            // Its answer is an entry, and what it waits for shows in the roster.
            Self::Rested {
                why: EndReason::Done | EndReason::Waiting { .. },
            } => return None,
            Self::Rested { why } => turn_ended(why, "").plain(),
            Self::Stopped { how } => member_stopped(how).plain(),
            Self::Compacted { how, before, after } => {
                conversation_compacted(*how, *before, *after).plain()
            }
            Self::Request { text, .. }
            | Self::Task { text }
            | Self::Model { text, .. }
            | Self::Note { text } => text.clone(),
        })
    }
}

impl Call {
    /// The call in a line.
    pub fn line(&self) -> String {
        let end = match self.state() {
            CallState::Failed => t(" (failed)"),
            CallState::Refused => t(" (refused)"),
            CallState::Cut => t(" (cut off)"),
            // That it waits is said by the entry of its question.
            CallState::Runs | CallState::Waits | CallState::Done => "",
        };
        format!("{} {}{end}", self.tool, self.summary)
    }
}
