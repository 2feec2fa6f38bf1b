//! Transcripts in memory.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
};

use teammate_core::{
    MemberName,
    port::{BoxFuture, OpenTranscript, Tail, Transcript, TranscriptError, TranscriptStore},
    transcript::Entry,
};

use crate::locked;

/// Transcripts that live as long as the value.
#[derive(Debug, Default)]
pub struct MemoryTranscripts(Mutex<BTreeMap<MemberName, Shared>>);

type Shared = Arc<Mutex<Kept>>;

#[derive(Debug, Default)]
struct Kept {
    entries: Vec<Entry>,
    is_owned: bool,
}

impl MemoryTranscripts {
    fn of(&self, owner: &MemberName) -> Shared {
        locked(&self.0).entry(owner.clone()).or_default().clone()
    }

    /// The member has none any more.
    pub(super) fn forget(&self, owner: &MemberName) {
        locked(&self.0).remove(owner);
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
            if kept.is_owned {
                return Err(TranscriptError::Owned {
                    owner: owner.clone(),
                    by: format!("process {}", std::process::id()),
                });
            }
            kept.is_owned = true;
            Ok(OpenTranscript {
                entries: kept.entries.clone(),
                log: Box::new(MemoryTranscript(shared.clone())),
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
}

/// The ownership goes with the value.
struct MemoryTranscript(Shared);

impl Drop for MemoryTranscript {
    fn drop(&mut self) {
        locked(&self.0).is_owned = false;
    }
}

impl Transcript for MemoryTranscript {
    fn append<'a>(&'a mut self, entry: &'a Entry) -> BoxFuture<'a, Result<(), TranscriptError>> {
        Box::pin(async move {
            locked(&self.0).entries.push(entry.clone());
            Ok(())
        })
    }
}
