//! What can be said of tasks: the same words on the command line and at the prompt.

use clap::{ArgGroup, Args, Subcommand};
use teammate::{
    MemberName, Refusal, TeamError, TeamName,
    board::{NewTask, Requirement, TaskAsk, TaskEdit, TaskId},
};

/// One thing to do.
#[derive(Subcommand)]
pub(crate) enum Verb {
    /// Show a task with all that is known and what happened to it
    Show {
        /// Which: 3 or #3
        id: TaskId,
    },
    /// Put a task on the board
    Add(Box<Add>),
    /// Change a task's words, order or demands
    Edit(Box<Edit>),
    /// Set a task aside for a member, whoever has it now
    Assign {
        /// Which: 3 or #3
        id: TaskId,
        /// For whom
        name: String,
    },
    /// Have a task done again, or by somebody else
    Reopen {
        /// Which: 3 or #3
        id: TaskId,
        /// Why: told to whoever does it
        #[arg(long, value_name = "TEXT", default_value = "")]
        because: String,
    },
    /// Say that a task is done
    Complete {
        /// Which: 3 or #3
        id: TaskId,
        /// What came of it: told to those who build on it
        #[arg(long, value_name = "TEXT", default_value = "")]
        result: String,
    },
    /// Give a task up
    Fail {
        /// Which: 3 or #3
        id: TaskId,
        /// Why
        #[arg(long, value_name = "TEXT")]
        because: String,
    },
    /// Take a task off the board
    Delete {
        /// Which: 3 or #3
        id: TaskId,
    },
}

/// A new task.
#[derive(Args)]
pub(crate) struct Add {
    /// What is to be done, in a line
    #[arg(required = true)]
    subject: Vec<String>,

    /// The same in full
    #[arg(long, value_name = "TEXT", default_value = "")]
    description: String,

    /// What must be completed first; may be repeated
    #[arg(long, value_name = "ID", value_delimiter = ',')]
    blocked_by: Vec<TaskId>,

    /// Who may do it: role:WORD or tool:NAME
    #[arg(long, value_name = "WHO")]
    requires: Option<Requirement>,

    /// A command that must exit 0 before it counts as done
    #[arg(long, value_name = "COMMAND")]
    check: Option<String>,

    /// Who shall do it
    #[arg(long, value_name = "NAME")]
    owner: Option<String>,

    /// It is done in a git worktree of its own
    #[arg(long)]
    worktree: bool,

    /// Only members of this team may do it
    #[arg(long, value_name = "NAME", value_parser = team)]
    members_of: Option<TeamName>,
}

/// A change of a task.
#[derive(Args)]
#[group(skip)]
#[command(group = ArgGroup::new("change").required(true).multiple(true))]
pub(crate) struct Edit {
    /// Which: 3 or #3
    id: TaskId,

    /// The new subject
    #[arg(long, value_name = "TEXT", group = "change")]
    subject: Option<String>,

    /// The new description
    #[arg(long, value_name = "TEXT", group = "change")]
    description: Option<String>,

    /// What must be completed first from now on; may be repeated
    #[arg(long, value_name = "ID", value_delimiter = ',', group = "change")]
    blocked_by: Vec<TaskId>,

    /// What need not be completed first any more; may be repeated
    #[arg(long, value_name = "ID", value_delimiter = ',', group = "change")]
    not_blocked_by: Vec<TaskId>,

    /// Who may do it: role:WORD or tool:NAME; '' for anybody
    #[arg(long, value_name = "WHO", value_parser = maybe_requirement, group = "change")]
    requires: Option<Maybe>,

    /// A command that must exit 0 before it counts as done; '' for none
    #[arg(long, value_name = "COMMAND", group = "change")]
    check: Option<String>,
}

/// A requirement, or that there is none.
#[derive(Clone)]
struct Maybe(Option<Requirement>);

/// What is wanted.
pub(crate) enum Want {
    /// To see a task.
    See(TaskId),
    /// To ask something of the board.
    Ask(TaskAsk),
}

impl Verb {
    /// What is wanted; `member` knows who is there.
    pub(crate) fn wants(
        self,
        member: impl Fn(&str) -> Result<MemberName, TeamError>,
    ) -> Result<Want, TeamError> {
        let ask = match self {
            Self::Show { id } => return Ok(Want::See(id)),
            Self::Add(add) => TaskAsk::Create(Box::new(add.task(member)?)),
            Self::Edit(edit) => TaskAsk::Edit(edit.id, Box::new(edit.edit())),
            Self::Assign { id, name } => TaskAsk::Assign(id, member(&name)?),
            Self::Reopen { id, because } => TaskAsk::Reopen(id, because),
            Self::Complete { id, result } => TaskAsk::Complete(id, result),
            Self::Fail { because, .. } if because.trim().is_empty() => {
                return Err(
                    Refusal::Rule("say why it is given up: --because TEXT".to_owned()).into(),
                );
            }
            Self::Fail { id, because } => TaskAsk::Fail(id, because),
            Self::Delete { id } => TaskAsk::Delete(id),
        };
        Ok(Want::Ask(ask))
    }
}

impl Add {
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

impl Edit {
    fn edit(self) -> TaskEdit {
        TaskEdit {
            subject: self.subject,
            description: self.description,
            add_blocked_by: self.blocked_by.into_iter().collect(),
            remove_blocked_by: self.not_blocked_by.into_iter().collect(),
            requires: self.requires.map(|Maybe(requires)| requires),
            check: self
                .check
                .map(|check| Some(check).filter(|check| !check.trim().is_empty())),
            ..TaskEdit::default()
        }
    }
}

fn team(text: &str) -> Result<TeamName, String> {
    TeamName::parse(text).map_err(|error| error.to_string())
}

fn maybe_requirement(text: &str) -> Result<Maybe, String> {
    if text.trim().is_empty() {
        return Ok(Maybe(None));
    }
    let requirement = text.parse::<Requirement>();
    requirement
        .map(|requirement| Maybe(Some(requirement)))
        .map_err(|error| error.to_string())
}
