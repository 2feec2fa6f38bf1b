//! Events of a team. Journals hold these words for years: fields are added, never renamed or removed.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{
    GroupName, Incarnation, MemberName,
    budget::Budgets,
    cause::Cause,
    id::{ConversationId, GoalId, JobId, OrderId, RequestId, ScheduleId, TaskId},
    member::{MemberOptions, TodoList, WaitingOn},
    mode::Mode,
    model::{Effort, ModelRef, Usage},
    name::DeviceName,
    request::{Principal, RequestEvent, Requirer},
    status::JobEnd,
    task::TaskEvent,
    team::{GoalEvent, GroupEvent, OrderEnd, PlaceEvent, ScheduleEvent, UserOrder},
    transcript::EndReason,
};

/// Something that happened to the team.
///
/// These types are serialised as they are: the journal is theirs alone, and golden files in the store's tests hold
/// every form that was ever written.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum TeamEvent {
    Created {
        /// Its id: the namespace of all derived ids.
        id: Uuid,
        name: String,
    },
    /// A member was spawned, or woken by a spawn.
    Spawned {
        member: MemberName,
        role: String,
        /// Its assignment. Empty for the lead, whose work comes from the user.
        prompt: String,
        #[serde(flatten)]
        options: MemberOptions,
        incarnation: Incarnation,
        by: MemberName,
        call: Cause,
        /// Whether its memory starts anew.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        fresh: bool,
        /// The one who requires its plans, if they are required; `None` means the lead.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        plan_by: Option<Requirer>,
        /// Whether that is until one plan is approved only: of a plan that was submitted unasked, before this incarnation.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        plan_once: bool,
    },
    /// A member was found in a roster that another program had written.
    Adopted {
        member: MemberName,
        role: String,
        /// Whether it had been shut down.
        stopped: bool,
    },
    /// A turn began or continues.
    Working {
        member: MemberName,
        incarnation: Incarnation,
    },
    /// A turn waits for something.
    Waiting {
        member: MemberName,
        incarnation: Incarnation,
        on: WaitingOn,
    },
    #[serde(rename = "idled")]
    TurnEnded {
        member: MemberName,
        incarnation: Incarnation,
        #[serde(flatten)]
        why: EndReason,
        /// The transcript entry with the model's final text.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        turn: Option<u64>,
        #[serde(default, skip_serializing_if = "String::is_empty")]
        result: String,
    },
    /// The user chose another model for a member, another effort, or both.
    ModelChosen {
        member: MemberName,
        /// The model; nothing leaves it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        model: Option<ModelRef>,
        /// The effort; nothing leaves it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        effort: Option<Effort>,
    },
    /// A member wrote its todo list anew.
    Todos {
        member: MemberName,
        incarnation: Incarnation,
        /// The whole list.
        items: TodoList,
    },
    /// Requests of a member were answered.
    Spent {
        member: MemberName,
        incarnation: Incarnation,
        /// By which model, as `PROVIDER:NAME`.
        model: String,
        requests: u64,
        #[serde(flatten)]
        usage: Usage,
        /// The length of the member's transcript up to which all answers are counted now. Nothing, if what was spent
        /// is in no transcript.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        upto: Option<u64>,
        /// Milliseconds that the member was in a turn since the last such event.
        #[serde(default)]
        worked_ms: u64,
        /// Milliseconds since then with at least one member in a turn.
        #[serde(default)]
        team_ms: u64,
    },
    Task {
        task: TaskId,
        #[serde(flatten)]
        change: TaskEvent,
    },
    Group {
        group: GroupName,
        #[serde(flatten)]
        change: GroupEvent,
    },
    Request {
        request: RequestId,
        #[serde(flatten)]
        change: RequestEvent,
    },
    Schedule {
        schedule: ScheduleId,
        #[serde(flatten)]
        change: ScheduleEvent,
    },
    Goal {
        goal: GoalId,
        #[serde(flatten)]
        change: GoalEvent,
    },
    Place(PlaceEvent),
    /// A member must have a plan approved before it does more than read.
    PlanRequired {
        member: MemberName,
        incarnation: Incarnation,
        by: Principal,
        call: Cause,
    },
    /// A member no longer needs an approved plan.
    PlanLifted {
        member: MemberName,
        incarnation: Incarnation,
        by: Principal,
    },
    /// The team was opened with another mode or another model than before, or the user chose another mode.
    Ceiling {
        /// Nobody may do more than this without asking.
        mode: Mode,
        /// The model of members that have no other. Nothing leaves it; so it is in what older versions wrote.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        model: Option<ModelRef>,
        /// Whether hooks judge what the user says to members. Nothing leaves it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        judges_prompts: Option<bool>,
    },
    /// The user has set what may be spent on all workers, in place of what was set before.
    BudgetsSet {
        #[serde(flatten)]
        budgets: Budgets,
    },
    /// The user paused the team: no model is asked until it goes on.
    Paused {
        /// The device that the wish came from; nothing for a terminal.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        device: Option<DeviceName>,
    },
    /// The user had the team go on.
    Continued {
        /// The device that the wish came from; nothing for a terminal.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        device: Option<DeviceName>,
    },
    /// The lead has the board notice.
    #[serde(rename = "board_told")]
    BoardReported {
        /// After how many changes of it.
        changes: u64,
    },
    /// A member's loop ended for good.
    Stopped {
        member: MemberName,
        incarnation: Incarnation,
    },
    /// Permissions and approvals ended, because what was recorded about them can no longer be proven complete.
    Lapsed {
        lapse: Lapse,
        /// Why, for the user.
        why: String,
    },
    /// The lead continued another of its conversations, or began a new one.
    Conversation {
        conversation: ConversationId,
        /// The members that leave something unfinished in the one before. Teammates among them are paused.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        unfinished: Vec<MemberName>,
        /// The user cleared the one before: the team and all that belonged to that works on in this one.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        keeps_team: bool,
    },
    /// Paused members, and unfinished tasks of other conversations, joined the current one.
    Joined {
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        members: Vec<MemberName>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        tasks: Vec<TaskId>,
    },
    /// The user dropped an earlier conversation: its members are interrupted, and nothing of it is paused.
    Dropped {
        conversation: ConversationId,
    },
    /// A member started something in the background.
    JobStarted {
        job: JobId,
        member: MemberName,
        incarnation: Incarnation,
        call: Cause,
        /// A title of one line.
        title: String,
    },
    /// It has ended, and its owner has the notice.
    JobEnded {
        job: JobId,
        #[serde(flatten)]
        end: JobEnd,
    },
    /// The user ordered something that only the process can do that runs the team.
    Ordered {
        id: OrderId,
        #[serde(flatten)]
        order: UserOrder,
        /// By which act of the user.
        call: Cause,
    },
    /// The user took back a rule that an "always" had made for all workers.
    RuleDropped {
        /// Its text.
        rule: String,
    },
    OrderEnded {
        id: OrderId,
        #[serde(flatten)]
        end: OrderEnd,
    },
}

/// Why permissions lapse, and how far that goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Lapse {
    /// Records are missing or were changed. Open permission questions, permissions that nobody has used, and approvals of
    /// plans end, and schedules rest: a missing record may be of what has run.
    Damage,
    /// The user adopted a directory that could not be proven to be theirs. In addition checks of tasks, other open requests,
    /// background jobs and unfinished turns end: nothing that came with the directory runs automatically.
    Adoption,
}
