//! The team as a fold over its journal: roster and phases.
//!
//! A command is decided against the current value and yields events or a refusal; applying events never fails.
//! Nothing here waits, reads a clock or touches a disk.

mod command;
mod decide;
mod definition;
mod event;
mod groups;
mod jobs;
mod lapse;
mod member;
mod spending;
mod terms;
mod todo;

use std::collections::BTreeMap;

use uuid::Uuid;

pub use command::{Command, Spawn, Spend};
pub use decide::{Decided, TeamRefusal};
pub use definition::{Agents, Definition, listed};
pub use event::{TeamEvent, WaitingOn};
pub use groups::{Group, GroupCommand, GroupEvent, Groups, PastGroup};
pub use jobs::{JOBS_MAX, Job, JobEnd, JobId, Jobs, StartJob};
pub use lapse::Lapse;
pub use member::{Assignment, Member, Phase};
pub use spending::{Item, MemberSpending, Spending, Sum, Worked, answers, by_model};
pub use terms::Terms;
pub use todo::{TODOS_MAX, Todo, TodoError, TodoList, TodoStatus};

use crate::{
    Incarnation, MemberName,
    board::Board,
    mail::MessageId,
    request::{Kind, Party, PlanGate, RequestEvent, RequestId, Requests},
    transcript::RestReason,
};

/// The most members a team may have unless configured otherwise.
pub const MEMBERS_MAX: usize = 1_024;

/// Roster and phases, as of some length of the journal.
#[derive(Debug, Clone, PartialEq)]
pub struct Team {
    id: Option<Uuid>,
    name: String,
    members: BTreeMap<MemberName, Member>,
    order: Vec<MemberName>,
    jobs: Jobs,
    spending: Spending,
    board: Board,
    groups: Groups,
    requests: Requests,
    /// The last lives of members that are off the roster: a name that comes again begins after them, so that ids made from
    /// name and life stay unique.
    past: BTreeMap<MemberName, Incarnation>,
}

impl Default for Team {
    fn default() -> Self {
        Self {
            id: None,
            name: "default".to_owned(),
            members: BTreeMap::new(),
            order: Vec::new(),
            jobs: Jobs::default(),
            spending: Spending::default(),
            board: Board::default(),
            groups: Groups::default(),
            requests: Requests::default(),
            past: BTreeMap::new(),
        }
    }
}

impl Team {
    /// The team's id; nil before it was created.
    pub fn id(&self) -> Uuid {
        self.id.unwrap_or_default()
    }

    /// Whether it was created.
    pub fn exists(&self) -> bool {
        self.id.is_some()
    }

    /// The team's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// A member by name.
    pub fn member(&self, name: &MemberName) -> Option<&Member> {
        self.members.get(name)
    }

    /// All members, the lead first, then in the order in which they came.
    pub fn members(&self) -> impl Iterator<Item = &Member> {
        self.order.iter().filter_map(|name| self.members.get(name))
    }

    /// All but the lead.
    pub fn teammates(&self) -> impl Iterator<Item = &Member> {
        self.members().filter(|member| !member.name.is_lead())
    }

    /// What was spent, as far as it was handed over.
    pub fn spending(&self) -> &Spending {
        &self.spending
    }

    /// The task board.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The requests between its members and the person.
    pub fn requests(&self) -> &Requests {
        &self.requests
    }

    /// The team as it looks when no process runs it: whoever was in a turn is interrupted.
    #[must_use]
    pub fn paused(&self) -> Self {
        let mut team = self.clone();
        for member in team
            .members
            .values_mut()
            .filter(|member| member.phase.is_busy())
        {
            member.phase = Phase::Idle {
                why: RestReason::Interrupted,
                turn: None,
            };
        }
        team
    }

    /// The id of the mail that brings a spawn's prompt.
    pub fn assignment_id(&self, name: &MemberName, incarnation: Incarnation) -> MessageId {
        MessageId::derived(self.id(), &format!("assignment/{name}/{incarnation}"))
    }

    /// The id of the notice that a member's turn has ended.
    pub fn notice_id(&self, name: &MemberName, incarnation: Incarnation, turn: u64) -> MessageId {
        MessageId::derived(self.id(), &format!("idle/{name}/{incarnation}/{turn}"))
    }

