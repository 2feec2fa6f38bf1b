//! What people wrote down for agents, in the workspace and in the user's configuration directory: project instructions,
//! skills, agent definitions. Read once, when the team is opened.
//!
//! Text that a member could read anyway is told with its provenance and grants nothing. What gives rights (an agent
//! definition of the workspace) is used only after the user has said yes to its very content: [`Trust`].

mod agents;
mod folder;
mod front;
mod instructions;
mod kept;
mod project;
mod skills;
mod trust;

use std::path::{Path, PathBuf};

use teammate_core::{fence::fenced, team::Agents};
use teammate_tools::team::Skills;

pub use agents::{AgentFile, WorkspaceAgents};
pub(crate) use kept::Kept;
pub use kept::KeptError;
pub use project::Project;
pub use teammate_tools::git::Programs;
pub use trust::{Trust, Trusted};

/// The user's own directories, where there are such.
#[derive(Debug, Clone, Default)]
pub struct UserDirs {
    /// Where the user's instructions, skills and agents are: `~/.config/teammate`.
    pub config: Option<PathBuf>,
    /// Where the program keeps what the user decided: `~/.local/state/teammate`.
    pub state: Option<PathBuf>,
}

/// All that was found.
#[derive(Debug, Default)]
pub(crate) struct Texts {
    /// What all members are told: instructions and the list of skills.
    pub(crate) briefing: String,
    pub(crate) skills: Skills,
    pub(crate) agents: Agents,
    /// What the person should know: what could not be read, what is not used.
    pub(crate) notices: Vec<String>,
}

impl Texts {
    /// Reads everything. `workspace` must be resolved; `tools` are the names that a definition may allow.
    pub(crate) fn read(
        workspace: &Path,
        user: &UserDirs,
        with_instructions: bool,
        tools: &[&str],
    ) -> Self {
        let mut notices = Vec::new();
        let mut briefing = String::new();
        if with_instructions {
            briefing = instructions::read(workspace, user.config.as_deref(), &mut notices);
        }
        let skills = skills::read(workspace, user.config.as_deref(), &mut notices);
        briefing.push_str(&skills::listing(&skills));
        Self {
            briefing,
            agents: agents::read(workspace, user, tools, &mut notices),
            skills,
            notices,
        }
    }
}

/// A piece of the briefing.
fn paragraph(about: &str, from: &str, text: &str) -> String {
    format!("{about}\n{}\n\n", fenced("notes", from, text))
}

#[cfg(test)]
mod tests;
