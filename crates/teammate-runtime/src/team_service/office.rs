//! The office: spawns, mail, todo lists and the roster, on behalf of a member.

use teammate_core::{
    MemberName, MessageId, MessageKind, Sender,
    mail::Metadata,
    port::{BoxFuture, Caller, Office, Refusal, RosterLine, SpawnAsk, Spawned},
    team::{Command, Phase, TodoList},
};

use super::TeamService;
use crate::{mailer::Draft, members::Order};

impl Office for TeamService {
    fn spawn<'a>(
        &'a self,
        caller: &'a Caller,
        ask: SpawnAsk,
    ) -> BoxFuture<'a, Result<Spawned, Refusal>> {
        Box::pin(self.spawn_for(caller, ask))
    }

    fn send<'a>(
        &'a self,
        caller: &'a Caller,
        to: &'a str,
        content: String,
    ) -> BoxFuture<'a, Result<MemberName, Refusal>> {
        Box::pin(async move {
            let from = Sender::Member(caller.name.clone());
            let to = self.0.mailer.recipient(&from, to)?;
            let hops = self.0.loops.hop(caller, std::slice::from_ref(&to)).await?;
            self.0.members.join(&to).await?;
            let draft = self.draft(caller, MessageKind::Message, &to, content);
            let metadata = hops;
            self.0.mailer.send(Draft { metadata, ..draft }).await?;
            Ok(to)
        })
    }

    fn broadcast<'a>(
        &'a self,
        caller: &'a Caller,
        content: String,
    ) -> BoxFuture<'a, Result<usize, Refusal>> {
        Box::pin(async move {
            let others: Vec<MemberName> = {
                let team = self.0.base.ledger.team();
                team.members()
                    .filter(|member| member.name != caller.name)
                    .filter(|member| member.phase != Phase::Stopped)
                    .filter(|member| team.paused_for(&member.name).is_none())
                    .map(|member| member.name.clone())
                    .collect()
            };
            self.tell_each(caller, &others, &content).await
        })
    }

    fn write_todos<'a>(
        &'a self,
        caller: &'a Caller,
        items: TodoList,
    ) -> BoxFuture<'a, Result<(), Refusal>> {
        Box::pin(async move {
            let command = Command::Todos {
                member: caller.name.clone(),
                incarnation: caller.incarnation,
                items,
            };
            self.0.base.ledger.decide(command).await?;
            Ok(())
        })
    }

    fn compact<'a>(
        &'a self,
        caller: &'a Caller,
        focus: Option<String>,
    ) -> BoxFuture<'a, Result<(), Refusal>> {
        Box::pin(self.0.members.compact(&caller.name, focus))
    }

    fn pause<'a>(
        &'a self,
        caller: &'a Caller,
        waits_for: String,
    ) -> BoxFuture<'a, Result<(), Refusal>> {
        self.0.loops.talk(caller);
        Box::pin(
            self.0
                .members
                .order_and_wait(&caller.name, |known| Order::Pause { waits_for, known }),
        )
    }

    fn roster(&self) -> BoxFuture<'_, Vec<RosterLine>> {
        Box::pin(async move { self.0.base.roster() })
    }

    fn waiting_mail<'a>(&'a self, caller: &'a Caller) -> BoxFuture<'a, Result<usize, Refusal>> {
        self.0.loops.talk(caller);
        Box::pin(async move { Ok(self.0.mailer.waiting(&caller.name).await?.len()) })
    }

    fn team_at_rest<'a>(&'a self, caller: &'a Caller) -> BoxFuture<'a, ()> {
        Box::pin(self.0.rest.others_at_rest(&caller.name))
    }
}

impl TeamService {
    /// The same text to each of them; how many they are.
    pub(super) async fn tell_each(
        &self,
        caller: &Caller,
        others: &[MemberName],
        content: &str,
    ) -> Result<usize, Refusal> {
        let hops = self.0.loops.hop(caller, others).await?;
        for to in others {
            let draft = self.draft(caller, MessageKind::Broadcast, to, content.to_owned());
            let metadata = hops.clone();
            self.0.mailer.send(Draft { metadata, ..draft }).await?;
        }
        Ok(others.len())
    }

    fn draft(&self, caller: &Caller, kind: MessageKind, to: &MemberName, content: String) -> Draft {
        let team = self.0.base.ledger.team().id();
        Draft {
            id: MessageId::derived(team, &format!("mail/{}/{to}", caller.call)),
            kind,
            from: Sender::Member(caller.name.clone()),
            from_incarnation: Some(caller.incarnation),
            to: to.clone(),
            content,
            request: None,
            to_incarnation: None,
            metadata: Metadata::new(),
        }
    }
}
