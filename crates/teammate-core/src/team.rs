//! The team as a fold over its journal: roster and phases.
//!
//! A command is decided against the current value and yields events or a refusal; applying events never fails.
//! Nothing here waits, reads a clock or touches a disk.

mod agent_definition;
mod apply;
mod asked;
mod command;
mod command_id;
mod command_texts;
mod conversations;
mod counted;
mod decide;
mod decision;
mod event;
mod event_speaker;
mod follows;
mod gates;
mod goal_rules;
mod goals;
mod group;
mod groups;
mod jobs;
mod lapse;
mod order;
mod orders;
mod pause;
mod place;
mod placing;
mod placing_events;
mod record;
mod refusal;
mod requests;
mod schedules;
mod scheduling;
mod spawning;
mod speaker;
mod spending;
mod standing_rules;
mod tasks;
mod turns;
mod waits;

use std::collections::BTreeMap;

use self::counted::AskedSoFar;
use uuid::Uuid;

pub use crate::member::{
    Assignment, Member, MemberOptions, MemberPhase, TODOS_MAX, Todo, TodoError, TodoList,
    TodoStatus, WaitingOn,
};
pub use crate::spending::{
    ActiveTime, MemberSpending, Spending, UsageItem, by_model, uncounted_answers,
};
pub use agent_definition::{
    AgentDefinition, AgentDefinitions, GENERAL_AGENT, agent_type_of, bounded_list,
};
pub use asked::{AskedCommands, AskedQuestion, CommandVerdict, DecidedCommands, QuestionProof};
pub use command::{
    ChooseConversation, Command, ConversationChoice, Spawn, StartJob, TranscriptPart, UsageReport,
};
pub use command_id::{CommandId, DecidedCommand};
pub use conversations::{Conversations, Unfinished};
pub(crate) use counted::Inspection;
pub use counted::UnaskedRecord;
pub use decision::{Decision, Durability};
pub use event::{Lapse, TeamEvent};
pub use event_speaker::EventSpeaker;
pub use goals::{
    ALIKE_MAX, GOAL_TRIES, Goal, GoalCommand, GoalEnd, GoalEvent, GoalRefusal, GoalRun, Goals,
    NewGoal,
};
pub use group::{GroupCommand, GroupEvent};
pub use groups::{ArchivedGroup, Group, Groups};
pub use jobs::{Job, Jobs};
pub use order::{OrderEnd, UserOrder};
pub use orders::{GivenOrder, Orders};
pub use pause::TeamPause;
pub use place::{
    Delivery, Holding, JoinedWorker, JournalFormat, MoveWhy, PlaceChange, PlaceCommand, PlaceEvent,
    PlaceRefusal, Placement, Placements, PolicyDigest, PolicyDigestError, Right, SandboxLevel,
    SeenWorker, Shortfall, StewardTerm, Unplaced, Waiting, WallDemand, Walls, WorkerStop,
};
pub use record::Record;
pub use refusal::TeamRefusal;
pub use schedules::{
    MissedRuns, NewSchedule, Schedule, ScheduleCommand, ScheduleEvent, ScheduleRefusal,
    ScheduleTime, ScheduledWork, Schedules,
};
pub use standing_rules::{StandingRule, StandingRules};
pub use tasks::{BoardNotice, NextTask, TaskReport, TaskSummary};
pub use teammate_words::{
    id::{ConversationId, ConversationIdError, GoalId, JobId, OrderId, ScheduleId, Term},
    message_cause::MessageCause,
    model::UsageTotal,
    status::{JobEnd, MemberStatus},
    worker::{Beat, CommitId, CommitIdError, Label, LabelError},
};

use crate::{
    Incarnation, MemberName,
    board::Board,
    budget::Budgets,
    mail::MessageId,
    mode::Mode,
    model::ModelRef,
    name::WorkerName,
    request::{PlanGate, Requests},
    transcript::EndReason,
};

/// The most members a team may have unless configured otherwise.
const MEMBERS_MAX: usize = 1_024;

/// The name of a workspace's default team.
pub const DEFAULT_TEAM: &str = "default";

/// In whose name a record counts. What only the user may grant counts in a record of the user's own process.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum RecordWriter {
    /// A process of the user's, or a person of the circle. Where one user has all the keys, everybody.
    #[default]
    User,
    Worker(WorkerName),
}

