//! The prompt's environment: commands and files to complete, what was typed before, the user's editor and pager.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::Arc,
};
use teammate_view::t;

use teammate::{BoxFuture, Secrets, TeamState, Timestamp};
use teammate_tui::{MemberFile, PromptEnvironment};
use teammate_view::{NeedAlert, Words};
use uuid::Uuid;

use super::history;
use crate::{
    commands::{
        drafts, member_files,
        notify::OwnAlert,
        outside::outside_of,
        own_programs::{self, editor, quoted, run, set},
        repl, typed,
    },
    screen::past_moment,
    settings::Options,
};

/// The environment of one team's prompt.
pub(super) struct ProgramEnvironment {
    workspace: PathBuf,
    team_dir: PathBuf,
    drafts: Option<PathBuf>,
    history: Option<PathBuf>,
    /// As of the opening.
    commands: Vec<(String, String)>,
    own_alert: Option<Arc<OwnAlert>>,
    /// Secrets that no file of typed words holds.
    secrets: Arc<Secrets>,
}

impl ProgramEnvironment {
    /// Errors: the configuration cannot be used.
    pub(super) fn new(
        options: &Options,
        workspace: &Path,
        (team, secrets): (&TeamState, Arc<Secrets>),
    ) -> anyhow::Result<Self> {
        Ok(Self {
            workspace: workspace.to_owned(),
            team_dir: member_files::team_dir(workspace, &options.place()),
            drafts: drafts::drafts_file(team),
            history: repl::history_file(),
            commands: typed::offered_commands(workspace),
            own_alert: OwnAlert::configured(options, workspace)?,
            secrets,
        })
    }

    /// The drafts: words that were typed and not sent.
    pub(super) fn kept(&self) -> BTreeMap<String, String> {
        let path = self.drafts.as_deref();
        path.map(drafts::read_drafts).unwrap_or_default()
    }

    /// The sent words, oldest first.
    pub(super) fn history(&self) -> Vec<String> {
        let path = self.history.as_deref();
        path.map(history::read_history).unwrap_or_default()
    }
}

impl Words for ProgramEnvironment {
    fn commands(&self) -> Vec<(String, String)> {
        self.commands.clone()
    }

    fn members(&self) -> Vec<String> {
        Vec::new()
    }

    fn files(&self, begin: &str) -> Vec<String> {
        typed::offered_files(&self.workspace, begin)
    }
}

impl PromptEnvironment for ProgramEnvironment {
    fn keep_drafts(&self, drafts: &BTreeMap<String, String>) {
        if let Some(path) = &self.drafts {
            // A draft that cannot be kept is still on the screen.
            let _ = drafts::write_drafts(path, drafts, &self.secrets);
        }
    }

    fn add_history(&self, text: &str) {
        if let Some(path) = &self.history {
            // As above.
            let _ = history::add_history(path, &self.secrets.redact(text));
        }
    }

    fn moment(&self, text: &str) -> Result<Timestamp, String> {
        past_moment(text)
    }

    fn edit(&self, text: &str) -> Result<String, String> {
        let editor = editor().ok_or(t("Set VISUAL or EDITOR to edit the text there"))?;
        let (dir, path) = temporary(text)?;
        // Not in the workspace: an editor may read settings of the directory that it begins in.
        let ran = own_programs::edit(&editor, &path, &dir);
        let edited = std::fs::read_to_string(&path).map_err(|error| error.to_string());
        let _ = std::fs::remove_dir_all(dir);
        ran.and(edited)
    }

    fn open(&self, file: &MemberFile) -> Result<(), String> {
        let worktree_of = file.worktree_of.as_ref();
        let path = member_files::find(&file.path, worktree_of, &self.workspace, &self.team_dir)?;
        let editor = editor().ok_or_else(|| {
            let path = path.display();
            t!("It is {path}; set VISUAL or EDITOR to open it here", path)
        })?;
        // As above.
        let dir = outside_of(&self.workspace);
        own_programs::edit(&editor, &path, &dir)
    }

    fn page(&self, text: &str) -> Result<(), String> {
        let pager = set("PAGER").unwrap_or_else(|| "less".to_owned());
        let (dir, path) = temporary(&crate::screen::clean(text))?;
        let shown = run(&format!("{pager} {}", quoted(&path)), &dir);
        let _ = std::fs::remove_dir_all(dir);
        shown
    }

    fn pasted(&self, text: &str) -> Option<String> {
        typed::pasted_file(text, &self.workspace)
    }

    fn shell(&self, line: &str) -> Result<(), String> {
        run(line, &self.workspace)
    }

    fn notify(&self, alert: NeedAlert) -> BoxFuture<'static, Option<String>> {
        match self.own_alert.clone() {
            Some(command) => Box::pin(command.alert(alert)),
            None => Box::pin(std::future::ready(None)),
        }
    }
}

/// A file for the user's eyes only, in a directory of its own.
fn temporary(text: &str) -> Result<(PathBuf, PathBuf), String> {
    use std::os::unix::fs::DirBuilderExt as _;
    let dir = std::env::temp_dir().join(format!("teammate-{}", Uuid::now_v7()));
    let make = || {
        std::fs::DirBuilder::new().mode(0o700).create(&dir)?;
        let path = dir.join("message.md");
        std::fs::write(&path, text)?;
        Ok::<_, std::io::Error>(path)
    };
    let path = make().map_err(|error| error.to_string())?;
    Ok((dir, path))
}
