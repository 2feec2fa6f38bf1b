//! Transcripts on subjects: one sealed line an entry, committed by the acknowledgement of a
//! compare-and-append behind the last entry that the owner knows.
//!
//! Nobody is locked out: somebody else's append makes the next one of a stale owner fail, for good.

use std::sync::Arc;

use bytes::Bytes;
use teammate_core::{
    MemberName,
    port::{
        BoxFuture, FileError, OpenTranscript, ReadMark, Seal, Tail, Transcript, TranscriptError,
        TranscriptStore,
    },
    transcript::Entry,
};
use teammate_wire::{chain::Log, entry};
use uuid::Uuid;

use crate::{
    append::{Append, AppendAfter, AppendError},
    chain::Tip,
    journal::NatsJournal,
    life,
    parts::Parts,
    read::{MessageSpan, StreamReadError},
};

/// Everybody's transcripts in one team.
pub(crate) struct NatsTranscripts {
    pub(crate) parts: Parts,
    pub(crate) seal: Arc<dyn Seal>,
    pub(crate) journal: Arc<NatsJournal>,
}

impl NatsTranscripts {
    /// The entries since the last archived life, and the log behind them.
    pub(crate) async fn read(
        &self,
        owner: &MemberName,
    ) -> Result<(Vec<Entry>, Tip), StreamReadError> {
        let log = Log::transcript(self.seal.clone(), owner);
        let through = self.last(owner).await?;
        let lines = self.lines(owner, (1, through)).await?;
        match fold(owner, &log, &lines) {
            // Who held the member may stand in records that were not read yet.
            Err(StreamReadError::Broken(_)) => {
                let caught_up = self.journal.catch_up().await;
                caught_up.map_err(|error| StreamReadError::Failed(error.to_string()))?;
                fold(owner, &log, &lines)
            }
            folded => folded,
        }
    }

    /// The sequence of the last line.
    async fn last(&self, owner: &MemberName) -> Result<u64, StreamReadError> {
        let subject = self.parts.place.transcript(owner);
        self.parts.engine.last(&subject).await
    }

    /// The lines of these sequences, each with its own.
    async fn lines(
        &self,
        owner: &MemberName,
        (from, through): (u64, u64),
    ) -> Result<Vec<(u64, Bytes)>, StreamReadError> {
        let span = MessageSpan {
            stream: self.parts.place.partition.log(),
            subject: self.parts.place.transcript(owner),
            from,
            through,
        };
        let mut lines = Vec::new();
        for message in self.parts.engine.read(span).await? {
            lines.push((message.sequence, self.parts.unpack(&message).await?));
        }
        Ok(lines)
    }

    /// What follows on a mark. Nothing where it does not go on from there without a doubt: then all is to be read.
    async fn read_on(
        &self,
        owner: &MemberName,
        mark: &ReadMark,
    ) -> Result<Option<(Vec<Entry>, ReadMark)>, StreamReadError> {
        let Some(mut tip) = mark.place.as_ref().and_then(Tip::at) else {
            return Ok(None);
        };
        let through = self.last(owner).await?;
        if through < tip.sequence {
            return Ok(None);
        }
        let log = Log::transcript(self.seal.clone(), owner);
        let mut entries = Vec::new();
        for (sequence, line) in self.lines(owner, (tip.sequence + 1, through)).await? {
            let (Ok(next), Ok(entry)) = (tip.follow(&log, &line, sequence), entry::read(&line))
            else {
                return Ok(None);
            };
            if life::is_end(&line) {
                return Ok(None);
            }
            tip = next;
            entries.extend(entry);
        }
        let read_on = mark.read_on(entries.len(), tip.place());
        Ok(Some((entries, read_on)))
    }

    /// A log that goes on behind this tip.
    pub(crate) fn writer(&self, owner: &MemberName, tip: Tip) -> NatsTranscript {
        NatsTranscript {
            owner: owner.clone(),
            parts: self.parts.clone(),
            log: Log::transcript(self.seal.clone(), owner),
            writer: Uuid::now_v7(),
            sent: 0,
            tip,
        }
    }
}

