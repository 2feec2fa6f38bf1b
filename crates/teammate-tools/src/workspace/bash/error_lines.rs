//! The lines of a long output that look as if they said what went wrong: shown also where they stand in the part that is left
//! out. Looked for as the output comes, in bounded memory. It judges nothing.

use std::sync::LazyLock;

use grep_matcher::Matcher as _;
use grep_regex::RegexMatcher;

/// How much of them is kept.
pub(super) const BYTES_MAX: usize = 2_000;
/// How much of one line.
const LINE_BYTES_MAX: usize = 200;
/// A longer line is looked at in parts.
const CARRIED_BYTES_MAX: usize = 8_192;

static PATTERN: LazyLock<RegexMatcher> = LazyLock::new(|| {
    let words = r"(?-u)\b(?:(?i:error|fatal|panicked|traceback|undefined reference|segmentation fault)\b|[A-Za-z]*(?:Error|Exception)\b|FAIL|ERR!)";
    RegexMatcher::new(words).expect("the pattern is valid")
});

/// Those found so far, the first ones first.
#[derive(Default)]
pub(super) struct ErrorLines {
    found: Vec<ErrorLine>,
    bytes: usize,
    /// The line that has no end yet.
    carried: Vec<u8>,
    /// Where that begins in the output.
    at: u64,
}

struct ErrorLine {
    at: u64,
    text: String,
}

impl ErrorLines {
    /// Takes what was printed next. Lines that begin before `from` are shown anyway.
    pub(super) fn take(&mut self, bytes: &[u8], from: u64) {
        if self.bytes >= BYTES_MAX {
            return;
        }
        self.carried.extend_from_slice(bytes);
        let whole = match self.carried.iter().rposition(|byte| *byte == b'\n') {
            Some(last) => last + 1,
            None if self.carried.len() > CARRIED_BYTES_MAX => self.carried.len(),
            None => return,
        };
        let rest = self.carried.split_off(whole);
        let lines = std::mem::replace(&mut self.carried, rest);
        self.look(&lines, from);
        self.at += whole as u64;
    }

    fn look(&mut self, lines: &[u8], from: u64) {
        // Most outputs are short: all of it is shown, and nothing has to be searched.
        if self.at + lines.len() as u64 <= from {
            return;
        }
        let mut next = 0;
        while self.bytes < BYTES_MAX
            && let Ok(Some(hit)) = PATTERN.find_at(lines, next)
        {
            let is_end = |byte: &u8| *byte == b'\n';
            let start = lines[..hit.start()].iter().rposition(is_end);
            let start = start.map_or(0, |end| end + 1);
            let end = lines[hit.end()..].iter().position(is_end);
            let end = end.map_or(lines.len(), |length| hit.end() + length);
            let at = self.at + start as u64;
            if at >= from {
                let line = &lines[start..end.min(start + LINE_BYTES_MAX)];
                let text = String::from_utf8_lossy(line).trim_end().to_owned();
                self.bytes += text.len() + 1;
                self.found.push(ErrorLine { at, text });
            }
            next = (end + 1).min(lines.len());
        }
    }

    /// Those before this place in the output, each with the end of its line.
    pub(super) fn before(&self, end: u64) -> String {
        let before = self.found.iter().take_while(|line| line.at < end);
        before.map(|line| format!("{}\n", line.text)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_found_however_they_come() {
        let text =
            "ok\nerror: one\n0 warnings\nTypeError: two\nterrors\ntest x ... FAILED\nlast error";
        for size in [1, 3, 7, text.len()] {
            let mut lines = ErrorLines::default();
            for chunk in text.as_bytes().chunks(size) {
                lines.take(chunk, 0);
            }
            let found = lines.before(u64::MAX);
            assert_eq!(
                found, "error: one\nTypeError: two\ntest x ... FAILED\n",
                "{size}"
            );
        }
    }

    #[test]
    fn what_is_shown_anyway_is_left_out() {
        let mut lines = ErrorLines::default();
        lines.take(b"error: one\nerror: two\nerror: three\n", 5);
        assert_eq!(lines.before(22), "error: two\n");
    }

    #[test]
    fn the_first_ones_are_kept_and_long_ones_cut() {
        let mut lines = ErrorLines::default();
        lines.take(format!("error {}\n", "x".repeat(100_000)).as_bytes(), 0);
        for nth in 0..100_000 {
            lines.take(format!("error {nth}\n").as_bytes(), 0);
        }
        let found = lines.before(u64::MAX);
        assert!(found.len() < BYTES_MAX + LINE_BYTES_MAX, "{}", found.len());
        assert!(
            found.lines().next().unwrap().len() == LINE_BYTES_MAX && found.contains("error 7\n")
        );
        assert!(lines.carried.is_empty());
    }
}
