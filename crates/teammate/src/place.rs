//! Where a team is kept: a workspace has a default team in `.team`, and others by name in `.teams/NAME`. A team for
//! one job may live outside of its workspace.

use std::{
    io,
    path::{Path, PathBuf},
};

use teammate_core::{
    GroupName,
    next_step::{NextStep, Wording},
    port::DEFAULT_TEAM,
};
use teammate_tools::TEAM_DIRS;

use crate::store::SharedStore;

/// The directory of a workspace's default team.
const TEAM_DIR: &str = TEAM_DIRS[0];

/// Where the directories of a workspace's other teams are.
const TEAMS_DIR: &str = TEAM_DIRS[1];

/// A team of a workspace. A path alone means its default team.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TeamPlace {
    workspace: PathBuf,
    team: Which,
    store: Option<SharedStore>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Which {
    Default,
    Named(GroupName),
    /// In this directory, which is not the workspace's.
    Away(GroupName, PathBuf),
}

impl TeamPlace {
    /// The workspace's default team, in `.team`.
    pub fn default_of(workspace: impl Into<PathBuf>) -> Self {
        Self {
            workspace: workspace.into(),
            team: Which::Default,
            store: None,
        }
    }

    /// The workspace's team of that name, in `.teams/NAME`. The name `default` means the default team.
    pub fn named(workspace: impl Into<PathBuf>, team: GroupName) -> Self {
        let team = match team.as_str() {
            DEFAULT_TEAM => Which::Default,
            _ => Which::Named(team),
        };
        Self {
            workspace: workspace.into(),
            team,
            store: None,
        }
    }

    /// A team that works in the workspace and is kept in `dir` outside of it; `dir` is absolute and resolved but
    /// for its last component.
    pub(crate) fn away(workspace: PathBuf, team: GroupName, dir: PathBuf) -> Self {
        Self {
            workspace,
            team: Which::Away(team, dir),
            store: None,
        }
    }

    /// Keeps the team in this store instead of in the workspace's files.
    #[must_use]
    pub fn kept_in(self, store: SharedStore) -> Self {
        Self {
            store: Some(store),
            ..self
        }
    }

    /// The store that it is kept in; `None` for files.
    pub fn store(&self) -> Option<&SharedStore> {
        self.store.as_ref()
    }

    /// The workspace as it was named.
    pub fn workspace(&self) -> &Path {
        &self.workspace
    }

    /// The team's name.
    pub fn team_name(&self) -> &str {
        match &self.team {
            Which::Default => DEFAULT_TEAM,
            Which::Named(name) | Which::Away(name, _) => name.as_str(),
        }
    }

    /// Whether something was made there: a store of servers may have the team all the same.
    pub(crate) fn is_made(&self) -> bool {
        self.site().is_ok_and(|site| site.dir.exists())
    }

    /// The place in its resolved workspace.
    pub(crate) fn site(&self) -> io::Result<Site> {
        let workspace = self.workspace.canonicalize()?;
        let (root, dir) = match &self.team {
            Which::Default => (workspace.join(TEAM_DIR), workspace.join(TEAM_DIR)),
            Which::Named(name) => {
                let teams = workspace.join(TEAMS_DIR);
                let dir = teams.join(name.as_str());
                (teams, dir)
            }
            Which::Away(_, dir) => (dir.clone(), dir.clone()),
        };
        let key = match &self.team {
            Which::Default => workspace.clone(),
            // No workspace can be in the place of a file.
            Which::Named(_) | Which::Away(..) => dir.join("journal.jsonl"),
        };
        let named = self.store.as_ref().and_then(SharedStore::name);
        Ok(Site {
            workspace,
            root,
            dir,
            audit_key: named.map_or_else(|| key.clone(), audit_key_on_servers),
            key,
            name: self.team_name().to_owned(),
            is_kept: !matches!(self.team, Which::Away(..)),
        })
    }
}

impl From<&str> for TeamPlace {
    fn from(workspace: &str) -> Self {
        Self::default_of(workspace)
    }
}

impl From<String> for TeamPlace {
    fn from(workspace: String) -> Self {
        Self::default_of(workspace)
    }
}

impl From<&Path> for TeamPlace {
    fn from(workspace: &Path) -> Self {
        Self::default_of(workspace)
    }
}

impl From<&PathBuf> for TeamPlace {
    fn from(workspace: &PathBuf) -> Self {
        Self::default_of(workspace)
    }
}

impl From<PathBuf> for TeamPlace {
    fn from(workspace: PathBuf) -> Self {
        Self::default_of(workspace)
    }
}

/// A team's place, with all paths absolute.
#[derive(Debug, Clone)]
pub(crate) struct Site {
    /// Where its members work; resolved.
    pub(crate) workspace: PathBuf,
    /// The directory that is held open: nothing below it is reached through a link.
    pub(crate) root: PathBuf,
    /// The team's directory: the root, or directly in it.
    pub(crate) dir: PathBuf,
    /// Under which path the user's state directory knows the team.
    pub(crate) key: PathBuf,
    /// Under which path its audit log is known there.
    pub(crate) audit_key: PathBuf,
    /// The team's name.
    pub(crate) name: String,
    /// Whether the user's state directory records it; a team outside of its workspace is removed after its job.
    pub(crate) is_kept: bool,
}

impl Site {
    /// Whether it is the place of the workspace's default team.
    pub(crate) fn is_default(&self) -> bool {
        self.key == self.workspace
    }

