//! Spawns: what a member is to be, whether it may, and how it comes to run.

use std::sync::Arc;

use teammate_core::{
    MemberName,
    model::ModelRef,
    port::{Caller, PreparedWorktree, Refusal, SpawnArgs, SpawnedTeammate},
    team::{Command, Spawn, TeamEvent},
};

use super::TeamService;
use crate::{
    members::StartKind,
    workdir::{Workdir, explained},
    worktree_setup::SetupParts,
};

impl TeamService {
    /// Adds a teammate or wakes one. Returns when it runs.
    pub(crate) async fn spawn(
        &self,
        caller: &Caller,
        ask: SpawnArgs,
    ) -> Result<SpawnedTeammate, Refusal> {
        let name = MemberName::teammate(&ask.name).map_err(|e| Refusal::Rule(e.to_string()))?;
        let role = self.role_of(&name, &ask);
        let terms = self
            .0
            .base
            .setup
            .agents
            .apply(ask.options, self.0.base.mode())
            .map_err(Refusal::Rule)?;
        self.require_usable_engine(&terms)?;
        if let Some(model) = &terms.model {
            self.require_usable_model(model)?;
            self.require_price(model)?;
            self.0
                .base
                .ports
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
            options: terms,
            ceiling: self.0.base.mode(),
            fresh: ask.fresh,
        });
        self.ask_hooks_to_spawn(&command).await?;
        self.0.loops.may_spawn(caller)?;
        // A spawn that has begun is completed, also if the lead is interrupted.
        let (service, spawned, caller) = (self.clone(), name.clone(), caller.clone());
        let under_way = self.0.base.activity.begin();
        let spawning = async move {
            let worktree = service.decide_spawn(command, &spawned, &caller).await;
            drop(under_way);
            worktree
        };
        let worktree = tokio::spawn(spawning)
            .await
            .map_err(|error| Refusal::Broken(error.to_string()))??;
        let team = self.0.base.ledger.team();
        let woken = team
            .member(&name)
            .is_some_and(|member| member.incarnation.0 > 1)
            && !ask.fresh;
        Ok(SpawnedTeammate {
            waits_for: self.0.base.missing_worker(&name),
            name,
            role,
            woken,
            worktree,
        })
    }

    /// Decides a spawn and starts the member. Its worktree, if it gets one, is made before anything is decided.
    async fn decide_spawn(
        &self,
        command: Command,
        name: &MemberName,
        caller: &Caller,
    ) -> Result<Option<PreparedWorktree>, Refusal> {
        // Until its last incarnation is over, its transcript and its worktree are that one's.
        self.0.requests.until_left(name).await;
        let mut worktree = self.worktree_for(&command, name).await?;
        if let Some(prepared) = &mut worktree {
            self.set_up(prepared, name, caller).await;
        }
        let events = match self.0.base.ledger.decide(command).await {
            Ok(events) => events,
            Err(error) => {
                if let Some(prepared) = worktree.filter(PreparedWorktree::is_new) {
                    Workdir::abandon(&self.0.base, name, &prepared).await;
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
        self.0.base.spawn_hold.add(name);
        if self.0.base.deployment.begins_by_journal() {
            // The worker on which the journal places it begins it.
            return Ok(worktree);
        }
        if let Some(prepared) = &mut worktree {
            self.note_worktree(prepared, name).await;
        }
        let Err(error) = self.0.members.start(name, StartKind::Anew).await else {
            return Ok(worktree);
        };
        self.0.members.note_failure(name, &error).await;
        Err(Refusal::Broken(error.to_string()))
    }

    /// Decides on a copy, to find out whether the member will have a worktree, and whether its engine can be what it is to be.
    async fn worktree_for(
        &self,
        command: &Command,
        name: &MemberName,
    ) -> Result<Option<PreparedWorktree>, Refusal> {
        let decided = self.0.base.ledger.team().decide(command);
        let events = decided
            .map_err(|error| Refusal::Rule(error.to_string()))?
            .events;
        let spawned = events.iter().find_map(|event| match event {
            TeamEvent::Spawned { options, .. } => Some(options),
            _ => None,
        });
        if let Some(options) = spawned {
            self.require_usable_engine(options)?;
        }
        // Its worker makes it.
        if self.0.base.deployment.begins_by_journal()
            || !spawned.is_some_and(|options| options.worktree)
        {
            return Ok(None);
        }
        let prepared = Workdir::prepare(&self.0.base, name).await;
        prepared.map(Some).map_err(|error| {
            let why = explained(&self.0.base, &error);
            Refusal::Rule(format!("{why}. '{name}' was not spawned"))
        })
    }

    /// Runs in a worktree that is new what the settings have run there.
    async fn set_up(&self, prepared: &mut PreparedWorktree, name: &MemberName, caller: &Caller) {
        let place = Workdir::place_of(&self.0.base, name, &prepared.worktree);
        let Some(furnished) = prepared.furnished() else {
            return;
        };
        let failed = self.setup_parts().run_commands(&place, caller).await;
        furnished.missing.extend(failed);
    }

    async fn note_worktree(&self, prepared: &mut PreparedWorktree, name: &MemberName) {
        let worktree = prepared.worktree.name.clone();
        let team = self.0.base.ledger.team();
        if let (Some(furnished), Some(member)) = (prepared.furnished(), team.member(name)) {
            let owner = (name, member.incarnation);
            self.setup_parts()
                .send_notice(owner, &worktree, furnished)
                .await;
        }
    }

    fn setup_parts(&self) -> SetupParts {
        SetupParts {
            base: self.0.base.clone(),
            gate: self.0.gate.clone(),
            contexts: Arc::new(self.clone()),
            mailer: self.0.mailer.clone(),
        }
    }

    /// The role of a spawned member: as given, else as before, else the name of its agent definition.
    fn role_of(&self, name: &MemberName, ask: &SpawnArgs) -> String {
        let team = self.0.base.ledger.team();
        match (&ask.role, team.member(name)) {
            (None, Some(member)) => member.role.clone(),
            (Some(_), _) | (None, None) => ask.role_or_default().to_owned(),
        }
    }

    /// Every member may use the team's own model; some others only the user may choose.
    fn require_usable_model(&self, model: &ModelRef) -> Result<(), Refusal> {
        let base = &self.0.base;
        match base.ports.models.reserved(model) {
            Some(why) if *model != base.setup.config.model => Err(Refusal::Rule(format!(
                "{why}; leave the model out or name another"
            ))),
            Some(_) | None => Ok(()),
        }
    }

    /// If money is limited, a model without a price is refused.
    fn require_price(&self, model: &ModelRef) -> Result<(), Refusal> {
        let setup = &self.0.base.setup;
        if self.0.base.budgets().limits_money()
            && setup.config.prices.of(&model.to_string()).is_none()
        {
            return Err(Refusal::Rule(format!(
                "money is limited and '{model}' has no price; leave the model out or name one that has"
            )));
        }
        Ok(())
    }
}
