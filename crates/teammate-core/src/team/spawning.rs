//! How members come into the team: spawned by the lead, or adopted from a roster.

use super::{Decision, MEMBERS_MAX, Spawn, TeamEvent, TeamRefusal, TeamState};
use crate::{
    Incarnation, MemberName,
    member::MemberOptions,
    request::Demand,
    team::{Durability, decision::decision_if},
};

impl TeamState {
    pub(super) fn adopt(&self, member: &MemberName, role: &str, stopped: bool) -> Decision {
        let event = TeamEvent::Adopted {
            member: member.clone(),
            role: role.to_owned(),
            stopped,
        };
        decision_if(self.member(member).is_none(), event, Durability::Synced)
    }

    pub(super) fn spawn(&self, spawn: &Spawn) -> Result<Decision, TeamRefusal> {
        if !spawn.by.is_lead() {
            return Err(TeamRefusal::NotTheLead);
        }
        if let Some(asked) = spawn.options.mode
            && asked > spawn.ceiling
        {
            return Err(TeamRefusal::AboveOwnMode {
                asked,
                own: spawn.ceiling,
            });
        }
        let demand = self.demand_of(spawn);
        let terms = self.options_for(spawn, demand.is_some());
        if let Some(team) = &terms.group {
            self.require_active(team)?;
        }
        let incarnation = match self.member(&spawn.member) {
            Some(known)
                if known
                    .assignment
                    .as_ref()
                    .is_some_and(|a| a.call == spawn.call) =>
            {
                return Ok(Decision {
                    events: Vec::new(),
                    durability: Durability::Synced,
                });
            }
            Some(known)
                if self
                    .requests()
                    .is_shutting_down(&known.name, known.incarnation) =>
            {
                return Err(TeamRefusal::Leaving(known.name.clone()));
            }
            Some(known) if known.phase.is_busy() => {
                return Err(TeamRefusal::Busy {
                    name: known.name.clone(),
                    status: known.phase.status().as_str().into(),
                });
            }
            Some(known) => {
                known.must_have_heard()?;
                known.incarnation.next()
            }
            None if self.members.len() >= MEMBERS_MAX => {
                return Err(TeamRefusal::Full {
                    count: self.members.len(),
                });
            }
            None => match self.past.get(&spawn.member) {
                Some(past) => past.life.next(),
                None => Incarnation::FIRST,
            },
        };
        let event = TeamEvent::Spawned {
            member: spawn.member.clone(),
            role: spawn.role.clone(),
            prompt: spawn.prompt.clone(),
            options: terms,
            incarnation,
            by: spawn.by.clone(),
            call: spawn.call.clone(),
            fresh: spawn.fresh,
            plan_by: demand.as_ref().map(Demand::by),
            plan_once: matches!(demand, Some(Demand::Once(_))),
        };
        let held = if spawn.fresh {
            self.release_task_of(&spawn.member, &format!("{} starts anew", spawn.member))
        } else {
            self.renew_lease_of(&spawn.member, incarnation)
        };
        let why = format!("{} was spawned again", spawn.member);
        let cancelled = self.cancel_requests(&spawn.member, &why);
        let decided = decision_if(true, event, Durability::Synced);
        Ok(decided.with(held).with(cancelled))
    }

    /// The requested options; a member that has a worktree keeps it, since its work is there, and what it needs of a worker.
    fn options_for(&self, spawn: &Spawn, plan: bool) -> MemberOptions {
        let known = self.member(&spawn.member);
        // Who is woken is answered as before, unless another kind is asked for.
        let engine = match &spawn.options.agent {
            Some(_) => None,
            None => known.and_then(|known| known.options.engine.clone()),
        };
        MemberOptions {
            engine: spawn.options.engine.clone().or(engine),
            require_plan: plan,
            worktree: spawn.options.worktree || known.is_some_and(|known| known.options.worktree),
            effort: (spawn.options.effort).or_else(|| known?.options.effort),
            group: (spawn.options.group.clone()).or_else(|| known?.options.group.clone()),
            labels: match (spawn.options.labels.is_empty(), known) {
                (true, Some(known)) => known.options.labels.clone(),
                (true, None) | (false, _) => spawn.options.labels.clone(),
            },
            ..spawn.options.clone()
        }
    }
}
