//! Tools: what an adapter offers, and what it is given when it runs.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use crate::{
    permission::{Location, Rule, ShellCommand},
    port::{Background, BoxFuture, Caller, Office, Requests, Subagents, Tasks, Teams},
    secrets::Secrets,
    tool::{Outcome, ToolCall, ToolNames, ToolSpec},
};

/// Something a model can call.
pub trait Tool: Send + Sync {
    /// How it is described.
    fn spec(&self) -> &ToolSpec;

    /// What this call would do, for permission rules and for the person who is asked. Errors are outcomes for the
    /// model: arguments that do not fit, a path outside the workspace.
    fn action(&self, call: &ToolCall, context: &ToolContext) -> Result<Action, Outcome>;

    /// Does it. Dropping the future cancels it; whatever it started is stopped by then.
    fn run<'a>(&'a self, call: &'a ToolCall, context: &'a ToolContext) -> BoxFuture<'a, Outcome>;
}

/// What a call would do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Action {
    /// What permission rules look at.
    pub target: Target,
    /// Exactly what will happen, for a person: the whole command, the path and what is written.
    pub shows: String,
    /// The same in one short line, for the live screen.
    pub summary: String,
}

/// What permission rules look at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// A shell command.
    Command(ShellCommand),
    /// A file or directory.
    Path(Location),
    /// The team only.
    Team,
}

/// Where a member's files are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Workspace {
    /// The directory that the member works in; absolute and resolved. File tools do not leave it.
    pub root: PathBuf,
    /// The team's own directory: off limits to file tools.
    pub team_dir: PathBuf,
    /// Where long tool outputs are kept; readable by `read_file`.
    pub outputs: PathBuf,
    /// The deny rules: searches leave out what may not be read.
    pub closed: Vec<Rule>,
}

impl Workspace {
    /// Whether a search leaves this out. The path is absolute and resolved; each rule looks at it once.
    pub fn hides(&self, full: &Path) -> bool {
        let within = full.strip_prefix(&self.root).unwrap_or(full);
        self.closed.iter().any(|rule| rule.hides(full, within))
    }
}

/// What a tool is given.
#[derive(Clone)]
pub struct ToolContext {
    /// Who calls.
    pub caller: Caller,
    /// Where the caller's files are.
    pub workspace: Arc<Workspace>,
    /// The environment that child processes get; nothing else is passed on.
    pub environment: Arc<Vec<(String, String)>>,
    /// What no file of the team's may hold.
    pub secrets: Arc<Secrets>,
    /// How tools are called in what the model reads.
    pub tool_names: Arc<ToolNames>,
    /// The team.
    pub office: Arc<dyn Office>,
    /// What goes on when the call is over.
    pub background: Arc<dyn Background>,
    /// The task board.
    pub tasks: Arc<dyn Tasks>,
    /// Requests: shutdown, plans, permission.
    pub requests: Arc<dyn Requests>,
    /// Subagents.
    pub subagents: Arc<dyn Subagents>,
    /// The lead's teams.
    pub teams: Arc<dyn Teams>,
}
