//! Mailboxes in files. Sending is in `send`, taking out in `claim`; here is what they share.

mod claim;
mod nobodys;
mod send;
mod unproven;

use std::{
    collections::{BTreeMap, BTreeSet},
    io,
    sync::{Arc, Mutex, atomic::AtomicU64},
    time::Duration,
};

pub use nobodys::NobodysMail;

use teammate_core::{
    MemberName, Message,
    mail::CONTENT_BYTES_MAX,
    port::{BoxFuture, Claim, ClaimId, Clock, Disk, DiskLock, FileError, MailError, Mailbox, Seal},
};
use tokio::sync::{Notify, oneshot};

use super::{blocking, dir::TeamDir};
use crate::{
    locked,
    wire::{self, chain::Log},
};

/// How long a sender waits for another process that holds a mailbox.
const LOCK_WAIT: Duration = Duration::from_secs(5);

/// The mailboxes of a team, one file each.
///
/// Share one value within a process: sends to one mailbox at the same time then share one sync, and senders ring the
/// reader's doorbell. Sends of another process ring only while [`watch`](super::watch()) runs.
pub struct FileMailbox {
    store: Arc<Store>,
    boxes: Mutex<BTreeMap<MemberName, Arc<MemberBox>>>,
}

/// What every mailbox of the team needs.
struct Store {
    disk: Arc<dyn Disk>,
    dir: TeamDir,
    clock: Arc<dyn Clock>,
    seal: Arc<dyn Seal>,
    lock_wait: Duration,
}

/// One member's mailbox, as this process knows it.
struct MemberBox {
    owner: MemberName,
    log: Log,
    store: Arc<Store>,
    queue: Mutex<Queue>,
    claimed: Mutex<Claimed>,
    bell: Notify,
    /// How long this process left the inbox, to tell its own writes from others'.
    left_at: AtomicU64,
}

/// Messages that wait for the next commit.
#[derive(Default)]
struct Queue {
    waiting: Vec<Waiting>,
    committing: bool,
}

/// A message, not yet sealed: that needs the line before it. And who waits for it.
struct Waiting {
    object: String,
    done: oneshot::Sender<Result<(), MailError>>,
}

/// Batches that are taken and not settled.
#[derive(Default)]
struct Claimed {
    /// Whether the disk was asked what an earlier process left.
    is_known: bool,
    open: BTreeSet<u64>,
    /// The last number this process gave.
    last: u64,
    /// Those whose damaged lines this process has kept aside.
    sifted: BTreeSet<u64>,
}

impl FileMailbox {
    /// The mailboxes in `dir`, which [`TeamDir::create`] has made. `seal` tells the program's own lines from others'.
    pub fn new(
        disk: Arc<dyn Disk>,
        dir: TeamDir,
        clock: Arc<dyn Clock>,
        seal: Arc<dyn Seal>,
    ) -> Self {
        Self::of_store(Store {
            disk,
            dir,
            clock,
            seal,
            lock_wait: LOCK_WAIT,
        })
    }

    /// The same with another deadline for locks than 5 s.
    #[must_use]
    pub fn with_lock_wait(self, lock_wait: Duration) -> Self {
        Self::of_store(Store {
            disk: self.store.disk.clone(),
            dir: self.store.dir.clone(),
            clock: self.store.clock.clone(),
            seal: self.store.seal.clone(),
            lock_wait,
        })
    }

    fn of_store(store: Store) -> Self {
        Self {
            store: Arc::new(store),
            boxes: Mutex::default(),
        }
    }

    fn of(&self, owner: &MemberName) -> Arc<MemberBox> {
        let mut boxes = locked(&self.boxes);
        if let Some(found) = boxes.get(owner) {
            return found.clone();
        }
        let made = Arc::new(MemberBox {
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

    /// Rings for mail that another process may have sent, if a member of this process has that mailbox.
    pub(super) fn changed_outside(&self, owner: &str, len: u64) {
        let known = locked(&self.boxes).get(owner).cloned();
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

impl MemberBox {
    fn lock(&self) -> Result<Box<dyn DiskLock>, MailError> {
        let path = self.store.dir.inbox_lock(&self.owner);
        self.store
            .disk
            .lock(&path, self.store.lock_wait)
            .map_err(|error| match error.kind() {
                io::ErrorKind::WouldBlock => MailError::Locked {
                    owner: self.owner.clone(),
                },
                _ => self.broken("take its lock")(error),
            })
    }

    fn broken(&self, step: &str) -> impl Fn(io::Error) -> MailError {
        move |error| MailError::Broken {
            owner: self.owner.clone(),
            why: super::cannot(step)(error),
        }
    }
}

impl Mailbox for FileMailbox {
    fn send(&self, message: Message) -> BoxFuture<'_, Result<(), MailError>> {
        Box::pin(async move {
            let object = checked_object(&message)?;
            send::queue(&self.of(&message.to), object)
                .await
                .unwrap_or_else(|_| {
                    Err(MailError::Unknown {
                        to: message.to,
                        why: "the process is ending".into(),
                    })
                })
        })
    }

    fn claim<'a>(&'a self, owner: &'a MemberName) -> BoxFuture<'a, Result<Vec<Claim>, MailError>> {
        Box::pin(async move {
            let member = self.of(owner);
            // The common case by far is that there is nothing: one look at the disk, and no thread is bothered.
            if member.is_surely_empty() {
                return Ok(Vec::new());
            }
            ended(owner, blocking(move || member.claim()).await)
        })
    }

    fn settle<'a>(
        &'a self,
        owner: &'a MemberName,
        claim: ClaimId,
    ) -> BoxFuture<'a, Result<(), MailError>> {
        Box::pin(async move {
            let member = self.of(owner);
            ended(owner, blocking(move || member.settle(claim)).await)
        })
    }

    fn peek<'a>(&'a self, owner: &'a MemberName) -> BoxFuture<'a, Result<Vec<Message>, MailError>> {
        Box::pin(async move {
            let member = self.of(owner);
            ended(owner, blocking(move || member.peek()).await)
        })
    }

    fn rang<'a>(&'a self, owner: &'a MemberName) -> BoxFuture<'a, ()> {
        Box::pin(async move { self.of(owner).bell.notified().await })
    }
}

fn checked_object(message: &Message) -> Result<String, MailError> {
    let too_large = |bytes, max| Err(MailError::TooLarge { bytes, max });
    if message.content.len() > CONTENT_BYTES_MAX {
        return too_large(message.content.len(), CONTENT_BYTES_MAX);
    }
    let object = wire::mail::object(message);
    let bytes = wire::mail::line_bytes(&object);
    if bytes > wire::mail::LINE_BYTES_MAX {
        return too_large(bytes, wire::mail::LINE_BYTES_MAX);
    }
    Ok(object)
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
