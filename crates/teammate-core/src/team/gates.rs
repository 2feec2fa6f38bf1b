//! Plan gates within the team: which events move them, and what a new incarnation begins with.

use super::{Spawn, TeamEvent, TeamRefusal, TeamState};
use crate::{
    Incarnation, MemberName, Timestamp,
    cause::Cause,
    id::{RequestId, TaskId},
    member::{Member, MemberPhase},
    request::{
        Demand, PlanGate, PlanRequest, PlannedWork, Principal, RequestEvent, RequestRefusal,
        Requirer,
    },
    task::TaskEvent,
    transcript::EndReason,
};

/// The gate at the beginning of an incarnation, as the journal records it.
pub(super) fn begun(plan: bool, by: Option<Requirer>, once: bool) -> PlanGate {
    let by = by.unwrap_or(Requirer::Lead);
    let demand = if once {
        Demand::Once(by)
    } else {
        Demand::of(by)
    };
    PlanGate::begun(plan.then_some(demand))
}

impl Member {
    /// A new assignment would end an approval that the member has not heard yet.
    pub(super) fn must_have_heard(&self) -> Result<(), TeamRefusal> {
        match self.gate.unheard() {
            Some(request) if self.phase != MemberPhase::Stopped => {
                Err(RequestRefusal::AnswerUnheard {
                    member: self.name.clone(),
                    request,
                }
                .into())
            }
            Some(_) | None => Ok(()),
        }
    }
}

impl TeamState {
    /// The demand on the member that is spawned: the one before, under this name, and the one of the spawner.
    pub(super) fn demand_of(&self, spawn: &Spawn) -> Option<Demand> {
        let before = match self.member(&spawn.member) {
            Some(known) => known.gate.inherited(spawn.fresh),
            // A member that is off the roster was the lead's to end, but what the user requires stays.
            None => {
                let past = self.past.get(&spawn.member);
                let required = past.and_then(|past| past.gate.required_by());
                required.filter(|by| *by == Requirer::User).map(Demand::of)
            }
        };
        let standing = before.as_ref().and_then(Demand::permanent_requirer);
        if spawn.options.require_plan {
            Some(Demand::of(standing.unwrap_or(Requirer::Lead)))
        } else {
            before
        }
    }

    /// Adds the events that follow from those about tasks: plans for them are cancelled.
    pub(super) fn with_plans(&self, mut events: Vec<TeamEvent>) -> Vec<TeamEvent> {
        let over: Vec<TeamEvent> = events
            .iter()
            .filter_map(|event| {
                let TeamEvent::Task { task, change } = event else {
                    return None;
                };
                self.plan_without_task(*task, change)
            })
            .collect();
        events.extend(over);
        events
    }

    /// How often a member's gate will have been closed once it begins an incarnation with this one.
    pub(super) fn closings_with(&self, name: &MemberName, gate: &PlanGate) -> u32 {
        self.member(name).map_or(0, |known| {
            let is_closing = gate.is_closed() && !known.gate.is_closed();
            known.closings + u32::from(is_closing)
        })
    }

    pub(super) fn plan_required(
        &mut self,
        name: &MemberName,
        life: Incarnation,
        by: &Principal,
        call: &Cause,
    ) {
        let Some(member) = self.member_in(name, life) else {
            return;
        };
        member.gate.requires(by.into(), call);
        // Also over what ran while the gate was closed by a plan that the member had submitted unasked.
        member.closings += 1;
    }

    /// A turn that ends with a result ends the work that it was about.
    pub(super) fn turn_ends(&mut self, name: &MemberName, life: Incarnation, why: &EndReason) {
        match why {
            EndReason::Done => self.move_gate(name, life, PlanGate::grant_ends),
            EndReason::Interrupted
            | EndReason::Failed { .. }
            | EndReason::Limit { .. }
            | EndReason::Waiting { .. } => {}
        }
    }

