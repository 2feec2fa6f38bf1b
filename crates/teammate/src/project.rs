//! Texts that people wrote down for agents, in the workspace and in the user's configuration directory: project instructions,
//! skills, agent definitions, read once, when the team is opened; and commands of the prompt, read when they are used.
//!
//! Text that a member could read anyway is included with its provenance and grants nothing. Text that
//! grants rights (an agent definition of the workspace) or speaks as the user (a command) is used only after the user has
//! approved its exact content: [`TrustStore`].

mod agents;
mod directory_rules;
mod front_keys;
mod hook_scripts;
mod hooks;
mod instructions;
mod parts;
mod plugins;
mod prompt_commands;
mod settings;
mod skills;
mod source_dir;
mod text_file;
mod tree;
mod trust;
mod user_state;
mod worktrees;

use std::path::{Path, PathBuf};

use teammate_core::{fence::fenced, team::AgentDefinitions};
use teammate_runtime::TeamConfig;
use teammate_tools::team::Skills;

use instructions::Sources;

pub use hook_scripts::{HookScripts, ScriptChanged};
pub use hooks::{PROJECT_HOOKS_DIR, PROJECT_HOOKS_FILE, ProjectHooks};
pub use plugins::{
    Listed, Make, ManifestError, Plugin, PluginError, PluginFile, PluginName, PluginNameError,
    PluginRecord, PluginRecords, Plugins,
};
pub use prompt_commands::{CommandOrigin, PromptCommand, PromptCommands};
pub use settings::ProjectSettings;
pub(crate) use settings::git_environment;
pub use teammate_git::Programs;
pub use text_file::TextFile;
pub use tree::TreeError;
pub use trust::{TrustStore, Trusted};
pub use user_state::UserStateError;
pub(crate) use user_state::{UserState, hex, unread};
pub use worktrees::WorktreesTable;

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
pub(crate) struct ProjectTexts {
    /// The briefing: instructions and the list of skills.
    pub(crate) briefing: String,
    pub(crate) skills: Skills,
    pub(crate) agents: AgentDefinitions,
    /// Remarks for the user: texts that could not be read or are not used.
    pub(crate) notices: Vec<String>,
}

impl ProjectTexts {
    /// Adds agents that the program which opens the team defines, with the user's authority.
    pub(crate) fn add_agents(&mut self, texts: &[String], tools: &[&str]) {
        agents::add_given(texts, tools, (&mut self.agents, &mut self.notices));
    }

    /// Reads everything. `workspace` must be resolved; `tools` are the names that a definition may allow.
    pub(crate) fn read(
        workspace: &Path,
        user: &UserDirs,
        config: &TeamConfig,
        tools: &[&str],
    ) -> Self {
        let Plugins { used, mut notices } = Plugins::of_user(user);
        let plugins = &used[..];
        let mut briefing = String::new();
        if config.project_instructions {
            let sources = Sources {
                workspace,
                config: user.config.as_deref(),
                plugins,
                more: &config.more_instructions,
                deny: &config.rules.deny,
            };
            briefing = instructions::read(&sources, &mut notices);
        }
        let skills = skills::read(workspace, user.config.as_deref(), plugins, &mut notices);
        briefing.push_str(&skills::listing(&skills));
        Self {
            briefing,
            agents: agents::read(
                workspace,
                user,
                plugins,
                (tools, config.wording),
                &mut notices,
            ),
            skills,
            notices,
        }
    }
}

/// A piece of the briefing.
pub(crate) fn fenced_paragraph(about: &str, from: &str, text: &str) -> String {
    format!("{about}\n{}\n\n", fenced("notes", from, text))
}

#[cfg(test)]
mod tests;
