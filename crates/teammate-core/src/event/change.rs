//! The change by a call of a file tool: what the event stream carries of an edit, and what a question shows of it.

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
}
