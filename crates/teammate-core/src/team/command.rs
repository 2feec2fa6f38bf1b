//! Commands to a team.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{
    Incarnation, MemberName,
    board::TaskCommand,
    budget::Budgets,
    cause::Cause,
    id::{ConversationId, JobId, OrderId},
    member::{MemberOptions, TodoList, WaitingOn},
    mode::Mode,
    model::{Effort, ModelRef, UsageTotal},
    name::DeviceName,
    request::RequestCommand,
    spending::ActiveTime,
    status::JobEnd,
    team::{
        GoalCommand, GroupCommand, Lapse, OrderEnd, PlaceCommand, Right, ScheduleCommand, UserOrder,
    },
    transcript::EndReason,
};

/// Something to decide. Serialised as it is where it goes from worker to worker: fields are added, never renamed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Command {
    /// Bring the team to be, with its lead. Nothing happens if it exists.
    Create {
        /// The id to use if it does not exist.
        id: Uuid,
        name: String,
    },
    /// Take over a member from another program's roster. Nothing happens if the name is known.
    Adopt {
        member: MemberName,
        role: String,
        /// Whether it had been shut down.
        stopped: bool,
    },
    /// Permissions and approvals end: what was recorded about them can no longer be proven complete.
    Lapse {
        lapse: Lapse,
        /// Why, for the user.
        why: String,
    },
    Spawn(Spawn),
    /// A turn begins or continues.
    StartTurn {
        member: MemberName,
        incarnation: Incarnation,
    },
    /// A turn waits.
    Wait {
        member: MemberName,
        incarnation: Incarnation,
        on: WaitingOn,
    },
    /// A turn ended. The same turn again changes nothing.
    EndTurn {
        member: MemberName,
        incarnation: Incarnation,
        why: EndReason,
        /// The transcript entry with the model's final text.
        turn: Option<u64>,
        result: String,
    },
    /// The user chooses another model for a member, another effort, or both.
    ChooseModel {
        member: MemberName,
        /// The model; `None` leaves it.
        model: Option<ModelRef>,
        /// The effort; `None` leaves it.
        effort: Option<Effort>,
    },
    /// A member writes its todo list anew.
    SetTodos {
        member: MemberName,
        incarnation: Incarnation,
        /// The whole list.
        items: TodoList,
    },
    /// Requests were answered. What was handed over before changes nothing.
    RecordUsage(UsageReport),
    Task(TaskCommand),
    Group(GroupCommand),
    Request(RequestCommand),
    Schedule(ScheduleCommand),
    Goal(GoalCommand),
    Place(PlaceCommand),
    /// Something that a worker asks by a right that it may have lost since.
    Under {
        right: Right,
        command: Box<Command>,
    },
    /// The team is opened. Nothing happens if the journal knows these.
    Open {
        /// Nobody may do more than this without asking.
        mode: Mode,
        /// The model of members that have no other.
        model: ModelRef,
        /// Whether hooks judge what the user says to members.
        #[serde(default)]
        judges_prompts: bool,
    },
    /// The user chooses another mode for as long as the team is open.
    ChooseMode(Mode),
    /// The user sets what may be spent on all workers. Nothing happens if it was set before.
    SetBudgets(Budgets),
    /// The user pauses the team, from this device if it is none of its terminals. Nothing happens if it is paused.
    Pause(Option<DeviceName>),
    /// The user has the team go on. Nothing happens if it is not paused.
    Continue(Option<DeviceName>),
    /// The team is opened with this conversation of the lead. Nothing happens if it is the current one already.
    Conversation(ChooseConversation),
    /// A new conversation begins with the lead, which rests, and the order to do so ends; the team works on.
    BeginAnew {
        order: OrderId,
        /// The highest number that the lead's transcript knows, where the journal may lack records.
        highest: ConversationId,
    },
    /// A paused member joins the current conversation. Nothing happens if it is not paused.
    Join(MemberName),
    /// The user drops an earlier conversation: what it left unfinished ends. Nothing happens if that is nothing, or if it is the
    /// current one.
    DropConversation(ConversationId),
    /// The lead has the board notice.
    MarkBoardReported {
        /// After how many changes of it.
        changes: u64,
    },
    /// A member's loop ended for good.
    Stop {
        member: MemberName,
        incarnation: Incarnation,
    },
    /// A member starts something in the background.
    StartJob(StartJob),
    /// It has ended, and its owner has the notice. A second end changes nothing.
    EndJob {
        job: JobId,
        end: JobEnd,
    },
    /// The user orders something that only the process can do that runs the team. The same act again changes nothing.
    Order {
        order: UserOrder,
        /// By which act of the user.
        call: Cause,
    },
    /// The user takes back a rule that an "always" made for all workers. Nothing happens if there is none of this text.
    DropRule(String),
    /// An order ended. A second end changes nothing.
    EndOrder {
        id: OrderId,
        end: OrderEnd,
    },
}

/// The spending of a member.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct UsageReport {
    pub member: MemberName,
    pub incarnation: Incarnation,
    /// The totals, by model.
    pub totals: Vec<(String, UsageTotal)>,
    /// How long.
    pub active_time: ActiveTime,
    /// Where it is in its transcript. `None` if it is in no transcript.
    pub part: Option<TranscriptPart>,
}

/// The counted part of a transcript, by its lengths.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct TranscriptPart {
    /// How long it was when it was counted before.
    pub from: u64,
    /// How long it is; shorter than before if lines were lost.
    pub to: u64,
}

/// A spawn. Repeating it with the same `call` changes nothing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Spawn {
    pub by: MemberName,
    pub call: Cause,
    /// The new member's name.
    pub member: MemberName,
    pub role: String,
    /// Its assignment.
    pub prompt: String,
    pub options: MemberOptions,
    /// The spawner's mode: the most that can be given.
    pub ceiling: Mode,
    /// Whether its memory starts anew.
    pub fresh: bool,
}

/// The most jobs one member may have running.
pub(crate) const JOBS_MAX: usize = 16;

/// Start a job. The same `call` again changes nothing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StartJob {
    pub owner: MemberName,
    pub incarnation: Incarnation,
    pub call: Cause,
    /// A title of one line.
    pub title: String,
    /// Whether it may do more than read: such a job begins behind an open plan gate only.
    pub acts: bool,
}

/// With which conversation of the lead a team is opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ConversationChoice {
    /// With a new one. What the one before left unfinished stays paused.
    Fresh,
    /// With the last one. What earlier ones left unfinished stays paused.
    #[default]
    Last,
    /// With this one. What others left unfinished stays paused.
    Number(ConversationId),
    /// With the last one in which the lead has something left to do, and with all that any of them left unfinished.
    Everything,
}

/// The team is opened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ChooseConversation {
    pub choice: ConversationChoice,
    /// Members that have something left to do in the last conversation which only their mailbox or transcript shows: mail that asks
    /// for a turn and was not heard, or a turn that ended with the program before the journal knew of it.
    pub unfinished: Vec<MemberName>,
    /// The highest number that the lead's transcript knows, where the journal may lack records.
    pub highest: ConversationId,
}
