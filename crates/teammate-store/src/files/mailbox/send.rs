//! Sending: all that wait for the same mailbox share one lock, one write and one sync.
//!
//! Whoever finds nobody committing starts a committer; it writes what is queued until the queue is empty. It does not
//! depend on the future that started it, so a send that is given up neither loses nor blocks the others.

use std::{
    io, mem,
    sync::{Arc, atomic::Ordering},
};

use teammate_core::{
    mail::INBOX_BYTES_MAX,
    port::{DiskFile, MailError},
};
use tokio::sync::oneshot;

use super::{MemberBox, Waiting};
use crate::{
    files::{cannot, lines::last},
    locked,
    wire::{chain::Digest, mail::line_bytes},
};

type Answer = Result<(), MailError>;

/// Queues a message; the receiver is answered after the sync that covers it.
pub(super) fn queue(member: &Arc<MemberBox>, object: String) -> oneshot::Receiver<Answer> {
    let (done, answer) = oneshot::channel();
    let mut queue = locked(&member.queue);
    queue.waiting.push(Waiting { object, done });
    if !mem::replace(&mut queue.committing, true) {
        let committer = Committer {
            member: member.clone(),
            is_done: false,
        };
        tokio::task::spawn_blocking(move || committer.run());
    }
    answer
}

/// The one who commits. If it goes before its work is done (the runtime ends, a panic), nobody goes on waiting for it.
struct Committer {
    member: Arc<MemberBox>,
    is_done: bool,
}

impl Committer {
    fn run(mut self) {
        while let Some(batch) = self.next() {
            self.member.commit(batch);
        }
        self.is_done = true;
    }

    /// What is queued; `None` gives the place free, under the same lock that found the queue empty.
    fn next(&self) -> Option<Vec<Waiting>> {
        let mut queue = locked(&self.member.queue);
        queue.committing = !queue.waiting.is_empty();
        queue.committing.then(|| mem::take(&mut queue.waiting))
    }
}

impl Drop for Committer {
    fn drop(&mut self) {
        if !self.is_done {
            let mut queue = locked(&self.member.queue);
            queue.committing = false;
            queue.waiting.clear();
        }
    }
}

impl MemberBox {
    fn commit(&self, batch: Vec<Waiting>) {
        let mut fitting = Vec::with_capacity(batch.len());
        let answer = self.append(batch, &mut fitting);
        // Whatever came of it, something may be there to be read.
        self.bell.notify_one();
        for done in fitting {
            // Who gave up waiting is not told.
            let _ = done.send(answer.clone());
        }
    }

    /// Writes what fits and makes it durable. Who did not fit is answered here, who did is put into `fitting`.
    fn append(
        &self,
        batch: Vec<Waiting>,
        fitting: &mut Vec<oneshot::Sender<Answer>>,
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
            Err(error) => return fail(batch, fitting, self.broken("open it")(error)),
        };
        let (mut bytes, mut prev) = match self.beginning(start, &mut *file) {
            Ok(beginning) => beginning,
            Err(error) => return fail(batch, fitting, self.broken("prepare it")(error)),
        };
        for Waiting { object, done } in batch {
            let full = start + bytes.len() as u64;
            if full + line_bytes(&object) as u64 > INBOX_BYTES_MAX {
                let to = self.owner.clone();
                let _ = done.send(Err(MailError::Full { to, bytes: full }));
            } else {
                let line = self.log.line(&object, prev);
                prev = Digest::of(line.as_bytes());
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
                Ok(()) => self.broken("write")(error),
                Err(_) => self.unknown(error),
            });
        }
        let left_at = start + bytes.len() as u64;
        self.left_at.store(left_at, Ordering::Release);
        if let Err(error) = file.sync() {
            // Not tried again: the kernel may have dropped the bytes and would then say that all is well. Taken back,
            // so that what comes next does not stand behind bytes that only seem to be there.
            let _ = file.truncate(start);
            return Err(self.unknown(error));
        }
        drop(held);
        Ok(())
    }

    /// Makes sure that what is appended at `start` is found after a power cut and stands on a line of its own. Returns what
    /// comes before it there, and the digest of the last line.
    fn beginning(&self, start: u64, file: &mut dyn DiskFile) -> io::Result<(Vec<u8>, Digest)> {
        let (disk, dir) = (&*self.store.disk, &self.store.dir);
        if start >= INBOX_BYTES_MAX {
            // Nothing fits: it does not matter what it follows.
            return Ok((Vec::new(), Digest::NONE));
        }
        if start > 0 {
            let mut end = [0];
            file.read_at(start - 1, &mut end)?;
            let bytes = if end == *b"\n" { "" } else { "\n" };
            let prev = last(file)?.map_or(Digest::NONE, |line| Digest::of(&line));
            return Ok((bytes.into(), prev));
        }
        // A reader may have died between taking the last inbox away and making that durable. The new name must not
        // outlive a power cut that the old batch does not.
        let claimed = dir.claimed_dir(&self.owner);
        if !disk.list(&claimed)?.is_empty() {
            disk.sync_dir(&claimed)?;
        }
        disk.sync_dir(&dir.inbox_dir())?;
        Ok((Vec::new(), Digest::NONE))
    }

    fn unknown(&self, error: io::Error) -> MailError {
        MailError::Unknown {
            to: self.owner.clone(),
            why: cannot("sync it")(error),
        }
    }
}

/// All of the batch failed before anything was written.
fn fail(batch: Vec<Waiting>, fitting: &mut Vec<oneshot::Sender<Answer>>, why: MailError) -> Answer {
    fitting.extend(batch.into_iter().map(|waiting| waiting.done));
    Err(why)
}
