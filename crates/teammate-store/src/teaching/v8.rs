//! What the eighth teaching version leaves in a workspace: `.teams/TEAM/` with an inbox for each member, and `.tasks/` with a file
//! for each task. It is recognised, so that it can be named; nothing in it is read.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// The directories in a workspace that are such; absolute if `workspace` is.
pub fn directories(workspace: &Path) -> Vec<PathBuf> {
    let teams = entries(&workspace.join(".teams")).into_iter();
    let teams = teams.filter(|team| is_team(team));
    let tasks = workspace.join(".tasks");
    let has_tasks = entries(&tasks).iter().any(|file| {
        let ending = file.extension().and_then(|ending| ending.to_str());
        matches!(ending, Some("json" | "jsonl"))
    });
    teams.chain(has_tasks.then_some(tasks)).collect()
}

/// A directory of ours has a journal.
fn is_team(path: &Path) -> bool {
    let files = entries(path);
    let has = |name: &str| files.iter().any(|file| file.ends_with(name));
    let is_inbox = |file: &PathBuf| file.to_string_lossy().ends_with("_inbox.jsonl");
    !has("journal.jsonl") && (files.iter().any(is_inbox) || has("config.json"))
}

/// What is in a directory, by name; nothing if it is none, or a link.
fn entries(dir: &Path) -> Vec<PathBuf> {
    if !fs::symlink_metadata(dir).is_ok_and(|found| found.is_dir()) {
        return Vec::new();
    }
    let found = fs::read_dir(dir).into_iter().flatten();
    let mut paths: Vec<PathBuf> = found.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    paths
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn its_teams_and_tasks_are_recognised_and_ours_are_not() {
        let dir = tempfile::tempdir().unwrap();
        let file = |path: &str| {
            let path = dir.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "{}\n").unwrap();
        };
        assert_eq!(directories(dir.path()), Vec::<PathBuf>::new());
        file(".teams/old/alice_inbox.jsonl");
        file(".teams/ours/journal.jsonl");
        file(".teams/ours/config.json");
        file(".teams/notes/readme.txt");
        file(".tasks/task_1.json");
        let found = directories(dir.path());
        assert_eq!(
            found,
            [".teams/old", ".tasks"].map(|path| dir.path().join(path))
        );
    }
}
