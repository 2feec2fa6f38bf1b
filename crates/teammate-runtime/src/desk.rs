//! The office's desk: answers what team tools ask on behalf of a member.

mod requests;
mod tasks;
mod teams;

use std::sync::Arc;

use teammate_core::{
    MemberName, MessageId, MessageKind, Sender,
    mail::Metadata,
    model::ModelRef,
    port::{BoxFuture, Caller, Office, Prepared, Refusal, RosterLine, SpawnAsk, Spawned},
    team::{Command, Spawn, TeamEvent, TodoList},
};

use crate::{
    host::Shared,
    members::{Order, StartKind},
    post::Letter,
};

pub(crate) use tasks::TaskDesk;

/// The harness as team tools see it.
pub(crate) struct Desk(pub(crate) Arc<Shared>);

impl Office for Desk {
    fn spawn<'a>(
        &'a self,
        caller: &'a Caller,
        ask: SpawnAsk,
    ) -> BoxFuture<'a, Result<Spawned, Refusal>> {
        Box::pin(async move {
            let name = MemberName::teammate(&ask.name).map_err(|e| Refusal::Rule(e.to_string()))?;
            let role = self.role_of(&name, &ask);
            let terms = self
                .0
                .setup
                .agents
                .apply(ask.terms, self.0.setup.mode)
                .map_err(Refusal::Rule)?;
            if let Some(model) = &terms.model {
                self.may_use(model)?;
                self.is_priced(model)?;
                self.0
                    .world
                    .models
                    .open(model)
                    .map_err(|e| Refusal::Rule(e.what))?;
            }
            let command = Command::Spawn(Spawn {
                by: caller.name.clone(),
                call: caller.call.clone(),
                member: name.clone(),
                role: role.clone(),
                prompt: ask.prompt,
                terms,
                ceiling: self.0.setup.mode,
                fresh: ask.fresh,
            });
            self.0.may_spawn(caller)?;
            // A spawn that has begun is not given up half-way, also if whoever asked for it is interrupted.
            let (shared, spawned) = (self.0.clone(), name.clone());
            let under_way = shared.activity.begin();
            let spawning = async move {
                let worktree = shared.spawn(command, &spawned).await;
                drop(under_way);
                worktree
            };
            let worktree = tokio::spawn(spawning)
                .await
                .map_err(|error| Refusal::Broken(error.to_string()))??;
            let team = self.0.ledger.team();
            let woken = team
                .member(&name)
                .is_some_and(|member| member.incarnation.0 > 1)
                && !ask.fresh;
            Ok(Spawned {
                name,
                role,
                woken,
                worktree,
            })
        })
    }

    fn send<'a>(
        &'a self,
        caller: &'a Caller,
        to: &'a str,
        content: String,
    ) -> BoxFuture<'a, Result<MemberName, Refusal>> {
        Box::pin(async move {
            let from = Sender::Member(caller.name.clone());
            let to = self.0.recipient(&from, to)?;
            let hops = self.0.hop(caller, std::slice::from_ref(&to)).await?;
            self.0.join(&to).await?;
            let letter = self.letter(caller, MessageKind::Message, &to, content);
            let metadata = hops;
            self.0.post(Letter { metadata, ..letter }).await?;
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
                let team = self.0.ledger.team();
                team.members()
                    .filter(|member| member.name != caller.name)
                    .filter(|member| member.phase != teammate_core::team::Phase::Stopped)
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
            self.0.ledger.decide(command).await?;
            Ok(())
        })
    }

    fn compact<'a>(
        &'a self,
        caller: &'a Caller,
        focus: Option<String>,
    ) -> BoxFuture<'a, Result<(), Refusal>> {
        Box::pin(self.0.compact(&caller.name, focus))
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
        Box::pin(async move { self.0.roster() })
    }

    fn waiting_mail<'a>(&'a self, caller: &'a Caller) -> BoxFuture<'a, Result<usize, Refusal>> {
        self.0.loops.talk(caller);
        Box::pin(async move { Ok(self.0.waiting_mail(&caller.name).await?.len()) })
    }

    fn team_at_rest<'a>(&'a self, caller: &'a Caller) -> BoxFuture<'a, ()> {
        Box::pin(self.0.others_at_rest(&caller.name))
    }
}

