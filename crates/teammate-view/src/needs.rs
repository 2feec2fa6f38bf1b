//! The needs of the user, ordered by what they hold up: a function of the team and the time.

mod alert;
mod alike;
mod answers;
mod words;

use std::{
    cmp::Reverse,
    collections::{BTreeSet, VecDeque},
};

use teammate_core::{
    MemberName, Timestamp,
    board::{Task, TaskId, TaskStatus},
    id::GoalId,
    request::{Request, RequestId, RequestKind},
    team::{Goal, Member, MemberPhase, TeamState},
    transcript::EndReason,
};

pub use self::{
    alert::{NeedAlert, NeedNews},
    alike::asking_the_same,
    answers::AnswerChoice,
    words::{NO_IN, asks, need_you, no_in},
};

/// A deadline that is as near as this comes first, whatever else waits.
const URGENT_MILLIS: u64 = 60_000;

/// Something that waits for the user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Need {
    pub kind: NeedKind,
    /// The member whose work it is about; `None` for a task that was given up by nobody of the team.
    pub member: Option<MemberName>,
    /// The subject, in one line: words of a member or a model, not cleaned for a terminal.
    pub about: String,
    /// The work that cannot continue before it is settled.
    pub holds: Holds,
    /// Since when, if the team's record says it.
    pub since: Option<Timestamp>,
    /// When it is decided without the user: a request is refused then.
    pub deadline: Option<Timestamp>,
    /// Whether the user should hear of it who is not looking.
    pub notifies: bool,
    /// Others that ask exactly the same, each by its own request, where needs are [grouped](Need::grouped): one answer is for all.
    pub alike: Vec<Self>,
}

/// The kinds of what waits for the user, each with what it is settled by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NeedKind {
    /// A call that may not run without an answer.
    Permission(RequestId),
    /// A plan that the user approves.
    Plan(RequestId),
    /// A member whose model failed for good: it continues with a message.
    FailedMember(MemberName),
    /// A member that reached a limit: it continues once that is raised.
    LimitedMember(MemberName),
    /// A member that no worker can take: it begins when such a worker is there.
    UnplacedMember(MemberName),
    /// A task that was given up: it waits until it is reopened or taken off the board.
    FailedTask(TaskId),
    /// A goal that was not reached: it waits until another one is set, or it is given up.
    MissedGoal(GoalId),
}

/// The work that a need holds up.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Holds {
    /// The tasks that cannot be finished or begun: the member's own, and what waits for them. In the order of their numbers.
    pub tasks: Vec<TaskId>,
    /// The members that cannot continue: the one that asks, and those to whom the tasks are assigned.
    pub members: Vec<MemberName>,
}

impl Holds {
    /// How many tasks and members it holds up.
    pub fn count(&self) -> usize {
        self.tasks.len() + self.members.len()
    }
}

impl NeedKind {
    /// The word for other programs.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Permission(_) => "permission",
            Self::Plan(_) => "plan",
            Self::FailedMember(_) => "failed_member",
            Self::LimitedMember(_) => "limited_member",
            Self::UnplacedMember(_) => "unplaced_member",
            Self::FailedTask(_) => "failed_task",
            Self::MissedGoal(_) => "missed_goal",
        }
    }

    /// The id of the need among those of its kind: `req_000003`, `alice`, `#4`.
    pub fn id(&self) -> String {
        match self {
            Self::Permission(id) | Self::Plan(id) => id.to_string(),
            Self::FailedMember(name) | Self::LimitedMember(name) | Self::UnplacedMember(name) => {
                name.to_string()
            }
            Self::FailedTask(id) => id.to_string(),
            Self::MissedGoal(id) => id.to_string(),
        }
    }

    /// The request that an answer settles.
    pub fn request(&self) -> Option<RequestId> {
        match self {
            Self::Permission(id) | Self::Plan(id) => Some(*id),
            Self::FailedMember(_)
            | Self::LimitedMember(_)
            | Self::UnplacedMember(_)
            | Self::FailedTask(_)
            | Self::MissedGoal(_) => None,
        }
    }

    /// Whether the user should hear of it who is not looking. A task that was given up is first the lead's to deal with.
    fn notifies(&self) -> bool {
        match self {
            Self::Permission(_)
            | Self::Plan(_)
            | Self::FailedMember(_)
            | Self::LimitedMember(_)
            | Self::UnplacedMember(_)
            | Self::MissedGoal(_) => true,
            Self::FailedTask(_) => false,
        }
    }
}

impl Need {
    /// The needs of the user: first those that are decided without them within a minute, then by how many tasks and members
    /// they hold up, then by age. Requests and members of a conversation that is paused wait for that, and not for the user.
    pub fn of(team: &TeamState, now: Timestamp) -> Vec<Self> {
        let requests = team.questions();
        let requests = requests.filter_map(|request| of_request(team, request));
        let members = team.members().filter_map(|member| of_member(team, member));
        let tasks = team.job_tasks().filter_map(|task| of_task(team, task));
        let goal = team.goals().last().and_then(of_goal);
        let mut needs: Vec<Self> = requests.chain(members).chain(tasks).chain(goal).collect();
        // Stable: what is alike stays in the order of requests, members, tasks.
        needs.sort_by_key(|need| order(need, now));
        needs
    }
}

