//! The user drops an unfinished job, so that it is no longer paused.

use std::collections::BTreeSet;

use teammate_core::{
    MemberName, Message,
    port::{Batch, Clock as _, Refusal, TranscriptError},
    team::{
        ChooseConversation, Command, ConversationChoice, ConversationId, TeamState, Unfinished,
    },
    transcript::{Conversation, EndReason, Entry, ResumePoint, heard_ids, last_conversation},
};
use teammate_runtime::{OpenError, unfinished};
use teammate_store::clock::SystemClock;

use super::TeamClient;
use crate::TeamError;

/// The outcome of a call without one, if the user returns to the conversation.
const NOT_RUN: &str = "Interrupted: the program stopped before this call had an outcome, and the user dropped the job. It may have done all, part or none of its work; check before you repeat it.";

/// The result of dropping a job.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct DroppedConversation {
    /// The work that it had left to do. Its members are interrupted, and its tasks wait until they are assigned.
    pub unfinished: Unfinished,
    /// How many unanswered messages are in its transcripts now.
    pub unanswered: usize,
}

impl TeamClient {
    /// Drops a conversation of the lead: the turns of its members end, their tasks in progress go back to
    /// the board, its open requests end, and its mail goes into the transcripts unanswered. Everything stays readable, and
    /// `run --conversation` begins a new turn in it.
    ///
    /// Errors: the team is running, there is no such conversation, or it has nothing left to do.
    pub async fn drop_conversation(
        &mut self,
        id: ConversationId,
    ) -> Result<DroppedConversation, TeamError> {
        self.require_user()?;
        // No process runs a member whose transcript is written here.
        let _host = self.store.presence.claim(SystemClock.now()).await?;
        self.holder = None;
        self.catch_up().await?;
        if id == self.team().conversation() {
            self.leave_conversation().await?;
        }
        let known = self.conversations().await?;
        let line = known.into_iter().find(|line| line.id == id);
        let unfinished = line.map_or_else(Unfinished::default, |line| line.unfinished);
        if unfinished.is_empty() {
            // An error if there is no such conversation.
            self.decide(&Command::DropConversation(id)).await?;
            let text = format!("conversation {id} has nothing left to do");
            return Err(Refusal::Rule(text).into());
        }
        // Transcripts first: after a kill in between the members are still paused, and this can be done again.
        let mut unanswered = self.end_turns(&MemberName::lead(), id).await?;
        for name in &unfinished.members {
            unanswered += self.end_turns(name, id).await?;
        }
        self.decide(&Command::DropConversation(id)).await?;
        self.upkeep.logs_grew();
        Ok(DroppedConversation {
            unfinished,
            unanswered,
        })
    }

    /// The lead begins a new conversation, so that what the last one leaves unfinished is known; it stays if that is nothing.
    async fn leave_conversation(&mut self) -> Result<(), TeamError> {
        let store = &self.store.store;
        let unfinished = unfinished(self.team(), &*store.mailbox, &*store.transcripts).await;
        let current = self.team().conversation();
        if unfinished.is_empty() && self.team().unfinished(current).is_empty() {
            return Ok(());
        }
        let marks = self.transcript(&MemberName::lead()).await?;
        let highest = marks.iter().filter_map(Entry::conversation).max();
        let choose = ChooseConversation {
            choice: ConversationChoice::Fresh,
            unfinished,
            highest: highest.unwrap_or_default(),
        };
        self.decide(&Command::Conversation(choose)).await
    }

    /// Ends what a member's transcript has open in a conversation, and puts its mail there. Returns how many messages that are.
    async fn end_turns(&self, name: &MemberName, id: ConversationId) -> Result<usize, TeamError> {
        let store = &self.store.store;
        let mut opened = store.transcripts.open(name).await.map_err(broken)?;
        let claims = store.mailbox.take(name).await.map_err(Refusal::from)?;
        let is_of_it =
            |mail: &Message| !name.is_lead() || TeamState::conversation_of(mail) == Some(id);
        let mail = unheard(&claims, &opened.entries, is_of_it);
        let count = mail.len();
        for entry in closing(opened.entries, name.is_lead().then_some(id), mail) {
            opened.log.append(&entry).await.map_err(broken)?;
        }
        for claim in claims
            .iter()
            .filter(|claim| claim.messages.iter().all(is_of_it))
        {
            let settled = store.mailbox.ack(name, claim.id).await;
            settled.map_err(Refusal::from)?;
        }
        Ok(count)
    }
}

fn unheard(
    claims: &[Batch],
    entries: &[Entry],
    is_of_it: impl Fn(&Message) -> bool,
) -> Vec<Message> {
    let heard = heard_ids(entries);
    let mut seen = BTreeSet::new();
    let mail = claims.iter().flat_map(|claim| &claim.messages);
    mail.filter(|mail| is_of_it(mail) && !heard.contains(&mail.id))
        .filter(|mail| seen.insert(&mail.id))
        .cloned()
        .collect()
}

/// The entries that end a transcript, the lead's in this conversation, so that nothing of it continues automatically.
fn closing(
    entries: Vec<Entry>,
    conversation: Option<ConversationId>,
    mail: Vec<Message>,
) -> Vec<Entry> {
    let last = last_conversation(&entries);
    let other = conversation
        .filter(|id| *id != last)
        .map(Entry::Conversation);
    let open = Conversation::of(entries.into_iter().chain(other.clone()));
    let mut closing = match open.resume_point() {
        ResumePoint::CallModel | ResumePoint::OpenCalls(_) => open.closing(NOT_RUN),
        ResumePoint::Idle | ResumePoint::Finished { .. } => Vec::new(),
    };
    if !mail.is_empty() {
        closing.push(Entry::Heard(mail));
        closing.push(Entry::TurnEnded(EndReason::Interrupted));
    }
    if let Some(mark) = other.filter(|_| !closing.is_empty()) {
        closing.insert(0, mark);
        closing.push(Entry::Conversation(last));
    }
    closing
}

fn broken(error: TranscriptError) -> TeamError {
    OpenError::Transcript(error).into()
}
