//! Wishes about turns and conversations.

use teammate_core::{MemberName, team::UserOrder};

use super::UserVerb;
use crate::{Team, TeamClient, TeamError};

/// Ends turns; what members have done stays in their transcripts.
#[derive(Debug, Clone)]
pub struct Interrupt {
    /// The turn of this member, or every turn.
    pub member: Option<MemberName>,
}

/// Has a member's conversation summarized as soon as there is a moment for it. Done: the member knows.
#[derive(Debug, Clone)]
pub struct Compact {
    /// Whose.
    pub member: MemberName,
    /// The subject that the summary keeps above all.
    pub focus: Option<String>,
}

/// Begins a new conversation with the lead, which rests; the team, its board and its mail stay.
#[derive(Debug, Clone, Copy)]
pub struct Clear;

impl UserVerb for Interrupt {
    type Done = ();

    async fn here(self, team: &Team) -> Result<(), TeamError> {
        match &self.member {
            Some(member) => team.host.interrupt(member).await,
            None => {
                for line in team.host.roster() {
                    team.host.interrupt(&line.name).await;
                }
            }
        }
        Ok(())
    }

    async fn there(self, client: &mut TeamClient) -> Result<(), TeamError> {
        let Self { member } = self;
        client.order(UserOrder::Interrupt { member }).await
    }
}

impl UserVerb for Compact {
    type Done = ();

    async fn here(self, team: &Team) -> Result<(), TeamError> {
        team.host.compact(self.member.as_str(), self.focus).await?;
        Ok(())
    }

    async fn there(self, client: &mut TeamClient) -> Result<(), TeamError> {
        let Self { member, focus } = self;
        client.order(UserOrder::Compact { member, focus }).await
    }
}

impl UserVerb for Clear {
    type Done = ();

    async fn here(self, team: &Team) -> Result<(), TeamError> {
        Ok(team.host.clear().await?)
    }

    async fn there(self, client: &mut TeamClient) -> Result<(), TeamError> {
        client.order(UserOrder::Clear).await
    }
}
