//! The lead's conversation with which the team is opened, and members that are paused with an earlier one.

use std::sync::Arc;

use teammate_core::{
    MemberName, Message, Sender,
    port::{MailError, OpenTranscript, Refusal, TranscriptError},
    team::{ChooseConversation, Command, ConversationChoice, ConversationId, Phase, Team},
    transcript::{Entry, heard_ids, last_conversation},
};

use super::{OpenError, Shared};
use crate::members::StartKind;

impl Shared {
    /// Whether there is a conversation as chosen.
    pub(super) fn can_choose(&self) -> Result<(), OpenError> {
        let ask = ChooseConversation {
            choice: self.setup.conversation,
            unheard: Vec::new(),
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
            let ask = ChooseConversation {
                choice,
                unheard: self.unheard().await,
                highest: self.highest_conversation().await,
            };
            self.ledger.decide(Command::Conversation(ask)).await?;
        }
        Ok(paused(&self.ledger.team()))
    }

    /// Members with mail that asks for a turn and that their transcripts do not hold.
    async fn unheard(&self) -> Vec<MemberName> {
        let team = self.ledger.team().clone();
        let mut unheard = Vec::new();
        for member in team.members() {
            if member.phase == Phase::Stopped || team.paused_for(&member.name).is_some() {
                continue;
            }
            // What cannot be read is said when the member listens.
            let mail = self.world.mailbox.peek(&member.name).await;
            let asks = |mail: &Message| {
                let is_ours = !matches!(mail.from, Sender::Unverified(_));
                let is_for_life = mail
                    .to_incarnation
                    .is_none_or(|life| life == member.incarnation);
                is_ours && is_for_life && mail.wants_answer() && team.is_for_current(mail)
            };
            let mut mail = mail.unwrap_or_default();
            mail.retain(asks);
            if !self.without_heard(&member.name, mail).await.is_empty() {
                unheard.push(member.name.clone());
            }
        }
        unheard
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
        let _under_way = self.activity.begin();
        let join = Command::Join(name.clone());
        self.ledger.decide(join).await?;
        self.seat_joined(name).await;
        Ok(())
    }

    /// Whether the members were started.
    pub(crate) fn has_started(&self) -> bool {
        self.members.has(&MemberName::lead())
    }

    /// Starts a member that has joined, whoever had it join, and takes up what it asks.
    pub(crate) async fn seat_joined(self: &Arc<Self>, name: &MemberName) {
        if let Err(error) = self.members.start(name, StartKind::IfAbsent).await {
            self.members.note_failure(name, &error).await;
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
         with that one",
        listed.join("; ")
    ))
}