/// Smaller comes first.
fn order(need: &Need, now: Timestamp) -> (Timestamp, Reverse<usize>, Timestamp) {
    let never = Timestamp(u64::MAX);
    let is_urgent = |deadline: &Timestamp| deadline.millis_since(now) <= URGENT_MILLIS;
    let urgent = need.deadline.filter(is_urgent);
    (
        urgent.unwrap_or(never),
        Reverse(need.holds.count()),
        need.since.unwrap_or(never),
    )
}

fn of_request(team: &TeamState, request: &Request) -> Option<Need> {
    let kind = match request.request_kind() {
        RequestKind::Permission => NeedKind::Permission(request.id),
        RequestKind::Plan => NeedKind::Plan(request.id),
        // Members answer these.
        RequestKind::Shutdown => return None,
    };
    let member = request.concerns().cloned();
    Some(Need {
        notifies: kind.notifies(),
        holds: member
            .as_ref()
            .map_or_else(Holds::default, |name| held_by_member(team, name)),
        about: request.summary(),
        since: Some(request.opened),
        deadline: request.deadline,
        kind,
        member,
        alike: Vec::new(),
    })
}

fn of_member(team: &TeamState, member: &Member) -> Option<Need> {
    let name = member.name.clone();
    let (kind, about) = match &member.phase {
        MemberPhase::Idle { why, .. } => match why {
            EndReason::Failed { what } => (NeedKind::FailedMember(name.clone()), what.clone()),
            EndReason::Limit { what } => (NeedKind::LimitedMember(name.clone()), what.clone()),
            EndReason::Done | EndReason::Interrupted | EndReason::Waiting { .. } => return None,
        },
        MemberPhase::Starting => {
            let why = team.missing_worker(member, &BTreeSet::new())?;
            (NeedKind::UnplacedMember(name.clone()), why.to_string())
        }
        MemberPhase::Working | MemberPhase::Waiting(_) | MemberPhase::Stopped => return None,
    };
    if team.paused_for(&name).is_some() {
        return None;
    }
    Some(Need {
        notifies: kind.notifies(),
        holds: held_by_member(team, &name),
        about,
        since: None,
        deadline: None,
        kind,
        member: Some(name),
        alike: Vec::new(),
    })
}

fn of_task(team: &TeamState, task: &Task) -> Option<Need> {
    let TaskStatus::Failed { why, .. } = &task.status else {
        return None;
    };
    let kind = NeedKind::FailedTask(task.id);
    let tasks = waiting_for(team, task);
    let members = assigned_to(team, &tasks);
    Some(Need {
        notifies: kind.notifies(),
        holds: Holds {
            tasks: tasks.into_iter().collect(),
            members: members.into_iter().collect(),
        },
        about: format!("{}: {why}", task.subject),
        since: Some(task.updated),
        deadline: None,
        kind,
        member: task.owner().cloned(),
        alike: Vec::new(),
    })
}

fn of_goal(goal: &Goal) -> Option<Need> {
    goal.end.as_ref().filter(|end| end.is_missed())?;
    let ending = goal.ending()?;
    let kind = NeedKind::MissedGoal(goal.id);
    Some(Need {
        notifies: kind.notifies(),
        holds: Holds::default(),
        about: format!("{}: {ending}", goal.check),
        since: Some(goal.since),
        deadline: None,
        kind,
        member: Some(MemberName::lead()),
        alike: Vec::new(),
    })
}

/// The work that a member which cannot continue holds up.
fn held_by_member(team: &TeamState, name: &MemberName) -> Holds {
    let mut tasks = BTreeSet::new();
    if let Some(own) = team.board().task_of(name) {
        tasks = waiting_for(team, own);
        tasks.insert(own.id);
    }
    let mut members = assigned_to(team, &tasks);
    members.insert(name.clone());
    Holds {
        tasks: tasks.into_iter().collect(),
        members: members.into_iter().collect(),
    }
}

/// The open tasks that come after this one, however far.
fn waiting_for(team: &TeamState, task: &Task) -> BTreeSet<TaskId> {
    let mut found = BTreeSet::new();
    let mut next: VecDeque<TaskId> = task.blocks.iter().copied().collect();
    while let Some(id) = next.pop_front() {
        let Some(after) = team.board().task(id) else {
            continue;
        };
        if !after.status.is_settled() && found.insert(id) {
            next.extend(after.blocks.iter().copied());
        }
    }
    found
}

/// The members to whom these tasks are assigned.
fn assigned_to(team: &TeamState, tasks: &BTreeSet<TaskId>) -> BTreeSet<MemberName> {
    let tasks = tasks.iter().filter_map(|id| team.board().task(*id));
    tasks.filter_map(|task| task.owner().cloned()).collect()
}

#[cfg(test)]
mod tests;
