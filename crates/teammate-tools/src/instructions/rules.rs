//! Directories of rules: `.claude/rules` and `.cursor/rules`, with a file for each. The head of a file may say for which files
//! of the project its rules are meant; members read that before the text and judge for themselves.

use std::{fs, path::Path};

use super::{front_matter::FrontMatter, text::plain};

/// The most files of one directory.
const FILES_MAX: usize = 50;
const DEPTH_MAX: usize = 3;
/// The most entries of a directory that are looked at.
const ENTRIES_MAX: usize = 500;

/// The form of such a directory.
#[derive(Debug, Clone, Copy)]
pub struct RuleDir {
    /// Where it is, from the directory whose rules it has.
    pub path: &'static str,
    /// How its files end.
    endings: &'static [&'static str],
    /// The key of the paths that a file is meant for.
    paths: &'static str,
}

/// Where Claude Code looks.
pub const CLAUDE: RuleDir = RuleDir {
    path: ".claude/rules",
    endings: &[".md"],
    paths: "paths",
};

/// Where Cursor looks.
pub const CURSOR: RuleDir = RuleDir {
    path: ".cursor/rules",
    endings: &[".mdc", ".md"],
    paths: "globs",
};

impl RuleDir {
    /// The names of its files in `dir`, in order, as paths from there. It only lists them.
    pub fn files(self, dir: &Path) -> Vec<String> {
        let names = files_below(&dir.join(self.path), DEPTH_MAX, FILES_MAX);
        let is_rule = |name: &String| self.endings.iter().any(|end| name.ends_with(end));
        names.into_iter().filter(is_rule).collect()
    }

    /// The text of a file, behind what it is meant for; nothing if it is empty.
    ///
    /// # Errors
    ///
    /// It cannot be read; the words go behind the file's name.
    pub fn text(self, bytes: &[u8]) -> Result<Option<String>, String> {
        let text = plain(bytes)?;
        if !text.starts_with("---") {
            let text = text.trim();
            return Ok((!text.is_empty()).then(|| text.to_owned()));
        }
        let front = FrontMatter::read(&text)?;
        if front.body.is_empty() {
            return Ok(None);
        }
        Ok(Some(match self.meant_for(&front) {
            Some(what) => format!("(For {what}.)\n{}", front.body),
            None => front.body,
        }))
    }

    fn meant_for(self, front: &FrontMatter) -> Option<String> {
        if front.text("alwaysApply") == Some("true") {
            return None;
        }
        let paths = front.text(self.paths).map(str::to_owned);
        let paths = paths.or_else(|| Some(front.list(self.paths)?.join(", ")));
        match paths.filter(|paths| !paths.is_empty()) {
            Some(paths) => Some(format!("work on files that match {paths}")),
            None => Some(format!("this case: {}", front.text("description")?)),
        }
    }
}

/// The files below a directory, as paths from there, in order; no hidden ones, and no link is followed.
pub fn files_below(path: &Path, deep: usize, max: usize) -> Vec<String> {
    let mut found = Vec::new();
    walk(path, "", deep, max, &mut found);
    found
}

/// The names in a directory, in order.
pub fn names(path: &Path) -> Vec<String> {
    let Ok(entries) = fs::read_dir(path) else {
        return Vec::new();
    };
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    // A name is shown on a line of its own.
    let names = names.filter(|name| !name.contains(char::is_control));
    let mut names: Vec<String> = names.take(ENTRIES_MAX).collect();
    names.sort();
    names
}

fn walk(path: &Path, shown: &str, deep: usize, max: usize, found: &mut Vec<String>) {
    for name in names(path) {
        let below = path.join(&name);
        let Ok(data) = fs::symlink_metadata(&below) else {
            continue;
        };
        if name.starts_with('.') || found.len() >= max {
            continue;
        }
        if data.is_dir() && deep > 0 {
            walk(&below, &format!("{shown}{name}/"), deep - 1, max, found);
        } else if data.is_file() {
            found.push(format!("{shown}{name}"));
        }
    }
}
