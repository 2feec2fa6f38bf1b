//! The question about held files: all that the user needs to decide.

use std::{fmt::Write as _, path::Path};

use teammate_core::{MemberName, fence::escaped, port::UserQuestion};
use teammate_sandbox::HeldFile;

use super::{BY, FILES_MAX, names};
use crate::diff::unified;

/// How many lines of one file the user is shown in the question.
const LINES_MAX: usize = 120;

/// The question about held files: the same for the same files of the same writer.
pub(super) fn question(
    held: &[HeldFile],
    writer: Option<&MemberName>,
    held_in: &Path,
) -> UserQuestion {
    let who = match writer {
        Some(writer) => format!("a command of {writer}"),
        None => "a command".to_owned(),
    };
    let mut text = match writer {
        Some(_) => format!("{who} wrote what decides what your programs do later."),
        None => format!(
            "{who} wrote what decides what your programs do later; the program ended before it could say whose command it was."
        ),
    };
    text[..1].make_ascii_uppercase();
    // A text in memory does not fail.
    let _ = writeln!(
        text,
        " It is held in {}. If you wrote it yourself while the command ran: a yes puts it back.",
        held_in.display()
    );
    for held in held.iter().take(FILES_MAX) {
        let _ = write!(text, "\n{}\n", shown(held));
    }
    if held.len() > FILES_MAX {
        let _ = writeln!(
            text,
            "\n{} more files are not shown; a yes is for them, too.",
            held.len() - FILES_MAX
        );
    }
    UserQuestion {
        by: BY.to_owned(),
        summary: format!("put {} in place, which {who} wrote", names(held)),
        text,
    }
}

/// The new lines of a held file.
pub(super) fn shown(held: &HeldFile) -> String {
    let name = escaped(&held.name().display().to_string());
    if held.is_directory() {
        return format!(
            "{name}: a directory with too much in it to show; look at it before you say yes"
        );
    }
    let before = held.text_before();
    let kind = match (before.is_some(), held.is_executable()) {
        (false, false) => "new",
        (false, true) => "new, can be run",
        (true, false) => "changed",
        (true, true) => "changed, can be run",
    };
    let (before, after) = (before.unwrap_or_default(), held.text());
    let diff = unified(&before, &after, None);
    let lines: Vec<&str> = diff.lines().collect();
    let mut shown = format!(
        "{name} ({kind}):\n{}",
        escaped(&lines[..lines.len().min(LINES_MAX)].join("\n"))
    );
    if lines.len() > LINES_MAX {
        let _ = write!(
            shown,
            "\n({} more lines; all is in {})",
            lines.len() - LINES_MAX,
            held.held_at().display()
        );
    }
    shown
}
