//! Takes mail out: renames the inbox to a batch, reads it, removes it when the transcript holds it.

use std::{
    io,
    path::{Path, PathBuf},
    sync::{MutexGuard, atomic::Ordering},
};

use teammate_core::{
    Message,
    lock::Hold,
    port::{Batch, BatchId, DamagedLine, DiskFile, MailError, UnverifiedLine},
};

use super::{MemberMailbox, TakenBatches};
use crate::{
    files::{
        dir::durable_dir,
        lines::FileLines,
        quarantine::{Quarantine, quarantine_part},
    },
    wire::{self, mail::MailReader},
};

impl MemberMailbox {
    /// True if there is nothing to take; needs no lock.
    pub(super) fn is_surely_empty(&self) -> bool {
        let claimed = self.claimed.hold();
        claimed.is_known && claimed.open.is_empty() && !self.has_inbox()
    }

    fn has_inbox(&self) -> bool {
        self.store.disk.exists(&self.store.dir.inbox(&self.owner))
    }

    pub(super) fn take(&self) -> Result<Vec<Batch>, MailError> {
        let mut claimed = self.known_batches()?;
        if self.has_inbox()
            && let Some(number) = self.rename_inbox(claimed.last)?
        {
            claimed.last = number;
            claimed.open.insert(number);
        }
        let mut claims = Vec::new();
        for number in claimed.open.clone() {
            let claim = self.read_batch(number, &mut claimed)?;
            if claim.messages.is_empty() && claim.damaged.is_empty() {
                self.remove_batch(number, &mut claimed)?;
            } else {
                claims.push(claim);
            }
        }
        Ok(claims)
    }

