//! The subcommands of `tasks`.

use clap::{ArgGroup, Args, Subcommand};
use teammate::{
    GroupName, MemberName, Refusal, TeamError,
    board::{NewTask, Requirement, TaskAction, TaskEdit, TaskId},
};

/// One thing to do.
#[derive(Subcommand)]
pub(super) enum TasksCommand {
    /// Show a task in full, with its history
    Show {
        /// The task: 3 or #3
        id: TaskId,
    },
    /// Put a task on the board
    Add(Box<AddArgs>),
    /// Change a task's text, blockers, requirement or check
    Edit(Box<EditArgs>),
    /// Assign a task to a member, even if another member has it
    Assign {
        /// The task: 3 or #3
        id: TaskId,
        /// The member
        name: String,
    },
    /// Reopen a task, so that it is done again
    Reopen {
        /// The task: 3 or #3
        id: TaskId,
        /// The reason, for the task's owner
        #[arg(long, value_name = "TEXT", default_value = "")]
        because: String,
    },
    /// Mark a task completed
    Complete {
        /// The task: 3 or #3
        id: TaskId,
        /// The result, for the lead and for tasks that depend on this one
        #[arg(long, value_name = "TEXT", default_value = "")]
        result: String,
    },
    /// Mark a task failed
    Fail {
        /// The task: 3 or #3
        id: TaskId,
        /// The reason
        #[arg(long, value_name = "TEXT")]
        because: String,
    },
    /// Delete a task from the board
    Delete {
        /// The task: 3 or #3
        id: TaskId,
    },
}

/// A new task.
#[derive(Args)]
pub(super) struct AddArgs {
    /// What to do, in one line
    #[arg(required = true)]
    subject: Vec<String>,

    /// Everything that the task's owner must know
    #[arg(long, value_name = "TEXT", default_value = "")]
    description: String,

    /// A task that must be completed first; may be repeated
    #[arg(long, value_name = "ID", value_delimiter = ',')]
    blocked_by: Vec<TaskId>,

    /// Only members with this role or tool may claim it: role:WORD or tool:NAME
    #[arg(long, value_name = "WHO")]
    requires: Option<Requirement>,

    /// A command that must exit 0 before the task is completed
    #[arg(long, value_name = "COMMAND")]
    check: Option<String>,

    /// Assign it to this member
    #[arg(long, value_name = "NAME")]
    owner: Option<String>,

    /// Do it in its own git worktree
    #[arg(long)]
    worktree: bool,

    /// Only members of this group of teammates may claim it
    #[arg(long, value_name = "NAME", value_parser = team)]
    members_of: Option<GroupName>,
}

/// A change of a task.
#[derive(Args)]
#[group(skip)]
#[command(group = ArgGroup::new("change").required(true).multiple(true))]
pub(super) struct EditArgs {
    /// The task: 3 or #3
    id: TaskId,

    /// The new subject
    #[arg(long, value_name = "TEXT", group = "change")]
    subject: Option<String>,

    /// The new description
    #[arg(long, value_name = "TEXT", group = "change")]
    description: Option<String>,

    /// Add a task that must be completed first; may be repeated
    #[arg(long, value_name = "ID", value_delimiter = ',', group = "change")]
    blocked_by: Vec<TaskId>,

    /// Remove a task that had to be completed first; may be repeated
    #[arg(long, value_name = "ID", value_delimiter = ',', group = "change")]
    not_blocked_by: Vec<TaskId>,

    /// Only members with this role or tool may claim it: role:WORD or tool:NAME; '' for any member
    #[arg(long, value_name = "WHO", value_parser = maybe_requirement, group = "change")]
    requires: Option<ClearableRequirement>,

    /// A command that must exit 0 before the task is completed; '' for none
    #[arg(long, value_name = "COMMAND", group = "change")]
    check: Option<String>,
}

/// A requirement, or that there is none.
#[derive(Clone)]
struct ClearableRequirement(Option<Requirement>);

/// A wish about tasks.
pub(super) enum TasksRequest {
    See(TaskId),
    /// To ask something of the board.
    Ask(TaskAction),
}

impl TasksCommand {
    /// The wish that flags and words make; `member` knows who is there.
    pub(super) fn into_request(
        self,
        member: impl Fn(&str) -> Result<MemberName, TeamError>,
    ) -> Result<TasksRequest, TeamError> {
        let ask = match self {
            Self::Show { id } => return Ok(TasksRequest::See(id)),
            Self::Add(add) => TaskAction::Create(Box::new(add.task(member)?)),
            Self::Edit(edit) => TaskAction::Edit(edit.id, Box::new(edit.edit())),
            Self::Assign { id, name } => TaskAction::Assign(id, member(&name)?),
            Self::Reopen { id, because } => TaskAction::Reopen(id, because),
            Self::Complete { id, result } => TaskAction::Complete(id, result),
            Self::Fail { because, .. } if because.trim().is_empty() => {
                return Err(Refusal::Rule("give a reason: --because TEXT".to_owned()).into());
            }
            Self::Fail { id, because } => TaskAction::Fail(id, because),
            Self::Delete { id } => TaskAction::Delete(id),
        };
        Ok(TasksRequest::Ask(ask))
    }
}

impl AddArgs {
    fn task(
        self,
        member: impl Fn(&str) -> Result<MemberName, TeamError>,
    ) -> Result<NewTask, TeamError> {
        Ok(NewTask {
            subject: self.subject.join(" "),
            description: self.description,
            blocked_by: self.blocked_by.into_iter().collect(),
            requires: self.requires,
            check: self.check,
            worktree: self.worktree,
            team: self.members_of,
            assigned: self.owner.as_deref().map(member).transpose()?,
            ..NewTask::default()
        })
    }
}

impl EditArgs {
    fn edit(self) -> TaskEdit {
        TaskEdit {
            subject: self.subject,
            description: self.description,
            add_blocked_by: self.blocked_by.into_iter().collect(),
            remove_blocked_by: self.not_blocked_by.into_iter().collect(),
            requires: self.requires.map(|ClearableRequirement(requires)| requires),
            check: self
                .check
                .map(|check| Some(check).filter(|check| !check.trim().is_empty())),
            ..TaskEdit::default()
        }
    }
}

fn team(text: &str) -> Result<GroupName, String> {
    GroupName::parse(text).map_err(|error| error.to_string())
}

fn maybe_requirement(text: &str) -> Result<ClearableRequirement, String> {
    if text.trim().is_empty() {
        return Ok(ClearableRequirement(None));
    }
    let requirement = text.parse::<Requirement>();
    requirement
        .map(|requirement| ClearableRequirement(Some(requirement)))
        .map_err(|error| error.to_string())
}
