//! Tools: what an adapter offers, and what it is given when it runs.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use crate::{
    permission::{Action, Rule},
    port::{BoxFuture, Caller, TeamApi},
    secrets::Secrets,
    tool::{Outcome, ToolInput, ToolNames, ToolSpec},
};

/// Something a model can call.
pub trait Tool: Send + Sync {
    /// How it is described.
    fn spec(&self) -> &ToolSpec;

    /// Whether models are shown it. One that is not can be called all the same, in plays and by a model that knows it, under
    /// the same rules: another tool does the same, and every request would pay for its description.
    fn is_offered(&self) -> bool {
        true
    }

    /// The tool that a call of this one stands for, by its name, and what it is called with: then that one is called in its place,
    /// under its own rules. `None` if it stands for itself.
    ///
    /// Errors are outcomes for the model.
    fn stands_for(&self, _input: &ToolInput) -> Result<Option<(String, ToolInput)>, Outcome> {
        Ok(None)
    }

    /// Reads a call's input, once, and says what the call would do. Looks no further than at what a path leads to; nothing is
    /// changed and nothing started before [`ReadyCall::run`] is polled.
    ///
    /// Errors are outcomes for the model: arguments that do not fit, a path outside the workspace.
    fn read<'a>(
        &'a self,
        input: &ToolInput,
        context: &'a ToolContext,
    ) -> Result<ReadyCall<'a>, Outcome>;

    /// Whether a call with this input only looks, or waits, although the tool can do more: it runs beside others that do.
    fn only_looks(&self, _input: &ToolInput) -> bool {
        false
    }
}

/// A call whose input was read. Its futures do nothing until they are polled.
pub struct ReadyCall<'a> {
    pub action: Action,
    /// The action after a look at what is there: the diff of an edit. Asked for when no rule denies the call, and before
    /// anybody is asked. Nothing if [`action`](Self::action) says it all.
    pub preview: Option<BoxFuture<'a, Result<Action, Outcome>>>,
    /// Does it. Dropping the future cancels it; whatever it started is stopped by then.
    pub run: BoxFuture<'a, Outcome>,
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
    /// The directory that the member's commands see as `/tmp` and `/var/tmp`, and file tools with them. In a team's setup it is
    /// the directory that holds one for each member. `None` where commands see the machine's, which file tools do not open.
    pub tmp: Option<PathBuf>,
    /// The deny rules: searches leave out what may not be read.
    pub unreadable: Vec<Rule>,
}

impl Workspace {
    /// Whether a search leaves this out. The path is absolute and resolved; each rule looks at it once.
    pub fn is_unreadable(&self, full: &Path) -> bool {
        let within = full.strip_prefix(&self.root).unwrap_or(full);
        self.unreadable
            .iter()
            .any(|rule| rule.denies_reading(full, within))
    }
}

/// The parts that a tool is given.
#[derive(Clone)]
pub struct ToolContext {
    pub caller: Caller,
    pub workspace: Arc<Workspace>,
    /// The environment that child processes get; nothing else is passed on.
    pub environment: Arc<Vec<(String, String)>>,
    /// Secrets that no file of the team's may hold.
    pub secrets: Arc<Secrets>,
    /// How tools are called in what the model reads.
    pub tool_names: Arc<ToolNames>,
    pub team: Arc<dyn TeamApi>,
    /// Where the call shows how far it is.
    pub progress: Arc<dyn CallProgress>,
}

/// Shows people how far a running call is. Nothing of it is kept, and no model reads it.
pub trait CallProgress: Send + Sync {
    /// Takes the place of what was shown of the call before. The text is a stranger's; the caller paces itself.
    fn show(&self, text: &str);
}

/// Shows nobody.
impl CallProgress for () {
    fn show(&self, _: &str) {}
}
