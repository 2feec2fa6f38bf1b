//! Sending: all that wait for the same mailbox share one lock, one write and one sync.
//!
//! A send that finds no commit under way starts one, which writes until the queue is empty. It does
//! not depend on the future that started it, so a dropped send neither loses nor blocks the others.

use std::{
    io, mem,
    sync::{Arc, atomic::Ordering},
};

use teammate_core::{
    lock::Hold,
    mail::INBOX_BYTES_MAX,
    port::{DiskFile, MailError},
};
use tokio::sync::oneshot;

use super::{MemberMailbox, QueuedSend};
use crate::{
    files::{failed_to, lines::last},
    wire::{chain::LineDigest, mail::line_bytes},
};

type SendResult = Result<(), MailError>;

/// Queues a message; the receiver resolves after the sync that covers it.
pub(super) fn enqueue(
    member: &Arc<MemberMailbox>,
    object: String,
) -> oneshot::Receiver<SendResult> {
    let (done, answer) = oneshot::channel();
    let mut queue = member.queue.hold();
    queue.waiting.push(QueuedSend { object, done });
    if !mem::replace(&mut queue.committing, true) {
        let committer = GroupCommit {
            member: member.clone(),
            is_done: false,
        };
        tokio::task::spawn_blocking(move || committer.run());
    }
    answer
}

/// Writes queued messages. Dropped early (shutdown of the runtime, a panic), it fails the waiting
/// sends.
struct GroupCommit {
    member: Arc<MemberMailbox>,
    is_done: bool,
}

impl GroupCommit {
    fn run(mut self) {
        while let Some(batch) = self.next_batch() {
            self.member.commit(batch);
        }
        self.is_done = true;
    }

    /// Takes all queued messages. `None` ends the commit, under the lock that found the queue empty.
    fn next_batch(&self) -> Option<Vec<QueuedSend>> {
        let mut queue = self.member.queue.hold();
        queue.committing = !queue.waiting.is_empty();
        queue.committing.then(|| mem::take(&mut queue.waiting))
    }
}

impl Drop for GroupCommit {
    fn drop(&mut self) {
        if !self.is_done {
            let mut queue = self.member.queue.hold();
            queue.committing = false;
            queue.waiting.clear();
        }
    }
}

impl MemberMailbox {
    fn commit(&self, batch: Vec<QueuedSend>) {
        let mut fitting = Vec::with_capacity(batch.len());
        let answer = self.append(batch, &mut fitting);
        // Even after an error something may be there to be read.
        self.bell.notify_one();
        for done in fitting {
            // The receiver is gone if the send was dropped.
            let _ = done.send(answer.clone());
        }
    }

    /// Writes the messages that fit and syncs them. Answers the others; puts those written into
    /// `fitting`.
    fn append(
        &self,
        batch: Vec<QueuedSend>,
        fitting: &mut Vec<oneshot::Sender<SendResult>>,
    ) -> Result<(), MailError> {
        let (disk, dir) = (&*self.store.disk, &self.store.dir);
        let held = match self.lock() {
            Ok(held) => held,
            Err(error) => return fail(batch, fitting, error),
        };
        // Opened only now: before, it could be a file that was renamed away meanwhile.
        let opened = disk
            .open_append(&dir.inbox(&self.owner))
            .and_then(|file| Ok((file.len()?, file)));
        let (start, mut file) = match opened {
            Ok(opened) => opened,
            Err(error) => return fail(batch, fitting, self.failed("open it")(error)),
        };
        let (mut bytes, mut prev) = match self.inbox_head(start, &mut *file) {
            Ok(beginning) => beginning,
            Err(error) => return fail(batch, fitting, self.failed("prepare it")(error)),
        };
        for QueuedSend { object, done } in batch {
            let full = start + bytes.len() as u64;
            if full + line_bytes(&object) as u64 > INBOX_BYTES_MAX {
                let to = self.owner.clone();
                let _ = done.send(Err(MailError::Full { to, bytes: full }));
            } else {
                let line = self.log.line(&object, prev);
                prev = LineDigest::of(line.as_bytes());
                bytes.extend(line.into_bytes());
                bytes.push(b'\n');
                fitting.push(done);
            }
        }
        if fitting.is_empty() {
            return Ok(());
        }
        if let Err(error) = file.append(&bytes) {
            return Err(match file.truncate(start) {
                Ok(()) => self.failed("write")(error),
                Err(_) => self.outcome_unknown(error),
            });
        }
        let left_at = start + bytes.len() as u64;
        self.left_at.store(left_at, Ordering::Release);
        if let Err(error) = file.sync() {
            // Not tried again: the kernel may have dropped the bytes and would then say that all is well.
            // Truncated, so that later lines do not follow bytes that only seem to be there.
            let _ = file.truncate(start);
            return Err(self.outcome_unknown(error));
        }
        drop(held);
        Ok(())
    }

    /// Prepares an append at `start`: the file's name is durable and the new line starts on its own line.
    /// Returns the bytes to write first, and the digest of the last line.
    fn inbox_head(&self, start: u64, file: &mut dyn DiskFile) -> io::Result<(Vec<u8>, LineDigest)> {
        let (disk, dir) = (&*self.store.disk, &self.store.dir);
        if start >= INBOX_BYTES_MAX {
            // Nothing fits, so the digest does not matter.
            return Ok((Vec::new(), LineDigest::NONE));
        }
        if start > 0 {
            let mut end = [0];
            file.read_at(start - 1, &mut end)?;
            let bytes = if end == *b"\n" { "" } else { "\n" };
            let prev = last(file)?.map_or(LineDigest::NONE, |line| LineDigest::of(&line));
            return Ok((bytes.into(), prev));
        }
        // A reader may have died between renaming the last inbox and syncing that. The new inbox must not
        // survive a power cut that the old batch does not.
        let claimed = dir.claimed_dir(&self.owner);
        if !disk.list(&claimed)?.is_empty() {
            disk.sync_dir(&claimed)?;
        }
        disk.sync_dir(&dir.inbox_dir())?;
        Ok((Vec::new(), LineDigest::NONE))
    }

    fn outcome_unknown(&self, error: io::Error) -> MailError {
        MailError::Unknown {
            to: self.owner.clone(),
            why: failed_to("sync it")(error),
        }
    }
}

/// Fails the whole batch; nothing was written.
fn fail(
    batch: Vec<QueuedSend>,
    fitting: &mut Vec<oneshot::Sender<SendResult>>,
    why: MailError,
) -> SendResult {
    fitting.extend(batch.into_iter().map(|waiting| waiting.done));
    Err(why)
}
