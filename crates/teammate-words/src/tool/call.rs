//! Data that the event of a call carries: its changes, an excerpt of a long text, the end of a merge, who refused it.

use serde::{Deserialize, Serialize};

/// The most bytes of a change's diff in an event.
pub const DIFF_BYTES_MAX: usize = 32 << 10;

/// A change of one file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileChange {
    /// The file, as members write its path.
    pub path: String,
    /// How many lines are new.
    pub added: u64,
    /// How many lines are gone. 0 if the old content was no text, or too long to be compared.
    pub removed: u64,
    /// The change as a unified diff with three lines of context; empty if nothing differs.
    pub diff: String,
    /// Whether the diff is not whole: its end is missing, or all of it, where the old content was no text, or too long.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_cut: bool,
}

impl FileChange {
    /// Cuts the diff after a line, at [`DIFF_BYTES_MAX`] at most.
    #[must_use]
    pub fn cut(mut self) -> Self {
        if self.diff.len() > DIFF_BYTES_MAX {
            let end = self.diff.floor_char_boundary(DIFF_BYTES_MAX);
            let end = self.diff[..end].rfind('\n').map_or(0, |end| end + 1);
            self.diff.truncate(end);
            self.is_cut = true;
        }
        self
    }
}

/// The most bytes of a call's arguments in an event.
pub const INPUT_BYTES_MAX: usize = 4 << 10;

/// The most bytes of what a call printed in an event.
pub const OUTPUT_BYTES_MAX: usize = 4 << 10;

/// Beginning and end of what a call printed, as events carry it: the middle may be missing.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Excerpt {
    /// The beginning: all of it, if there is no tail.
    pub head: String,
    /// The end, if something between is missing.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub tail: String,
}

impl Excerpt {
    /// Keeps at most [`OUTPUT_BYTES_MAX`] of the text, cut between lines where there are any.
    pub fn of(text: &str) -> Self {
        if text.len() <= OUTPUT_BYTES_MAX {
            return Self {
                head: text.to_owned(),
                tail: String::new(),
            };
        }
        let head = &text[..text.floor_char_boundary(OUTPUT_BYTES_MAX / 2)];
        let head = head.rfind('\n').map_or(head, |end| &head[..=end]);
        let tail = &text[text.ceil_char_boundary(text.len() - OUTPUT_BYTES_MAX / 2)..];
        let tail = match tail.find('\n') {
            Some(end) if end + 1 < tail.len() => &tail[end + 1..],
            Some(_) | None => tail,
        };
        Self {
            head: head.to_owned(),
            tail: tail.to_owned(),
        }
    }
}

/// The most files that are named.
const FILES_MAX: usize = 20;

/// A worktree that was merged, or could not be.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MergeEnd {
    /// Its name.
    pub worktree: String,
    /// The files in which both sides changed the same lines, the first of them; none if it was merged.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conflicts: Vec<String>,
}

impl MergeEnd {
    /// It was merged.
    pub fn merged(worktree: impl Into<String>) -> Self {
        Self {
            worktree: worktree.into(),
            conflicts: Vec::new(),
        }
    }

    /// It was not: these files are in conflict.
    pub fn conflict(worktree: impl Into<String>, files: &[String]) -> Self {
        Self {
            worktree: worktree.into(),
            conflicts: files.iter().take(FILES_MAX).cloned().collect(),
        }
    }
}

/// Why a call did not run. A call that ran and failed has none of these.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RefusedBy {
    /// A rule that denies, or that the member lacks.
    Rule,
    /// A hook of the user.
    Hook,
    /// The plan gate: the member may only read until a plan of its own is approved.
    PlanGate,
    /// The answer of a person or of the lead.
    Answer,
    /// A question that nobody answered in time.
    Deadline,
    /// It needs permission, and nobody could be asked.
    Nobody,
    /// Something else, or what this version does not know.
    #[serde(other)]
    Other,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(diff: String) -> FileChange {
        FileChange {
            path: "a".to_owned(),
            added: 1,
            removed: 0,
            diff,
            is_cut: false,
        }
    }

    #[test]
    fn a_long_diff_ends_after_a_line_and_says_so() {
        let short = change("+a\n".to_owned());
        assert_eq!(short.clone().cut(), short);
        let long = change("+ñandú\n".repeat(10_000)).cut();
        assert!(long.is_cut && long.diff.len() <= DIFF_BYTES_MAX);
        assert!(long.diff.ends_with("+ñandú\n"));
        let one_line = change(format!("+{}", "中".repeat(20_000))).cut();
        assert!(one_line.is_cut && one_line.diff.is_empty());
    }

    #[test]
    fn a_short_text_is_whole_and_a_long_one_keeps_whole_lines_of_both_ends() {
        let whole = Excerpt::of("a\nb\n");
        assert_eq!((whole.head.as_str(), whole.tail.as_str()), ("a\nb\n", ""));
        let text: String = (0..1_000).map(|n| format!("line {n}\n")).collect();
        let Excerpt { head, tail } = Excerpt::of(&text);
        assert!(head.starts_with("line 0\n") && head.ends_with('\n'));
        assert!(tail.starts_with("line ") && tail.ends_with("line 999\n"));
        assert!(head.len() + tail.len() <= OUTPUT_BYTES_MAX);
        // One endless line of wide characters is cut between characters.
        let Excerpt { head, tail } = Excerpt::of(&"中".repeat(5_000));
        assert!(head.len() + tail.len() <= OUTPUT_BYTES_MAX && !tail.is_empty());
    }
}
