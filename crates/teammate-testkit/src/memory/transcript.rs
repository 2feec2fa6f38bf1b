//! Transcripts in memory.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
};

use teammate_core::{
    MemberName,
    port::{
        BoxFuture, OpenTranscript, ReadMark, Tail, Transcript, TranscriptError, TranscriptStore,
    },
    transcript::Entry,
};

use crate::locked;

/// Transcripts that live as long as the value.
#[derive(Debug, Default)]
pub struct MemoryTranscripts {
    kept: Mutex<BTreeMap<MemberName, Shared>>,
    owning: Owning,
}

/// What keeps a second owner away.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Owning {
    /// It cannot open, as with files.
    #[default]
    Lock,
    /// Of two, the one that appends first goes on, as on servers: each append is compared with the length that is known.
    Compare,
}

type Shared = Arc<Mutex<Kept>>;

#[derive(Debug, Default)]
struct Kept {
    entries: Vec<Entry>,
    is_owned: bool,
}

impl MemoryTranscripts {
    /// Transcripts that several workers may open: of two owners, the one that appends first goes on.
    #[must_use]
    pub fn compared() -> Self {
        Self {
            owning: Owning::Compare,
            ..Self::default()
        }
    }

    fn of(&self, owner: &MemberName) -> Shared {
        locked(&self.kept).entry(owner.clone()).or_default().clone()
    }

    /// The member has none any more.
    pub(super) fn forget(&self, owner: &MemberName) {
        locked(&self.kept).remove(owner);
    }
}

impl TranscriptStore for MemoryTranscripts {
    fn open<'a>(
        &'a self,
        owner: &'a MemberName,
    ) -> BoxFuture<'a, Result<OpenTranscript, TranscriptError>> {
        Box::pin(async move {
            let shared = self.of(owner);
            let mut kept = locked(&shared);
            if kept.is_owned && self.owning == Owning::Lock {
                return Err(TranscriptError::Owned {
                    owner: owner.clone(),
                    by: format!("process {}", std::process::id()),
                });
            }
            kept.is_owned = true;
            Ok(OpenTranscript {
                entries: kept.entries.clone(),
                log: Box::new(MemoryTranscript {
                    kept: shared.clone(),
                    owner: owner.clone(),
                    length: kept.entries.len(),
                }),
                gaps: Vec::new(),
                repairs: Vec::new(),
                tail: Tail::Proven,
            })
        })
    }

    fn peek<'a>(
        &'a self,
        owner: &'a MemberName,
    ) -> BoxFuture<'a, Result<Vec<Entry>, TranscriptError>> {
        Box::pin(async move { Ok(locked(&self.of(owner)).entries.clone()) })
    }

    fn peek_from<'a>(
        &'a self,
        owner: &'a MemberName,
        mark: ReadMark,
    ) -> BoxFuture<'a, Result<(Vec<Entry>, ReadMark), TranscriptError>> {
        Box::pin(async move {
            let shared = self.of(owner);
            let kept = locked(&shared);
            let known = usize::try_from(mark.entries).unwrap_or(usize::MAX);
            let new = kept.entries.iter().skip(known).cloned();
            let new: Vec<Entry> = new.collect();
            let entries = mark.entries + new.len() as u64;
            let place = None;
            Ok((new, ReadMark { entries, place }))
        })
    }
}

/// The ownership goes with the value.
struct MemoryTranscript {
    kept: Shared,
    owner: MemberName,
    length: usize,
}

impl Drop for MemoryTranscript {
    fn drop(&mut self) {
        locked(&self.kept).is_owned = false;
    }
}

impl Transcript for MemoryTranscript {
    fn append<'a>(&'a mut self, entry: &'a Entry) -> BoxFuture<'a, Result<(), TranscriptError>> {
        Box::pin(async move {
            let mut kept = locked(&self.kept);
            if kept.entries.len() != self.length {
                return Err(TranscriptError::Owned {
                    owner: self.owner.clone(),
                    by: "by another process".to_owned(),
                });
            }
            kept.entries.push(entry.clone());
            self.length += 1;
            Ok(())
        })
    }
}
