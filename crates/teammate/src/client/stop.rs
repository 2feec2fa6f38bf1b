//! Stops from another process: a member of a team, or the whole of it. If the team runs, its host acts on a request
//! in the journal; if not, a record in the journal stops the member.

use std::time::{Duration, Instant};

use teammate_core::{
    MemberName,
    cause::Cause,
    port::{Clock as _, Ids as _, Refusal},
    request::{Principal, RequestCommand, RequestId, RequestState},
    team::{Command, MemberPhase, TeamState},
};
use teammate_store::clock::{SystemClock, UuidV7Ids};

use super::TeamClient;
use crate::{TeamError, platform::is_suspended};

/// How long a host may take beyond the deadline to note that it has heard, or that the deadline is over.
const UNHEARD: Duration = Duration::from_secs(10);

/// How long a host that has heard may take beyond the deadline: loops are dropped after seconds, and what they left running is ended.
const HOST_GRACE: Duration = Duration::from_secs(60);

/// After this time the journal is read again, even without a hint of the kernel, and the host's lock is checked.
const RECHECK_EVERY: Duration = Duration::from_secs(1);

/// The shortest pause between two looks at the journal.
const LOOK_PAUSE: Duration = Duration::from_millis(20);

/// How often to retry with a host that has just started and took the request for one to the host before it.
const ASKS_MAX: usize = 5;

/// The result of a stop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StopOutcome {
    /// A member is stopped.
    Member {
        /// By which request; none where the team is not running.
        request: Option<RequestId>,
        /// How it stopped, as the rest of a sentence about the member.
        how: String,
    },
    /// The team is paused: no process runs it, and every member continues when it is opened.
    Team {
        /// By which request.
        request: RequestId,
    },
}

/// How a wait for a host ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Waited {
    /// No stop is pending.
    Done,
    /// The host has ended.
    HostGone,
}

impl TeamClient {
    /// Stops a member, or with `lead` pauses the whole team, at the latest after `within`; returns when that is done.
    ///
    /// Errors: [`TeamError::Unresponsive`] if the host does not act on it; the request stays open.
    /// [`TeamError::SuspendedInWrite`] if the request cannot be written, since the suspended host holds the journal's lock.
    pub async fn stop(
        &mut self,
        member: &MemberName,
        within: Duration,
    ) -> Result<StopOutcome, TeamError> {
        self.require_user()?;
        for _ in 0..ASKS_MAX {
            self.holder = self.store.presence.holder().await?;
            let Some(holder) = self.holder else {
                return self.stop_without_host(member).await;
            };
            let request = match self.open_shutdown(member, within).await {
                Err(TeamError::Storage(_)) if holder.pid().is_some_and(is_suspended) => {
                    return Err(TeamError::SuspendedInWrite(holder));
                }
                opened => opened?,
            };
            let waited = self.wait_stopped(member, request, within).await?;
            match (member.is_lead(), waited) {
                (true, Waited::HostGone) => return Ok(StopOutcome::Team { request }),
                (true, Waited::Done) if self.is_approved(request) => {
                    return self.team_is_closed(request).await;
                }
                (false, Waited::Done) => return self.stop_outcome(member, request),
                // The host has just started, or has ended: ask the present host.
                (true, Waited::Done) | (false, Waited::HostGone) => {}
            }
        }
        Err(TeamError::StopTimedOut)
    }

    /// Nobody runs the team: the member is stopped once it is written.
    async fn stop_without_host(&mut self, name: &MemberName) -> Result<StopOutcome, TeamError> {
        if name.is_lead() {
            return Err(TeamError::NotRunning);
        }
        let member = self.team().member(name);
        let living = member.filter(|member| member.phase != MemberPhase::Stopped);
        let Some(member) = living else {
            return Err(Refusal::Rule(format!("{name} is already stopped")).into());
        };
        let stop = Command::Stop {
            member: name.clone(),
            incarnation: member.incarnation,
        };
        self.decide(&stop).await?;
        Ok(StopOutcome::Member {
            request: None,
            how: "was stopped; the team does not run".to_owned(),
        })
    }

