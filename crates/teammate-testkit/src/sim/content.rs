//! A file's bytes: what processes see, and what may be left of them.

use std::ops::Range;

use super::rng::SimRng;

#[derive(Clone, Default)]
pub(super) struct Content {
    /// What processes see.
    pub(super) live: Vec<u8>,
    durable: Vec<u8>,
    /// What separates the two, in order.
    pending: Vec<DataChange>,
    /// Bytes that a failed sync has lost: processes see them, the disk never gets them.
    lost: Vec<Range<usize>>,
}

#[derive(Clone)]
pub(super) enum DataChange {
    Append(Vec<u8>),
    Truncate(usize),
}

impl Content {
    pub(super) fn append(&mut self, bytes: &[u8]) {
        self.live.extend_from_slice(bytes);
        self.pending.push(DataChange::Append(bytes.to_vec()));
    }

    pub(super) fn truncate(&mut self, len: usize) {
        self.live.truncate(len);
        self.pending.push(DataChange::Truncate(len));
        for range in &mut self.lost {
            *range = range.start.min(len)..range.end.min(len);
        }
    }

    /// A sync fails: what it should have saved is lost, although processes go on seeing it.
    pub(super) fn lose(&mut self) {
        let end = self.live.len();
        self.lost.push(self.durable.len().min(end)..end);
    }

    pub(super) fn sync(&mut self) {
        self.pending.clear();
        self.durable.clone_from(&self.live);
        for range in &self.lost {
            self.durable[range.clone()].fill(0);
        }
    }

    /// The file as it may be after a power cut: some of what was not synced, the last of it torn, or with a hole.
    pub(super) fn after_power_cut(&self, luck: &mut SimRng) -> Self {
        let mut bytes = self.durable.clone();
        let kept = luck.up_to(self.pending.len());
        for (at, change) in self.pending.iter().enumerate() {
            match change {
                DataChange::Append(new) if at < kept => bytes.extend_from_slice(new),
                DataChange::Append(new) if at == kept => {
                    bytes.extend_from_slice(&new[..luck.up_to(new.len())]);
                }
                DataChange::Truncate(len) if at < kept => bytes.truncate(*len),
                DataChange::Append(_) | DataChange::Truncate(_) => {}
            }
        }
        let unsynced = bytes.len().saturating_sub(self.durable.len());
        if luck.tears() && unsynced > 0 {
            let hole = self.durable.len() + luck.up_to(unsynced);
            bytes[hole..].fill(0);
        }
        for range in &self.lost {
            let end = range.end.min(bytes.len());
            bytes[range.start.min(end)..end].fill(0);
        }
        Self {
            live: bytes.clone(),
            durable: bytes,
            pending: Vec::new(),
            lost: Vec::new(),
        }
    }
}
