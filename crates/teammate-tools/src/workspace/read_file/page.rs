//! A part of a text file, read line by line in bounded memory whatever the file's size.

use std::io::{self, BufRead as _, BufReader, Read};

use teammate_core::tool::Outcome;
use teammate_process::blocking::CancelFlag;

use crate::workspace::known::ShownLines;

/// How much is shown at once.
const CHARS_MAX: usize = 50_000;
/// How much of one line is shown.
const LINE_BYTES_MAX: usize = 2_000;

/// The lines that are wanted, and what was found of them.
#[derive(Debug)]
pub(super) struct FilePage {
    /// The first line shown, from 1.
    first: u64,
    limit: u64,
    text: String,
    chars: usize,
    shown: u64,
    /// How many lines the file has.
    lines: u64,
    cut_lines: u64,
    is_full: bool,
    has_crlf: bool,
    has_bad_utf8: bool,
    is_utf16: bool,
}

impl FilePage {
    /// Wants `limit` lines from line `offset` on; all if not said.
    pub(super) fn new(offset: Option<u64>, limit: Option<u64>) -> Self {
        Self {
            first: offset.unwrap_or(1).max(1),
            limit: limit.unwrap_or(u64::MAX).max(1),
            text: String::new(),
            chars: 0,
            shown: 0,
            lines: 0,
            cut_lines: 0,
            is_full: false,
            has_crlf: false,
            has_bad_utf8: false,
            is_utf16: false,
        }
    }

    /// This page, of a file whose text was UTF-16.
    pub(super) fn of_utf16(self) -> Self {
        Self {
            is_utf16: true,
            ..self
        }
    }

    /// Reads the whole file and keeps what is wanted.
    pub(super) fn read(mut self, file: impl Read, stop: &CancelFlag) -> io::Result<Self> {
        let mut reader = BufReader::with_capacity(1 << 16, file);
        let mut line = Vec::new();
        let mut is_cut = false;
        let mut is_begun = false;
        loop {
            let chunk = reader.fill_buf()?;
            if chunk.is_empty() || stop.is_set() {
                break;
            }
            let mut rest = chunk;
            while !rest.is_empty() {
                let end = memchr::memchr(b'\n', rest);
                let piece = &rest[..end.unwrap_or(rest.len())];
                if self.wants_next() {
                    let room = LINE_BYTES_MAX + 1 - line.len().min(LINE_BYTES_MAX + 1);
                    is_cut |= piece.len() > room;
                    line.extend_from_slice(&piece[..piece.len().min(room)]);
                }
                is_begun = true;
                rest = &rest[piece.len()..];
                if end.is_some() {
                    rest = &rest[1..];
                    self.take(&mut line, is_cut, true);
                    (is_cut, is_begun) = (false, false);
                }
            }
            let count = chunk.len();
            reader.consume(count);
        }
        if is_begun {
            self.take(&mut line, is_cut, false);
        }
        Ok(self)
    }

    fn wants_next(&self) -> bool {
        !self.is_full && self.lines + 1 >= self.first && self.shown < self.limit
    }

    /// Takes one line out of `line`.
    fn take(&mut self, line: &mut Vec<u8>, is_cut: bool, has_end: bool) {
        if self.wants_next() {
            let is_crlf = has_end && line.last() == Some(&b'\r');
            if is_crlf {
                line.pop();
            }
            self.add(line, is_cut, has_end, is_crlf);
        }
        line.clear();
        self.lines += 1;
    }

    fn add(&mut self, line: &[u8], is_cut: bool, has_end: bool, is_crlf: bool) {
        let is_cut = is_cut || line.len() > LINE_BYTES_MAX;
        let whole = match std::str::from_utf8(line) {
            Ok(_) => line,
            Err(error) if is_cut && error.error_len().is_none() => &line[..error.valid_up_to()],
            Err(_) => {
                self.has_bad_utf8 = true;
                line
            }
        };
        let mut text = String::from_utf8_lossy(whole).into_owned();
        if is_cut {
            text.push_str(" [... line cut]");
        }
        if has_end {
            text.push('\n');
        }
        let chars = text.chars().count();
        if self.chars + chars > CHARS_MAX {
            self.is_full = true;
            return;
        }
        self.chars += chars;
        self.shown += 1;
        self.cut_lines += u64::from(is_cut);
        self.has_crlf |= is_crlf;
        self.text.push_str(&text);
    }

    /// The lines of the file that the model reads.
    pub(super) fn shown(&self) -> ShownLines {
        ShownLines {
            first: self.first,
            count: self.shown,
            of: self.lines,
            is_cut: self.cut_lines > 0 || self.has_bad_utf8,
        }
    }

    /// The outcome that the model reads.
    pub(super) fn outcome(self, path: &str) -> Result<Outcome, Outcome> {
        if self.lines == 0 {
            return Ok(Outcome::ok("(empty file)"));
        }
        if self.first > self.lines {
            return Err(Outcome::error(format!(
                "'{path}' has {} lines only; give an offset of at most that.",
                self.lines
            )));
        }
        let mut notes = Vec::new();
        let next = self.first + self.shown;
        let more = (self.lines + 1).saturating_sub(next);
        if more > 0 {
            notes.push(format!(
                "... ({more} more lines of {}; go on with offset {next})",
                self.lines
            ));
        }
        if self.cut_lines > 0 {
            notes.push(format!(
                "({} lines are longer than {LINE_BYTES_MAX} bytes and were cut; a shell command shows all of them)",
                self.cut_lines
            ));
        }
        if self.has_crlf {
            notes.push("(lines end with CRLF, not shown; edits keep them)".to_owned());
        }
        if self.is_utf16 {
            notes.push("(the file is UTF-16; edits keep that and its byte order mark)".to_owned());
        }
        if self.has_bad_utf8 {
            notes.push("(not valid UTF-8; unknown bytes are shown as \u{fffd})".to_owned());
        }
        let mut text = self.text;
        if !notes.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        text.push_str(&notes.join("\n"));
        Ok(Outcome::ok(text))
    }
}
