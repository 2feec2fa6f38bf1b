//! Evidence that a task is done: the run of its check that exited 0.

use serde::{Deserialize, Serialize};

/// The most bytes of what a check printed last that are kept.
pub const EVIDENCE_TAIL_BYTES_MAX: usize = 2 << 10;

/// A run of a task's check, just before the task was completed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evidence {
    pub check: String,
    pub exit: i32,
    /// How long it took, without a wait for permission.
    pub took_ms: u64,
    /// The last lines that it printed, at most [`EVIDENCE_TAIL_BYTES_MAX`].
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub tail: String,
    /// The git tree of the commit that was checked out where it ran. What was not committed is not in it. Nothing where there
    /// is no commit, or git could not tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tree: Option<String>,
}

/// How many characters of a git tree's name are shown to people.
const TREE_CHARS: usize = 12;

/// How long a check took, for people: `4.1 s`.
pub fn in_seconds(took_ms: u64) -> String {
    format!("{}.{} s", took_ms / 1_000, took_ms % 1_000 / 100)
}

impl Evidence {
    /// For people: `exit 0 in 4.1 s, tree 91ab02f3c4d5`.
    pub fn describe(&self) -> String {
        let took = in_seconds(self.took_ms);
        let tree = self.tree.as_deref().map(|tree| {
            let shown: String = tree.chars().take(TREE_CHARS).collect();
            format!(", tree {shown}")
        });
        let tree = tree.unwrap_or_default();
        format!("exit {} in {took}{tree}", self.exit)
    }

    /// The end of what a check printed, from the beginning of a line where there is one.
    pub fn tail_of(output: &str) -> &str {
        let output = output.trim_end();
        let from = output.len().saturating_sub(EVIDENCE_TAIL_BYTES_MAX);
        let tail = &output[output.ceil_char_boundary(from)..];
        match tail.find('\n') {
            Some(end) if from > 0 => &tail[end + 1..],
            Some(_) | None => tail,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_an_output_begins_with_a_line() {
        assert_eq!(Evidence::tail_of("a\nb\n"), "a\nb");
        let long: String = (0..1_000).map(|n| format!("line {n}\n")).collect();
        let tail = Evidence::tail_of(&long);
        assert!(tail.starts_with("line ") && tail.ends_with("\nline 999"));
        assert!(tail.len() <= EVIDENCE_TAIL_BYTES_MAX);
        let one = "中".repeat(1_000);
        assert!(one.ends_with(Evidence::tail_of(&one)) && !Evidence::tail_of(&one).is_empty());
    }
}
