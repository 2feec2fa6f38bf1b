//! The output of a call, as far as it is worth showing: the first lines of one that worked, the last lines of a command that
//! failed.

use teammate_core::event::Excerpt;

use crate::{clean::clean_line, counted};

/// The most lines shown of a call that worked.
const LINES_MAX: usize = 5;

/// The most lines of a call that only looks for something.
const FOUND_MAX: usize = 1;

/// The most lines shown of a call that failed: the end of them, for a command.
const FAILED_MAX: usize = 15;

/// A finished call, as its event has it.
#[derive(Debug, Clone, Copy)]
pub struct PrintedOutput<'a> {
    pub tool: &'a str,
    pub ok: bool,
    pub output: &'a Excerpt,
    /// How many lines a command printed; nothing if none ran.
    pub lines: Option<u64>,
    /// The file with all of them.
    pub file: Option<&'a str>,
}

/// The lines of an output that are worth showing, as they were printed, and how many others there are.
#[derive(Debug, PartialEq, Eq)]
pub struct FoldedOutput<'a> {
    pub before: u64,
    pub lines: Vec<&'a str>,
    pub after: u64,
}

impl<'a> PrintedOutput<'a> {
    /// At most so many lines: the last ones of a command that failed, where its error stands, and the first ones of all else.
    pub fn folded(&self, most: usize) -> FoldedOutput<'a> {
        let head: Vec<&str> = self.output.head.trim_end().lines().collect();
        let tail: Vec<&str> = self.output.tail.trim_end().lines().collect();
        let known = (head.len() + tail.len()) as u64;
        let total = self.lines.unwrap_or(known).max(known);
        let shows_end = !self.ok && self.tool == "bash";
        let lines = match shows_end {
            // Between head and tail lines are missing: only one of them can be shown.
            true if !tail.is_empty() => tail[tail.len().saturating_sub(most)..].to_vec(),
            true => head[head.len().saturating_sub(most)..].to_vec(),
            false => head[..head.len().min(most)].to_vec(),
        };
        let others = total - lines.len() as u64;
        let (before, after) = if shows_end { (others, 0) } else { (0, others) };
        FoldedOutput {
            before,
            lines,
            after,
        }
    }

    /// The lines that are worth showing among others, cleaned.
    pub(crate) fn shown(&self) -> Vec<String> {
        let folded = self.folded(self.limit());
        if folded.lines.is_empty() {
            return Vec::new();
        }
        let rest = |count: u64, word: &str| {
            let place = self.file.map(|file| format!(": all in {file}"));
            let lines = counted(count, "line", "lines");
            let rest = format!("… {lines} {word}{}", place.unwrap_or_default());
            (count > 0).then(|| clean_line(&rest))
        };
        let (before, after) = (rest(folded.before, "before"), rest(folded.after, "more"));
        let lines = folded.lines.into_iter().map(clean_line);
        before.into_iter().chain(lines).chain(after).collect()
    }

    fn limit(&self) -> usize {
        match (self.ok, self.tool) {
            // A command that did not run has no lines.
            (false, "bash") if self.lines.is_some() => FAILED_MAX,
            // The line of a failed call has the error, unless it takes several lines.
            (false, _) if self.output.head.trim().lines().count() > 1 => FAILED_MAX,
            (false, _) => 0,
            (true, "bash" | "task_output" | "worktrees") => LINES_MAX,
            (true, "grep" | "glob") => FOUND_MAX,
            // What a member reads or writes is in the file.
            (true, _) => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(tool: &str, ok: bool, text: &str) -> Vec<String> {
        let printed = PrintedOutput {
            tool,
            ok,
            output: &Excerpt::of(text),
            lines: Some(text.lines().count() as u64),
            file: None,
        };
        printed.shown()
    }

    fn numbers(count: usize) -> String {
        (1..=count).map(|n| format!("{n}\n")).collect()
    }

    #[test]
    fn a_command_that_worked_shows_its_first_lines_and_how_many_follow() {
        let lines = shown("bash", true, &numbers(40));
        assert_eq!(lines, ["1", "2", "3", "4", "5", "… 35 lines more"]);
        assert_eq!(shown("bash", true, "only\n"), ["only"]);
        assert_eq!(shown("grep", true, "a:1\nb:2\n"), ["a:1", "… 1 line more"]);
        assert_eq!(shown("read_file", true, &numbers(3)), [""; 0]);
    }

    #[test]
    fn a_command_that_failed_shows_its_end() {
        let lines = shown("bash", false, &numbers(5_000));
        assert_eq!(lines.len(), 16);
        assert_eq!(lines[0], "… 4985 lines before");
        assert_eq!(lines[15], "5000");
    }

    #[test]
    fn a_command_that_did_not_run_is_told_once() {
        let printed = PrintedOutput {
            tool: "bash",
            ok: false,
            output: &Excerpt::of("Not run: the user denied it."),
            lines: None,
            file: None,
        };
        // The line of the call shows it.
        assert_eq!(printed.shown(), [""; 0]);
    }

    #[test]
    fn what_was_printed_commands_nothing() {
        assert_eq!(
            shown("bash", true, "\u{1b}[2Jx\ty"),
            ["\\u{1b}[2Jx y".to_owned()]
        );
    }
}
