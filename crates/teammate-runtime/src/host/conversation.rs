//! The lead's conversation with which the team is opened, and members that are paused with an earlier one.

use teammate_core::{
    next_step::{NextStep, Wording},
    team::{ChooseConversation, Command, ConversationChoice, ConversationId, TeamState},
};

use super::{Host, LeadDuties, OpenError};
use crate::{driver::highest_conversation, unfinished::unfinished};

impl Host {
    /// Whether there is a conversation as chosen.
    pub(super) fn require_conversation(&self) -> Result<(), OpenError> {
        if !self.base.deployment.opens_team() {
            // The process that runs the lead first chooses it.
            return Ok(());
        }
        let ask = ChooseConversation {
            choice: self.base.setup.config.conversation,
            unfinished: Vec::new(),
            highest: ConversationId::FIRST,
        };
        let decided = self.base.ledger.team().decide(&Command::Conversation(ask));
        decided
            .map(|_| ())
            .map_err(|why| OpenError::Refused(why.to_string()))
    }
}

impl LeadDuties {
    /// Records the conversation that the team is opened with, before any member starts. Returns what stays paused,
    /// in words.
    pub(super) async fn choose_conversation(&self) -> Result<Option<String>, OpenError> {
        let choice = self.base.setup.config.conversation;
        if choice != ConversationChoice::Last {
            let (team, ports) = (self.base.ledger.team(), &self.base.ports);
            let ask = ChooseConversation {
                choice,
                unfinished: unfinished(&team, &*ports.mailbox, &*ports.transcripts).await,
                highest: highest_conversation(&self.base).await,
            };
            self.base.ledger.decide(Command::Conversation(ask)).await?;
        }
        Ok(paused(
            &self.base.ledger.team(),
            self.base.setup.config.wording,
        ))
    }
}

/// The work that other conversations left unfinished, with the ways on.
fn paused(team: &TeamState, wording: Wording) -> Option<String> {
    let current = team.conversation();
    let mut left = Vec::new();
    for (id, _) in team.conversations().all().filter(|(id, _)| *id != current) {
        let unfinished = team.unfinished(id);
        if unfinished.is_empty() {
            continue;
        }
        left.push((id, format!("conversation {id} ({unfinished})")));
    }
    let (last, _) = left.last()?;
    let listed: Vec<_> = left.iter().map(|(_, text)| text.as_str()).collect();
    Some(format!(
        "an earlier job is paused: {}. You can {}",
        listed.join("; "),
        wording.words(&NextStep::ContinueJob(*last))
    ))
}