/// The entries of the last life, and the tip behind all lines.
fn fold(
    owner: &MemberName,
    log: &Log,
    lines: &[(u64, Bytes)],
) -> Result<(Vec<Entry>, Tip), StreamReadError> {
    let (mut entries, mut tip) = (Vec::new(), Tip::START);
    for (sequence, line) in lines {
        tip = tip.follow(log, line, *sequence)?;
        if life::is_end(line) {
            entries.clear();
            continue;
        }
        let entry = entry::read(line).map_err(|why| {
            let number = tip.lines - 1;
            StreamReadError::Broken(format!("entry {number} of {owner}'s transcript: {why}"))
        })?;
        entries.extend(entry);
    }
    Ok((entries, tip))
}

fn broken(owner: &MemberName, why: FileError) -> TranscriptError {
    TranscriptError::Broken {
        owner: owner.clone(),
        why,
    }
}

impl TranscriptStore for NatsTranscripts {
    /// A second owner is not refused here: of two, the one that appends first goes on.
    fn open<'a>(
        &'a self,
        owner: &'a MemberName,
    ) -> BoxFuture<'a, Result<OpenTranscript, TranscriptError>> {
        Box::pin(async move {
            let read = self.read(owner).await;
            let (entries, tip) = read.map_err(|why| broken(owner, why.to_string().into()))?;
            Ok(OpenTranscript {
                log: Box::new(self.writer(owner, tip)),
                entries,
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
        Box::pin(async move {
            let read = self.read(owner).await;
            let (entries, _) = read.map_err(|why| broken(owner, why.to_string().into()))?;
            Ok(entries)
        })
    }

    fn peek_from<'a>(
        &'a self,
        owner: &'a MemberName,
        mark: ReadMark,
    ) -> BoxFuture<'a, Result<(Vec<Entry>, ReadMark), TranscriptError>> {
        Box::pin(async move {
            let failed = |why: StreamReadError| broken(owner, why.to_string().into());
            if let Some(found) = self.read_on(owner, &mark).await.map_err(failed)? {
                return Ok(found);
            }
            let (entries, tip) = self.read(owner).await.map_err(failed)?;
            Ok(mark.behind(entries, Some(tip.place())))
        })
    }
}

/// An opened transcript.
pub(crate) struct NatsTranscript {
    owner: MemberName,
    parts: Parts,
    log: Log,
    writer: Uuid,
    sent: u64,
    tip: Tip,
}

impl NatsTranscript {
    /// Appends an object as a sealed line.
    pub(crate) async fn append_object(&mut self, object: &str) -> Result<(), AppendError> {
        let line = self.tip.line(&self.log, object);
        let packed = self.parts.pack(line.clone()).await?;
        self.sent += 1;
        let append = Append {
            stream: self.parts.place.partition.log(),
            subject: self.parts.place.transcript(&self.owner),
            id: format!("{}-{}", self.writer, self.sent),
            after: AppendAfter::Last(self.tip.sequence),
            headers: packed.headers,
            body: packed.body,
        };
        let sequence = self.parts.engine.append(&append).await?;
        self.tip = self.tip.behind(line.as_bytes(), sequence);
        Ok(())
    }
}

impl Transcript for NatsTranscript {
    fn append<'a>(&'a mut self, entry: &'a Entry) -> BoxFuture<'a, Result<(), TranscriptError>> {
        Box::pin(async move {
            let object = entry::to_json(entry);
            match self.append_object(&object).await {
                Ok(()) => Ok(()),
                Err(AppendError::Conflict { .. }) => Err(TranscriptError::Owned {
                    owner: self.owner.clone(),
                    by: "on another worker".to_owned(),
                }),
                Err(error) => Err(broken(&self.owner, error.into())),
            }
        })
    }
}
