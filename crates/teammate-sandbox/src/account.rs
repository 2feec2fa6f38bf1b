//! The account of the commands of one member together. Nobody adds it up for them: each running command has a record in a
//! file in memory, its first process writes it and reads those of the others when it looks after its own limits.
//!
//! ```text
//! record 0      what ended commands used
//! record 1..    one running command each
//! ```

use std::{
    fs::File,
    io::{self, Read as _},
    mem,
    os::{
        fd::{AsFd, BorrowedFd, OwnedFd},
        unix::{fs::FileExt as _, net::UnixStream},
    },
    sync::{Arc, Mutex},
};

use rustix::fs::{MemfdFlags, memfd_create};
use teammate_core::lock::Hold;

use crate::{
    failure::{Failure, Step as _},
    limits::{MemberLimits, Used},
};

const RECORD_BYTES: usize = mem::size_of::<u64>() * Used::COUNT;
/// The record of what ended.
const ENDED: u32 = 0;

/// The records, which the host and the first process of each command hold open.
#[derive(Debug)]
pub(crate) struct Records(File);

/// The host's end of one member's records.
#[derive(Debug)]
pub(crate) struct Account {
    records: Records,
    shares: Mutex<Shares>,
}

#[derive(Debug)]
struct Shares {
    /// The lowest number that no command had yet.
    next: u32,
    free: Vec<u32>,
    /// Commands that are being killed.
    ending: Vec<(u32, UnixStream)>,
}

/// The record of one command. Dropped, it is added to what ended.
#[derive(Debug)]
pub(crate) struct Share {
    account: Arc<Account>,
    number: u32,
    leash: Option<UnixStream>,
}

impl Records {
    pub(crate) fn read(&self) -> io::Result<Vec<Used>> {
        let mut bytes = Vec::new();
        let length = self.0.metadata()?.len();
        bytes.resize(usize::try_from(length).unwrap_or_default(), 0);
        self.0.read_exact_at(&mut bytes, 0)?;
        let (records, _) = bytes.as_chunks::<RECORD_BYTES>();
        Ok(records.iter().map(used_of).collect())
    }

    pub(crate) fn write(&self, number: u32, used: Used) -> io::Result<()> {
        let bytes: Vec<u8> = used
            .numbers()
            .into_iter()
            .flat_map(u64::to_ne_bytes)
            .collect();
        let at = u64::from(number) * RECORD_BYTES as u64;
        self.0.write_all_at(&bytes, at)
    }
}

impl From<OwnedFd> for Records {
    fn from(file: OwnedFd) -> Self {
        Self(file.into())
    }
}

fn used_of(record: &[u8; RECORD_BYTES]) -> Used {
    let (numbers, _) = record.as_chunks();
    let mut all = [0; Used::COUNT];
    for (number, bytes) in all.iter_mut().zip(numbers) {
        *number = u64::from_ne_bytes(*bytes);
    }
    Used::of(all)
}

impl Account {
    pub(crate) fn new() -> Result<Self, Failure> {
        let step = || "count what commands use".to_owned();
        let file = memfd_create("account", MemfdFlags::CLOEXEC).step(step)?;
        let records = Records::from(file);
        records.write(ENDED, Used::default()).step(step)?;
        Ok(Self {
            records,
            shares: Mutex::new(Shares {
                next: ENDED + 1,
                free: Vec::new(),
                ending: Vec::new(),
            }),
        })
    }

    /// A record for one more command.
    ///
    /// # Errors
    ///
    /// The member has used up what its commands may use in sum.
    pub(crate) fn share(self: &Arc<Self>, limits: &MemberLimits) -> Result<Share, Failure> {
        let step = || "count what commands use".to_owned();
        let mut shares = self.shares.hold();
        let ended = shares.ending.extract_if(.., |(_, leash)| has_ended(leash));
        for (number, _) in ended.collect::<Vec<_>>() {
            self.end(&mut shares, number);
        }
        let used = self.records.read().step(step)?.into_iter().sum::<Used>();
        if let Some(limit) = limits.used_up(&used) {
            return Err(Failure::new(
                "start one more",
                format!(
                    "{limit}. Until the team is opened again none of its commands runs; a higher limit is set in \
                 [sandbox.limits.member]"
                ),
            ));
        }
        let number = shares.free.pop().unwrap_or(shares.next);
        shares.next = shares.next.max(number + 1);
        // It counts, and its place is there for all who read.
        self.records.write(number, Used::default()).step(step)?;
        Ok(Share {
            account: self.clone(),
            number,
            leash: None,
        })
    }

