//! Agent definitions: a file each, front matter and instructions. Built in, the user's own, and those of the workspace,
//! which need the user's trust.

mod definition;

use std::path::Path;

use teammate_core::{
    next_step::{NextStep, Wording},
    team::{AgentDefinition, AgentDefinitions},
};

use self::definition::to_definition;
use super::{Plugin, ProjectSettings, TextFile, TrustStore, UserDirs, source_dir::SourceDir};

const BUILT_IN: [(&str, &str); 3] = [
    ("explore", include_str!("../../agents/explore.md")),
    ("general", include_str!("../../agents/general.md")),
    ("plan", include_str!("../../agents/plan.md")),
];

/// Where they are in the workspace. What comes first hides what comes later under the same name.
const FOLDERS: [&str; 2] = [".teammate/agents", ".claude/agents"];

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

impl TextFile {
    /// The files of agents of a plug-in.
    pub fn agents_of(plugin: &Plugin) -> Vec<Self> {
        Self::of_plugin(plugin, plugin.agent_files())
    }

    /// The name and the definition of the agent in the file, with remarks about keys that have no meaning here. `tools` are the
    /// names that can be allowed.
    ///
    /// # Errors
    ///
    /// Why it defines no agent.
    pub fn agent(&self, tools: &[&str]) -> Result<(String, AgentDefinition, Vec<String>), String> {
        let whole = |why: String| format!("{} {why}; it is not used", self.shown);
        let text = self.text().map_err(whole)?;
        let (name, definition, remarks) = to_definition(&text, tools).map_err(whole)?;
        let remarks = remarks
            .into_iter()
            .map(|remark| format!("{}: {remark}", self.shown));
        Ok((self.named(&name), definition, remarks.collect()))
    }
}

/// The files of a workspace, which must be resolved: read, but not trusted.
pub(super) fn of_workspace(workspace: &Path, notices: &mut Vec<String>) -> Vec<TextFile> {
    let folders = FOLDERS.iter();
    folders
        .flat_map(|below| TextFile::markdown(SourceDir::of_workspace(workspace, below), notices))
        .collect()
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
    if let Some(config) = user.config.as_deref() {
        all.extend(TextFile::markdown(
            SourceDir::of_user(config, "agents"),
            notices,
        ));
    }
    let own = all.len();
    let project = ProjectSettings::read(workspace);
    notices.extend(project.notices.iter().cloned());
    if !project.agents.is_empty() {
        if TrustStore::at(user.state.as_deref()).is_trusted(workspace, &project) {
            all.extend(project.agents);
        } else {
            notices.push(untrusted(&project.agents, wording));
        }
    }
    all.extend(plugins.iter().flat_map(TextFile::agents_of));
    gather(&all, own, tools, notices)
}

fn built_in() -> Vec<TextFile> {
    let files =
        BUILT_IN.map(|(name, text)| TextFile::built_in(format!("the built-in agent {name}"), text));
    files.into()
}

/// The first `own` files are ours and the user's: of them the last of a name counts, of the others the first, and only if
/// the user has none.
fn gather(
    all: &[TextFile],
    own: usize,
    tools: &[&str],
    notices: &mut Vec<String>,
) -> AgentDefinitions {
    let mut agents = AgentDefinitions::default();
    for (at, file) in all.iter().enumerate() {
        match file.agent(tools) {
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

fn untrusted(files: &[TextFile], wording: Wording) -> String {
    let first = files.first().map_or("", |file| &file.shown);
    let folder = first.rsplit_once('/').map_or(first, |(folder, _)| folder);
    let (count, are) = match files.len() {
        1 => ("1 agent definition".to_owned(), "is"),
        count => (format!("{count} agent definitions"), "are"),
    };
    let step = wording.words(&NextStep::TrustProject);
    format!("{count} in {folder} {are} not used; you can {step}")
}
