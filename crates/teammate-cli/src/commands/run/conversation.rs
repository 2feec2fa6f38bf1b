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

impl InConversation {
    /// At the prompt the last conversation goes on, unless another one is named.
    pub(super) fn at_prompt(self) -> Conversation {
        self.conversation
            .map_or(Conversation::Last, Conversation::Number)
    }
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
