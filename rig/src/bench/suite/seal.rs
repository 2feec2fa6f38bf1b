//! What the seal of each record costs: appends to the real journal with the user's seal, and with one that computes nothing, side
//! by side; and how long a long journal takes to be proven when it is read back.

use std::{
    path::Path,
    sync::Arc,
    time::{Duration, Instant},
};

use teammate_core::{
    Incarnation, MemberName, Timestamp,
    port::{Disk, Durability, Journal as _, Seal},
    team::TeamEvent,
};
use teammate_store::{
    disk::RealDisk,
    files::{FileJournal, TeamDir},
    seal::HmacSeal,
};

use super::{
    Effort, Measured, program,
    row::{Row, Target},
    sample::ms,
};

type Failure = Box<dyn std::error::Error + Send + Sync>;

/// A seal that proves nothing and costs nothing.
struct Blank;

impl Seal for Blank {
    fn sign(&self, _log: &str, _bytes: &[u8]) -> String {
        "0".repeat(64)
    }

    fn verifies(&self, _log: &str, _bytes: &[u8], _seal: &str) -> bool {
        true
    }
}

pub(super) fn measure(effort: Effort) -> Measured {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    runtime.block_on(rows(effort))
}

async fn rows(effort: Effort) -> Measured {
    let records = effort.times(50_000, 10_000);
    let synced = effort.times(1_000, 200);
    let mut rows = Vec::new();
    let (mut sealed, mut blank) = (Cost::default(), Cost::default());
    // In turns, so that both meet the same machine.
    for _ in 0..5 {
        sealed.add(&cost(Arc::new(HmacSeal::new(&[7; 32])), records / 5, synced / 5).await?);
        blank.add(&cost(Arc::new(Blank), records / 5, synced / 5).await?);
    }
    for (what, target, with, without, times) in [
        (
            "a lazy append",
            Target::Nothing,
            sealed.lazy,
            blank.lazy,
            records,
        ),
        (
            "a synced append",
            Target::AtMost(1.25),
            sealed.synced,
            blank.synced,
            synced,
        ),
        (
            "reading it back",
            Target::Nothing,
            sealed.read,
            blank.read,
            records,
        ),
    ] {
        let each = |time: Duration| ms(time) * 1e3 / times as f64;
        rows.push(
            Row::new(
                &format!("seal: {what}, sealed / not sealed"),
                "",
                target,
                with.as_secs_f64() / without.as_secs_f64(),
            )
            .note(format!(
                "{:.1} us / {:.1} us each",
                each(with),
                each(without)
            )),
        );
    }
    Ok(rows)
}

/// What appends took, and reading them back.
#[derive(Default)]
struct Cost {
    lazy: Duration,
    synced: Duration,
    read: Duration,
}

impl Cost {
    fn add(&mut self, other: &Self) {
        self.lazy += other.lazy;
        self.synced += other.synced;
        self.read += other.read;
    }
}

async fn cost(seal: Arc<dyn Seal>, lazy: usize, synced: usize) -> Result<Cost, Failure> {
    let dir = program::workspace()?;
    let written = journal(dir.path(), &seal)?;
    let synced_took = append(&written, 0, synced, Durability::Synced).await?;
    let lazy_took = append(&written, synced, lazy, Durability::Lazy).await?;
    let again = journal(dir.path(), &seal)?;
    let begun = Instant::now();
    let read = again.read(0).await?;
    if read.records.len() != lazy + synced {
        return Err("records are missing".into());
    }
    Ok(Cost {
        lazy: lazy_took,
        synced: synced_took,
        read: begun.elapsed(),
    })
}

fn journal(dir: &Path, seal: &Arc<dyn Seal>) -> Result<FileJournal, Failure> {
    let disk: Arc<dyn Disk> = Arc::new(RealDisk);
    let dir = TeamDir::create(&*disk, dir.join(".team"))?;
    Ok(FileJournal::new(disk, dir, seal.clone(), Arc::default()))
}

/// Appends that many records from number `from` on; how long it takes.
async fn append(
    journal: &FileJournal,
    from: usize,
    times: usize,
    durability: Durability,
) -> Result<Duration, Failure> {
    let begun = Instant::now();
    for number in from..from + times {
        let number = number as u64;
        let working = TeamEvent::Working {
            member: MemberName::lead(),
            incarnation: Incarnation::FIRST,
        };
        journal
            .append(number, Timestamp(number), vec![working], durability)
            .await?;
    }
    Ok(begun.elapsed())
}
