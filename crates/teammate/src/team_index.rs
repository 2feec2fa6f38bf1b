//! Which teams the user has opened on this machine: a file for each in the state directory, without anything of what is in the
//! team. Proves nothing, and is only listed.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use teammate_core::{GroupName, Timestamp};

use crate::{
    place::{Site, TeamPlace},
    project::{UserDirs, UserState},
};

/// The directory below the state directory.
const KIND: &str = "index";

/// How many teams are remembered: those that were opened last.
const TEAMS_MAX: usize = 200;

/// A team that was opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenedTeam {
    /// Where it is.
    pub place: TeamPlace,
    /// When it was last opened.
    pub opened: Timestamp,
}

/// One line of the index, as it is kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Line {
    workspace: PathBuf,
    team: String,
    /// Under which path the user's state directory knows it.
    key: PathBuf,
    opened: u64,
}

/// The teams that the user has opened, the last one first. Those whose directory is gone are forgotten.
pub fn opened_teams(user: &UserDirs) -> Vec<OpenedTeam> {
    let kept = state(user);
    lines(&kept)
        .into_iter()
        .filter_map(|line| {
            let found = line.team();
            if found.is_none() {
                // Another process may have forgotten it, too.
                let _ = kept.forget(&line.key);
            }
            found
        })
        .collect()
}

/// Remembers that a team was opened just now. Nobody depends on it: what cannot be written is not remembered.
pub(crate) fn remember(user: &UserDirs, site: &Site, now: Timestamp) {
    if !site.is_kept {
        return;
    }
    let kept = state(user);
    let line = Line {
        workspace: site.workspace.clone(),
        team: site.name.clone(),
        key: site.key.clone(),
        opened: now.0,
    };
    if kept.note(&site.key, &line).is_ok() && kept.count() > TEAMS_MAX {
        for old in lines(&kept).iter().skip(TEAMS_MAX) {
            let _ = kept.forget(&old.key);
        }
    }
}

fn state(user: &UserDirs) -> UserState {
    UserState::at(user.state.as_deref(), KIND).also_within_workspaces()
}

/// The last one first.
fn lines(kept: &UserState) -> Vec<Line> {
    let mut lines: Vec<Line> = kept.list();
    lines.sort_by(|a, b| (b.opened, &a.key).cmp(&(a.opened, &b.key)));
    lines
}

impl Line {
    /// The team, if it is still there.
    fn team(&self) -> Option<OpenedTeam> {
        let name = GroupName::parse(&self.team).ok()?;
        let place = TeamPlace::named(self.workspace.clone(), name);
        let site = place.site().ok()?;
        let is_there = site.key == self.key && is_team(&site.dir);
        is_there.then_some(OpenedTeam {
            place,
            opened: Timestamp(self.opened),
        })
    }
}

fn is_team(dir: &Path) -> bool {
    dir.join("journal.jsonl").is_file()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A workspace with a team, as far as the index sees one.
    fn place(root: &Path, name: &str, team: Option<&str>) -> TeamPlace {
        let workspace = root.join(name);
        std::fs::create_dir_all(&workspace).unwrap();
        let place = match team {
            Some(team) => TeamPlace::named(&workspace, GroupName::parse(team).unwrap()),
            None => TeamPlace::default_of(&workspace),
        };
        let dir = place.site().unwrap().dir;
        std::fs::create_dir_all(&dir).unwrap();
        std::fs::write(dir.join("journal.jsonl"), "").unwrap();
        place
    }

    #[test]
    fn teams_are_listed_the_last_one_first_until_their_directories_are_gone() {
        let root = tempfile::tempdir().unwrap();
        let user = UserDirs {
            config: None,
            state: Some(root.path().join("state")),
        };
        let names = [("a", None), ("a", Some("review")), ("b", None)];
        for ((name, team), at) in names.into_iter().zip(1..) {
            let place = place(root.path(), name, team);
            remember(&user, &place.site().unwrap(), Timestamp(at));
        }
        let listed = || -> Vec<(String, u64)> {
            let teams = opened_teams(&user);
            let line = |team: &OpenedTeam| {
                let dir = team.place.workspace().file_name().unwrap();
                let name = team.place.team_name();
                (format!("{}/{name}", dir.display()), team.opened.0)
            };
            teams.iter().map(line).collect()
        };
        let all = [("b/default", 3), ("a/review", 2), ("a/default", 1)];
        assert_eq!(listed(), all.map(|(name, at)| (name.to_owned(), at)));
        let again = place(root.path(), "a", None);
        remember(&user, &again.site().unwrap(), Timestamp(9));
        assert_eq!(listed()[0], ("a/default".to_owned(), 9));
        std::fs::remove_dir_all(root.path().join("b")).unwrap();
        std::fs::remove_dir_all(root.path().join("a/.teams")).unwrap();
        assert_eq!(listed().len(), 1);
        let files = std::fs::read_dir(root.path().join("state/index")).unwrap();
        assert_eq!(files.count(), 1);
    }

    #[test]
    fn no_more_than_a_number_of_them_is_kept() {
        let root = tempfile::tempdir().unwrap();
        let user = UserDirs {
            config: None,
            state: Some(root.path().join("state")),
        };
        for at in 0..TEAMS_MAX as u64 + 3 {
            let place = place(root.path(), &format!("w{at}"), None);
            remember(&user, &place.site().unwrap(), Timestamp(at));
        }
        let teams = opened_teams(&user);
        assert_eq!(teams.len(), TEAMS_MAX);
        assert_eq!(teams.last().unwrap().opened, Timestamp(3));
    }

    #[test]
    fn without_a_state_directory_there_are_none() {
        let root = tempfile::tempdir().unwrap();
        let place = place(root.path(), "a", None);
        let nobody = UserDirs::default();
        remember(&nobody, &place.site().unwrap(), Timestamp(1));
        assert!(opened_teams(&nobody).is_empty());
    }
}
