//! The event stream: what users and other programs are shown while a team runs.
//!
//! One JSON object per event; `docs/events.md` describes them. Events report what happened; nothing is ever decided
//! by reading them back.

mod answer;
mod run;
mod waits;

use serde::{Deserialize, Serialize};

pub use self::{
    answer::{ContextUse, Paid},
    run::{Closing, RunId},
    waits::{NoteAbout, Waits, WaitsOn},
};
pub use crate::tool::{
    DIFF_BYTES_MAX, Excerpt, FileChange, INPUT_BYTES_MAX, MergeEnd, OUTPUT_BYTES_MAX, RefusedBy,
};
use crate::{
    Incarnation, MemberName, MessageId, MessageKind, Sender, Timestamp,
    attachment::AttachmentNote,
    breadth::OfferedRules,
    id::{ConversationId, JobId, RequestId, TaskId},
    mode::Mode,
    model::{Effort, ModelRef, StopReason, Usage},
    name::{DeviceName, WorkerName},
    status::{JobEnd, MemberStatus, RequestKind, RequestStateKind, TaskStatusKind},
    task::TaskEvent,
    tool::CallId,
    transcript::EndReason,
};

/// One event.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Event {
    /// When, in milliseconds since the epoch.
    pub at: Timestamp,
    /// Whom it concerns.
    pub member: MemberName,
    /// The kind of the event, with its fields.
    #[serde(flatten)]
    pub what: EventKind,
    /// In which opening of the team. Nothing in what older versions wrote.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<RunId>,
    /// Its number in the team's event log: without holes, on and on over all runs. Pieces have none, nor what older versions
    /// wrote.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub n: Option<u64>,
    /// How many records of the journal its process knew when it happened: one order of both logs. Nothing in what older
    /// versions wrote.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub r: Option<u64>,
}

/// How a conversation was made shorter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Compaction {
    /// Old tool outcomes were replaced by a line about each.
    Shortened,
    /// A summary by the member's own model took its place.
    Summarized,
    /// The model gave no summary that could be used.
    #[serde(rename = "useless")]
    Failed,
}