/// Roster and phases, as of some length of the journal.
#[derive(Debug, Clone, PartialEq)]
pub struct TeamState {
    id: Option<Uuid>,
    name: String,
    members: BTreeMap<MemberName, Member>,
    order: Vec<MemberName>,
    jobs: Jobs,
    spending: Spending,
    board: Board,
    groups: Groups,
    requests: Requests,
    conversations: Conversations,
    orders: Orders,
    schedules: Schedules,
    goals: Goals,
    places: Placements,
    standing_rules: StandingRules,
    /// Members that are off the roster: a name that is spawned again continues from there.
    past: BTreeMap<MemberName, Past>,
    /// The team's ceiling, since it was last opened or the user chose another.
    ceiling: Option<Mode>,
    /// Whether hooks judge what the user says, since it was last opened.
    judges_prompts: bool,
    /// The budgets that hold on all workers together.
    budgets: Budgets,
    /// The pause that the user has ordered.
    pause: Option<TeamPause>,
    /// The team's default model, since it was last opened.
    model: Option<ModelRef>,
    /// The commands that workers have asked each other so far.
    asked: AskedSoFar,
}

/// The remembered parts of a member that is off the roster.
#[derive(Debug, Clone, PartialEq)]
struct Past {
    /// Its last incarnation. The next one begins after it, so that ids made from name and incarnation stay unique.
    life: Incarnation,
    /// Its last plan gate.
    gate: PlanGate,
}

impl Default for TeamState {
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
            conversations: Conversations::default(),
            orders: Orders::default(),
            schedules: Schedules::default(),
            goals: Goals::default(),
            places: Placements::default(),
            standing_rules: StandingRules::default(),
            past: BTreeMap::new(),
            ceiling: None,
            judges_prompts: false,
            budgets: Budgets::default(),
            pause: None,
            model: None,
            asked: AskedSoFar::default(),
        }
    }
}

impl TeamState {
    /// The team's id; nil before it was created.
    pub fn id(&self) -> Uuid {
        self.id.unwrap_or_default()
    }

    /// Whether it was created.
    pub fn exists(&self) -> bool {
        self.id.is_some()
    }

    /// The id of the message that follows from this.
    pub fn message_id(&self, cause: MessageCause<'_>) -> MessageId {
        MessageId::derived(self.id(), &cause.to_string())
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

    /// The spending that was handed over so far.
    pub fn spending(&self) -> &Spending {
        &self.spending
    }

    /// The task board.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The requests between its members and the user.
    pub fn requests(&self) -> &Requests {
        &self.requests
    }

    /// The budgets that the user has set for all workers; nothing in journals of teams that never had any.
    pub fn budgets(&self) -> Budgets {
        self.budgets
    }

    /// The pause that the user has ordered, until the team goes on.
    pub fn pause(&self) -> Option<&TeamPause> {
        self.pause.as_ref()
    }

    /// Whether the process that opened the team last has hooks that judge what the user says to members.
    pub fn judges_prompts(&self) -> bool {
        self.judges_prompts
    }

    /// The team's ceiling, as of the last opening or as the user has chosen since; `None` in journals without one.
    pub fn ceiling(&self) -> Option<Mode> {
        self.ceiling
    }

    /// The model of a member: its own, or the one that the team was last opened with; `None` in journals without
    /// one, and if an external agent answers it.
    pub fn model_of<'a>(&'a self, member: &'a Member) -> Option<&'a ModelRef> {
        if member.options.engine.is_some() {
            return None;
        }
        member.options.model.as_ref().or(self.model.as_ref())
    }

    /// Whether closing the team now would cut something short: a member is in a turn, or a question waits for the user.
    pub fn has_work_under_way(&self) -> bool {
        self.questions().next().is_some() || self.members().any(|member| member.phase.is_busy())
    }

    /// The team as of a pause, when no process runs it: members in a turn count as interrupted.
    #[must_use]
    pub fn as_of_pause(&self) -> Self {
        let mut team = self.clone();
        for member in team
            .members
            .values_mut()
            .filter(|member| member.phase.is_busy())
        {
            member.phase = MemberPhase::Idle {
                why: EndReason::Interrupted,
                turn: None,
            };
        }
        team
    }

    /// The team that these records make, from the first on, as far as they count.
    pub fn of(records: &[Record]) -> Self {
        let mut team = Self::default();
        for record in records {
            // One that does not count changes nothing.
            let _ = team.replay(record);
        }
        team
    }

    /// Applies a record.
    ///
    /// Errors: why it does not count; nothing has changed.
    pub fn replay(&mut self, record: &Record) -> Result<(), UnaskedRecord> {
        self.require_asked(record)?;
        for event in &record.events {
            self.apply_by(&record.writer, event, record.at);
        }
        self.note_asked(record);
        Ok(())
    }
}

/// The beginning of a team's branches, without a slash: `teammate`, or `teammate-<team>` of a team that is not the default
/// one. Never a directory of another team's branches, which git could not keep beside it.
pub fn branches_of(team: &str) -> String {
    match team {
        DEFAULT_TEAM => "teammate".to_owned(),
        team => format!("teammate-{team}"),
    }
}

#[cfg(test)]
mod tests;
