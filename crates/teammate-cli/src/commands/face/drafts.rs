//! Files of the prompt in the user's state directory: what was typed and not sent, and what was sent.

use std::{
    collections::BTreeMap,
    fs::{self, OpenOptions},
    io::Write as _,
    os::unix::fs::OpenOptionsExt as _,
    path::{Path, PathBuf},
};

/// What the line editor's files begin with.
const HEAD: &str = "#V2";

/// Only the user may read what they type.
const MODE: u32 = 0o600;

/// Drafts of one team.
pub(super) fn read_drafts(path: &Path) -> BTreeMap<String, String> {
    let text = fs::read_to_string(path).unwrap_or_default();
    serde_json::from_str(&text).unwrap_or_default()
}

/// Replaces the drafts at once: a crash leaves the ones before.
pub(super) fn write_drafts(path: &Path, drafts: &BTreeMap<String, String>) -> std::io::Result<()> {
    if drafts.is_empty() {
        return match fs::remove_file(path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error),
            Err(_) | Ok(()) => Ok(()),
        };
    }
    if let Some(dir) = path.parent() {
        fs::create_dir_all(dir)?;
    }
    let new = path.with_extension("new");
    let mut file = OpenOptions::new()
        .create(true)
        .write(true)
        .truncate(true)
        .mode(MODE)
        .open(&new)?;
    file.write_all(serde_json::to_string(drafts)?.as_bytes())?;
    fs::rename(new, path)
}

/// The lines of the prompt's history, oldest first: the file that the line editor of the plain prompt writes, too.
pub(super) fn read_history(path: &Path) -> Vec<String> {
    let text = fs::read_to_string(path).unwrap_or_default();
    let lines = text.lines().filter(|line| *line != HEAD);
    lines.map(unescaped).collect()
}

/// Adds a line.
pub(super) fn add_history(path: &PathBuf, text: &str) -> std::io::Result<()> {
    let mut file = OpenOptions::new()
        .create(true)
        .append(true)
        .mode(MODE)
        .open(path)?;
    let head = if file.metadata()?.len() == 0 {
        format!("{HEAD}\n")
    } else {
        String::new()
    };
    let line = text.replace('\\', "\\\\").replace('\n', "\\n");
    file.write_all(format!("{head}{line}\n").as_bytes())
}

fn unescaped(line: &str) -> String {
    let (mut out, mut chars) = (String::with_capacity(line.len()), line.chars());
    while let Some(c) = chars.next() {
        match c {
            '\\' => match chars.next() {
                Some('n') => out.push('\n'),
                Some(other) => out.push(other),
                None => out.push('\\'),
            },
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drafts_and_history_come_back_as_they_were_typed() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("deep/drafts.json");
        let drafts = BTreeMap::from([("lead".to_owned(), "two\nlines".to_owned())]);
        write_drafts(&path, &drafts).unwrap();
        assert_eq!(read_drafts(&path), drafts);
        write_drafts(&path, &BTreeMap::new()).unwrap();
        assert!(read_drafts(&path).is_empty() && !path.exists());
        let history = dir.path().join("history");
        for text in ["one", "a\\n b\nc"] {
            add_history(&history, text).unwrap();
        }
        assert_eq!(read_history(&history), ["one", "a\\n b\nc"]);
    }
}
