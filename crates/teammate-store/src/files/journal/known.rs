//! A process's knowledge about a journal's file: how far it has read, what is durable, and whether the remembered head is
//! there.

use std::path::Path;

use teammate_core::port::Damage;

use super::position::{Position, without};
use crate::wire::chain::Head;

/// A position is remembered every so many records, which bounds the cost of reading old records.
const POSITION_EVERY: u64 = 64;

/// The known part of the file.
pub(super) struct KnownFile {
    pub(super) end: Position,
    marks: Vec<Position>,
    /// This process has synced the file up to here.
    pub(super) synced: u64,
    /// The last record that is known to be durable.
    durable: Option<Head>,
    /// The head that an earlier process remembered and this one has not found yet.
    awaited: Option<Head>,
    /// The damage if it is missing, until the next append.
    pub(super) lost: Option<Damage>,
}

impl KnownFile {
    /// Knows only that the file is durable up to `synced` and should contain `remembered`.
    pub(super) fn nothing(synced: u64, remembered: Option<Head>) -> Self {
        Self {
            end: Position::START,
            marks: Vec::new(),
            synced,
            durable: None,
            awaited: remembered,
            lost: None,
        }
    }

    /// A line was read, up to `to`.
    pub(super) fn advance(&mut self, to: Position) {
        self.remember_position();
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

    /// The whole file was read.
    pub(super) fn reached_end(&mut self, path: &Path) {
        if let Some(head) = self.awaited.take() {
            self.lost = Some(without(head, &self.end, path));
        }
    }

    /// This process appended a line, up to `to`, and synced it or not.
    pub(super) fn append(&mut self, to: Position, is_synced: bool) {
        self.remember_position();
        self.end = to;
        if is_synced {
            self.synced = to.offset;
            self.durable = to.last;
            self.lost = None;
        }
    }

    /// The head to remember: one that survives a power cut, and not an earlier one while records are
    /// lost.
    pub(super) fn head(&self) -> Option<Head> {
        self.durable.filter(|_| self.lost.is_none())
    }

    /// A known position at or before record `from`.
    pub(super) fn position_before(&self, from: u64) -> Position {
        if from >= self.end.next {
            return self.end;
        }
        let after = self.marks.partition_point(|mark| mark.next <= from);
        after
            .checked_sub(1)
            .map_or(Position::START, |at| self.marks[at])
    }

    fn remember_position(&mut self) {
        if self
            .marks
            .last()
            .is_none_or(|mark| self.end.next >= mark.next + POSITION_EVERY)
        {
            self.marks.push(self.end);
        }
    }
}
