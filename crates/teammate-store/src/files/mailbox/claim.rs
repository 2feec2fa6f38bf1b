//! Taking mail out: rename the inbox away, read it, and forget it when the transcript holds it.

use std::{
    io,
    path::{Path, PathBuf},
    sync::{MutexGuard, atomic::Ordering},
};

use teammate_core::{
    Message,
    port::{Claim, ClaimId, DamagedLine, MailError, UnsealedLine},
};

use super::{Claimed, MemberBox};
use crate::{
    files::dir::{durable_dir, keep_aside},
    locked,
    wire::mail,
};

impl MemberBox {
    /// Whether a look at the disk is enough to know that a claim would give nothing.
    pub(super) fn is_surely_empty(&self) -> bool {
        let claimed = locked(&self.claimed);
        claimed.is_known && claimed.open.is_empty() && !self.has_inbox()
    }

    fn has_inbox(&self) -> bool {
        self.store.disk.exists(&self.store.dir.inbox(&self.owner))
    }

    pub(super) fn claim(&self) -> Result<Vec<Claim>, MailError> {
        let mut claimed = self.known_claims()?;
        if self.has_inbox()
            && let Some(number) = self.take_inbox(claimed.last)?
        {
            claimed.last = number;
            claimed.open.insert(number);
        }
        let mut claims = Vec::new();
        for number in claimed.open.clone() {
            let claim = self.read_claim(number, &mut claimed)?;
            if claim.messages.is_empty() && claim.damaged.is_empty() {
                self.forget(number, &mut claimed)?;
            } else {
                claims.push(claim);
            }
        }
        Ok(claims)
    }

    /// What is claimed and not settled; the first time in this process, the disk is asked.
    fn known_claims(&self) -> Result<MutexGuard<'_, Claimed>, MailError> {
        let mut claimed = locked(&self.claimed);
        if !claimed.is_known {
            let dir = self.store.dir.claimed_dir(&self.owner);
            durable_dir(&*self.store.disk, &dir).map_err(self.broken("make its directory"))?;
            claimed.open = self
                .numbers()
                .map_err(self.broken("list it"))?
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

    /// Renames the inbox into the claims. `None` if it is gone by now.
    fn take_inbox(&self, last: u64) -> Result<Option<u64>, MailError> {
        let (disk, dir) = (&*self.store.disk, &self.store.dir);
        let _held = self.lock()?;
        // Never used before: ids of lines without one follow from it.
        let there = self.numbers().map_err(self.broken("list it"))?;
        let newest = there.into_iter().max().unwrap_or_default().max(last);
        let number = self.store.clock.now().0.max(newest + 1);
        let (inbox, claim) = (dir.inbox(&self.owner), dir.claimed(&self.owner, number));
        // The next inbox is another file: whatever length it has is news.
        self.left_at.store(0, Ordering::Release);
        match disk.rename(&inbox, &claim) {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(self.broken("take the mail")(error)),
        }
        // Both while the lock is held, so that no new inbox can become durable before the old one is safe here.
        let synced = disk
            .sync_dir(&dir.claimed_dir(&self.owner))
            .and_then(|()| disk.sync_dir(&dir.inbox_dir()));
        if let Err(error) = synced {
            // Put back, a sender appends to it again and syncs that; if this fails too, the next claim finds it here.
            let _ = disk.rename(&claim, &inbox);
            return Err(self.broken("make the taking durable")(error));
        }
        Ok(Some(number))
    }

    fn read_claim(&self, number: u64, claimed: &mut Claimed) -> Result<Claim, MailError> {
        let (disk, dir) = (&*self.store.disk, &self.store.dir);
        let path = dir.claimed(&self.owner, number);
        let bytes = match disk.read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            Err(error) if error.kind() == io::ErrorKind::InvalidInput => {
                return self.no_file(number, &error);
            }
            Err(error) => return Err(self.broken("read the claimed mail")(error)),
        };
        let file = mail::read_all(&bytes, &self.owner, &number.to_string(), &self.store.seal);
        let bad = dir.inbox_bad(&self.owner);
        let damaged = file.damaged.iter().map(|(line, _)| *line);
        let aside: Vec<&[u8]> = damaged
            .chain(file.unsealed.iter().map(|unsealed| unsealed.line))
            .collect();
        if !aside.is_empty() && !claimed.sifted.contains(&number) {
            self.sift(&bad, &aside)
                .map_err(self.broken("keep lines aside"))?;
            claimed.sifted.insert(number);
        }
        let damaged = file.damaged.into_iter().map(|(_, why)| DamagedLine {
            why,
            kept_in: bad.display().to_string(),
        });
        let unsealed = file.unsealed.into_iter().map(|line| UnsealedLine {
            pretends: line.pretends,
            claims: line.claims,
            kept_in: bad.display().to_string(),
        });
        Ok(Claim {
            id: ClaimId(number),
            messages: file.messages,
            damaged: damaged.collect(),
            unsealed: unsealed.collect(),
        })
    }

    /// Keeps lines aside, those left out that an earlier process has kept already.
    fn sift(&self, bad: &Path, lines: &[&[u8]]) -> io::Result<()> {
        let disk = &*self.store.disk;
        let kept = if disk.exists(bad) {
            disk.read(bad)?
        } else {
            Vec::new()
        };
        let mut bytes = Vec::new();
        for line in lines {
            if !kept
                .split(|byte| *byte == b'\n')
                .any(|known| known == *line)
            {
                bytes.extend_from_slice(line);
                bytes.push(b'\n');
            }
        }
        if bytes.is_empty() {
            return Ok(());
        }
        keep_aside(disk, bad, &bytes)
    }

    /// Somebody put something in the place of the inbox that is no file: it is moved out of the way, whole.
    fn no_file(&self, number: u64, why: &io::Error) -> Result<Claim, MailError> {
        let dir = &self.store.dir;
        let kept = dir
            .inbox_bad(&self.owner)
            .with_extension(number.to_string());
        self.store
            .disk
            .rename(&dir.claimed(&self.owner, number), &kept)
            .map_err(self.broken("move it aside"))?;
        Ok(Claim {
            id: ClaimId(number),
            messages: Vec::new(),
            damaged: vec![DamagedLine {
                why: why.to_string(),
                kept_in: kept.display().to_string(),
            }],
            unsealed: Vec::new(),
        })
    }

    pub(super) fn settle(&self, claim: ClaimId) -> Result<(), MailError> {
        self.forget(claim.0, &mut locked(&self.claimed))
    }

    /// Removes a batch. Not synced: should it come back, the transcript knows its ids.
    fn forget(&self, number: u64, claimed: &mut Claimed) -> Result<(), MailError> {
        let path = self.store.dir.claimed(&self.owner, number);
        match self.store.disk.remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(self.broken("remove a settled batch")(error));
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
            .map_err(self.broken("list it"))?
            .into_iter()
            .map(|number| (number, dir.claimed(&self.owner, number)))
            .collect();
        paths.sort();
        paths.push((u64::MAX, dir.inbox(&self.owner)));
        let mut messages = Vec::new();
        for (number, path) in paths {
            match self.store.disk.read(&path) {
                Ok(bytes) => {
                    let origin = number.to_string();
                    let file = mail::read_all(&bytes, &self.owner, &origin, &self.store.seal);
                    messages.extend(file.messages);
                }
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(self.broken("look into it")(error)),
            }
        }
        Ok(messages)
    }
}

fn number(path: &Path) -> Option<u64> {
    path.file_name()?
        .to_str()?
        .strip_suffix(".jsonl")?
        .parse()
        .ok()
}
