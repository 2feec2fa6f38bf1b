//! How requests begin: who may ask, what a new one replaces, and what a shutdown asks of whom. The rest of what each kind decides
//! needs no team, and stands with the kind.

use std::time::Duration;

use super::cancelled;
use crate::{
    Incarnation, MemberName,
    member::{Member, MemberPhase},
    request::{
        PLAN_BYTES_MAX, PermissionRequest, PlanRequest, Principal, RequestPayload, RequestRefusal,
        ShutdownRequest,
    },
    team::{TeamEvent, TeamRefusal, TeamState},
};

/// The least time that an idle member has. It agrees automatically, so no deadline must come before that.
const IDLE_WITHIN_MIN: Duration = Duration::from_secs(2);

/// The decisions of each kind about a request that is to be made.
pub(super) trait OpeningRules {
    /// Whether `from` may ask this.
    fn may_open(&self, team: &TeamState, from: &Principal) -> Result<(), TeamRefusal>;

    /// The ends of the pending requests that this one replaces.
    fn replaces(&self, _team: &TeamState, _from: &Principal) -> Vec<TeamEvent> {
        Vec::new()
    }
}

/// The decisions of the payload's kind.
pub(super) fn opening(payload: &RequestPayload) -> &dyn OpeningRules {
    match payload {
        RequestPayload::Shutdown(ask) => ask,
        RequestPayload::Plan(plan) => plan,
        RequestPayload::Permission(ask) => ask,
    }
}

impl OpeningRules for PermissionRequest {
    fn may_open(&self, team: &TeamState, from: &Principal) -> Result<(), TeamRefusal> {
        match from {
            Principal::User | Principal::System => Ok(()),
            Principal::Member {
                member,
                incarnation,
            } => team.current(member, *incarnation)?.must_run(),
        }
    }
}

impl OpeningRules for PlanRequest {
    fn may_open(&self, team: &TeamState, from: &Principal) -> Result<(), TeamRefusal> {
        let Principal::Member {
            member,
            incarnation,
        } = from
        else {
            return Err(RequestRefusal::LeadNeedsNoPlan.into());
        };
        if member.is_lead() {
            return Err(RequestRefusal::LeadNeedsNoPlan.into());
        }
        let known = team.current(member, *incarnation)?;
        known.must_run()?;
        if self.text.trim().is_empty() {
            return Err(RequestRefusal::NoPlan.into());
        }
        if self.text.len() > PLAN_BYTES_MAX {
            return Err(RequestRefusal::PlanTooLong {
                bytes: self.text.len(),
                max: PLAN_BYTES_MAX,
            }
            .into());
        }
        Ok(())
    }

    fn replaces(&self, team: &TeamState, from: &Principal) -> Vec<TeamEvent> {
        let Some(author) = from.name() else {
            return Vec::new();
        };
        let earlier = team.requests().plan_of(author);
        earlier
            .map(|plan| cancelled(plan, "a newer plan took its place"))
            .collect()
    }
}

impl OpeningRules for ShutdownRequest {
    fn may_open(&self, team: &TeamState, from: &Principal) -> Result<(), TeamRefusal> {
        match from {
            Principal::User | Principal::System => {}
            Principal::Member { member, .. } if !member.is_lead() => {
                return Err(RequestRefusal::OnlyLeadShutsDown.into());
            }
            Principal::Member { .. } if self.member.is_lead() => {
                return Err(RequestRefusal::LeadCannotStop.into());
            }
            Principal::Member { .. } => {}
        }
        let member = team.current(&self.member, self.incarnation)?;
        if member.phase == MemberPhase::Stopped {
            return Err(RequestRefusal::Stopped(self.member.clone()).into());
        }
        let asked = team.requests().shutdown_of(&self.member, self.incarnation);
        if let Some(asked) =
            asked.filter(|asked| from.incarnation().is_some() && asked.from.incarnation().is_none())
        {
            return Err(RequestRefusal::AlreadyAsked {
                member: self.member.clone(),
                request: asked.id,
            }
            .into());
        }
        Ok(())
    }

    fn replaces(&self, team: &TeamState, _from: &Principal) -> Vec<TeamEvent> {
        let asked = team.requests().shutdown_of(&self.member, self.incarnation);
        let ends = asked.map(|asked| cancelled(asked, "it was asked again"));
        ends.into_iter().collect()
    }
}

impl TeamState {
    /// The request to a member, with its deadline. The one place that decides both, for every door.
    pub(super) fn shutdown_of_member(
        &self,
        name: &MemberName,
        reason: &str,
        within: Duration,
    ) -> (ShutdownRequest, Duration) {
        let member = self.member(name);
        let is_idle = |member: &Member| matches!(member.phase, MemberPhase::Idle { .. });
        // The lead does not stop: its team pauses.
        let agrees = !name.is_lead() && member.is_some_and(is_idle);
        let within = match agrees {
            true => within.max(IDLE_WITHIN_MIN),
            false => within,
        };
        let ask = ShutdownRequest {
            member: name.clone(),
            incarnation: member.map_or(Incarnation::FIRST, |member| member.incarnation),
            reason: reason.trim().to_owned(),
            now: within.is_zero(),
        };
        (ask, within)
    }
}
