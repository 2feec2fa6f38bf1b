//! A worker's process: it sends mail, decides records against all others, and writes its own transcript, all at once, until it is
//! killed. It says what was acknowledged to it: `mail 7`, `record 3`, `entry 12`.

use std::{
    io::{self, Write as _},
    process::ExitCode,
    time::{Duration, Instant},
};

use teammate_core::{
    Incarnation, MemberName, Timestamp,
    port::{Durability, JournalError, MailError, TranscriptError},
    team::TeamEvent,
    transcript::Entry,
};
use teammate_nats::NatsStore;

use super::site::Site;
use crate::torture::worker::{message, run};

/// The pause after what failed; the same is tried again.
const AGAIN: Duration = Duration::from_millis(50);

/// Nothing but failures for so long: it is stuck for good. Three killed servers take a minute at most.
const STUCK_AFTER: Duration = Duration::from_secs(240);

/// The pause after what went well, so that nothing grows beyond what can be read again and again.
const PAUSE: Duration = Duration::from_millis(10);

/// Works until killed, from these numbers on.
pub(crate) fn work(site: &str, name: &str, mail: &str, record: &str) -> Result<ExitCode, String> {
    let site = Site::parse(site)?;
    let name = MemberName::teammate(name).map_err(|error| error.to_string())?;
    let number = |text: &str| {
        text.parse::<u64>()
            .map_err(|_| format!("no number: {text}"))
    };
    let (mail, record) = (number(mail)?, number(record)?);
    run(async {
        let store = site.store().await?;
        tokio::try_join!(
            send(&store, &name, mail),
            decide(&store, &name, record),
            write(&store, &name),
        )
    })??;
    Ok(ExitCode::SUCCESS)
}

/// One write, so that a kill cannot cut a line in half.
pub(super) fn print_done(what: &str, number: u64) -> Result<(), String> {
    let mut out = io::stdout().lock();
    let written = out.write_all(format!("{what} {number}\n").as_bytes());
    written
        .and_then(|()| out.flush())
        .map_err(|error| error.to_string())
}

/// How long nothing has gone well.
pub(super) struct StuckTimer(Instant);

impl StuckTimer {
    pub(super) fn new() -> Self {
        Self(Instant::now())
    }

    pub(super) fn well(&mut self) {
        self.0 = Instant::now();
    }

    pub(super) async fn failed(&self, why: &dyn std::fmt::Display) -> Result<(), String> {
        if self.0.elapsed() > STUCK_AFTER {
            return Err(why.to_string());
        }
        tokio::time::sleep(AGAIN).await;
        Ok(())
    }
}

async fn send(store: &NatsStore, name: &MemberName, mut next: u64) -> Result<(), String> {
    let mut stuck = StuckTimer::new();
    loop {
        match store.mailbox.send(message(name, next)).await {
            Ok(()) => {
                print_done("mail", next)?;
                next += 1;
                stuck.well();
                tokio::time::sleep(PAUSE).await;
            }
            // The same again, under the same id.
            Err(MailError::Full { .. }) => tokio::time::sleep(AGAIN).await,
            Err(error) => stuck.failed(&error).await?,
        }
    }
}

/// The events of one record: whose, and the how many'th.
pub(super) fn record_of(name: &MemberName, number: u64) -> Vec<TeamEvent> {
    vec![TeamEvent::Working {
        member: name.clone(),
        incarnation: Incarnation(u32::try_from(number).unwrap_or(u32::MAX)),
    }]
}

/// Decides as everybody does: read on, append at the length that is known; what nobody knows is looked up.
async fn decide(store: &NatsStore, name: &MemberName, mut next: u64) -> Result<(), String> {
    let (mut length, mut stuck) = (0, StuckTimer::new());
    loop {
        match store.journal.read(length).await {
            Ok(read) => {
                for record in read.records {
                    length = record.number + 1;
                    if record.events == record_of(name, next) {
                        print_done("record", next)?;
                        next += 1;
                    }
                }
            }
            Err(error) => {
                stuck.failed(&error).await?;
                continue;
            }
        }
        let events = record_of(name, next);
        let at = Timestamp(next);
        let appended = store.journal.append(length, at, events, Durability::Synced);
        match appended.await {
            Ok(()) => {
                print_done("record", next)?;
                length += 1;
                next += 1;
                stuck.well();
                tokio::time::sleep(PAUSE).await;
            }
            Err(JournalError::Conflict { .. }) => stuck.well(),
            Err(error @ (JournalError::Broken(_) | JournalError::Unsound(_))) => {
                stuck.failed(&error).await?;
            }
        }
    }
}

/// Writes its own transcript, which nobody else does. After a doubt it looks how far it goes.
async fn write(store: &NatsStore, name: &MemberName) -> Result<(), String> {
    let mut stuck = StuckTimer::new();
    loop {
        let mut open = match store.transcripts.open(name).await {
            Ok(open) => open,
            Err(error) => {
                stuck.failed(&error).await?;
                continue;
            }
        };
        let mut next = open.entries.len() as u64;
        let error = loop {
            match open.log.append(&Entry::Prompted(next.to_string())).await {
                Ok(()) => print_done("entry", next)?,
                Err(error) => break error,
            }
            next += 1;
            stuck.well();
            tokio::time::sleep(PAUSE).await;
        };
        match error {
            // An earlier life's append, or an earlier one of this life that was in doubt.
            TranscriptError::Owned { .. } => {}
            TranscriptError::Broken { .. } => stuck.failed(&error).await?,
        }
    }
}