    async fn open_shutdown(
        &mut self,
        name: &MemberName,
        within: Duration,
    ) -> Result<RequestId, TeamError> {
        let call = Cause::user(UuidV7Ids.new_id());
        let ask = RequestCommand::Shutdown {
            member: name.clone(),
            from: Principal::User,
            call: call.clone(),
            reason: String::new(),
            within,
            at: SystemClock.now(),
        };
        self.decide(&Command::Request(ask)).await?;
        let made = self.team().requests().made_by(&call);
        // What was decided is there.
        made.map(|request| request.id)
            .ok_or_else(|| TeamError::Storage("the request is gone".to_owned()))
    }

    /// Follows the journal until no stop of the member is pending.
    ///
    /// Errors: [`TeamError::Unresponsive`] if the host is suspended at the deadline, or does not act on it long
    /// after.
    async fn wait_stopped(
        &mut self,
        member: &MemberName,
        request: RequestId,
        within: Duration,
    ) -> Result<Waited, TeamError> {
        let _listening = self.store.doorbells.listen();
        let begun = Instant::now();
        loop {
            let holder = self.store.presence.holder().await?;
            self.catch_up().await?;
            if !self.team().requests().asks_to_stop(member) {
                return Ok(Waited::Done);
            }
            self.holder = holder;
            let Some(holder) = holder else {
                return Ok(Waited::HostGone);
            };
            let known = self.team().requests().get(request);
            let is_heard = known.is_none_or(|known| !known.is_pending());
            let patience = within + if is_heard { HOST_GRACE } else { UNHEARD };
            let (passed, is_suspended) = (begun.elapsed(), holder.pid().is_some_and(is_suspended));
            if passed > patience || passed >= within && is_suspended {
                return Err(TeamError::Unresponsive {
                    holder,
                    is_suspended,
                });
            }
            let left = within.saturating_sub(passed).max(LOOK_PAUSE);
            // Heard or not, it is looked again.
            let _ = tokio::time::timeout(RECHECK_EVERY.min(left), self.store.store.journal.grew())
                .await;
        }
    }

    fn is_approved(&self, request: RequestId) -> bool {
        let known = self.team().requests().get(request);
        known.is_some_and(|known| matches!(known.state, RequestState::Approved(_)))
    }

    /// Waits until the host has closed the team, which is when its lock is free.
    async fn team_is_closed(&mut self, request: RequestId) -> Result<StopOutcome, TeamError> {
        let begun = Instant::now();
        while let Some(holder) = self.store.presence.holder().await? {
            let is_suspended = holder.pid().is_some_and(is_suspended);
            if is_suspended || begun.elapsed() > HOST_GRACE {
                return Err(TeamError::Unresponsive {
                    holder,
                    is_suspended,
                });
            }
            // Heard or not, it is looked again.
            let _ = tokio::time::timeout(RECHECK_EVERY, self.store.presence.left()).await;
        }
        self.holder = None;
        self.catch_up().await?;
        Ok(StopOutcome::Team { request })
    }

    fn stop_outcome(&self, name: &MemberName, id: RequestId) -> Result<StopOutcome, TeamError> {
        let is_stopped = |team: &TeamState| {
            let member = team.member(name);
            member.is_none_or(|member| member.phase == MemberPhase::Stopped)
        };
        let request = self.request(id)?;
        let end = request.shutdown().and_then(|ask| ask.end(&request));
        let how = match (&request.state, end) {
            (_, Some(end)) => end.sentence,
            (RequestState::Cancelled { why }, None) if is_stopped(self.team()) => {
                format!("is stopped: {why}")
            }
            (_, None) => {
                let how = request.describe();
                return Err(Refusal::Rule(format!("{name} goes on: {id} is {how}")).into());
            }
        };
        Ok(StopOutcome::Member {
            request: Some(id),
            how,
        })
    }
}