    /// Adds a record to what ended. For a moment it counts in neither: to count twice could end another command.
    fn end(&self, shares: &mut Shares, number: u32) {
        let moved = self.records.read().and_then(|records| {
            let used = |number: u32| records.get(number as usize).copied().unwrap_or_default();
            self.records.write(number, Used::default())?;
            self.records
                .write(ENDED, used(ENDED) + used(number).lasting())
        });
        // Memory that the kernel takes back from nobody: it cannot fail but for a bug.
        if moved.is_ok() {
            shares.free.push(number);
        }
    }
}

impl Share {
    pub(crate) fn number(&self) -> u32 {
        self.number
    }

    /// Its command is being killed: it counts until the other end of this leash closes.
    pub(crate) fn end_with(mut self, leash: Option<UnixStream>) {
        self.leash = leash;
    }
}

impl AsFd for Share {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.account.records.0.as_fd()
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        let mut shares = self.account.shares.hold();
        match self.leash.take() {
            Some(leash) => shares.ending.push((self.number, leash)),
            None => self.account.end(&mut shares, self.number),
        }
    }
}

/// Whether the other end, which says nothing any more that somebody reads, is closed.
fn has_ended(mut leash: &UnixStream) -> bool {
    let mut bytes = [0; 256];
    loop {
        match leash.read(&mut bytes) {
            Ok(0) => return true,
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return error.kind() != io::ErrorKind::WouldBlock,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use super::*;

    const LIMITS: MemberLimits = MemberLimits {
        memory_bytes: None,
        processes: None,
        cpu_seconds: Some(3),
        disk_bytes: None,
        wall_seconds: None,
    };

    fn used(memory_bytes: u64, cpu_millis: u64) -> Used {
        Used {
            memory_bytes,
            cpu_millis,
            ..Used::default()
        }
    }

    #[test]
    fn what_commands_used_lasts_but_for_memory_and_processes() {
        let account = Arc::new(Account::new().unwrap());
        let first = account.share(&LIMITS).unwrap();
        let second = account.share(&LIMITS).unwrap();
        assert_ne!(first.number(), second.number());
        account
            .records
            .write(first.number(), used(70, 1_500))
            .unwrap();
        account
            .records
            .write(second.number(), used(8, 500))
            .unwrap();
        drop(first);
        assert_eq!(
            account.records.read().unwrap(),
            [used(0, 1_500), used(0, 0), used(8, 500)]
        );
        let third = account.share(&LIMITS).unwrap();
        account
            .records
            .write(third.number(), used(1, 1_000))
            .unwrap();
        let why = account.share(&LIMITS).unwrap_err().to_string();
        assert!(
            why.contains("processor time") && why.contains("[sandbox.limits.member]"),
            "{why}"
        );
    }

    #[test]
    fn a_command_that_is_being_killed_counts_until_it_is_gone() {
        let account = Arc::new(Account::new().unwrap());
        let (leash, theirs) = UnixStream::pair().unwrap();
        leash.set_nonblocking(true).unwrap();
        let mut watched = leash.try_clone().unwrap();
        let share = account.share(&LIMITS).unwrap();
        let number = share.number();
        account.records.write(number, used(70, 1_000)).unwrap();
        share.end_with(Some(leash));
        let other = account.share(&LIMITS).unwrap();
        assert_ne!(other.number(), number);
        assert_eq!(
            account.records.read().unwrap()[number as usize],
            used(70, 1_000)
        );
        drop(theirs);
        // A process that another test forks just now has the other end, too, until it runs its program.
        while !matches!(watched.read(&mut [0]), Ok(0)) {
            std::thread::yield_now();
        }
        let again = account.share(&LIMITS).unwrap();
        assert_eq!(again.number(), number);
        assert_eq!(account.records.read().unwrap()[0], used(0, 1_000));
    }
}
