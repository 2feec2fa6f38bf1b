//! Agent definitions: a file each, front matter and instructions. Built in, the user's own, and those of the workspace,
//! which need the user's trust.

mod definition;

use std::path::Path;

use ring::digest::Context;
use teammate_core::{
    next_step::{NextStep, Wording},
    team::{AgentDefinition, AgentDefinitions},
};

use self::definition::to_definition;
use super::{
    Plugin, ProjectSettings, TrustStore, UserDirs,
    source_dir::{self, SourceDir},
};

const BUILT_IN: [(&str, &str); 3] = [
    ("explore", include_str!("../../agents/explore.md")),
    ("general", include_str!("../../agents/general.md")),
    ("plan", include_str!("../../agents/plan.md")),
];

/// Where they are in the workspace. What comes first hides what comes later under the same name.
const FOLDERS: [&str; 2] = [".teammate/agents", ".claude/agents"];

const BYTES_MAX: usize = 64 * 1024;
const FILES_MAX: usize = 200;

/// A file that defines an agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentFile {
    /// How it is called: `.claude/agents/reviewer.md`.
    pub shown: String,
    /// The beginning of its agent's name, if it comes with a plug-in.
    prefix: String,
    bytes: Vec<u8>,
}

/// The agent definitions of a workspace, read but not trusted.
#[derive(Debug, Default)]
pub struct WorkspaceAgents {
    /// The files, in order.
    pub files: Vec<AgentFile>,
    /// Files that could not be read.
    pub notices: Vec<String>,
}

/// Adds definitions that come as texts, each of which may take the place of one that is there.
pub(super) fn add_given(
    texts: &[String],
    tools: &[&str],
    (agents, notices): (&mut AgentDefinitions, &mut Vec<String>),
) {
    for text in texts {
        match to_definition(text, tools) {
            Ok((name, definition, remarks)) => {
                let said = remarks
                    .into_iter()
                    .map(|remark| format!("the agent {name}: {remark}"));
                notices.extend(said);
                agents.add(name, definition);
            }
            Err(why) => notices.push(format!("an agent definition {why}; it is not used")),
        }
    }
}

impl AgentFile {
    /// The name and the definition in the file, with remarks about keys that have no meaning here. An error is why it defines
    /// nothing. `tools` are the names that can be allowed.
    pub fn definition(
        &self,
        tools: &[&str],
    ) -> Result<(String, AgentDefinition, Vec<String>), String> {
        let whole = |why: String| format!("{} {why}; it is not used", self.shown);
        if self.bytes.len() > BYTES_MAX {
            return Err(whole(format!("is longer than {BYTES_MAX} bytes")));
        }
        let text = source_dir::text(&self.bytes).map_err(whole)?;
        let (name, definition, remarks) = to_definition(&text, tools).map_err(whole)?;
        let name = format!("{}{name}", self.prefix);
        let remarks = remarks
            .into_iter()
            .map(|remark| format!("{}: {remark}", self.shown));
        Ok((name, definition, remarks.collect()))
    }
}

impl AgentFile {
    /// Those of a plug-in.
    pub fn of_plugin(plugin: &Plugin) -> Vec<Self> {
        let files = plugin.agent_files().into_iter().take(FILES_MAX);
        files
            .map(|file| Self {
                shown: plugin.shown(file.name),
                prefix: plugin.named(""),
                bytes: plugin
                    .filled(&String::from_utf8_lossy(file.bytes))
                    .into_bytes(),
            })
            .collect()
    }
}

impl WorkspaceAgents {
    /// Reads those of a workspace, which must be resolved.
    pub fn read(workspace: &Path) -> Self {
        let mut found = Self::default();
        for below in FOLDERS {
            match SourceDir::of_workspace(workspace, below) {
                Ok(Some(folder)) => files(&folder, &mut found.files, &mut found.notices),
                Ok(None) => {}
                Err(notice) => found.notices.push(notice),
            }
        }
        found
    }

    /// Gives their whole content to a hash.
    pub(super) fn feed(&self, context: &mut Context) {
        for file in &self.files {
            for part in [file.shown.as_bytes(), &file.bytes] {
                context.update(&(part.len() as u64).to_le_bytes());
                context.update(part);
            }
        }
    }
}

/// All that may be used: built in, the user's own, and those of the workspace if they are trusted.
pub(super) fn read(
    workspace: &Path,
    user: &UserDirs,
    plugins: &[Plugin],
    (tools, wording): (&[&str], Wording),
    notices: &mut Vec<String>,
) -> AgentDefinitions {
    let mut all = built_in();
    match user
        .config
        .as_deref()
        .map(|config| SourceDir::of_user(config, "agents"))
    {
        Some(Ok(Some(folder))) => files(&folder, &mut all, notices),
        Some(Err(notice)) => notices.push(notice),
        Some(Ok(None)) | None => {}
    }
    let own = all.len();
    let project = ProjectSettings::read(workspace);
    notices.extend(project.notices.iter().cloned());
    if !project.agents.files.is_empty() {
        if TrustStore::at(user.state.as_deref()).is_trusted(workspace, &project) {
            all.extend(project.agents.files);
        } else {
            notices.push(untrusted(&project.agents.files, wording));
        }
    }
    all.extend(plugins.iter().flat_map(AgentFile::of_plugin));
    gather(&all, own, tools, notices)
}

fn built_in() -> Vec<AgentFile> {
    let files = BUILT_IN.map(|(name, text)| AgentFile {
        shown: format!("the built-in agent {name}"),
        prefix: String::new(),
        bytes: text.as_bytes().to_vec(),
    });
    files.into()
}

fn files(folder: &SourceDir, all: &mut Vec<AgentFile>, notices: &mut Vec<String>) {
    let names = folder.names();
    for name in names
        .iter()
        .filter(|name| name.ends_with(".md"))
        .take(FILES_MAX)
    {
        match folder.read(name, BYTES_MAX) {
            Ok(Some(bytes)) => all.push(AgentFile {
                shown: folder.shown(name),
                prefix: String::new(),
                bytes,
            }),
            Ok(None) => {}
            Err(notice) => notices.push(notice),
        }
    }
}

/// The first `own` files are ours and the user's: of them the last of a name counts, of the others the first, and only if
/// the user has none.
fn gather(
    all: &[AgentFile],
    own: usize,
    tools: &[&str],
    notices: &mut Vec<String>,
) -> AgentDefinitions {
    let mut agents = AgentDefinitions::default();
    for (at, file) in all.iter().enumerate() {
        match file.definition(tools) {
            Ok((name, ..)) if at >= own && agents.get(&name).is_some() => {
                notices.push(format!(
                    "{} is not used: there is an agent '{name}' already",
                    file.shown
                ));
            }
            Ok((name, definition, remarks)) => {
                notices.extend(remarks);
                agents.add(name, definition);
            }
            Err(notice) => notices.push(notice),
        }
    }
    agents
}

fn untrusted(files: &[AgentFile], wording: Wording) -> String {
    let first = files.first().map_or("", |file| &file.shown);
    let folder = first.rsplit_once('/').map_or(first, |(folder, _)| folder);
    let (count, are) = match files.len() {
        1 => ("1 agent definition".to_owned(), "is"),
        count => (format!("{count} agent definitions"), "are"),
    };
    let step = wording.words(&NextStep::TrustProject);
    format!("{count} in {folder} {are} not used; you can {step}")
}
