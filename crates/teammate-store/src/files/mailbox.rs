//! Mailboxes in files. `send` sends, `take` takes batches out; this file holds what they share.

mod send;
mod take;
mod unaddressed;
mod unproven;

use std::{
    collections::{BTreeMap, BTreeSet},
    io,
    sync::{Arc, Mutex, atomic::AtomicU64},
    time::Duration,
};

pub use unaddressed::UnaddressedMail;

use teammate_core::{
    MemberName, Message,
    lock::Hold,
    port::{Batch, BatchId, BoxFuture, Clock, Disk, DiskLock, FileError, MailError, Mailbox, Seal},
};
use tokio::sync::{Notify, oneshot};

use super::{blocking, dir::TeamDir};
use crate::wire::{self, chain::Log};

/// How long a sender waits for another process that holds a mailbox.
const LOCK_WAIT: Duration = Duration::from_secs(5);

/// The mailboxes of a team, one file each.
///
/// Share one value within a process: concurrent sends to a mailbox then share one sync, and a send
/// rings the reader's doorbell. Sends of another process ring only while [`watch`](super::watch())
/// runs.
pub struct FileMailbox {
    store: Arc<MailStore>,
    boxes: Mutex<BTreeMap<MemberName, Arc<MemberMailbox>>>,
}

/// Shared by the team's mailboxes.
struct MailStore {
    disk: Arc<dyn Disk>,
    dir: TeamDir,
    clock: Arc<dyn Clock>,
    seal: Arc<dyn Seal>,
    lock_wait: Duration,
}

/// One member's mailbox, as this process knows it.
struct MemberMailbox {
    owner: MemberName,
    log: Log,
    store: Arc<MailStore>,
    queue: Mutex<Queue>,
    claimed: Mutex<TakenBatches>,
    bell: Notify,
    /// The inbox's length after this process's last write, to notice writes of other processes.
    left_at: AtomicU64,
}

/// Messages that wait for the next commit.
#[derive(Default)]
struct Queue {
    waiting: Vec<QueuedSend>,
    committing: bool,
}

/// A message that is not sealed yet, which needs the line before it, and the sender that waits.
struct QueuedSend {
    object: String,
    done: oneshot::Sender<Result<(), MailError>>,
}

/// Batches that are taken and not acknowledged.
#[derive(Default)]
struct TakenBatches {
    /// True once the batches of an earlier process were read from disk.
    is_known: bool,
    open: BTreeSet<u64>,
    /// The last batch number that this process used.
    last: u64,
    /// Batches whose damaged lines this process has quarantined.
    sifted: BTreeSet<u64>,
}

impl FileMailbox {
    /// The mailboxes in `dir`, which [`TeamDir::create`] has made. Lines without a valid `seal` are
    /// unverified.
    pub fn new(
        disk: Arc<dyn Disk>,
        dir: TeamDir,
        clock: Arc<dyn Clock>,
        seal: Arc<dyn Seal>,
    ) -> Self {
        Self::of_store(MailStore {
            disk,
            dir,
            clock,
            seal,
            lock_wait: LOCK_WAIT,
        })
    }

    /// Replaces the deadline for locks, 5 s.
    #[must_use]
    pub fn with_lock_wait(self, lock_wait: Duration) -> Self {
        Self::of_store(MailStore {
            disk: self.store.disk.clone(),
            dir: self.store.dir.clone(),
            clock: self.store.clock.clone(),
            seal: self.store.seal.clone(),
            lock_wait,
        })
    }

    fn of_store(store: MailStore) -> Self {
        Self {
            store: Arc::new(store),
            boxes: Mutex::default(),
        }
    }

    fn mailbox_of(&self, owner: &MemberName) -> Arc<MemberMailbox> {
        let mut boxes = self.boxes.hold();
        if let Some(found) = boxes.get(owner) {
            return found.clone();
        }
        let made = Arc::new(MemberMailbox {
            owner: owner.clone(),
            log: Log::inbox(self.store.seal.clone(), owner),
            store: self.store.clone(),
            queue: Mutex::default(),
            claimed: Mutex::default(),
            bell: Notify::new(),
            left_at: AtomicU64::new(0),
        });
        boxes.insert(owner.clone(), made.clone());
        made
    }

    /// Rings the doorbell of a mailbox in use if its length is not what this process left.
    pub(super) fn on_file_changed(&self, owner: &str, len: u64) {
        let known = self.boxes.hold().get(owner).cloned();
        if let Some(member) = known
            && member.left_at.load(std::sync::atomic::Ordering::Acquire) != len
        {
            member.bell.notify_one();
        }
    }

    pub(super) fn dir(&self) -> &TeamDir {
        &self.store.dir
    }
}

impl MemberMailbox {
    fn lock(&self) -> Result<Box<dyn DiskLock>, MailError> {
        let path = self.store.dir.inbox_lock(&self.owner);
        self.store
            .disk
            .lock(&path, self.store.lock_wait)
            .map_err(|error| match error.kind() {
                io::ErrorKind::WouldBlock => MailError::Locked {
                    owner: self.owner.clone(),
                },
                _ => self.failed("take its lock")(error),
            })
    }

    fn failed(&self, step: &str) -> impl Fn(io::Error) -> MailError {
        move |error| MailError::Broken {
            owner: self.owner.clone(),
            why: super::failed_to(step)(error),
        }
    }
}

impl Mailbox for FileMailbox {
    fn send(&self, message: Message) -> BoxFuture<'_, Result<(), MailError>> {
        Box::pin(async move {
            let object = wire::mail::object_within_limits(&message)?;
            send::enqueue(&self.mailbox_of(&message.to), object)
                .await
                .unwrap_or_else(|_| {
                    Err(MailError::Unknown {
                        to: message.to,
                        why: "the process is ending".into(),
                    })
                })
        })
    }

    fn take<'a>(&'a self, owner: &'a MemberName) -> BoxFuture<'a, Result<Vec<Batch>, MailError>> {
        Box::pin(async move {
            let member = self.mailbox_of(owner);
            // The inbox is usually empty: check that without starting a thread.
            if member.is_surely_empty() {
                return Ok(Vec::new());
            }
            ended(owner, blocking(move || member.take()).await)
        })
    }

    fn ack<'a>(
        &'a self,
        owner: &'a MemberName,
        claim: BatchId,
    ) -> BoxFuture<'a, Result<(), MailError>> {
        Box::pin(async move {
            let member = self.mailbox_of(owner);
            ended(owner, blocking(move || member.ack(claim)).await)
        })
    }

    fn peek<'a>(&'a self, owner: &'a MemberName) -> BoxFuture<'a, Result<Vec<Message>, MailError>> {
        Box::pin(async move {
            let member = self.mailbox_of(owner);
            ended(owner, blocking(move || member.peek()).await)
        })
    }

    fn rang<'a>(&'a self, owner: &'a MemberName) -> BoxFuture<'a, ()> {
        Box::pin(async move { self.mailbox_of(owner).bell.notified().await })
    }
}

fn ended<T>(
    owner: &MemberName,
    result: Result<Result<T, MailError>, FileError>,
) -> Result<T, MailError> {
    result.unwrap_or_else(|why| {
        Err(MailError::Broken {
            owner: owner.clone(),
            why,
        })
    })
}
