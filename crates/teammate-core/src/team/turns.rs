//! The turns of a member: begun, waiting, ended, and stopped with the member itself.

use super::{Decision, TeamEvent, TeamRefusal, TeamState};
use crate::{
    Incarnation, MemberName,
    member::{Member, MemberPhase, TodoList, WaitingOn},
    model::{Effort, ModelRef},
    team::{Durability, decision::decision_if},
    transcript::EndReason,
};

impl TeamState {
    pub(super) fn start_turn(
        &self,
        member: &MemberName,
        incarnation: Incarnation,
    ) -> Result<Decision, TeamRefusal> {
        let known = self.current_running(member, incarnation)?;
        let event = TeamEvent::Working {
            member: member.clone(),
            incarnation,
        };
        Ok(decision_if(
            known.phase != MemberPhase::Working,
            event,
            Durability::Lazy,
        ))
    }

    pub(super) fn wait(
        &self,
        member: &MemberName,
        incarnation: Incarnation,
        on: WaitingOn,
    ) -> Result<Decision, TeamRefusal> {
        let known = self.current_running(member, incarnation)?;
        let event = TeamEvent::Waiting {
            member: member.clone(),
            incarnation,
            on,
        };
        Ok(decision_if(
            known.phase != MemberPhase::Waiting(on),
            event,
            Durability::Lazy,
        ))
    }

    pub(super) fn end_turn(
        &self,
        member: &MemberName,
        incarnation: Incarnation,
        why: &EndReason,
        turn: Option<u64>,
        result: &str,
    ) -> Result<Decision, TeamRefusal> {
        let event = TeamEvent::TurnEnded {
            member: member.clone(),
            incarnation,
            why: why.clone(),
            turn,
            result: result.to_owned(),
        };
        let is_of_earlier_life = self
            .member(member)
            .is_some_and(|known| incarnation < known.incarnation);
        if is_of_earlier_life {
            // It counts, and changes nothing else: the member was spawned again just then.
            let is_new = self.spending.is_new_turn_of(&event);
            return Ok(decision_if(is_new, event, Durability::Synced));
        }
        let known = self.current_running(member, incarnation)?;
        let is_known = known.phase
            == MemberPhase::Idle {
                why: why.clone(),
                turn,
            };
        let dropped = match why {
            EndReason::Failed { what } => {
                self.release_task_of(member, &format!("{member} failed: {what}"))
            }
            EndReason::Done
            | EndReason::Interrupted
            | EndReason::Limit { .. }
            | EndReason::Waiting { .. } => None,
        };
        let dropped = dropped.map_or_else(Vec::new, |dropped| self.with_plans(vec![dropped]));
        Ok(decision_if(!is_known, event, Durability::Synced).with(dropped))
    }

    pub(super) fn choose_model(
        &self,
        member: &MemberName,
        model: Option<&ModelRef>,
        effort: Option<Effort>,
    ) -> Result<Decision, TeamRefusal> {
        let known = self
            .member(member)
            .ok_or_else(|| TeamRefusal::Unknown(member.clone()))?;
        let options = &known.options;
        let is_new = model.is_some_and(|model| options.model.as_ref() != Some(model))
            || effort.is_some_and(|effort| options.effort != Some(effort));
        let event = TeamEvent::ModelChosen {
            member: member.clone(),
            model: model.cloned(),
            effort,
        };
        Ok(decision_if(is_new, event, Durability::Synced))
    }

    pub(super) fn set_todos(
        &self,
        member: &MemberName,
        incarnation: Incarnation,
        items: &TodoList,
    ) -> Result<Decision, TeamRefusal> {
        let known = self.current(member, incarnation)?;
        let event = TeamEvent::Todos {
            member: member.clone(),
            incarnation,
            items: items.clone(),
        };
        Ok(decision_if(known.todos != *items, event, Durability::Lazy))
    }

    pub(super) fn stop(
        &self,
        member: &MemberName,
        incarnation: Incarnation,
    ) -> Result<Decision, TeamRefusal> {
        let known = self.current(member, incarnation)?;
        let event = TeamEvent::Stopped {
            member: member.clone(),
            incarnation,
        };
        let is_new = known.phase != MemberPhase::Stopped;
        let dropped = self.release_task_of(member, &format!("{member} was stopped"));
        let cancelled = self.cancel_requests(member, &format!("{member} was stopped"));
        let decided = decision_if(is_new, event, Durability::Synced);
        Ok(decided.with(dropped).with(cancelled))
    }

    /// The member, if its loop has not ended.
    fn current_running(
        &self,
        name: &MemberName,
        asked: Incarnation,
    ) -> Result<&Member, TeamRefusal> {
        let member = self.current(name, asked)?;
        member.must_run()?;
        Ok(member)
    }

    pub(crate) fn current(
        &self,
        name: &MemberName,
        asked: Incarnation,
    ) -> Result<&Member, TeamRefusal> {
        let member = self
            .member(name)
            .ok_or_else(|| TeamRefusal::Unknown(name.clone()))?;
        if member.incarnation == asked {
            Ok(member)
        } else {
            Err(TeamRefusal::Stale {
                name: name.clone(),
                asked,
                now: member.incarnation,
            })
        }
    }
}
