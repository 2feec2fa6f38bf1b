//! Reading a transcript: which lines count, what is wrong with the others, and whether the end is proven.

use std::{collections::HashSet, path::Path};

use teammate_core::{
    port::Tail,
    transcript::{Entry, Gap},
};

use crate::{
    files::lines::{LINE_READ_MAX, Line},
    wire::{
        self,
        chain::{Digest, Head, Log},
        entry,
    },
};

/// So many things that are wrong are said one by one.
const SAID_MAX: usize = 100;

/// A transcript that is being read line by line.
pub(super) struct Reading<'a> {
    log: &'a Log,
    path: &'a Path,
    /// How many lines were read.
    lines: u64,
    /// The last line that counts.
    pub(super) last: Option<Head>,
    pub(super) entries: Vec<Entry>,
    /// Where lines do not count among the entries, or are missing.
    pub(super) gaps: Vec<Gap>,
    /// Lines that do not count since the last one that does.
    lost: u64,
    /// Where the first lines are missing of which nothing is left.
    hole: Option<usize>,
    /// Whether a line is to be kept aside.
    pub(super) sets_aside: bool,
    seen: HashSet<Digest>,
    said: Vec<String>,
    unsaid: u64,
    /// What an earlier process has seen durable, and the line where it was met.
    remembered: Option<Head>,
    met: Option<u64>,
    /// The lines of the last answer and of the last thing that is wrong.
    answered: Option<u64>,
    doubted: Option<u64>,
}

impl<'a> Reading<'a> {
    /// Nothing was read of the transcript in `path`; `remembered` should be in it.
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
            said: Vec::new(),
            unsaid: 0,
            remembered,
            met: None,
            answered: None,
            doubted: None,
        }
    }

    /// Reads a line. Returns it if it does not count and should be kept aside.
    pub(super) fn line<'b>(&mut self, line: &Line<'b>) -> Option<&'b [u8]> {
        self.lines += 1;
        let Some(text) = line.text else {
            let why = format!("it has more than {LINE_READ_MAX} bytes");
            self.lost += 1;
            self.doubt(&format!("cannot be read ({why}); it is kept there"));
            return None;
        };
        let text = wire::text(text)?;
        let read = entry::read(text);
        let Some(linked) = self.log.opened(text) else {
            self.lost += 1;
            match read {
                Ok(_) => self.doubt("has no seal of this user's; it does not count"),
                Err(why) => self.doubt(&format!("cannot be read ({why})")),
            }
            self.sets_aside = true;
            return Some(text);
        };
        if !self.seen.insert(linked.digest) {
            self.doubt("is there twice; the second one does not count");
            return None;
        }
        if linked.prev != self.prev() {
            self.doubt(
                "does not follow the one before it: lines between them are missing or were changed",
            );
            if self.lost == 0 && self.hole.is_none() {
                self.hole = Some(self.entries.len());
            }
        }
        let lost = std::mem::take(&mut self.lost);
        self.miss(self.entries.len(), lost);
        let mut number = self.last.map_or(0, |last| last.number + 1) + lost;
        if let Some(known) = self
            .remembered
            .filter(|known| known.digest == linked.digest)
        {
            self.met = Some(self.lines);
            let missing = known.number.saturating_sub(number);
            self.miss(self.hole.unwrap_or(self.entries.len()), missing);
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
            // Of a newer version: it is ours, and what follows names it.
            Err(why) => {
                self.miss(self.entries.len(), 1);
                self.doubt(&format!("cannot be read ({why}); it is kept there"));
            }
        }
        None
    }

    /// All was read. How many lines are missing or do not count at the end.
    pub(super) fn end(&mut self) -> u64 {
        let mut lost = std::mem::take(&mut self.lost);
        if let Some(known) = self.remembered.filter(|_| self.met.is_none()) {
            let next = self.last.map_or(0, |last| last.number + 1) + lost;
            lost += (known.number + 1).saturating_sub(next);
        }
        self.miss(self.entries.len(), lost);
        lost
    }

    /// So many lines are lost before an entry.
    fn miss(&mut self, before: usize, lines: u64) {
        if lines > 0 {
            let at = self.gaps.partition_point(|gap| gap.before <= before);
            self.gaps.insert(at, Gap { before, lines });
        }
    }

    /// What the next line names as the one before it.
    pub(super) fn prev(&self) -> Digest {
        self.last.map_or(Digest::NONE, |head| head.digest)
    }

    /// Whether the end is proven, once all was read.
    pub(super) fn tail(&self) -> Tail {
        // What was wrong before the last answer, and was there when this user's program last wrote, changes nothing now.
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

    /// What is wrong, for a person, once all was read.
    pub(super) fn said(&mut self) -> Vec<String> {
        let mut said = std::mem::take(&mut self.said);
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

    fn doubt(&mut self, what: &str) {
        self.doubted = Some(self.lines);
        if self.said.len() < SAID_MAX {
            let text = format!("line {} of {} {what}", self.lines, self.path.display());
            self.said.push(text);
        } else {
            self.unsaid += 1;
        }
    }
}
