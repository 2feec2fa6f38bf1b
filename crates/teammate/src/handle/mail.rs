//! Wishes about mail: what the user says, and takes back.

use teammate_core::{MemberName, Message, MessageId, mail::UserMessage};

use super::UserVerb;
use crate::{Team, TeamClient, TeamError};

/// Sends words to a member. Done: who gets them.
#[derive(Debug, Clone)]
pub struct Say {
    /// To whom, as the user names them; an error names the roster.
    pub to: String,
    /// What.
    pub message: UserMessage,
}

/// Takes back mail of the user that no member has heard. Done: the mail, so that its words can be said anew.
#[derive(Debug, Clone)]
pub struct Recall {
    /// This one, or the last.
    pub mail: Option<MessageId>,
}

impl Say {
    /// Words for a member.
    pub fn to(member: impl Into<String>, message: impl Into<UserMessage>) -> Self {
        Self {
            to: member.into(),
            message: message.into(),
        }
    }
}

impl UserVerb for Say {
    type Done = MemberName;

    async fn here(self, team: &Team) -> Result<MemberName, TeamError> {
        Ok(team.host.send_as_user(&self.to, self.message).await?)
    }

    async fn there(self, client: &mut TeamClient) -> Result<MemberName, TeamError> {
        client.send(&self.to, self.message).await
    }
}

impl UserVerb for Recall {
    type Done = Message;

    async fn here(self, team: &Team) -> Result<Message, TeamError> {
        Ok(team.host.recall(self.mail.as_ref()).await?)
    }

    async fn there(self, client: &mut TeamClient) -> Result<Message, TeamError> {
        client.recall(self.mail.as_ref()).await
    }
}