    /// The batches that are not acknowledged; read from disk the first time.
    fn known_batches(&self) -> Result<MutexGuard<'_, TakenBatches>, MailError> {
        let mut claimed = self.claimed.hold();
        if !claimed.is_known {
            let dir = self.store.dir.claimed_dir(&self.owner);
            durable_dir(&*self.store.disk, &dir).map_err(self.failed("make its directory"))?;
            claimed.open = self
                .numbers()
                .map_err(self.failed("list it"))?
                .into_iter()
                .collect();
            claimed.is_known = true;
        }
        Ok(claimed)
    }

    fn numbers(&self) -> io::Result<Vec<u64>> {
        let paths = self
            .store
            .disk
            .list(&self.store.dir.claimed_dir(&self.owner))?;
        Ok(paths.iter().filter_map(|path| number(path)).collect())
    }

    /// Renames the inbox to a batch. `None` if there is none.
    fn rename_inbox(&self, last: u64) -> Result<Option<u64>, MailError> {
        let (disk, dir) = (&*self.store.disk, &self.store.dir);
        let _held = self.lock()?;
        let there = self.numbers().map_err(self.failed("list it"))?;
        let number = unused(&there, last, self.store.clock.now().0);
        let (inbox, claim) = (dir.inbox(&self.owner), dir.claimed(&self.owner, number));
        // The next inbox is a new file: any length of it is news.
        self.left_at.store(0, Ordering::Release);
        match disk.rename(&inbox, &claim) {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(self.failed("take the mail")(error)),
        }
        // Sync both under the lock, so that no new inbox becomes durable before the old one is.
        let synced = disk
            .sync_dir(&dir.claimed_dir(&self.owner))
            .and_then(|()| disk.sync_dir(&dir.inbox_dir()));
        if let Err(error) = synced {
            // Put back, so that a sender appends to it and syncs it; if that fails too, the next take finds it.
            let _ = disk.rename(&claim, &inbox);
            return Err(self.failed("make the taking durable")(error));
        }
        Ok(Some(number))
    }

    fn read_batch(&self, number: u64, claimed: &mut TakenBatches) -> Result<Batch, MailError> {
        let (disk, dir) = (&*self.store.disk, &self.store.dir);
        let bad = dir.inbox_quarantine(&self.owner);
        let mut reading = MailReader::new(&self.owner, number.to_string(), &self.log);
        match disk.open_read(&dir.claimed(&self.owner, number)) {
            Ok(mut file) => {
                let is_new = !claimed.sifted.contains(&number);
                self.quarantine_new(&mut *file, &mut reading, is_new.then_some(&bad))
                    .map_err(self.failed("read the claimed mail"))?;
                claimed.sifted.insert(number);
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) if error.kind() == io::ErrorKind::InvalidInput => {
                return self.missing_file(number, &error);
            }
            Err(error) => return Err(self.failed("read the claimed mail")(error)),
        }
        let file = reading.file();
        let damaged = file.damaged.into_iter().map(|why| DamagedLine {
            why,
            kept_in: bad.display().to_string(),
        });
        let unsealed = file.unsealed.into_iter().map(|line| UnverifiedLine {
            pretends: line.pretends,
            claims: line.claims,
            kept_in: bad.display().to_string(),
        });
        Ok(Batch {
            id: BatchId(number),
            messages: file.messages,
            damaged: damaged.collect(),
            unsealed: unsealed.collect(),
            gaps: file.gaps,
        })
    }

    /// Reads all lines. Quarantines unverified and damaged ones, unless an earlier process did.
    fn quarantine_new(
        &self,
        file: &mut dyn DiskFile,
        reading: &mut MailReader<'_>,
        bad: Option<&PathBuf>,
    ) -> io::Result<()> {
        let disk = &*self.store.disk;
        let mut aside = bad.map(|bad| Quarantine::new(disk, bad.clone()));
        let (mut number, mut too_long) = (0, Vec::new());
        let mut lines = FileLines::from(file, 0);
        while let Some(line) = lines.next()? {
            number += 1;
            let Some(text) = line.text else {
                reading.too_long(line.end - line.at);
                too_long.push(line.at..line.end);
                continue;
            };
            let Some(text) = wire::text(text) else {
                continue;
            };
            if reading.line(number, text)
                && let Some(aside) = &mut aside
            {
                aside.keep(text)?;
            }
        }
        if let (Some(mut aside), Some(bad)) = (aside, bad) {
            aside.write()?;
            for part in too_long {
                quarantine_part(disk, bad, file, part)?;
            }
        }
        Ok(())
    }

    /// The inbox is not a regular file: moves it to quarantine.
    fn missing_file(&self, number: u64, why: &io::Error) -> Result<Batch, MailError> {
        let dir = &self.store.dir;
        let kept = dir
            .inbox_quarantine(&self.owner)
            .with_extension(number.to_string());
        self.store
            .disk
            .rename(&dir.claimed(&self.owner, number), &kept)
            .map_err(self.failed("move it aside"))?;
        Ok(Batch {
            id: BatchId(number),
            messages: Vec::new(),
            damaged: vec![DamagedLine {
                why: why.to_string(),
                kept_in: kept.display().to_string(),
            }],
            unsealed: Vec::new(),
            gaps: Vec::new(),
        })
    }

    pub(super) fn ack(&self, claim: BatchId) -> Result<(), MailError> {
        self.remove_batch(claim.0, &mut self.claimed.hold())
    }

    /// Removes a batch. Not synced: if it comes back after a crash, the transcript knows its ids.
    fn remove_batch(&self, number: u64, claimed: &mut TakenBatches) -> Result<(), MailError> {
        let path = self.store.dir.claimed(&self.owner, number);
        match self.store.disk.remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(self.failed("remove a settled batch")(error));
            }
            Ok(()) | Err(_) => {}
        }
        claimed.open.remove(&number);
        claimed.sifted.remove(&number);
        Ok(())
    }

    pub(super) fn peek(&self) -> Result<Vec<Message>, MailError> {
        let dir = &self.store.dir;
        let mut paths: Vec<(u64, PathBuf)> = self
            .numbers()
            .map_err(self.failed("list it"))?
            .into_iter()
            .map(|number| (number, dir.claimed(&self.owner, number)))
            .collect();
        paths.sort();
        paths.push((u64::MAX, dir.inbox(&self.owner)));
        let mut messages = Vec::new();
        for (number, path) in paths {
            match self.store.disk.open_read(&path) {
                Ok(mut file) => {
                    let mut reading = MailReader::new(&self.owner, number.to_string(), &self.log);
                    self.quarantine_new(&mut *file, &mut reading, None)
                        .map_err(self.failed("look into it"))?;
                    messages.extend(reading.file().messages);
                }
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(self.failed("look into it")(error)),
            }
        }
        Ok(messages)
    }
}

/// An unused number for the next batch, since ids of lines without one derive from it: after all
/// others, or, if the largest number is taken, the first free one from now on.
fn unused(there: &[u64], last: u64, now: u64) -> u64 {
    let newest = there.iter().copied().max().unwrap_or_default().max(last);
    match newest.checked_add(1) {
        Some(next) => now.max(next),
        None => (now..=u64::MAX)
            .find(|number| !there.contains(number))
            .unwrap_or(now),
    }
}

fn number(path: &Path) -> Option<u64> {
    path.file_name()?
        .to_str()?
        .strip_suffix(".jsonl")?
        .parse()
        .ok()
}
