//! The right to require plans of a member, and to lift that; and the end of a plan whose task was deleted.

use super::{Events, cancelled};
use crate::{
    MemberName,
    cause::Cause,
    id::TaskId,
    request::{PlannedWork, Principal, RequestRefusal, Requirer},
    task::TaskEvent,
    team::{TeamEvent, TeamRefusal, TeamState},
};

impl TeamState {
    pub(super) fn require_plan(&self, name: &MemberName, by: &Principal, call: &Cause) -> Events {
        match by {
            Principal::User | Principal::System => {}
            Principal::Member {
                member,
                incarnation,
            } => {
                self.current(member, *incarnation)?;
                if !member.is_lead() {
                    return Err(RequestRefusal::OnlyLeadWantsPlans.into());
                }
            }
        }
        if name.is_lead() {
            return Err(RequestRefusal::LeadNeedsNoPlan.into());
        }
        let member = self
            .member(name)
            .ok_or_else(|| TeamRefusal::Unknown(name.clone()))?;
        member.must_run()?;
        let is_known = member.gate.closed_by_cause() == Some(call);
        if is_known {
            return Ok(Vec::new());
        }
        Ok(vec![TeamEvent::PlanRequired {
            member: name.clone(),
            incarnation: member.incarnation,
            by: by.clone(),
            call: call.clone(),
        }])
    }

    pub(super) fn lift_plan(&self, name: &MemberName, by: &Principal) -> Events {
        if let Principal::Member {
            member,
            incarnation,
        } = by
        {
            self.current(member, *incarnation)?;
            if !member.is_lead() {
                return Err(RequestRefusal::OnlyLeadLifts.into());
            }
        }
        let member = self
            .member(name)
            .ok_or_else(|| TeamRefusal::Unknown(name.clone()))?;
        let Some(demand) = member.gate.demand() else {
            return Ok(Vec::new());
        };
        if demand.by() > Requirer::from(by) {
            return Err(RequestRefusal::UserRequires(name.clone()).into());
        }
        let lifted = TeamEvent::PlanLifted {
            member: name.clone(),
            incarnation: member.incarnation,
            by: by.clone(),
        };
        let waiting = self.requests().plan_of(name);
        let waiting = waiting.map(|plan| cancelled(plan, "no plan is required any more"));
        Ok(waiting.chain([lifted]).collect())
    }

    /// The pending plan for this task of the member that loses it: it is void.
    pub(crate) fn plan_without_task(&self, task: TaskId, change: &TaskEvent) -> Option<TeamEvent> {
        if !change.takes_away() {
            return None;
        }
        let holder = self.board().task(task)?.holder()?;
        let request = self
            .member(holder)?
            .gate
            .submitted_for(PlannedWork::Task(task))?;
        let why = format!("{task} is out of {holder}'s hands");
        Some(cancelled(self.requests().get(request)?, &why))
    }
}
