//! Plan gates within the team: which events move them, and what a new life begins with.

use super::{Member, Spawn, Team, TeamEvent, TeamRefusal};
use crate::{
    Incarnation, MemberName, Timestamp,
    board::{TaskEvent, TaskId},
    cause::Cause,
    request::{
        Demand, Party, PlanGate, RequestEvent, RequestId, RequestRefusal, Requirer, SubmitPlan,
        Work,
    },
    team::Phase,
    transcript::RestReason,
};

/// The gate at the beginning of a life, as the journal says it.
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
    /// A new assignment would end what was approved a moment ago, before the member knows of it.
    pub(super) fn must_have_heard(&self) -> Result<(), TeamRefusal> {
        match self.gate.unheard() {
            Some(request) if self.phase != Phase::Stopped => Err(RequestRefusal::AnswerUnheard {
                member: self.name.clone(),
                request,
            }
            .into()),
            Some(_) | None => Ok(()),
        }
    }
}

impl Team {
    /// What is required of the member that is spawned: what was before, under this name, and what the spawner wants now.
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
        let standing = before.as_ref().and_then(Demand::standing);
        if spawn.terms.plan {
            Some(Demand::of(standing.unwrap_or(Requirer::Lead)))
        } else {
            before
        }
    }

    /// What else follows from events about tasks: plans that were for them mean nothing any more.
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

    /// How often a member's gate will have been closed once it begins a life with this one.
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
        by: &Party,
        call: &Cause,
    ) {
        let Some(member) = self.in_life(name, life) else {
            return;
        };
        member.gate.requires(by.into(), call);
        // Also over what ran while the gate was closed by a plan that the member had submitted unasked.
        member.closings += 1;
    }

    /// A turn that ends with a result ends the work that it was about.
    pub(super) fn turn_ends(&mut self, name: &MemberName, life: Incarnation, why: &RestReason) {
        match why {
            RestReason::Done => self.move_gate(name, life, PlanGate::grant_ends),
            RestReason::Interrupted
            | RestReason::Failed { .. }
            | RestReason::Limit { .. }
            | RestReason::Waiting { .. } => {}
        }
    }

    /// A task's state, and the gate of whoever had it in hand or takes it.
    pub(super) fn apply_task(&mut self, id: TaskId, change: &TaskEvent, at: Timestamp) {
        let holder = |team: &Self| {
            let task = team.board.task(id);
            task.and_then(|task| task.holder()).cloned()
        };
        let had = holder(self);
        self.board.apply(id, change, at);
        if let Some(had) = had.filter(|had| holder(self).as_ref() != Some(had))
            && let Some(life) = self.life(&had)
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
            Party::Member {
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
        plan: SubmitPlan,
    ) {
        match change {
            RequestEvent::Opened { .. } => {
                let held = self.board.held_by(name);
                let work = held.map_or(Work::Assignment, |task| Work::Task(task.id));
                self.move_gate(name, life, |gate| gate.submits(id, work, plan.approver));
            }
            RequestEvent::Approved {
                mode,
                awaits_hearing,
                ..
            } => {
                let is_awaited = self
                    .in_life(name, life)
                    .is_some_and(|member| member.gate.waits_for() == Some(id));
                if !is_awaited {
                    return;
                }
                if let Some(member) = self.in_life(name, life) {
                    member.terms.mode = mode.or(member.terms.mode);
                }
                self.answered(id, name, life, Some(plan), *awaits_hearing);
            }
            RequestEvent::Rejected { awaits_hearing, .. } => {
                self.answered(id, name, life, None, *awaits_hearing);
            }
            RequestEvent::Expired | RequestEvent::Cancelled { .. } => {
                self.move_gate(name, life, |gate| gate.withdraws(id));
            }
            RequestEvent::Used | RequestEvent::Told | RequestEvent::Heard => {}
        }
    }

    fn answered(
        &mut self,
        id: RequestId,
        name: &MemberName,
        life: Incarnation,
        approved: Option<SubmitPlan>,
        awaits_hearing: bool,
    ) {
        let digest = approved.map(|plan| plan.digest);
        self.move_gate(name, life, |gate| {
            gate.answers(id, digest);
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

    /// Moves a gate; what belongs to an earlier life changes nothing. A gate that somebody requires and that was not closed
    /// before is closed over all that runs.
    pub(super) fn move_gate(
        &mut self,
        name: &MemberName,
        life: Incarnation,
        change: impl FnOnce(&mut PlanGate),
    ) {
        if let Some(member) = self.in_life(name, life) {
            let was_closed = member.gate.is_closed();
            change(&mut member.gate);
            let is_required = member.gate.required_by().is_some();
            if member.gate.is_closed() && !was_closed && is_required {
                member.closings += 1;
            }
        }
    }

    fn life(&self, name: &MemberName) -> Option<Incarnation> {
        self.member(name).map(|member| member.incarnation)
    }

    fn in_life(&mut self, name: &MemberName, life: Incarnation) -> Option<&mut Member> {
        let member = self.members.get_mut(name);
        member.filter(|member| member.incarnation == life)
    }
}