    /// Applies a task's event, and its effect on the gate of its old and new owner.
    pub(super) fn apply_task(&mut self, id: TaskId, change: &TaskEvent, at: Timestamp) {
        let holder = |team: &Self| {
            let task = team.board.task(id);
            task.and_then(|task| task.holder()).cloned()
        };
        let had = holder(self);
        self.board.apply(id, change, at);
        if let Some(had) = had.filter(|had| holder(self).as_ref() != Some(had))
            && let Some(life) = self.running_incarnation(&had)
        {
            self.move_gate(&had, life, |gate| gate.task_ends(id));
        }
        if let TaskEvent::Claimed {
            by, incarnation, ..
        } = change
        {
            self.move_gate(by, *incarnation, PlanGate::grant_ends);
        }
    }

    /// A request and, if it is about a plan, its author's gate.
    pub(super) fn apply_request(&mut self, id: RequestId, change: &RequestEvent, at: Timestamp) {
        self.requests.apply(id, change, at);
        if *change == RequestEvent::Heard {
            return self.answer_heard(id);
        }
        let Some(request) = self.requests.get(id) else {
            return;
        };
        let (
            Some(plan),
            Principal::Member {
                member,
                incarnation,
            },
        ) = (request.plan(), &request.from)
        else {
            return;
        };
        let (member, life, plan) = (member.clone(), *incarnation, plan.clone());
        self.apply_plan(id, change, &member, life, plan);
    }

    fn apply_plan(
        &mut self,
        id: RequestId,
        change: &RequestEvent,
        name: &MemberName,
        life: Incarnation,
        plan: PlanRequest,
    ) {
        match change {
            RequestEvent::Opened { .. } => {
                let held = self.board.task_of(name);
                let work = held.map_or(PlannedWork::Assignment, |task| PlannedWork::Task(task.id));
                self.move_gate(name, life, |gate| gate.submit(id, work, plan.approver));
            }
            RequestEvent::Approved {
                mode,
                awaits_hearing,
                ..
            } => {
                let is_awaited = self
                    .member_in(name, life)
                    .is_some_and(|member| member.gate.pending_request() == Some(id));
                if !is_awaited {
                    return;
                }
                if let Some(member) = self.member_in(name, life) {
                    member.options.mode = mode.or(member.options.mode);
                }
                self.answered(id, name, life, Some(plan), *awaits_hearing);
            }
            RequestEvent::Rejected { awaits_hearing, .. } => {
                self.answered(id, name, life, None, *awaits_hearing);
            }
            RequestEvent::Expired | RequestEvent::Cancelled { .. } => {
                self.move_gate(name, life, |gate| gate.withdraws(id));
            }
            RequestEvent::Used | RequestEvent::Notified | RequestEvent::Heard => {}
        }
    }

    fn answered(
        &mut self,
        id: RequestId,
        name: &MemberName,
        life: Incarnation,
        approved: Option<PlanRequest>,
        awaits_hearing: bool,
    ) {
        let digest = approved.map(|plan| plan.digest);
        self.move_gate(name, life, |gate| {
            gate.answer(id, digest);
            if !awaits_hearing {
                gate.hears(id);
            }
        });
    }

    /// The request may be long over: the gate knows which one it is.
    fn answer_heard(&mut self, id: RequestId) {
        let mut members = self.members.values_mut();
        if let Some(member) = members.find(|member| member.gate.unheard() == Some(id)) {
            member.gate.hears(id);
        }
    }

    /// Moves a gate; what belongs to an earlier incarnation changes nothing. A gate that somebody requires and that was not closed
    /// before is closed over all that runs.
    pub(super) fn move_gate(
        &mut self,
        name: &MemberName,
        life: Incarnation,
        change: impl FnOnce(&mut PlanGate),
    ) {
        if let Some(member) = self.member_in(name, life) {
            let was_closed = member.gate.is_closed();
            change(&mut member.gate);
            let is_required = member.gate.required_by().is_some();
            if member.gate.is_closed() && !was_closed && is_required {
                member.closings += 1;
            }
        }
    }

    fn running_incarnation(&self, name: &MemberName) -> Option<Incarnation> {
        self.member(name).map(|member| member.incarnation)
    }

    fn member_in(&mut self, name: &MemberName, life: Incarnation) -> Option<&mut Member> {
        let member = self.members.get_mut(name);
        member.filter(|member| member.incarnation == life)
    }
}