    /// Where teams of the workspace live: no command of any team writes there, but in worktrees.
    pub(crate) fn closed_to_all(workspace: &Path) -> [PathBuf; 2] {
        TEAM_DIRS.map(|name| workspace.join(name))
    }
}

/// Under which path the audit log of a team on servers is known: one for all workspaces of this machine in which it is opened.
pub(crate) fn audit_key_on_servers(name: &str) -> PathBuf {
    // Relative, as no workspace is.
    Path::new("on-servers").join(name)
}

/// All teams that live in a workspace, the default one first.
pub fn teams_in(workspace: &Path) -> Vec<TeamPlace> {
    let has_journal = |place: &TeamPlace| {
        let site = place.site();
        site.is_ok_and(|site| site.dir.join("journal.jsonl").is_file())
    };
    let names = std::fs::read_dir(workspace.join(TEAMS_DIR));
    let names = names.into_iter().flatten().flatten();
    let mut names: Vec<GroupName> = names
        .filter_map(|entry| GroupName::parse(entry.file_name().to_str()?).ok())
        .filter(|name| name.as_str() != DEFAULT_TEAM)
        .collect();
    names.sort();
    let named = names
        .into_iter()
        .map(|name| TeamPlace::named(workspace, name));
    std::iter::once(TeamPlace::default_of(workspace))
        .chain(named)
        .filter(has_journal)
        .collect()
}

/// The most entries of a directory that are looked at for another program's files.
const LOOKED_AT_MAX: usize = 1_000;

/// The end of the name of a mailbox as the teaching versions keep it in `.teams/TEAM`.
const TEACHING_INBOX: &str = "_inbox.jsonl";

/// Whether a directory holds mailboxes of another program, and no journal of ours.
pub(crate) fn is_of_another_program(dir: &Path) -> bool {
    let entries = std::fs::read_dir(dir).into_iter().flatten().flatten();
    let mut entries = entries.take(LOOKED_AT_MAX);
    let is_inbox = |entry: std::fs::DirEntry| {
        let name = entry.file_name();
        name.to_str()
            .is_some_and(|name| name.ends_with(TEACHING_INBOX))
    };
    !dir.join("journal.jsonl").exists() && entries.any(is_inbox)
}

/// Files that other programs have left in a workspace in places like ours, for the user: they are not used and not changed.
pub fn of_other_programs(workspace: &Path, wording: Wording) -> Vec<String> {
    let mut found = Vec::new();
    let teams = std::fs::read_dir(workspace.join(TEAMS_DIR));
    let mut teams: Vec<PathBuf> = (teams.into_iter().flatten().flatten())
        .take(LOOKED_AT_MAX)
        .map(|entry| entry.path())
        .filter(|dir| is_of_another_program(dir))
        .collect();
    teams.sort();
    for dir in teams {
        found.push(format!(
            "{} holds mailboxes of another program (NAME{TEACHING_INBOX}); it is not touched, and its mail is not read",
            dir.display()
        ));
    }
    let tasks = workspace.join(".tasks");
    let files = std::fs::read_dir(&tasks).into_iter().flatten().flatten();
    let is_json =
        |entry: std::fs::DirEntry| entry.path().extension().is_some_and(|end| end == "json");
    if files.take(LOOKED_AT_MAX).any(is_json) {
        found.push(format!(
            "{} holds tasks of another program; it is not touched. You can {}",
            tasks.display(),
            wording.words(&NextStep::AddTasks)
        ));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_team_lives_in_its_own_directory_under_a_key_of_its_own() {
        let home = tempfile::tempdir().unwrap();
        let work = home.path().canonicalize().unwrap();
        let site = TeamPlace::default_of(&work).site().unwrap();
        assert_eq!((site.dir, site.key), (work.join(".team"), work.clone()));
        let shop = GroupName::parse("shop").unwrap();
        let place = TeamPlace::named(&work, shop);
        let site = place.site().unwrap();
        assert_eq!(site.dir, work.join(".teams/shop"));
        assert_eq!(site.key, work.join(".teams/shop/journal.jsonl"));
        let default = TeamPlace::named(&work, GroupName::parse("default").unwrap());
        assert_eq!(default, TeamPlace::default_of(&work));
        assert_eq!(teams_in(&work), []);
        std::fs::create_dir_all(work.join(".teams/shop")).unwrap();
        std::fs::write(work.join(".teams/shop/journal.jsonl"), "").unwrap();
        assert_eq!(teams_in(&work), [place]);
    }

    #[test]
    fn what_another_program_keeps_in_such_places_is_recognised() {
        let home = tempfile::tempdir().unwrap();
        let work = home.path();
        assert_eq!(
            of_other_programs(work, Wording::default()),
            [] as [String; 0]
        );
        std::fs::create_dir_all(work.join(".teams/demo")).unwrap();
        std::fs::write(work.join(".teams/demo/alice_inbox.jsonl"), "{}\n").unwrap();
        std::fs::create_dir_all(work.join(".tasks")).unwrap();
        std::fs::write(work.join(".tasks/task_1.json"), "{}").unwrap();
        let found = of_other_programs(work, Wording::default());
        assert!(
            found[0].contains(".teams/demo holds mailboxes"),
            "{found:?}"
        );
        assert!(found[1].contains(".tasks holds tasks"), "{found:?}");
        assert!(is_of_another_program(&work.join(".teams/demo")));
        std::fs::write(work.join(".teams/demo/journal.jsonl"), "").unwrap();
        assert!(!is_of_another_program(&work.join(".teams/demo")));
    }
}
