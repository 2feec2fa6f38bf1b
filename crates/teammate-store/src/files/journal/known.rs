//! What a process knows of a journal's file: how far it has read, what of that is durable, and whether what was remembered
//! of it is there.

use std::path::Path;

use teammate_core::port::Damage;

use super::place::{Place, without};
use crate::wire::chain::Head;

/// Between two remembered places there are this many records at most: what a read of old records costs too much.
const MARK_EVERY: u64 = 64;

/// How far the file is known.
pub(super) struct Known {
    pub(super) end: Place,
    marks: Vec<Place>,
    /// Up to here this process has synced it.
    pub(super) synced: u64,
    /// The last record that is surely durable.
    durable: Option<Head>,
    /// What an earlier process has seen durable and this one has not met yet.
    awaited: Option<Head>,
    /// What is wrong with the file because of that, until something is appended.
    pub(super) lost: Option<Damage>,
}

impl Known {
    /// Nothing is known of the file but that it is durable up to `synced`; `remembered` should be in it.
    pub(super) fn nothing(synced: u64, remembered: Option<Head>) -> Self {
        Self {
            end: Place::START,
            marks: Vec::new(),
            synced,
            durable: None,
            awaited: remembered,
            lost: None,
        }
    }

    /// The line between the known end and this place was read.
    pub(super) fn advance(&mut self, to: Place) {
        self.mark();
        if to.last != self.end.last {
            if self.awaited == to.last {
                self.awaited = None;
            }
            if to.offset <= self.synced {
                self.durable = to.last;
            }
        }
        self.end = to;
    }

    /// All of the file was read.
    pub(super) fn reached_end(&mut self, path: &Path) {
        if let Some(head) = self.awaited.take() {
            self.lost = Some(without(head, &self.end, path));
        }
    }

    /// The line between the known end and this place was appended by this process, and synced or not.
    pub(super) fn append(&mut self, to: Place, is_synced: bool) {
        self.mark();
        self.end = to;
        if is_synced {
            self.synced = to.offset;
            self.durable = to.last;
            self.lost = None;
        }
    }

    /// What may be remembered: nothing that could be gone after a power cut, and not less than before while records are lost.
    pub(super) fn head(&self) -> Option<Head> {
        self.durable.filter(|_| self.lost.is_none())
    }

    /// A known place at or before record `from`.
    pub(super) fn before(&self, from: u64) -> Place {
        if from >= self.end.next {
            return self.end;
        }
        let after = self.marks.partition_point(|mark| mark.next <= from);
        after
            .checked_sub(1)
            .map_or(Place::START, |at| self.marks[at])
    }

    fn mark(&mut self) {
        if self
            .marks
            .last()
            .is_none_or(|mark| self.end.next >= mark.next + MARK_EVERY)
        {
            self.marks.push(self.end);
        }
    }
}
