//! A unified diff as pieces of text before and after, which is how the protocol shows a change.

use serde_json::{Value, json};
use teammate::FileChange;

/// A place in a file, before and after, without what is between places.
#[derive(Debug, Default, PartialEq, Eq)]
struct Piece {
    before: String,
    after: String,
    /// The line where it begins after the change, from 1.
    line: Option<u32>,
    /// Whether the file was not there.
    is_new: bool,
}

/// The change as content of a call, for a file by its full path; nothing if the diff is not whole.
pub(super) fn contents(change: &FileChange, path: &str) -> Vec<Value> {
    if change.is_cut {
        return Vec::new();
    }
    let pieces = pieces(&change.diff).into_iter().map(|piece| {
        let mut shown = json!({ "type": "diff", "path": path, "newText": piece.after });
        if !piece.is_new {
            shown["oldText"] = piece.before.into();
        }
        shown
    });
    pieces.collect()
}

/// Where the change begins.
pub(super) fn first_line(change: &FileChange) -> Option<u32> {
    pieces(&change.diff).first()?.line
}

fn pieces(diff: &str) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    // How the last line before this one began that is not empty.
    let mut mark = None;
    for line in diff.split_inclusive('\n') {
        let mark_before = mark;
        if line != "\n" {
            mark = line.chars().next();
        }
        if let Some(head) = line.strip_prefix("@@ ") {
            pieces.push(Piece {
                line: start(head, '+'),
                is_new: start(head, '-') == Some(0),
                ..Piece::default()
            });
            continue;
        }
        // What comes before the first place names the file.
        let Some(piece) = pieces.last_mut() else {
            continue;
        };
        match line.split_at_checked(1) {
            Some((" ", text)) => {
                piece.before.push_str(text);
                piece.after.push_str(text);
            }
            Some(("-", text)) => piece.before.push_str(text),
            Some(("+", text)) => piece.after.push_str(text),
            Some(("\\", _)) => end_without_break(piece, mark_before),
            Some(_) | None => {
                piece.before.push_str(line);
                piece.after.push_str(line);
            }
        }
    }
    pieces
}

/// `\ No newline at end of file` is about the line before it.
fn end_without_break(piece: &mut Piece, mark: Option<char>) {
    let (old, new) = match mark {
        Some('-') => (true, false),
        Some('+') => (false, true),
        Some(_) | None => (true, true),
    };
    for (text, is_meant) in [(&mut piece.before, old), (&mut piece.after, new)] {
        if is_meant && text.ends_with('\n') {
            text.pop();
        }
    }
}

/// The first line of one side in the head of a place: `-41,7 +41,7 @@`.
fn start(head: &str, side: char) -> Option<u32> {
    let mut words = head.split_whitespace();
    let numbers = words.find_map(|word| word.strip_prefix(side))?;
    numbers.split(',').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(diff: &str) -> Vec<(Option<u32>, String, String)> {
        let pieces = pieces(diff).into_iter();
        pieces.map(|it| (it.line, it.before, it.after)).collect()
    }

    #[test]
    fn each_place_of_a_change_is_a_piece() {
        let diff =
            "--- a\n+++ a\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n@@ -9 +9,2 @@ fn f\n nine\n+ten\n";
        assert_eq!(
            shown(diff),
            [
                (Some(1), "one\ntwo\n".to_owned(), "one\n2\n".to_owned()),
                (Some(9), "nine\n".to_owned(), "nine\nten\n".to_owned()),
            ]
        );
    }

    #[test]
    fn an_end_without_a_line_break_stays_one() {
        let diff = "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n";
        assert_eq!(shown(diff), [(Some(1), "a".to_owned(), "b\n".to_owned())]);
        let diff = "@@ -1 +1 @@\n-a\n+-\n\\ No newline at end of file\n";
        assert_eq!(shown(diff), [(Some(1), "a\n".to_owned(), "-".to_owned())]);
    }

    #[test]
    fn a_new_file_has_no_text_before() {
        let pieces = pieces("@@ -0,0 +1 @@\n+a\n");
        assert!(pieces[0].is_new);
    }
}
