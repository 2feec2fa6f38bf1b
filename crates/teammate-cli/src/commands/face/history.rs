//! The history of sent lines: the file that the line editor of the plain prompt writes, too.

use std::{fs::OpenOptions, io::Write as _, os::unix::fs::OpenOptionsExt as _, path::Path};

use teammate::platform::{open_regular, read_regular_text};

/// The first line of the line editor's files.
const HEAD: &str = "#V2";

/// Only the user may read what they type.
const MODE: u32 = 0o600;

/// The lines of the prompt's history, oldest first.
pub(super) fn read_history(path: &Path) -> Vec<String> {
    let text = read_regular_text(path).unwrap_or_default();
    let lines = text.lines().filter(|line| *line != HEAD);
    lines.map(unescaped).collect()
}

/// Adds a line.
pub(super) fn add_history(path: &Path, text: &str) -> std::io::Result<()> {
    let mut options = OpenOptions::new();
    options.create(true).append(true).mode(MODE);
    let mut file = open_regular(&options, path)?;
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
    fn history_comes_back_as_it_was_typed() {
        let dir = tempfile::tempdir().unwrap();
        let history = dir.path().join("history");
        for text in ["one", "a\\n b\nc"] {
            add_history(&history, text).unwrap();
        }
        assert_eq!(read_history(&history), ["one", "a\\n b\nc"]);
    }
}
