//! Takes what the searcher finds in one file.

use std::io;

use grep_searcher::{Searcher, Sink, SinkContext, SinkFinish, SinkMatch};
use teammate_process::blocking::CancelFlag;

use super::OutputMode;
use crate::workspace::search::Listing;

/// How much of one line is shown.
const LINE_CHARS_MAX: usize = 500;

/// The matches of one file, on their way into the listing.
pub(super) struct Matches<'a> {
    path: &'a str,
    show: OutputMode,
    entries_max: usize,
    stop: &'a CancelFlag,
    listing: &'a mut Listing,
    /// Lines for the listing that wait until the file is known to be text.
    lines: Vec<String>,
    count: u64,
    is_binary: bool,
}

impl<'a> Matches<'a> {
    pub(super) fn new(
        path: &'a str,
        (show, entries_max): (OutputMode, usize),
        stop: &'a CancelFlag,
        listing: &'a mut Listing,
    ) -> Self {
        Self {
            path,
            show,
            entries_max,
            stop,
            listing,
            lines: Vec::new(),
            count: 0,
            is_binary: false,
        }
    }

    /// Puts what was found into the listing.
    pub(super) fn end(self) {
        if self.is_binary || self.count == 0 {
            return;
        }
        match self.show {
            OutputMode::Lines => {
                for line in &self.lines {
                    self.listing.add(line, self.entries_max);
                }
            }
            OutputMode::Files => self.listing.add(self.path, self.entries_max),
            OutputMode::Count => {
                self.listing
                    .add(&format!("{}:{}", self.path, self.count), self.entries_max);
            }
        }
    }

    fn line(&mut self, number: Option<u64>, sign: char, bytes: &[u8]) {
        if self.show != OutputMode::Lines {
            return;
        }
        let text = String::from_utf8_lossy(bytes);
        let text = text.trim_end_matches(['\n', '\r']);
        let mut short: String = text.chars().take(LINE_CHARS_MAX).collect();
        if short.len() < text.len() {
            short.push_str(" [... line cut]");
        }
        let number = number.unwrap_or(0);
        self.lines
            .push(format!("{}{sign}{number}{sign}{short}", self.path));
    }

    fn goes_on(&self) -> bool {
        let has_enough = match self.show {
            OutputMode::Lines => self.lines.len() > self.entries_max,
            OutputMode::Files => self.count > 0,
            OutputMode::Count => false,
        };
        !has_enough && !self.stop.is_set()
    }
}

impl Sink for Matches<'_> {
    type Error = io::Error;

    fn matched(&mut self, _searcher: &Searcher, found: &SinkMatch<'_>) -> io::Result<bool> {
        self.count += 1;
        self.line(found.line_number(), ':', found.bytes());
        Ok(self.goes_on())
    }

    fn context(&mut self, _searcher: &Searcher, found: &SinkContext<'_>) -> io::Result<bool> {
        self.line(found.line_number(), '-', found.bytes());
        Ok(self.goes_on())
    }

    fn context_break(&mut self, _searcher: &Searcher) -> io::Result<bool> {
        if self.show == OutputMode::Lines {
            self.lines.push("--".to_owned());
        }
        Ok(self.goes_on())
    }

    fn finish(&mut self, _searcher: &Searcher, finish: &SinkFinish) -> io::Result<()> {
        self.is_binary = finish.binary_byte_offset().is_some();
        Ok(())
    }
}