/// Everything that people and programs see of a team. Not `#[non_exhaustive]`: the program's screens must say for each new
/// event whether they show it. A library user should match with a `_` arm, since versions add events.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum EventKind {
    /// The team is open and its members run.
    TeamOpened {
        /// Its name.
        team: String,
        members: Vec<MemberName>,
        /// Whether it was there before.
        resumed: bool,
        /// The process that runs it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pid: Option<u32>,
        /// The lead's conversation, in events since there are several.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        conversation: Option<ConversationId>,
        /// The worker that runs the lead from now on, where several workers run the team: members on others go on.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        worker: Option<WorkerName>,
    },
    /// The team is closed: no member works, and this is the last event of the run.
    TeamClosed {
        /// How it was left.
        why: Closing,
    },
    Spawned {
        role: String,
        incarnation: Incarnation,
        /// Whether it kept its transcript.
        woken: bool,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        model: Option<ModelRef>,
        /// How much it may do without asking.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        mode: Option<Mode>,
        /// The directory of its own git worktree, if it has one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        worktree: Option<String>,
        /// The member that spawned it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        by: Option<MemberName>,
    },
    /// The member's phase has changed.
    Status {
        status: MemberStatus,
        /// The phase in more detail.
        phase: String,
        /// The reason why it waits, if it waits for something.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        waits: Option<Waits>,
    },
    #[serde(rename = "asked")]
    ModelAsked {
        /// The number of this call in its turn, from 1.
        round: u32,
        model: String,
        /// How much it thinks, if it is asked to.
        #[serde(default, skip_serializing_if = "Effort::is_off")]
        effort: Effort,
    },
    /// Some more text of an answer. May be missing when a reader is slow; `answered` has the whole.
    Text { delta: String },
    /// Some more of the model's thinking, if somebody asked to see it. May be missing when a reader is slow.
    Thinking { delta: String },
    /// The member goes on with another model: its own failed, or answers again.
    ModelChanged {
        /// The model before, as `PROVIDER:NAME`.
        from: String,
        /// The model from now on.
        to: String,
        why: String,
    },
    #[serde(rename = "answered")]
    ModelAnswered {
        /// Its text, whole.
        text: String,
        stop: StopReason,
        /// Tokens that it used.
        usage: Usage,
        /// Which model, as `PROVIDER:NAME`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        model: Option<String>,
        /// The price of this answer, if its model has one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        money: Option<Paid>,
        /// How full the model's context is with it, if that is known.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        context: Option<ContextUse>,
        /// The number of its entry in the member's transcript, from 0.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        entry: Option<u64>,
    },
    /// A request failed and will be tried again.
    Retrying {
        why: String,
        /// The pause before the next try, in milliseconds.
        after_ms: u64,
        /// The number of the next try, from 2.
        attempt: u32,
    },
    ToolStarted {
        call: CallId,
        tool: String,
        /// The call's purpose, in a line.
        summary: String,
        /// The arguments as the model wrote them: JSON text, cut after [`INPUT_BYTES_MAX`].
        #[serde(default, skip_serializing_if = "Option::is_none")]
        input: Option<String>,
        /// The kind of the member's subagent that makes the call, if it is not the member itself.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        subagent: Option<String>,
    },
    /// How far a running tool call is, as its tool says. Only the latest matters, and any may be missing.
    ToolProgress {
        call: CallId,
        /// The words of the tool, in a line.
        text: String,
    },
    SubagentStarted {
        /// The call that made it.
        call: String,
        kind: String,
        /// Its task in one line.
        title: String,
    },
    /// A subagent's model answered.
    SubagentAnswered {
        /// The call that made the subagent.
        call: String,
        /// Tokens that it used.
        usage: Usage,
    },
    SubagentEnded {
        /// The call that made it.
        call: String,
        kind: String,
        /// Whether it ended with a result.
        ok: bool,
        /// The first line or so of its result.
        summary: String,
    },
    ToolFinished {
        call: CallId,
        tool: String,
        /// Whether it worked.
        ok: bool,
        /// The first line or so of its outcome.
        summary: String,
        /// How long it took.
        took_ms: u64,
        /// The exit status of the command, if one ran to its end.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        exit: Option<i32>,
        /// How many bytes it printed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        bytes: Option<u64>,
        /// How many lines it printed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        lines: Option<u64>,
        /// The file that holds all that it printed, if that is too much for a model.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        file: Option<String>,
        /// Beginning and end of what it printed. Not there for tools that touch the team only, unless they fail.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        output: Option<Excerpt>,
        /// The change of a file, if it is a file tool that changed one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        change: Option<Box<FileChange>>,
        /// The result of merging a worktree, if it merged one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        merge: Option<Box<MergeEnd>>,
        /// The rule or person that said no, if it did not run for that reason.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        refused: Option<RefusedBy>,
        /// The kind of the member's subagent that made the call, if it was not the member itself.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        subagent: Option<String>,
    },
    PermissionAsked {
        question: u64,
        tool: String,
        /// Exactly what will happen.
        shows: String,
        /// The rules of which "always" would add one.
        #[serde(flatten)]
        rules: OfferedRules,
        /// The deadline; a later answer has no effect.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        deadline: Option<Timestamp>,
    },
    PermissionAnswered {
        question: u64,
        /// Whether it may.
        allowed: bool,
        /// By whom or by which policy.
        by: String,
        /// The device of the user's that the answer came from; nothing for a terminal.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        device: Option<DeviceName>,
    },
    /// A member opened a request. Permission questions have an event of their own, `permission_asked`.
    RequestOpened {
        request: RequestId,
        kind: RequestKind,
        from: Sender,
        /// The one who answers, in words.
        to: String,
        /// The whole question.
        shows: String,
        /// The deadline; a later answer has no effect.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        deadline: Option<Timestamp>,
    },
    /// A request was settled. For permission questions the event is `permission_answered`.
    RequestSettled {
        request: RequestId,
        kind: RequestKind,
        from: Sender,
        /// How it ended.
        state: RequestStateKind,
        /// The outcome, with who decided and why.
        how: String,
    },
    /// The member is stopped: its loop and its processes have ended.
    Terminated {
        /// How it came to that.
        how: String,
    },
    /// A call was refused because it needs permission and the user cannot be asked.
    PermissionRefused {
        tool: String,
        /// Exactly what would have happened.
        shows: String,
        /// The setting or answer that would allow it.
        hint: String,
        /// The call that was refused, as in `tool_started`. Nothing for a plan, whose call had ended before, and for a
        /// connection, which a command makes.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        call: Option<CallId>,
    },
    /// The user spoke to the member, and it is durable.
    PersonSaid {
        id: MessageId,
        to: MemberName,
        /// The one who spoke: `user`.
        by: String,
        content: String,
        /// Attachments of the message, without their bytes.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        attachments: Vec<AttachmentNote>,
    },
    MailSent {
        id: MessageId,
        to: MemberName,
        kind: MessageKind,
        content: String,
    },
    /// The member heard mail: it is in its transcript.
    MailHeard {
        id: MessageId,
        from: Sender,
        kind: MessageKind,
        /// The text, where no `mail_sent` or `person_said` holds it: mail from another terminal, of the harness, or
        /// unverified.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        content: Option<String>,
        /// Attachments of the message, without their bytes, where its text is here.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        attachments: Vec<AttachmentNote>,
    },
    /// The user took back mail to the member that nobody had heard: nobody will.
    MailRecalled {
        id: MessageId,
        /// To whom it was sent.
        to: MemberName,
    },
    /// The member's conversation was made shorter, or could not be. Its transcript still has all of it.
    Compacted {
        how: Compaction,
        /// The tokens that it took before, as the model last counted them.
        before: u64,
        /// The tokens that it takes now, by estimate: the next answer counts them.
        after: u64,
        /// The usage of asking for the summary.
        usage: Usage,
        /// The summary, if there is one.
        summary: String,
    },
    /// Something happened on the board. The member is who did it; the lead, if it was the user or the harness.
    Task {
        task: TaskId,
        /// The subject of the note.
        subject: String,
        /// How far it is.
        status: TaskStatusKind,
        /// Its owner, present or assigned.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        owner: Option<MemberName>,
        change: Box<TaskEvent>,
    },
    #[serde(rename = "rested")]
    TurnEnded {
        #[serde(flatten)]
        why: EndReason,
        /// The model's final text.
        result: String,
    },
    /// The member started something in the background.
    JobStarted {
        job: JobId,
        /// A title of one line.
        title: String,
        output: String,
    },
    /// It has ended, and its owner has the notice.
    JobEnded {
        job: JobId,
        /// A title of one line.
        title: String,
        /// How it ended.
        #[serde(flatten)]
        end: JobEnd,
    },
    /// Something the user should know.
    #[serde(rename = "notice")]
    Note {
        text: String,
        /// The subject of the note, where a program should know it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        about: Option<NoteAbout>,
    },
}

impl EventKind {
    /// Whether it is a piece of an answer on its way, or progress of a call: not kept, and may be missing for a slow reader.
    pub fn is_piece(&self) -> bool {
        matches!(
            self,
            Self::Text { .. } | Self::Thinking { .. } | Self::ToolProgress { .. }
        )
    }

    /// The usage that this event reports of a model's answer; nothing where no model was asked.
    pub fn spent(&self) -> Option<Usage> {
        match self {
            Self::ModelAnswered { usage, .. } | Self::SubagentAnswered { usage, .. } => {
                Some(*usage)
            }
            Self::Compacted { how, usage, .. } => (*how != Compaction::Shortened).then_some(*usage),
            // No other event comes of an answer.
            _ => None,
        }
    }
}
