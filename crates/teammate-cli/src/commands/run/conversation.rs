//! Which of the lead's conversations a job continues.

use teammate::{Conversation, ConversationId};

/// The lead's conversation to continue; a new one by default.
#[derive(clap::Args)]
#[group(multiple = false)]
pub(super) struct InConversation {
    /// Continue the lead's last conversation instead of beginning a new one
    #[arg(short, long)]
    r#continue: bool,

    /// Continue this earlier conversation; `teammate conversations` lists them
    #[arg(long, value_name = "ID")]
    conversation: Option<ConversationId>,
}

impl From<InConversation> for Conversation {
    fn from(said: InConversation) -> Self {
        match said.conversation {
            Some(id) => Self::Number(id),
            None if said.r#continue => Self::Last,
            None => Self::Fresh,
        }
    }
}
