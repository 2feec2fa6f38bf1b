//! Stops from another process: a member of a team, or the whole of it. Where the team runs, its host is asked through the journal
//! and sees to it; where nobody runs it, a member is stopped by what is written.

use std::time::{Duration, Instant};

use teammate_core::{
    MemberName,
    port::{Clock as _, Ids as _, Journal as _, Refusal},
    request::{AskShutdown, Kind, Party, RequestCommand, RequestId, State},
    team::{Command, Phase, Team},
};
use teammate_store::{
    clock::{SystemClock, UuidIds},
    files::{HostError, HostLock, watch},
};

use super::Outside;
use crate::TeamError;

/// How long a host may take beyond the deadline: loops are dropped after seconds, and what they left running is ended.
const BEYOND: Duration = Duration::from_secs(60);

/// After this time the journal is looked at again, whatever the kernel tells, and whether the host still lives.
const LOOK_AGAIN: Duration = Duration::from_secs(1);

/// How often it is looked whether a host that closes its team is through: no kernel tells of a lock.
const CLOSING: Duration = Duration::from_millis(20);

/// What came of a stop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stopped {
    /// A member is stopped.
    Member {
        /// By which request; none where nobody runs the team.
        request: Option<RequestId>,
        /// How it came to that, as a sentence about the member goes on.
        how: String,
    },
    /// Nobody runs the team any more.
    Team {
        /// By which request.
        request: RequestId,
    },
}

impl Outside {
    /// Stops a member, or with `lead` the whole team, at the latest after `within`; returns when it is stopped.
    pub async fn stop(
        &mut self,
        member: &MemberName,
        within: Duration,
    ) -> Result<Stopped, TeamError> {
        self.as_person()?;
        self.holder = HostLock::holder(&*self.disk, &self.dir)?;
        if self.holder.is_none() {
            return self.stop_by_word(member).await;
        }
        let request = self.ask_to_stop(member, within).await?;
        let is_over = self.until_stopped(member, within + BEYOND).await?;
        if member.is_lead() {
            return self.team_is_closed(request).await;
        }
        self.how_it_ended(member, request, is_over)
    }

    /// Nobody runs the team: the member is stopped once it is written.
    async fn stop_by_word(&mut self, name: &MemberName) -> Result<Stopped, TeamError> {
        if name.is_lead() {
            return Err(TeamError::NotRunning);
        }
        let member = self.team.member(name);
        let living = member.filter(|member| member.phase != Phase::Stopped);
        let Some(member) = living else {
            return Err(Refusal::Rule(format!("{name} is stopped already")).into());
        };
        let stop = Command::Stop {
            member: name.clone(),
            incarnation: member.incarnation,
        };
        self.decide(&stop).await?;
        Ok(Stopped::Member {
            request: None,
            how: "was stopped; the team does not run".to_owned(),
        })
    }

    async fn ask_to_stop(
        &mut self,
        name: &MemberName,
        within: Duration,
    ) -> Result<RequestId, TeamError> {
        let incarnation = self.team.member(name).map(|member| member.incarnation);
        let call = format!("user/{}", UuidIds.new_id());
        let open = RequestCommand::Open {
            kind: Kind::Shutdown(AskShutdown {
                member: name.clone(),
                incarnation: incarnation.unwrap_or(teammate_core::Incarnation::FIRST),
                reason: String::new(),
                now: within.is_zero(),
            }),
            from: Party::User,
            call: call.clone(),
            deadline: Some(SystemClock.now().after(within)),
        };
        self.decide(&Command::Request(open)).await?;
        let made = self.team.requests().made_by(&call);
        // What was decided is there.
        made.map(|request| request.id)
            .ok_or_else(|| TeamError::Files("the request is gone".to_owned()))
    }

    /// Follows the journal until nobody is asked to stop the member any more; false if it is not so in time.
    async fn until_stopped(
        &mut self,
        member: &MemberName,
        limit: Duration,
    ) -> Result<bool, TeamError> {
        // Without the kernel's hints it is seen a moment later.
        let _watch = watch(self.mailbox.clone(), self.journal.clone());
        let begun = Instant::now();
        loop {
            let runs = self.is_held()?;
            self.fold().await?;
            if !self.team.requests().asks_to_stop(member) {
                return Ok(true);
            }
            if !runs || begun.elapsed() > limit {
                return Ok(false);
            }
            // Heard or not, it is looked again.
            let _ = tokio::time::timeout(LOOK_AGAIN, self.journal.grew()).await;
        }
    }

    /// The host has let the members go; it is through when its lock is free.
    async fn team_is_closed(&mut self, request: RequestId) -> Result<Stopped, TeamError> {
        let begun = Instant::now();
        while self.is_held()? {
            if begun.elapsed() > BEYOND {
                return Err(TeamError::StillRuns);
            }
            tokio::time::sleep(CLOSING).await;
        }
        self.holder = None;
        Ok(Stopped::Team { request })
    }

    fn is_held(&self) -> Result<bool, TeamError> {
        match HostLock::holder(&*self.disk, &self.dir) {
            Ok(holder) => Ok(holder.is_some()),
            // Somebody does who has not written down who it is.
            Err(HostError::Running(_)) => Ok(true),
            Err(error) => Err(error.into()),
        }
    }

    fn how_it_ended(
        &self,
        name: &MemberName,
        id: RequestId,
        is_over: bool,
    ) -> Result<Stopped, TeamError> {
        let is_stopped = |team: &Team| {
            let member = team.member(name);
            member.is_none_or(|member| member.phase == Phase::Stopped)
        };
        if !is_over {
            return Err(TeamError::StillRuns);
        }
        let request = self.request(id)?;
        let now = matches!(&request.kind, Kind::Shutdown(ask) if ask.now);
        let how = match &request.state {
            State::Approved(approval) if approval.note.is_empty() => {
                "agreed to shut down and is stopped".to_owned()
            }
            State::Approved(approval) => {
                format!("agreed to shut down and is stopped: {}", approval.note)
            }
            State::Expired if now => "was stopped at once, without being asked".to_owned(),
            State::Expired => "did not agree in time and was stopped".to_owned(),
            State::Cancelled { why } if is_stopped(&self.team) => format!("is stopped: {why}"),
            State::Pending | State::Rejected { .. } | State::Cancelled { .. } => {
                let how = request.state.describe();
                return Err(Refusal::Rule(format!("{name} goes on: {id} is {how}")).into());
            }
        };
        Ok(Stopped::Member {
            request: Some(id),
            how,
        })
    }
}
