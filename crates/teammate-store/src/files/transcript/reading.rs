//! Reads a transcript: which lines are valid, what is wrong with the others, whether the end is proven.

use std::{collections::HashSet, path::Path};

use teammate_core::{
    port::Tail,
    transcript::{Entry, Gap},
};

use crate::{
    files::lines::{FileLine, LINE_READ_MAX},
    wire::{
        self,
        chain::{Head, LineDigest, Log},
        entry,
    },
};

/// The most problems that are reported one by one.
const NOTICES_MAX: usize = 100;

/// Reads a transcript line by line.
pub(super) struct TranscriptReader<'a> {
    log: &'a Log,
    path: &'a Path,
    lines: u64,
    /// The last valid line.
    pub(super) last: Option<Head>,
    pub(super) entries: Vec<Entry>,
    /// Gaps: where lines are invalid or missing.
    pub(super) gaps: Vec<Gap>,
    /// Invalid lines since the last valid one.
    lost: u64,
    /// The first gap of which no line is left.
    hole: Option<usize>,
    /// True if the line goes to quarantine.
    pub(super) sets_aside: bool,
    seen: HashSet<LineDigest>,
    notices: Vec<String>,
    unsaid: u64,
    /// The head that an earlier process remembered, and the line where it was found.
    remembered: Option<Head>,
    met: Option<u64>,
    /// The lines of the last reply and of the last problem.
    answered: Option<u64>,
    doubted: Option<u64>,
}

impl<'a> TranscriptReader<'a> {
    /// A reader at the start of the transcript in `path`, which should contain `remembered`.
    pub(super) fn new(log: &'a Log, path: &'a Path, remembered: Option<Head>) -> Self {
        Self {
            log,
            path,
            lines: 0,
            last: None,
            entries: Vec::new(),
            gaps: Vec::new(),
            lost: 0,
            hole: None,
            sets_aside: false,
            seen: HashSet::new(),
            notices: Vec::new(),
            unsaid: 0,
            remembered,
            met: None,
            answered: None,
            doubted: None,
        }
    }

    /// Reads a line. Returns it if it is invalid and goes to quarantine.
    pub(super) fn line<'b>(&mut self, line: &FileLine<'b>) -> Option<&'b [u8]> {
        self.lines += 1;
        let Some(text) = line.text else {
            let why = format!("it has more than {LINE_READ_MAX} bytes");
            self.lost += 1;
            self.report(&format!("cannot be read ({why}); it is kept there"));
            return None;
        };
        let text = wire::text(text)?;
        let read = entry::read(text);
        let Some(linked) = self.log.opened(text) else {
            self.lost += 1;
            match read {
                Ok(_) => self.report("has no seal of this user's; it does not count"),
                Err(why) => self.report(&format!("cannot be read ({why})")),
            }
            self.sets_aside = true;
            return Some(text);
        };
        if !self.seen.insert(linked.digest) {
            self.report("is there twice; the second one does not count");
            return None;
        }
        if linked.prev != self.prev() {
            self.report(
                "does not follow the one before it: lines between them are missing or were changed",
            );
            if self.lost == 0 && self.hole.is_none() {
                self.hole = Some(self.entries.len());
            }
        }
        let lost = std::mem::take(&mut self.lost);
        self.missed(self.entries.len(), lost);
        let mut number = self.last.map_or(0, |last| last.number + 1) + lost;
        if let Some(known) = self
            .remembered
            .filter(|known| known.digest == linked.digest)
        {
            self.met = Some(self.lines);
            let missing = known.number.saturating_sub(number);
            self.missed(self.hole.unwrap_or(self.entries.len()), missing);
            number += missing;
        }
        self.last = Some(Head {
            number,
            digest: linked.digest,
        });
        match read {
            Ok(entry) => {
                if matches!(entry, Some(Entry::Answered(_))) {
                    self.answered = Some(self.lines);
                }
                self.entries.extend(entry);
            }
            // Written by a newer version: sealed, so later lines link to it.
            Err(why) => {
                self.missed(self.entries.len(), 1);
                self.report(&format!("cannot be read ({why}); it is kept there"));
            }
        }
        None
    }

    /// Ends the reading. Returns how many lines at the end are missing or invalid.
    pub(super) fn end(&mut self) -> u64 {
        let mut lost = std::mem::take(&mut self.lost);
        if let Some(known) = self.remembered.filter(|_| self.met.is_none()) {
            let next = self.last.map_or(0, |last| last.number + 1) + lost;
            lost += (known.number + 1).saturating_sub(next);
        }
        self.missed(self.entries.len(), lost);
        lost
    }

    /// Records `lines` lost lines before an entry.
    fn missed(&mut self, before: usize, lines: u64) {
        if lines > 0 {
            let at = self.gaps.partition_point(|gap| gap.before <= before);
            self.gaps.insert(at, Gap { before, lines });
        }
    }

    /// The digest that the next line links to.
    pub(super) fn prev(&self) -> LineDigest {
        self.last.map_or(LineDigest::NONE, |head| head.digest)
    }

    /// True if the end is proven; call after the last line.
    pub(super) fn tail(&self) -> Tail {
        // Problems before the last reply were known when this program last wrote; they change nothing now.
        let is_old = |line: u64| {
            self.answered.is_some_and(|answered| line < answered)
                && self.met.is_some_and(|met| line <= met)
        };
        if self.lacks_remembered() || self.doubted.is_some_and(|line| !is_old(line)) {
            Tail::InDoubt
        } else {
            Tail::Proven
        }
    }

    /// The problems as sentences for the user; call after the last line.
    pub(super) fn notices(&mut self) -> Vec<String> {
        let mut said = std::mem::take(&mut self.notices);
        let path = self.path.display();
        if self.unsaid > 0 {
            said.push(format!("{} more lines of {path} are damaged", self.unsaid));
        }
        if self.lacks_remembered() {
            said.push(format!(
                "the last lines of {path} are missing or were changed"
            ));
        }
        said
    }

    fn lacks_remembered(&self) -> bool {
        self.remembered.is_some() && self.met.is_none()
    }

    fn report(&mut self, what: &str) {
        self.doubted = Some(self.lines);
        if self.notices.len() < NOTICES_MAX {
            let text = format!("line {} of {} {what}", self.lines, self.path.display());
            self.notices.push(text);
        } else {
            self.unsaid += 1;
        }
    }
}
