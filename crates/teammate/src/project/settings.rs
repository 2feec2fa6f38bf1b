//! The parts of a workspace that would give rights: agent definitions, permission rules and what is run in worktrees in
//! `.teammate/settings.toml`, servers of tools in `.mcp.json`, commands of the prompt, which speak as the user, and programs that
//! its repository has git run. Read, but not trusted; the user's yes is for exactly this content.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::OnceLock,
};
use teammate_process::environment::allowed_environment;

use ring::digest::{Context, SHA256};
use serde::Deserialize;
use teammate_core::{
    permission::{Rule, Rules},
    port::WorktreeSetup,
};
use teammate_git::{Programs, ProgramsError};

use super::{
    HookScripts, ProjectHooks, TextFile, WorktreesTable, agents, parts::feed, prompt_commands,
    user_state::hex,
};
use crate::rules::written;

/// Servers of tools, in the file that several programs share.
const SERVERS_FILE: &str = ".mcp.json";

/// Where the rules are.
const PROJECT_SETTINGS_FILE: &str = ".teammate/settings.toml";

/// All of it.
#[derive(Debug, Default)]
pub struct ProjectSettings {
    /// The agent definitions.
    pub agents: Vec<TextFile>,
    /// The commands of the prompt.
    pub commands: Vec<TextFile>,
    /// Why some of them cannot be read.
    pub command_notices: Vec<String>,
    /// The hooks.
    pub hooks: Option<ProjectHooks>,
    settings: Option<TextFile>,
    servers: Option<TextFile>,
    workspace: PathBuf,
    programs: OnceLock<Result<Programs, ProgramsError>>,
    /// Other files that could not be read.
    pub notices: Vec<String>,
}

/// The file as it is written.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct File {
    #[serde(deserialize_with = "written::of_project")]
    allow: Vec<Rule>,
    #[serde(deserialize_with = "written::of_project")]
    deny: Vec<Rule>,
    worktrees: WorktreesTable,
}

/// `.mcp.json`. Where there is none, the sandbox has an empty directory in its place while commands run.
fn read_servers(workspace: &Path) -> Result<Option<TextFile>, String> {
    let path = workspace.join(SERVERS_FILE);
    let is_place_held = fs::read_dir(&path).is_ok_and(|mut entries| entries.next().is_none());
    match is_place_held {
        true => Ok(None),
        false => TextFile::of_workspace(workspace, SERVERS_FILE),
    }
}

impl ProjectSettings {
    /// Reads a workspace, which must be resolved.
    pub fn read(workspace: &Path) -> Self {
        let mut notices = Vec::new();
        let agents = agents::of_workspace(workspace, &mut notices);
        let mut used = |file: Result<Option<TextFile>, String>| {
            file.unwrap_or_else(|notice| {
                notices.push(notice);
                None
            })
        };
        let settings = used(TextFile::of_workspace(workspace, PROJECT_SETTINGS_FILE));
        let servers = used(read_servers(workspace));
        let hooks = ProjectHooks::read(workspace, &mut notices);
        let mut command_notices = Vec::new();
        Self {
            hooks,
            agents,
            commands: prompt_commands::of_workspace(workspace, &mut command_notices),
            command_notices,
            settings,
            servers,
            workspace: workspace.to_owned(),
            programs: OnceLock::new(),
            notices,
        }
    }

    /// The programs that git runs because the workspace's repository says so. Read when it is first asked for: that starts
    /// git.
    pub fn programs(&self) -> &Result<Programs, ProgramsError> {
        let read = || Programs::read(&self.workspace, &git_environment());
        self.programs.get_or_init(read)
    }

    /// Whether the repository has git run something, as far as is known.
    fn has_programs(&self) -> bool {
        !self.programs().as_ref().is_ok_and(Programs::is_empty)
    }

    /// Whether there is nothing to trust.
    pub fn is_empty(&self) -> bool {
        self.agents.is_empty()
            && self.commands.is_empty()
            && self.settings.is_none()
            && self.servers.is_none()
            && self.hooks.is_none()
            && !self.has_programs()
    }

    /// The permission rules; `None` if the workspace has no file of them. An error is why it cannot be used.
    pub fn rules(&self) -> Option<Result<Rules, String>> {
        let file = self.file()?;
        Some(file.map(|file| Rules {
            deny: file.deny,
            allow: file.allow,
            ..Rules::default()
        }))
    }

    /// What worktrees get, as the same file says it.
    pub fn worktrees(&self) -> Option<Result<WorktreeSetup, String>> {
        let file = self.file()?;
        Some(file.map(|file| file.worktrees.into()))
    }

    fn file(&self) -> Option<Result<File, String>> {
        let file = self.settings.as_ref()?;
        let parse = || {
            let text = file.text()?;
            toml::from_str(&text)
                .map_err(|error| format!("cannot be used: {}", written::flaw(&error, &text)))
        };
        Some(parse().map_err(|why| format!("{PROJECT_SETTINGS_FILE} {why}")))
    }

    /// The text of `.mcp.json`, which names servers of tools; `None` if there is none. An error is why it cannot be used.
    pub fn servers(&self) -> Option<Result<String, String>> {
        let text = self.servers.as_ref()?.text();
        Some(text.map_err(|why| format!("{SERVERS_FILE} {why}")))
    }

    /// The files of the workspace that its hooks name, which are trusted beside the [`hash`](Self::hash).
    pub fn hook_scripts(&self) -> HookScripts {
        let named = self.hooks.as_ref().map(ProjectHooks::named);
        named.cloned().unwrap_or_default()
    }

    /// A hash of its whole content, names and bytes.
    pub fn hash(&self) -> String {
        let mut context = Context::new(&SHA256);
        let files = self
            .agents
            .iter()
            .chain(&self.settings)
            .chain(&self.servers);
        // Nothing is added where there are none.
        for file in files.chain(&self.commands) {
            file.feed(&mut context);
        }
        if let Some(hooks) = &self.hooks {
            hooks.feed(&mut context);
        }
        let of_git = match self.programs() {
            Ok(programs) => programs
                .iter()
                .flat_map(|program| [program.name.as_bytes(), &program.value])
                .collect(),
            Err(_) => vec![&b"the repository's configuration is not known"[..]],
        };
        feed(&mut context, of_git);
        hex(context.finish().as_ref())
    }
}

/// The variables of this program's environment that git gets.
pub(crate) fn git_environment() -> Vec<(String, String)> {
    let variables = std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)));
    allowed_environment(variables, &[])
}
