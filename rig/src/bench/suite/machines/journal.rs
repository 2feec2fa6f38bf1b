//! Appends to the journal: by one process that decides for all, and by eight that compete.

use std::time::{Duration, Instant};

use teammate_core::{
    Incarnation, MemberName, Timestamp,
    port::{Durability, Journal, JournalError},
    team::TeamEvent,
};
use tokio::task::JoinSet;

use super::{Failure, Site};

/// How many decide at once where nobody decides for all.
pub(super) const COMPETITORS: usize = 8;

/// What came of a competition.
pub(super) struct Appended {
    pub(super) took: Duration,
    pub(super) records: usize,
    /// How often somebody else was faster.
    pub(super) conflicts: u64,
}

impl Appended {
    pub(super) fn rate(&self) -> f64 {
        self.records as f64 / self.took.as_secs_f64()
    }
}

/// So many processes append so many records each, one after the other, at the length that each of them knows.
pub(super) async fn appends(
    site: &Site,
    deciders: usize,
    each: usize,
) -> Result<Appended, Failure> {
    let mut journals = Vec::new();
    for _ in 0..deciders {
        let store = site.store(&format!("decided-by-{deciders}")).await?;
        store.journal.read(0).await?;
        journals.push(store.journal);
    }
    let begun = Instant::now();
    let mut all = JoinSet::new();
    for (number, journal) in journals.into_iter().enumerate() {
        let name = MemberName::teammate(&format!("m{number}"))?;
        all.spawn(async move { append(&*journal, &name, each).await });
    }
    let mut conflicts = 0;
    for ended in all.join_all().await {
        conflicts += ended?;
    }
    Ok(Appended {
        took: begun.elapsed(),
        records: deciders * each,
        conflicts,
    })
}

async fn append(journal: &dyn Journal, name: &MemberName, count: usize) -> Result<u64, Failure> {
    let (mut length, mut conflicts) = (0, 0);
    for number in 0..count {
        let events = vec![TeamEvent::Working {
            member: name.clone(),
            incarnation: Incarnation(u32::try_from(number)?),
        }];
        loop {
            let at = Timestamp(0);
            let appended = journal.append(length, at, events.clone(), Durability::Synced);
            match appended.await {
                Ok(()) => break length += 1,
                Err(JournalError::Conflict { length: there }) => {
                    (length, conflicts) = (there, conflicts + 1);
                }
                Err(error @ (JournalError::Broken(_) | JournalError::Unsound(_))) => {
                    return Err(error.into());
                }
            }
        }
    }
    Ok(conflicts)
}
