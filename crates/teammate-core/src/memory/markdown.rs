//! Notes as a file: a heading each, what it says, and a comment with its origin. A person edits it; what is not understood is a
//! part of the text.

use super::{MemoryNote, MemoryNotes, NoteOrigin};
use crate::MemberName;

/// The mark that begins a note.
const TITLE: &str = "## ";
/// The marks around an origin.
const ORIGIN: (&str, &str) = ("<!-- by ", " -->");
/// The end of the origin of a note that waits.
const WAITS: &str = "; waits for your yes";

impl MemoryNotes {
    /// Reads a file. Whatever stands there is a note or a part of one.
    pub fn read(text: &str) -> Self {
        let mut memory = Self::default();
        let mut lines: Vec<&str> = Vec::new();
        let mut title: Option<&str> = None;
        for line in text.lines() {
            match line.strip_prefix(TITLE) {
                Some(next) => {
                    take(&mut memory, title.replace(next), &mut lines);
                }
                None => lines.push(line),
            }
        }
        take(&mut memory, title, &mut lines);
        memory
    }

    /// The file.
    pub fn to_markdown(&self) -> String {
        let mut file = self.head.clone();
        for note in &self.notes {
            let gap = if file.is_empty() { "" } else { "\n\n" };
            let text: Vec<String> = note.text.lines().map(escaped).collect();
            file.push_str(&format!(
                "{gap}{TITLE}{}\n\n{}",
                note.title,
                text.join("\n")
            ));
            if let Some(origin) = &note.by {
                // Nothing in it can end the comment.
                let said = origin.to_string().replace("--", "- -").replace('\n', " ");
                let said = said.strip_prefix("by ").unwrap_or(&said);
                let waits = if origin.is_proposed { WAITS } else { "" };
                file.push_str(&format!("\n\n{}{said}{waits}{}", ORIGIN.0, ORIGIN.1));
            }
        }
        file.push('\n');
        file
    }
}

/// Takes the text before the first title, or below one.
fn take(memory: &mut MemoryNotes, title: Option<&str>, lines: &mut Vec<&str>) {
    let Some(title) = title else {
        memory.head = lines.join("\n").trim().to_owned();
        return lines.clear();
    };
    while lines.last().is_some_and(|line| line.trim().is_empty()) {
        lines.pop();
    }
    let by = lines.last().and_then(|line| origin(line));
    if by.is_some() {
        lines.pop();
    }
    let text: Vec<&str> = lines.iter().map(|line| unescaped(line)).collect();
    memory.notes.push(MemoryNote {
        title: title.trim().to_owned(),
        text: text.join("\n").trim().to_owned(),
        by,
    });
    lines.clear();
}

fn origin(line: &str) -> Option<NoteOrigin> {
    let said = line.trim().strip_prefix(ORIGIN.0)?.strip_suffix(ORIGIN.1)?;
    let (said, is_proposed) = match said.strip_suffix(WAITS) {
        Some(said) => (said, true),
        None => (said, false),
    };
    let (member, rest) = said.split_once(" of team ")?;
    let (place, from) = rest.split_once(", from: ")?;
    let (team, day) = place.rsplit_once(", ")?;
    Some(NoteOrigin {
        member: MemberName::parse(member).ok()?,
        team: team.to_owned(),
        day: day.to_owned(),
        from: from.to_owned(),
        is_proposed,
    })
}

/// A line of a note's text that would be something else.
fn is_mark(line: &str) -> bool {
    let line = line.trim_start_matches('\\');
    line.starts_with(TITLE) || line.trim().starts_with(ORIGIN.0)
}

fn escaped(line: &str) -> String {
    match is_mark(line) {
        true => format!("\\{line}"),
        false => line.to_owned(),
    }
}

fn unescaped(line: &str) -> &str {
    match line.strip_prefix('\\') {
        Some(rest) if is_mark(rest) => rest,
        Some(_) | None => line,
    }
}
