//! The lead's conversation with which the team is opened, and members that are paused with an earlier one.

use std::sync::Arc;

use teammate_core::{
    MemberName, Message,
    port::{MailError, OpenTranscript, Refusal, TranscriptError},
    team::{ChooseConversation, Command, ConversationChoice, ConversationId, Team},
    transcript::{Entry, heard_ids, last_conversation},
};

use super::{OpenError, Shared};
use crate::{
    desk::{Spawning, refusal},
    member::DriverError,
    supervise,
    unfinished::unfinished,
};

impl Shared {
    /// Whether there is a conversation as chosen.
    pub(super) fn can_choose(&self) -> Result<(), OpenError> {
        let ask = ChooseConversation {
            choice: self.setup.conversation,
            unfinished: Vec::new(),
            highest: ConversationId::FIRST,
        };
        let decided = self.ledger.team().decide(&Command::Conversation(ask));
        decided
            .map(|_| ())
            .map_err(|why| OpenError::Refused(why.to_string()))
    }

    /// Notes the conversation with which the team is opened, before anybody begins. Returns what stays paused, in words.
    pub(super) async fn choose_conversation(&self) -> Result<Option<String>, OpenError> {
        let choice = self.setup.conversation;
        if choice != ConversationChoice::Last {
            let (team, world) = (self.ledger.team().clone(), &self.world);
            let ask = ChooseConversation {
                choice,
                unfinished: unfinished(&team, &*world.mailbox, &*world.transcripts).await,
                highest: self.highest_conversation().await,
            };
            self.ledger.decide(Command::Conversation(ask)).await?;
        }
        Ok(paused(&self.ledger.team()))
    }

    /// Mail that waits for a member in the current conversation.
    pub(crate) async fn waiting_mail(&self, name: &MemberName) -> Result<Vec<Message>, MailError> {
        let mut mail = self.world.mailbox.peek(name).await?;
        let has_one_conversation = {
            let team = self.ledger.team();
            mail.retain(|mail| team.is_for_current(mail));
            team.has_one_conversation()
        };
        // Only a batch with mail for several conversations is kept after some of it was heard.
        if !name.is_lead() || has_one_conversation {
            return Ok(mail);
        }
        Ok(self.without_heard(name, mail).await)
    }

    async fn without_heard(&self, name: &MemberName, mail: Vec<Message>) -> Vec<Message> {
        if mail.is_empty() {
            return mail;
        }
        let entries = self.world.transcripts.peek(name).await.unwrap_or_default();
        let heard = heard_ids(&entries);
        let mail = mail.into_iter();
        mail.filter(|mail| !heard.contains(&mail.id)).collect()
    }

    /// The transcript may know of a conversation whose record the journal has lost: its number is not given again.
    async fn highest_conversation(&self) -> ConversationId {
        let lead = MemberName::lead();
        let entries = self.world.transcripts.peek(&lead).await.unwrap_or_default();
        let marks = entries.iter().filter_map(Entry::conversation);
        marks.max().unwrap_or_default()
    }

    /// The lead's transcript goes on in the current conversation.
    pub(crate) async fn turn_to_current(
        &self,
        opened: &mut OpenTranscript,
    ) -> Result<(), TranscriptError> {
        let current = self.ledger.team().conversation();
        if last_conversation(&opened.entries) != current {
            let entry = Entry::Conversation(current);
            opened.log.append(&entry).await?;
            opened.entries.push(entry);
        }
        Ok(())
    }

    /// A paused member that is spoken to goes on with what it has in hand, and belongs to the current job.
    pub(crate) async fn join(self: &Arc<Self>, name: &MemberName) -> Result<(), Refusal> {
        if self.ledger.team().paused_for(name).is_none() {
            return Ok(());
        }
        let _spawning = Spawning::begin(self.clone());
        let join = Command::Join(name.clone());
        self.ledger.decide(join).await.map_err(refusal)?;
        self.seat_joined(name).await;
        Ok(())
    }

    /// Whether the members were started.
    pub(crate) async fn has_started(&self) -> bool {
        let seats = self.seats.lock().await;
        let is_lead = |seats: &std::collections::HashMap<MemberName, supervise::Seat>| {
            seats.contains_key(&MemberName::lead())
        };
        seats.as_ref().is_some_and(is_lead)
    }

    /// Starts a member that has joined, whoever had it join, and takes up what it asks.
    pub(crate) async fn seat_joined(self: &Arc<Self>, name: &MemberName) {
        match self.seat_if_absent(name).await {
            Ok(()) => {}
            Err(DriverError::Home(error)) => self.is_homeless(name, &error).await,
            Err(error @ DriverError::Transcript(_)) => {
                let member = self.ledger.team().member(name).cloned();
                if let Some(member) = member {
                    supervise::fail(self, &member, error.to_string()).await;
                }
            }
        }
        self.take_up_requests().await;
    }
}

/// What other conversations left unfinished, with the ways on.
fn paused(team: &Team) -> Option<String> {
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
        "an earlier job is paused: {}. `teammate resume` goes on with everything, `teammate run --conversation {last} \"...\"` \
         with that one; `teammate conversations drop {last}` drops it",
        listed.join("; ")
    ))
}
