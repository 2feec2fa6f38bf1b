//! Reads what lies in a mailbox. What nothing proves is heard as unverified, as in files.

use bytes::Bytes;
use teammate_core::{
    MemberName, Message,
    port::{Batch, BatchId, DamagedLine, MailError, UnverifiedLine},
};
use teammate_wire::{
    chain::Log,
    mail::{self, MailFile},
};

use super::{NatsMail, unread};
use crate::read::{MessageSpan, StreamReadError};

/// A message of a mailbox, read.
pub(super) struct StoredMail {
    pub(super) sequence: u64,
    pub(super) line: Bytes,
}

impl NatsMail {
    /// All letters behind `settled`, and the last message's sequence.
    pub(super) async fn letters(
        &self,
        owner: &MemberName,
        settled: u64,
    ) -> Result<(Vec<StoredMail>, u64), MailError> {
        let read = self.letters_checked(owner, settled).await;
        read.map_err(|error| unread(owner, &error))
    }

    async fn letters_checked(
        &self,
        owner: &MemberName,
        settled: u64,
    ) -> Result<(Vec<StoredMail>, u64), StreamReadError> {
        let engine = &self.parts.engine;
        let subject = self.parts.place.mail(owner);
        let last = engine.last(&subject).await?;
        let span = MessageSpan {
            stream: self.parts.place.partition.mail(),
            subject,
            from: settled + 1,
            through: last,
        };
        let messages = engine.read(span).await?;
        let mut letters = Vec::new();
        for message in messages {
            let line = self.parts.unpack(&message).await?;
            let sequence = message.sequence;
            letters.push(StoredMail { sequence, line });
        }
        Ok((letters, last))
    }

    /// The mail that waits for a member, and the last message's sequence. Takes nothing.
    pub(crate) async fn unread(
        &self,
        owner: &MemberName,
    ) -> Result<(Vec<Message>, u64), MailError> {
        let settled = self.mark(owner).await?;
        let (letters, last) = self.letters(owner, settled).await?;
        let batch = self.batch(owner, &letters).await?;
        Ok((batch.messages, last))
    }

    /// The letters as one batch. What is damaged or unproven is kept as parts.
    pub(super) async fn batch(
        &self,
        owner: &MemberName,
        letters: &[StoredMail],
    ) -> Result<Batch, MailError> {
        let log = Log::inbox(self.seal.clone(), owner);
        let mut batch = Batch {
            id: BatchId(letters.last().map_or(0, |letter| letter.sequence)),
            messages: Vec::new(),
            damaged: Vec::new(),
            unsealed: Vec::new(),
            gaps: Vec::new(),
        };
        for letter in letters {
            // Senders on many machines have no line before theirs: each line begins a chain.
            let origin = format!("{}", letter.sequence);
            let read = || mail::read_all(&letter.line, owner, &origin, &log);
            let mut file = read();
            if !file.unsealed.is_empty() {
                // Who held its sender may stand in records that were not read yet.
                let caught_up = self.journal.catch_up().await;
                caught_up.map_err(|error| super::broken(owner, error.to_string().into()))?;
                file = read();
            }
            let kept_in = match file.damaged.is_empty() && file.unsealed.is_empty() {
                true => String::new(),
                false => self.kept(owner, &letter.line).await?,
            };
            add(&mut batch, file, &kept_in);
        }
        Ok(batch)
    }

    /// Keeps a line that does not count; returns where.
    async fn kept(&self, owner: &MemberName, line: &Bytes) -> Result<String, MailError> {
        let stored = self.parts.store(line).await;
        let names = stored.map_err(|error| super::broken(owner, error.into()))?;
        let first = names.first().map_or("", String::as_str);
        Ok(self.parts.place.part(first))
    }
}

fn add(batch: &mut Batch, file: MailFile, kept_in: &str) {
    // A message that was sent again under the same id is heard once.
    for message in file.messages {
        if batch.messages.iter().all(|there| there.id != message.id) {
            batch.messages.push(message);
        }
    }
    batch
        .damaged
        .extend(file.damaged.into_iter().map(|why| DamagedLine {
            why,
            kept_in: kept_in.to_owned(),
        }));
    batch
        .unsealed
        .extend(file.unsealed.into_iter().map(|line| UnverifiedLine {
            pretends: line.pretends,
            claims: line.claims,
            kept_in: kept_in.to_owned(),
        }));
    batch.gaps.extend(file.gaps);
}
