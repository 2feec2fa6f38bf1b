//! Keeps a member's task running: starts it, starts it again when a bug ended it, and tells the person and the lead when it gives
//! up. A member whose
//! transcript cannot be written is not started again: its next answer would be lost as well.

use std::{sync::Arc, time::Duration};

use teammate_core::{
    MemberName, MessageId, MessageKind, Sender,
    event::What,
    mail::Metadata,
    port::TranscriptError,
    team::{Command, Member},
    transcript::RestReason,
};
use tokio::{
    sync::mpsc,
    task::{JoinError, JoinHandle},
    time::Instant,
};

use crate::{
    host::Shared,
    member::{Driver, DriverError, Order},
    post::{Letter, within_limit},
};

/// How often a member is started again within [`WINDOW`] before it stays failed.
const RESTARTS_MAX: usize = 3;
const WINDOW: Duration = Duration::from_secs(60);

/// A running member. Dropped, it ends as in a crash.
pub(crate) struct Seat {
    pub(crate) orders: mpsc::UnboundedSender<Order>,
    task: JoinHandle<()>,
}

impl Seat {
    /// Starts a member whose driver was opened.
    pub(crate) fn start(shared: Arc<Shared>, driver: Driver, member: Member) -> Self {
        let (orders, mut inbox) = mpsc::unbounded_channel();
        shared.activity.works(&member.name, true);
        let task = tokio::spawn(async move {
            supervise(&shared, driver, &member, &mut inbox).await;
            shared.activity.leaves(&member.name);
        });
        Self { orders, task }
    }

    /// Stops the member and waits until its transcript is free; by force after `patience`.
    pub(crate) async fn stop(mut self, patience: Duration) {
        // A task that has ended needs no order.
        let _ = self.orders.send(Order::Stop);
        if tokio::time::timeout(patience, &mut self.task)
            .await
            .is_err()
        {
            self.task.abort();
            let _ = (&mut self.task).await;
        }
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn supervise(
    shared: &Arc<Shared>,
    mut driver: Driver,
    member: &Member,
    orders: &mut mpsc::UnboundedReceiver<Order>,
) {
    let mut restarts: Vec<Instant> = Vec::new();
    loop {
        let Err(why) = run_once(driver, orders).await else {
            return;
        };
        shared
            .feed
            .notice(&member.name, format!("the loop ended: {why}"));
        restarts.retain(|moment| moment.elapsed() < WINDOW);
        if restarts.len() >= RESTARTS_MAX || why.storage().is_some() {
            return give_up(shared, member, &why).await;
        }
        restarts.push(Instant::now());
        driver = match Driver::open(shared.clone(), member).await {
            Ok(driver) => driver,
            Err(error) => return give_up(shared, member, &error.into()).await,
        };
    }
}

/// Why a member's loop ended early.
#[derive(Debug, thiserror::Error)]
enum LoopError {
    #[error(transparent)]
    Driver(#[from] DriverError),
    #[error("a bug: {0}")]
    Panic(#[from] JoinError),
}

impl LoopError {
    /// What is wrong with the member's transcript, if that is why.
    fn storage(&self) -> Option<&TranscriptError> {
        match self {
            Self::Driver(DriverError::Transcript(error)) => Some(error),
            Self::Driver(DriverError::Home(_)) | Self::Panic(_) => None,
        }
    }
}

async fn give_up(shared: &Arc<Shared>, member: &Member, why: &LoopError) {
    if let Some(error) = why.storage() {
        shared.storage.fails(error);
    }
    fail(shared, member, why.to_string()).await;
    // Where a transcript cannot be written the run ends, and nobody is to begin another turn.
    if why.storage().is_none() && !member.name.is_lead() {
        tell_lead(shared, member, why).await;
    }
}

/// One notice in this opening of the team: nobody else would say why the member does not answer.
async fn tell_lead(shared: &Arc<Shared>, member: &Member, why: &LoopError) {
    let (name, life) = (&member.name, member.incarnation);
    let content = format!(
        "{name} failed and does not run any more: {why}. Nothing that it did is lost. Spawn it again, or give its work to somebody else."
    );
    let run = shared.feed.run();
    let letter = Letter {
        id: MessageId::derived(
            shared.ledger.team().id(),
            &format!("failed/{name}/{life}/{run}"),
        ),
        kind: MessageKind::IdleNotification,
        from: Sender::Member(name.clone()),
        from_incarnation: Some(life),
        to: MemberName::lead(),
        to_incarnation: None,
        request: None,
        content: within_limit(content),
        metadata: Metadata::from_iter([
            ("why".to_owned(), "failed".into()),
            ("wakes".to_owned(), true.into()),
        ]),
    };
    if let Err(error) = shared.post(letter).await {
        let text = format!("the lead was not told that {name} failed: {error}");
        shared.feed.notice(name, text);
    }
}

/// Runs the driver as a task of its own, so that a panic ends nothing else. Orders pass through.
async fn run_once(
    driver: Driver,
    orders: &mut mpsc::UnboundedReceiver<Order>,
) -> Result<(), LoopError> {
    let (sender, mut inner) = mpsc::unbounded_channel();
    let mut task = AbortOnDrop(tokio::spawn(async move { driver.run(&mut inner).await }));
    loop {
        let ended: Result<Result<(), DriverError>, _> = tokio::select! {
            biased;
            ended = &mut task.0 => ended,
            order = orders.recv() => {
                // If the task has just ended, the next round sees it.
                let _ = sender.send(order.unwrap_or(Order::Stop));
                continue;
            }
        };
        return Ok(ended??);
    }
}

/// A task that does not outlive whoever waits for it.
struct AbortOnDrop(JoinHandle<Result<(), DriverError>>);

impl Drop for AbortOnDrop {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// Notes that a member cannot go on, and shows it.
pub(crate) async fn fail(shared: &Arc<Shared>, member: &Member, what: String) {
    let name: &MemberName = &member.name;
    let why = RestReason::Failed { what };
    let rest = Command::Rest {
        member: name.clone(),
        incarnation: member.incarnation,
        why: why.clone(),
        turn: None,
        result: String::new(),
    };
    if let Err(error) = shared.ledger.decide(rest).await {
        shared
            .feed
            .notice(name, format!("its failure was not noted: {error}"));
    }
    let result = String::new();
    shared.feed.tell(name, What::Rested { why, result });
    shared.tell_status(name);
}
