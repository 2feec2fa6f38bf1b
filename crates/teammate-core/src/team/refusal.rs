//! Why the team's rules refuse a command, in a sentence that says what would have worked.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::{GoalRefusal, PlaceRefusal, ScheduleRefusal};
use crate::{
    GroupName, Incarnation, MemberName,
    board::TaskRefusal,
    id::ConversationId,
    member::{Member, MemberPhase},
    mode::Mode,
    request::RequestRefusal,
    secrets::SecretInName,
    team::{command::JOBS_MAX, order::ORDERS_OPEN_MAX},
};

/// Why a command was refused.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(rename_all = "snake_case")]
pub enum TeamRefusal {
    /// Only the lead spawns.
    #[error("only the lead can spawn teammates; ask it by mail")]
    NotTheLead,
    /// The member is in a turn.
    #[error("'{name}' is currently {status}; send it a message instead")]
    Busy {
        name: MemberName,
        /// The phase of the member.
        status: Cow<'static, str>,
    },
    #[error("the team has {count} members, the most it may have; re-use an idle one")]
    Full {
        /// How many there are.
        count: usize,
    },
    /// A spawn may not give more rights than the spawner has.
    #[error("mode '{asked}' is above your own ('{own}'); spawn with '{own}' or less")]
    AboveOwnMode {
        asked: Mode,
        /// The spawner's mode.
        own: Mode,
    },
    /// Its plan gate is closed.
    #[error("{0}")]
    Gated(String),
    /// A member has too much running in the background.
    #[error(
        "{JOBS_MAX} jobs are running in the background, the most a member may have; stop one first"
    )]
    TooManyJobs,
    /// The host has not carried out what was ordered before.
    #[error(
        "{ORDERS_OPEN_MAX} orders wait for the process that runs the team; try again when it has carried them out"
    )]
    TooManyOrders,
    /// A conversation is not cleared while something is said in it.
    #[error("the lead is working: wait until it rests, or interrupt it first")]
    LeadWorks,
    #[error(transparent)]
    Request(#[from] RequestRefusal),
    #[error(transparent)]
    Schedule(#[from] ScheduleRefusal),
    #[error(transparent)]
    Goal(#[from] GoalRefusal),
    #[error(transparent)]
    Place(#[from] PlaceRefusal),
    #[error("'{0}' is stopped; a spawn wakes it")]
    Stopped(MemberName),
    /// Its shutdown is under way.
    #[error("'{0}' is being shut down; spawn it again in a moment, when it has stopped")]
    Leaving(MemberName),
    #[error(transparent)]
    Task(#[from] TaskRefusal),
    /// A new name has a secret in it.
    #[error(transparent)]
    Name(#[from] SecretInName),
    /// Only the lead makes and ends teams.
    #[error("only the lead can make and end teams")]
    OnlyLeadTeams,
    /// The team's name is taken.
    #[error("team '{0}' exists already; spawn teammates into it (team: \"{0}\")")]
    TeamExists(GroupName),
    #[error("there is no team '{name}'; {known}")]
    NoTeam {
        /// The name or number that was asked for.
        name: GroupName,
        known: String,
    },
    /// The lead has no such conversation.
    #[error("there is no conversation {asked}; the last one is {last}")]
    NoConversation {
        /// The name or number that was asked for.
        asked: ConversationId,
        last: ConversationId,
    },
    #[error("there is no member '{0}'")]
    Unknown(MemberName),
    /// The command belongs to an earlier incarnation of the member.
    #[error("'{name}' was spawned again as incarnation {now}; incarnation {asked} has ended")]
    Stale {
        name: MemberName,
        /// The incarnation that was meant.
        asked: Incarnation,
        /// The current incarnation.
        now: Incarnation,
    },
}

impl Member {
    /// Its loop has not ended: what needs it to run is refused otherwise.
    pub(crate) fn must_run(&self) -> Result<(), TeamRefusal> {
        if self.phase == MemberPhase::Stopped {
            return Err(TeamRefusal::Stopped(self.name.clone()));
        }
        Ok(())
    }
}
