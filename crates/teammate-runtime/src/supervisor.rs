//! Keeps a member's task running: starts it, restarts it after a bug, and notifies the user and the lead when it
//! gives up. A member whose transcript cannot be written is not started again: its next answer would be lost as
//! well.

use std::{sync::Arc, time::Duration};

use teammate_core::{port::TranscriptError, team::Member};
use tokio::{
    task::{JoinError, JoinHandle},
    time::Instant,
};

use crate::{
    base::Base,
    driver::{Driver, DriverParts, LoopEnd},
    members::{self, MemberError, Orders},
    storage::Storage,
};

/// How often a member is started again within [`RESTART_WINDOW`] before it stays failed.
const RESTARTS_MAX: usize = 3;
const RESTART_WINDOW: Duration = Duration::from_secs(60);

/// The pause before a transcript that could not be opened is opened again.
const OPEN_AGAIN_AFTER: Duration = Duration::from_secs(1);

/// Runs members, and restarts their drivers after bugs.
pub(crate) struct Supervisor {
    pub(crate) base: Arc<Base>,
    pub(crate) parts: Arc<DriverParts>,
    pub(crate) storage: Arc<Storage>,
}

impl Supervisor {
    /// Opens a member's driver. Nothing has begun yet. A worker waits for an engine that does not answer now: nothing else would start
    /// the member again.
    pub(crate) async fn open(&self, member: &Member) -> Result<Driver, MemberError> {
        let mut is_told = false;
        loop {
            let opened = Driver::open(self.base.clone(), self.parts.clone(), member).await;
            let Err(MemberError::Transcript(error @ TranscriptError::Broken { .. })) = &opened
            else {
                return opened;
            };
            if !self.base.waits_for_engine() {
                return opened;
            }
            if !std::mem::replace(&mut is_told, true) {
                let text = format!("{error}; it begins as soon as that is over");
                self.base.feed.note(&member.name, text);
            }
            tokio::time::sleep(OPEN_AGAIN_AFTER).await;
        }
    }

    /// Runs a member until its loop ends for good.
    pub(crate) async fn run(&self, mut driver: Driver, member: &Member, mut orders: Orders) {
        let mut restarts: Vec<Instant> = Vec::new();
        loop {
            let why = match run_once(driver, &mut orders).await {
                Ok(LoopEnd::Ended) => return,
                Ok(LoopEnd::BeginsAnew) => {
                    driver = match self.open(member).await {
                        Ok(driver) => driver,
                        Err(error) => return self.give_up(member, &error.into()).await,
                    };
                    continue;
                }
                Err(why) => why,
            };
            if why
                .storage()
                .is_none_or(|error| !self.base.deployment.is_fence(error))
            {
                let text = format!("the loop ended: {why}");
                self.base.feed.note(&member.name, text);
            }
            restarts.retain(|moment| moment.elapsed() < RESTART_WINDOW);
            if restarts.len() >= RESTARTS_MAX || why.storage().is_some() {
                return self.give_up(member, &why).await;
            }
            restarts.push(Instant::now());
            driver = match self.open(member).await {
                Ok(driver) => driver,
                Err(error) => return self.give_up(member, &error.into()).await,
            };
        }
    }

    async fn give_up(&self, member: &Member, why: &LoopError) {
        if why
            .storage()
            .is_some_and(|error| self.base.deployment.report_fence(error))
        {
            // Another worker runs the member. Nothing is broken.
            return;
        }
        if let Some(error) = why.storage() {
            self.storage.fails(error);
        }
        let (name, incarnation) = (&member.name, member.incarnation);
        self.base
            .record_failure(name, incarnation, why.to_string())
            .await;
        // If a transcript cannot be written the run ends, and no member may begin another turn.
        if why.storage().is_none() && !member.name.is_lead() {
            self.parts
                .mailer
                .send_failed_notice(name, incarnation, &why.to_string())
                .await;
        }
    }
}

/// Why a member's loop ended early.
#[derive(Debug, thiserror::Error)]
enum LoopError {
    #[error(transparent)]
    Driver(#[from] MemberError),
    #[error("a bug: {0}")]
    Panic(#[from] JoinError),
}

impl LoopError {
    /// The fault of the member's transcript, if that is why.
    fn storage(&self) -> Option<&TranscriptError> {
        match self {
            Self::Driver(MemberError::Transcript(error)) => Some(error),
            Self::Driver(MemberError::Home(_)) | Self::Panic(_) => None,
        }
    }
}

/// Runs the driver in its own task, so that a panic ends nothing else. Orders pass through.
async fn run_once(driver: Driver, orders: &mut Orders) -> Result<LoopEnd, LoopError> {
    let (sender, mut inner) = members::channel();
    let mut task = AbortOnDrop(tokio::spawn(async move { driver.run(&mut inner).await }));
    loop {
        let ended: Result<Result<LoopEnd, MemberError>, _> = tokio::select! {
            biased;
            ended = &mut task.0 => ended,
            order = orders.next() => {
                // If the task has just ended, the next round sees it.
                sender.send(order).await;
                continue;
            }
        };
        return Ok(ended??);
    }
}

/// A task that is aborted when its handle is dropped.
struct AbortOnDrop(JoinHandle<Result<LoopEnd, MemberError>>);

impl Drop for AbortOnDrop {
    fn drop(&mut self) {
        self.0.abort();
    }
}
