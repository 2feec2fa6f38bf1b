//! An order of the user to the process that runs the team, and how one ends: words of the journal.

use serde::{Deserialize, Serialize};

use crate::{MemberName, MessageId, id::TaskId, mode::Mode};

/// The most orders that may be open.
pub(crate) const ORDERS_OPEN_MAX: usize = 64;

/// An order of the user to a member.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "order", rename_all = "snake_case")]
pub enum UserOrder {
    /// End the turn of a member, or of every member.
    Interrupt {
        /// Whose; nothing means everybody's.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        member: Option<MemberName>,
    },
    /// Have a member's conversation summarized as soon as there is a moment for it.
    Compact {
        member: MemberName,
        /// The subject that matters most in the summary.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        focus: Option<String>,
    },
    /// Take back mail of the user that nobody has heard.
    Recall {
        mail: MessageId,
        /// Whom it was sent to.
        member: MemberName,
    },
    /// Have the team work in another permission mode until it is closed.
    Mode { mode: Mode },
    /// Begin a new conversation with the lead, which rests; the team works on.
    Clear,
    /// Say whether hooks let a member hear mail of the user that another process writes right after this.
    Judge {
        mail: MessageId,
        /// Whom it is sent to.
        member: MemberName,
    },
    /// Complete a task in the name of the user, once its check has run.
    Complete {
        task: TaskId,
        #[serde(default, skip_serializing_if = "String::is_empty")]
        result: String,
    },
}

impl UserOrder {
    /// The member that it is about; nothing if it is about all.
    pub fn member(&self) -> Option<&MemberName> {
        match self {
            Self::Interrupt { member } => member.as_ref(),
            Self::Compact { member, .. }
            | Self::Recall { member, .. }
            | Self::Judge { member, .. } => Some(member),
            Self::Mode { .. } | Self::Clear | Self::Complete { .. } => None,
        }
    }

    /// The order in words: `interrupt alice`.
    pub fn describe(&self) -> String {
        match self {
            Self::Interrupt { member: None } => "interrupt everybody".to_owned(),
            Self::Interrupt {
                member: Some(member),
            } => format!("interrupt {member}"),
            Self::Compact { member, .. } => format!("compact the conversation of {member}"),
            Self::Recall { mail, member } => format!("take back mail {mail} to {member}"),
            Self::Mode { mode } => format!("change the permission mode to '{mode}'"),
            Self::Clear => "begin a new conversation with the lead".to_owned(),
            Self::Judge { mail, member } => {
                format!("have hooks look at mail {mail} to {member}")
            }
            Self::Complete { task, .. } => format!("complete {task}"),
        }
    }
}

/// How an order ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "how", rename_all = "snake_case")]
pub enum OrderEnd {
    /// The host carried it out.
    Done,
    /// It could not be carried out.
    Refused {
        /// Why, in a sentence.
        why: String,
    },
    /// The run that it was given to ended first. It is not carried out any more.
    Dropped,
}
