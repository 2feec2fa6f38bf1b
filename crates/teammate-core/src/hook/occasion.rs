//! The occasions of hooks, event by event.

mod fields;

use super::{HookEvent, ToolUse};
use crate::{
    MemberName,
    board::Task,
    id::{RequestId, TaskId},
    model::{StopReason, Usage},
};

/// The occasion of a hook, with its fields.
#[derive(Debug, Clone)]
pub enum Occasion {
    /// The team was opened: `startup` if it was made, else `resume`.
    SessionStart { source: &'static str },
    /// The team is closed.
    SessionEnd {
        /// How it is left.
        reason: &'static str,
    },
    /// The user says something to the member.
    UserPromptSubmit { prompt: String },
    /// A call was read.
    PreToolUse(ToolUse),
    /// A call worked.
    PostToolUse {
        used: ToolUse,
        /// The text that the model reads of it.
        response: String,
        /// How long it took.
        took_ms: u64,
    },
    PostToolUseFailure {
        used: ToolUse,
        /// The text that the model reads of it.
        error: String,
        /// How long it took.
        took_ms: u64,
    },
    /// A model is about to be asked.
    ModelCallBefore {
        /// Which, as `PROVIDER:NAME`.
        model: String,
        /// The purpose: `turn`, `summary` or `subagent`.
        purpose: &'static str,
        /// How many messages it reads.
        messages: usize,
    },
    /// It answered, or failed for good.
    ModelCallAfter {
        /// Which answered, or was asked last.
        model: String,
        purpose: &'static str,
        /// How it went.
        end: Result<(StopReason, Usage), String>,
        /// How long it took, with all tries.
        took_ms: u64,
    },
    /// The member is about to be spawned, or its subagent to begin.
    SubagentStart {
        /// The work of the new member.
        prompt: String,
        /// Its role; none of a subagent.
        role: Option<String>,
        /// The member that spawns it.
        by: MemberName,
    },
    /// The turn of the teammate or its subagent is about to end.
    SubagentStop {
        /// The last words of the member.
        last: String,
        /// Whether a hook has held this turn back before.
        is_held_back: bool,
    },
    /// The lead's turn is about to end.
    Stop { last: String, is_held_back: bool },
    /// The teammate is about to be idle.
    TeammateIdle,
    /// A task is about to be put on the board.
    TaskCreated(TaskFacts),
    /// A task is about to be completed.
    TaskCompleted {
        task: TaskFacts,
        /// Nobody says that it is done: its owner ends its turn with it.
        at_turn_end: bool,
    },
    /// The member is about to send a message.
    MailSent {
        to: Vec<MemberName>,
        content: String,
    },
    /// The user is about to be asked about a call.
    PermissionAsked {
        used: ToolUse,
        /// Why it is a question.
        because: String,
    },
    /// The question has its answer.
    PermissionSettled {
        used: ToolUse,
        request: RequestId,
        /// `approved`, `rejected`, `expired` or `cancelled`.
        decision: &'static str,
    },
    /// The conversation is about to be summarized.
    PreCompact {
        /// Somebody wants it; else it is needed.
        is_wanted: bool,
        focus: String,
    },
}

/// The facts of a task that hooks read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskFacts {
    pub id: TaskId,
    /// What, in a line.
    pub subject: String,
    /// What, in full.
    pub description: String,
}

impl Occasion {
    /// Which event it is.
    pub fn event(&self) -> HookEvent {
        match self {
            Self::SessionStart { .. } => HookEvent::SessionStart,
            Self::SessionEnd { .. } => HookEvent::SessionEnd,
            Self::UserPromptSubmit { .. } => HookEvent::UserPromptSubmit,
            Self::PreToolUse(_) => HookEvent::PreToolUse,
            Self::PostToolUse { .. } => HookEvent::PostToolUse,
            Self::PostToolUseFailure { .. } => HookEvent::PostToolUseFailure,
            Self::ModelCallBefore { .. } => HookEvent::ModelCallBefore,
            Self::ModelCallAfter { .. } => HookEvent::ModelCallAfter,
            Self::SubagentStart { .. } => HookEvent::SubagentStart,
            Self::SubagentStop { .. } => HookEvent::SubagentStop,
            Self::Stop { .. } => HookEvent::Stop,
            Self::TeammateIdle => HookEvent::TeammateIdle,
            Self::TaskCreated(_) => HookEvent::TaskCreated,
            Self::TaskCompleted { .. } => HookEvent::TaskCompleted,
            Self::MailSent { .. } => HookEvent::MailSent,
            Self::PermissionAsked { .. } => HookEvent::PermissionAsked,
            Self::PermissionSettled { .. } => HookEvent::PermissionSettled,
            Self::PreCompact { .. } => HookEvent::PreCompact,
        }
    }
}

impl TaskFacts {
    /// Those of a task of the board.
    pub fn of(task: &Task) -> Self {
        Self {
            id: task.id,
            subject: task.subject.clone(),
            description: task.description.clone(),
        }
    }
}

impl Occasion {
    /// A text about the occasion, for a person.
    pub fn shows(&self) -> String {
        match self {
            Self::SessionStart { source } => (*source).to_owned(),
            Self::SessionEnd { reason } => (*reason).to_owned(),
            Self::UserPromptSubmit { prompt } => prompt.clone(),
            Self::PreToolUse(used)
            | Self::PostToolUse { used, .. }
            | Self::PostToolUseFailure { used, .. }
            | Self::PermissionAsked { used, .. }
            | Self::PermissionSettled { used, .. } => used.shows(),
            Self::ModelCallBefore { model, .. } | Self::ModelCallAfter { model, .. } => {
                model.clone()
            }
            Self::SubagentStart { prompt, .. } => prompt.clone(),
            Self::SubagentStop { last, .. } | Self::Stop { last, .. } => last.clone(),
            Self::TeammateIdle => String::new(),
            Self::TaskCreated(task) | Self::TaskCompleted { task, .. } => {
                format!("{} {}", task.id, task.subject)
            }
            Self::MailSent { content, .. } => content.clone(),
            Self::PreCompact { focus, .. } => focus.clone(),
        }
    }
}

/// The one who wants a summary, in the word that matchers are held against.
pub(super) fn trigger(is_wanted: bool) -> &'static str {
    if is_wanted { "manual" } else { "auto" }
}
