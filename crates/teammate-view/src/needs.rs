//! What needs the user, in the order in which it should be looked at.

use std::collections::BTreeSet;

use teammate_core::{
    MemberName, Timestamp,
    board::{Task, TaskId, TaskStatus},
    request::{Request, RequestId},
    team::{Member, MemberPhase, TeamState},
    transcript::EndReason,
};

/// A deadline that is nearer than this comes first, in milliseconds.
const URGENT_MS: u64 = 60_000;

/// Something that needs the user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Need {
    /// What.
    pub what: NeedKind,
    /// Whose work it is about.
    pub member: MemberName,
    /// Since when, as far as that is known.
    pub since: Option<Timestamp>,
    /// When it is settled without an answer.
    pub deadline: Option<Timestamp>,
    /// What it holds up.
    pub holds: Holds,
}

/// The kinds of needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NeedKind {
    /// A question about permission waits for an answer.
    Permission(RequestId),
    /// A plan waits for an answer.
    Plan(RequestId),
    /// The member's turn failed.
    Failed {
        /// What happened.
        what: String,
    },
    /// The member reached a limit.
    Limit {
        /// Which.
        what: String,
    },
    /// A task counts as failed, and others wait for it.
    TaskFailed(TaskId),
}

/// What a need holds up.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Holds {
    /// Tasks that cannot go on: the member's own and all that wait for it.
    pub tasks: BTreeSet<TaskId>,
    /// Other members that wait for one of these tasks.
    pub members: BTreeSet<MemberName>,
}

impl NeedKind {
    /// Its name for programs.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Permission(_) => "permission",
            Self::Plan(_) => "plan",
            Self::Failed { .. } => "failed",
            Self::Limit { .. } => "limit",
            Self::TaskFailed(_) => "task_failed",
        }
    }

    /// The request that an answer settles.
    pub fn request(&self) -> Option<RequestId> {
        match self {
            Self::Permission(id) | Self::Plan(id) => Some(*id),
            Self::Failed { .. } | Self::Limit { .. } | Self::TaskFailed(_) => None,
        }
    }
}

impl Need {
    /// All needs of a team: a deadline within a minute first, then by what is held up, then by age.
    pub fn of(team: &TeamState, now: Timestamp) -> Vec<Self> {
        let requests = team.requests().pending();
        let asked = requests.filter(|request| request.awaits_user());
        let mut needs: Vec<Self> = asked
            .filter_map(|request| Self::of_request(team, request))
            .chain(
                team.members()
                    .filter_map(|member| Self::of_member(team, member)),
            )
            .chain(
                team.board()
                    .tasks()
                    .filter_map(|task| Self::of_task(team, task)),
            )
            .collect();
        needs.sort_by_key(|need| need.rank(now));
        needs
    }

    fn of_request(team: &TeamState, request: &Request) -> Option<Self> {
        let what = match () {
            () if request.permission().is_some() => NeedKind::Permission(request.id),
            () if request.plan().is_some() => NeedKind::Plan(request.id),
            // Shutdowns are answered by members.
            () => return None,
        };
        let member = request.concerns().or(request.from.name());
        let member = member.cloned().unwrap_or_else(MemberName::lead);
        Some(Self {
            what,
            since: Some(request.opened),
            deadline: request.deadline,
            holds: Holds::by(team, &member),
            member,
        })
    }

    fn of_member(team: &TeamState, member: &Member) -> Option<Self> {
        let MemberPhase::Idle { why, .. } = &member.phase else {
            return None;
        };
        let what = match why {
            EndReason::Failed { what } => NeedKind::Failed { what: what.clone() },
            EndReason::Limit { what } => NeedKind::Limit { what: what.clone() },
            EndReason::Done | EndReason::Interrupted | EndReason::Waiting { .. } => return None,
        };
        Some(Self {
            what,
            member: member.name.clone(),
            since: None,
            deadline: None,
            holds: Holds::by(team, &member.name),
        })
    }

    fn of_task(team: &TeamState, task: &Task) -> Option<Self> {
        let TaskStatus::Failed { .. } = task.status else {
            return None;
        };
        let holds = Holds::behind(team, task.id);
        let member = task.owner().cloned().unwrap_or_else(MemberName::lead);
        (!holds.tasks.is_empty()).then_some(Self {
            what: NeedKind::TaskFailed(task.id),
            member,
            since: Some(task.updated),
            deadline: None,
            holds,
        })
    }

    /// Smaller comes first.
    fn rank(&self, now: Timestamp) -> (bool, std::cmp::Reverse<usize>, Option<Timestamp>) {
        let is_urgent = |deadline: Timestamp| deadline.millis_since(now) < URGENT_MS;
        let is_calm = !self.deadline.is_some_and(is_urgent);
        let held = self.holds.tasks.len() + self.holds.members.len();
        (is_calm, std::cmp::Reverse(held), self.since)
    }
}

impl Holds {
    /// What stands still while this member does.
    fn by(team: &TeamState, member: &MemberName) -> Self {
        let Some(task) = team.board().task_of(member) else {
            return Self::default();
        };
        let mut holds = Self::behind(team, task.id);
        holds.tasks.insert(task.id);
        holds.members.remove(member);
        holds
    }

    /// What waits for this task, directly or not.
    fn behind(team: &TeamState, first: TaskId) -> Self {
        let (mut holds, mut next) = (Self::default(), vec![first]);
        while let Some(task) = next.pop().and_then(|id| team.board().task(id)) {
            for id in &task.blocks {
                if holds.tasks.insert(*id) {
                    next.push(*id);
                }
            }
        }
        let waiting = holds.tasks.iter().filter_map(|id| team.board().task(*id));
        holds.members = waiting.filter_map(|task| task.owner().cloned()).collect();
        holds
    }
}