impl Shared {
    /// Decides a spawn and seats who was spawned, in a worktree if it shall have one: that is made before anything is decided.
    async fn spawn(
        self: &Arc<Self>,
        command: Command,
        name: &MemberName,
    ) -> Result<Option<Prepared>, Refusal> {
        // Until its last life is over, its transcript and its worktree are that one's.
        self.has_left(name).await;
        let worktree = self.worktree_for(&command, name).await?;
        let events = match self.ledger.decide(command).await {
            Ok(events) => events,
            Err(error) => {
                if let Some(prepared) = worktree.filter(Prepared::is_new) {
                    self.abandon_home(name, &prepared).await;
                }
                return Err(error.into());
            }
        };
        let is_new = events
            .iter()
            .any(|event| matches!(event, TeamEvent::Spawned { .. }));
        if !is_new {
            return Ok(worktree);
        }
        let Err(error) = self.members.start(name, StartKind::Anew).await else {
            return Ok(worktree);
        };
        self.members.note_failure(name, &error).await;
        Err(Refusal::Broken(error.to_string()))
    }

    /// What the command will be decided to, as far as that can be told now, says whether there shall be a worktree.
    async fn worktree_for(
        &self,
        command: &Command,
        name: &MemberName,
    ) -> Result<Option<Prepared>, Refusal> {
        let decided = self.ledger.team().decide(command);
        let events = decided
            .map_err(|error| Refusal::Rule(error.to_string()))?
            .events;
        let has_worktree =
            |event: &TeamEvent| matches!(event, TeamEvent::Spawned { terms, .. } if terms.worktree);
        if !events.iter().any(has_worktree) {
            return Ok(None);
        }
        let prepared = self.prepare_home(name).await;
        prepared
            .map(Some)
            .map_err(|error| Refusal::Rule(format!("{error}. '{name}' was not spawned")))
    }
}

impl Desk {
    /// What a spawned member is for: as said, or as before, or what its definition is called.
    fn role_of(&self, name: &MemberName, ask: &SpawnAsk) -> String {
        let team = self.0.ledger.team();
        match (&ask.role, team.member(name)) {
            (None, Some(member)) => member.role.clone(),
            (Some(_), _) | (None, None) => ask.role_or_default().to_owned(),
        }
    }

    /// A play is a file, and which files are opened as plays is the user's to say.
    fn may_use(&self, model: &ModelRef) -> Result<(), Refusal> {
        if model.provider == "scripted" && *model != self.0.setup.model {
            return Err(Refusal::Rule(format!(
                "'{model}' is a play, and only the user chooses plays; leave the model out or name another"
            )));
        }
        Ok(())
    }

    /// Where money is limited, nobody uses what has no price.
    fn is_priced(&self, model: &ModelRef) -> Result<(), Refusal> {
        let setup = &self.0.setup;
        if setup.budgets.limits_money() && setup.prices.of(&model.to_string()).is_none() {
            return Err(Refusal::Rule(format!(
                "money is limited and '{model}' has no price; leave the model out or name one that has"
            )));
        }
        Ok(())
    }

    /// The same text to each of them; how many they are.
    async fn tell_each(
        &self,
        caller: &Caller,
        others: &[MemberName],
        content: &str,
    ) -> Result<usize, Refusal> {
        let hops = self.0.hop(caller, others).await?;
        for to in others {
            let letter = self.letter(caller, MessageKind::Broadcast, to, content.to_owned());
            let metadata = hops.clone();
            self.0.post(Letter { metadata, ..letter }).await?;
        }
        Ok(others.len())
    }

    fn letter(
        &self,
        caller: &Caller,
        kind: MessageKind,
        to: &MemberName,
        content: String,
    ) -> Letter {
        let team = self.0.ledger.team().id();
        Letter {
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
