//! Mail, todo lists and the end of a turn, on behalf of a member.

use teammate_core::{
    GroupName, MemberName, MessageKind, Sender,
    mail::Metadata,
    port::{Caller, Refusal},
    team::{Command, Member, MemberPhase, MessageCause, TodoList},
};

use super::TeamService;
use crate::{mailer::MailDraft, members::Order, rights::Rights};

impl TeamService {
    pub(super) async fn send(
        &self,
        (caller, rights): (&Caller, &Rights),
        to: String,
        content: String,
    ) -> Result<MemberName, Refusal> {
        let from = Sender::Member(caller.name.clone());
        let to = match self.0.mailer.resolve_recipient(&from, &to) {
            Ok(to) => to,
            Err(refusal) => return self.sent_before(caller, &to).await.ok_or(refusal),
        };
        let recipients = std::slice::from_ref(&to);
        self.ask_hooks_to_send((caller, rights), recipients, &content)
            .await?;
        let hops = self.0.loops.hop(caller, recipients).await?;
        self.0.members.join(&to).await?;
        let draft = self.draft(caller, MessageKind::Message, &to, content, hops);
        self.0.mailer.send_or_wait(draft).await?;
        Ok(to)
    }

    /// The member that this call has sent its message to before, in an earlier try, and that may be stopped by now.
    async fn sent_before(&self, caller: &Caller, to: &str) -> Option<MemberName> {
        let to = self.0.mailer.parse_member(to).ok()?;
        let team = self.0.base.ledger.team();
        let id = team.message_id(MessageCause::Mail(&caller.call, &to));
        self.0.mailer.is_sent(&to, &id).await.then_some(to)
    }

    /// Sends a text to every other member, or to those of a group; how many they are.
    pub(super) async fn broadcast(
        &self,
        (caller, rights): (&Caller, &Rights),
        group: Option<GroupName>,
        content: String,
    ) -> Result<usize, Refusal> {
        let others: Vec<MemberName> = {
            let team = self.0.base.ledger.team();
            if let Some(group) = &group {
                team.must_have(group)
                    .map_err(|error| Refusal::Rule(error.to_string()))?;
            }
            let is_meant = |member: &&Member| match &group {
                Some(group) => member.options.group.as_ref() == Some(group),
                None => team.paused_for(&member.name).is_none(),
            };
            team.members()
                .filter(|member| member.name != caller.name && member.phase != MemberPhase::Stopped)
                .filter(is_meant)
                .map(|member| member.name.clone())
                .collect()
        };
        self.ask_hooks_to_send((caller, rights), &others, &content)
            .await?;
        let hops = self.0.loops.hop(caller, &others).await?;
        for to in &others {
            let (kind, content) = (MessageKind::Broadcast, content.clone());
            let draft = self.draft(caller, kind, to, content, hops.clone());
            self.0.mailer.send_or_wait(draft).await?;
        }
        Ok(others.len() + self.sent_to_more(caller, &others).await)
    }

    /// To how many members beside these, which are stopped by now, this call has sent its message before, in an earlier try. Where
    /// one process runs the team nobody is stopped meanwhile.
    async fn sent_to_more(&self, caller: &Caller, others: &[MemberName]) -> usize {
        if !self.0.base.deployment.moves_members() {
            return 0;
        }
        let team = self.0.base.ledger.team();
        let mut count = 0;
        for member in team.members() {
            let id = team.message_id(MessageCause::Mail(&caller.call, &member.name));
            let is_more = member.phase == MemberPhase::Stopped && !others.contains(&member.name);
            if is_more && self.0.mailer.is_sent(&member.name, &id).await {
                count += 1;
            }
        }
        count
    }

    pub(super) async fn waiting_mail(&self, caller: &Caller) -> Result<usize, Refusal> {
        self.0.loops.talk(caller);
        Ok(self.0.mailer.waiting(&caller.name).await?.len())
    }

    pub(super) async fn write_todos(
        &self,
        caller: &Caller,
        items: TodoList,
    ) -> Result<(), Refusal> {
        let command = Command::SetTodos {
            member: caller.name.clone(),
            incarnation: caller.incarnation,
            items,
        };
        self.0.base.ledger.decide(command).await?;
        Ok(())
    }

    pub(super) async fn pause(&self, caller: &Caller, waits_for: String) -> Result<(), Refusal> {
        self.0.loops.talk(caller);
        let members = &self.0.members;
        members
            .order_and_wait(&caller.name, |known| Order::Pause { waits_for, known })
            .await
    }

    fn draft(
        &self,
        caller: &Caller,
        kind: MessageKind,
        to: &MemberName,
        content: String,
        metadata: Metadata,
    ) -> MailDraft {
        let cause = MessageCause::Mail(&caller.call, to);
        let id = self.0.base.ledger.team().message_id(cause);
        let from = Sender::Member(caller.name.clone());
        MailDraft {
            kind,
            from_incarnation: Some(caller.incarnation),
            metadata,
            ..MailDraft::message(id, from, to, content)
        }
    }
}
