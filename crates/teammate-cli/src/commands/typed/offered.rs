//! The words that Tab offers at both prompts: the commands, and files of the workspace.

use std::path::Path;

use super::{custom, help::about, words};

/// The most files that are offered.
const FILES_MAX: usize = 8;

/// The commands, also those that people wrote down, with a line about each. `workspace` must be resolved.
pub(in crate::commands) fn offered_commands(workspace: &Path) -> Vec<(String, String)> {
    let own = words().map(|word| (word.to_owned(), about(word).to_owned()));
    own.chain(custom::rows(workspace)).collect()
}

/// Paths that begin with this, relative to the workspace; directories end with `/`.
pub(in crate::commands) fn offered_files(workspace: &Path, begin: &str) -> Vec<String> {
    let (dir, name) = begin.rsplit_once('/').unwrap_or(("", begin));
    let Ok(entries) = std::fs::read_dir(workspace.join(dir)) else {
        return Vec::new();
    };
    let mut found: Vec<String> = entries
        .flatten()
        .filter_map(|entry| {
            let file = entry.file_name().into_string().ok()?;
            let is_hidden = file.starts_with('.') && !name.starts_with('.');
            if is_hidden || !file.starts_with(name) {
                return None;
            }
            let end = if entry.path().is_dir() { "/" } else { "" };
            let dir = if dir.is_empty() {
                String::new()
            } else {
                format!("{dir}/")
            };
            Some(format!("{dir}{file}{end}"))
        })
        .collect();
    found.sort();
    found.truncate(FILES_MAX);
    found
}