    /// Takes what happened, at this moment.
    pub fn apply(&mut self, event: &TeamEvent, at: crate::Timestamp) {
        self.spending.apply(event);
        match event {
            TeamEvent::Created { id, name } => {
                self.id = Some(*id);
                self.name.clone_from(name);
            }
            TeamEvent::Spawned {
                member,
                role,
                prompt,
                terms,
                incarnation,
                by,
                call,
                fresh,
            } => {
                let assignment = Assignment {
                    by: by.clone(),
                    call: call.clone(),
                    prompt: prompt.clone(),
                    fresh: *fresh,
                    at,
                };
                // Whoever keeps its memory keeps its list.
                let known = self.members.get(member).filter(|_| !*fresh);
                let todos = known.map(|known| known.todos.clone()).unwrap_or_default();
                self.seat(Member {
                    name: member.clone(),
                    role: role.clone(),
                    incarnation: *incarnation,
                    terms: terms.clone(),
                    assignment: Some(assignment),
                    phase: Phase::Starting,
                    todos,
                    gate: if terms.plan {
                        PlanGate::closed()
                    } else {
                        PlanGate::Open
                    },
                });
            }
            TeamEvent::Adopted {
                member,
                role,
                stopped,
            } => {
                let phase = if *stopped {
                    Phase::Stopped
                } else {
                    Phase::Idle {
                        why: RestReason::Done,
                        turn: None,
                    }
                };
                self.seat(Member {
                    name: member.clone(),
                    role: role.clone(),
                    incarnation: Incarnation::FIRST,
                    terms: Terms::default(),
                    assignment: None,
                    phase,
                    todos: TodoList::default(),
                    gate: PlanGate::Open,
                });
            }
            TeamEvent::Working {
                member,
                incarnation,
            } => {
                self.phase(member, *incarnation, Phase::Working);
            }
            TeamEvent::Waiting {
                member,
                incarnation,
                on,
            } => {
                self.phase(member, *incarnation, Phase::Waiting(*on));
            }
            TeamEvent::Idled {
                member,
                incarnation,
                why,
                turn,
                result: _,
            } => {
                self.stir(member);
                self.phase(
                    member,
                    *incarnation,
                    Phase::Idle {
                        why: why.clone(),
                        turn: *turn,
                    },
                );
            }
            TeamEvent::Todos {
                member,
                incarnation,
                items,
            } => {
                if let Some(member) = self.members.get_mut(member)
                    && member.incarnation == *incarnation
                {
                    member.todos.clone_from(items);
                }
            }
            TeamEvent::Task { task, change } => self.board.apply(*task, change, at),
            TeamEvent::Group { group, change } => self.apply_group(group, change),
            TeamEvent::Request { request, change } => self.apply_request(*request, change, at),
            TeamEvent::PlanRequired {
                member,
                incarnation,
                by: _,
                call,
            } => {
                if let Some(member) = self.members.get_mut(member)
                    && member.incarnation == *incarnation
                {
                    member.gate = PlanGate::Closed {
                        submitted: member.gate.waits_for(),
                        call: call.clone(),
                    };
                }
            }
            TeamEvent::BoardTold { changes } => self.board.has_told(*changes),
            TeamEvent::Stopped {
                member,
                incarnation,
            } => {
                self.stir(member);
                self.phase(member, *incarnation, Phase::Stopped);
            }
            TeamEvent::Lapsed { lapse, why: _ } => self.apply_lapse(*lapse),
            TeamEvent::JobStarted {
                job,
                member,
                incarnation,
                call,
                title,
            } => self.jobs.begin(Job {
                id: *job,
                owner: member.clone(),
                incarnation: *incarnation,
                call: call.clone(),
                title: title.clone(),
                started: at,
                end: None,
            }),
            TeamEvent::JobEnded { job, end } => self.jobs.end(*job, end),
            TeamEvent::Spent { .. } => {}
        }
    }

    /// A request and, if it is about a plan, the gate of the member that waits.
    fn apply_request(&mut self, id: RequestId, change: &RequestEvent, at: crate::Timestamp) {
        self.requests.apply(id, change, at);
        let Some(request) = self.requests.get(id) else {
            return;
        };
        let (
            Kind::Plan(plan),
            Party::Member {
                member,
                incarnation,
            },
        ) = (&request.kind, &request.from)
        else {
            return;
        };
        let Some(member) = self.members.get_mut(member) else {
            return;
        };
        if member.incarnation != *incarnation {
            return;
        }
        let is_answered = member.gate.waits_for() == Some(id);
        match change {
            RequestEvent::Opened { .. } => member.gate.submits(id),
            RequestEvent::Approved { mode, .. } if is_answered => {
                member.gate.grants(id, plan.digest.clone());
                member.terms.mode = mode.or(member.terms.mode);
            }
            RequestEvent::Rejected { .. }
            | RequestEvent::Expired
            | RequestEvent::Cancelled { .. }
                if is_answered =>
            {
                member.gate.returns();
            }
            RequestEvent::Approved { .. }
            | RequestEvent::Rejected { .. }
            | RequestEvent::Expired
            | RequestEvent::Cancelled { .. }
            | RequestEvent::Used
            | RequestEvent::Told => {}
        }
    }

    /// A teammate does nothing any more: the lead may have to hear how the board stands.
    fn stir(&mut self, member: &MemberName) {
        if !member.is_lead() {
            self.board.stir();
        }
    }

    fn seat(&mut self, member: Member) {
        if !self.members.contains_key(&member.name) {
            self.order.push(member.name.clone());
        }
        self.members.insert(member.name.clone(), member);
    }

    /// Sets a phase; what belongs to an earlier life changes nothing.
    fn phase(&mut self, name: &MemberName, incarnation: Incarnation, phase: Phase) {
        if let Some(member) = self.members.get_mut(name)
            && member.incarnation == incarnation
        {
            member.phase = phase;
        }
    }
}

#[cfg(test)]
mod tests;
