//! The ledger: decides commands one after the other and writes what follows into the journal.
//!
//! One task owns the journal's end. It takes every command that waits and commits them as one record with one sync, so
//! that a hundred spawns at once cost little more than one. What other processes append is read when the journal rings.
//! News is published in order, from any writer. The rules of appending are the [`Fold`]'s.

mod places;

use std::{
    collections::BTreeSet,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use teammate_core::{
    fold::{Committed, Findings, Fold},
    port::{Clock, Damage, Journal, JournalError, JournalRead, Refusal},
    team::{Command, TeamEvent, TeamRefusal, TeamState},
};
use tokio::{
    sync::{mpsc, oneshot, watch},
    task::AbortHandle,
};

use self::places::{Follower, PlaceOrder};
pub(crate) use self::places::{PlaceLine, PlaceNews};
use crate::tenures::Tenures;

/// The most commands decided as one record.
const BATCH_MAX: usize = 256;

/// Why a command had no effect.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LedgerError {
    /// The team's rules refuse it.
    #[error(transparent)]
    Refused(#[from] TeamRefusal),
    /// What follows could not be written.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The ledger is closed.
    #[error("the team is closing")]
    Closed,
}

/// A refusal of the rules or an error of the journal, as a tool or the user reads it.
impl From<LedgerError> for Refusal {
    fn from(error: LedgerError) -> Self {
        match error {
            LedgerError::Refused(refusal) => Self::Rule(refusal.to_string()),
            LedgerError::Journal(_) | LedgerError::Closed => Self::Broken(error.to_string()),
        }
    }
}

/// What has happened since, or why nothing has.
pub type CommitResult = Result<Vec<TeamEvent>, LedgerError>;

/// The handle. Cheap to clone.
#[derive(Clone)]
pub struct Ledger {
    team: watch::Receiver<Arc<TeamState>>,
    /// Without a bound: what is noted cannot wait, as values note things when they are dropped, and everybody else has
    /// one order under way and waits for its result.
    orders: mpsc::UnboundedSender<Submission>,
    /// What a worker's machine asks.
    places: mpsc::UnboundedSender<PlaceOrder>,
    /// For whom this process speaks.
    tenures: Tenures,
    /// Why what was decided last could not be written.
    broken: watch::Receiver<Option<JournalError>>,
    length: JournalLength,
    keeper: AbortHandle,
}

/// How many records of the journal are in the team that readers see.
#[derive(Debug, Clone, Default)]
pub(crate) struct JournalLength(Arc<AtomicU64>);

impl JournalLength {
    /// As of this moment.
    pub(crate) fn get(&self) -> u64 {
        self.0.load(Ordering::SeqCst)
    }

    fn set(&self, length: u64) {
        self.0.store(length, Ordering::SeqCst);
    }
}

struct Submission {
    command: Command,
    reply: Option<oneshot::Sender<CommitResult>>,
}

struct LedgerTask {
    journal: Arc<dyn Journal>,
    clock: Arc<dyn Clock>,
    fold: Fold,
    /// What readers see.
    team: watch::Sender<Arc<TeamState>>,
    broken: watch::Sender<Option<JournalError>>,
    length: JournalLength,
    orders: mpsc::UnboundedReceiver<Submission>,
    places: mpsc::UnboundedReceiver<PlaceOrder>,
    /// A worker's machine, if there is one.
    follower: Option<Follower>,
    /// Without a bound: who reads the news has commands decided, so this task must never wait for it.
    news: mpsc::UnboundedSender<JournalNews>,
    /// Damaged lines that were reported; each new read finds them again.
    damaged: BTreeSet<String>,
    /// The journal has grown and could not be read.
    is_behind: bool,
}

/// The pause before what could not be read is read again: nothing rings for it a second time.
const READ_AGAIN_AFTER: Duration = Duration::from_secs(1);

/// News of the journal from now on.
#[derive(Debug, Clone, PartialEq)]
pub enum JournalNews {
    /// A team event, from this process or another.
    Event(Box<TeamEvent>),
    /// A line cannot be read and has no effect: which and why, for the user. Told once.
    Damaged(String),
}

/// The journal's events, in order.
pub type NewsReceiver = mpsc::UnboundedReceiver<JournalNews>;

/// What is wrong with a journal that was just opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JournalDamage {
    /// All that is wrong, in sentences for the user.
    pub damaged: Vec<String>,
    /// The first damage from which no permission has lapsed yet.
    pub new: Option<String>,
}

impl JournalDamage {
    fn of(findings: &Findings) -> Self {
        let (damaged, settled) = (&findings.damaged, findings.last_lapse);
        let is_new = |damage: &&Damage| settled.is_none_or(|lapse| damage.from > lapse);
        Self {
            damaged: damaged.iter().map(ToString::to_string).collect(),
            new: damaged.iter().find(is_new).map(ToString::to_string),
        }
    }
}

impl Ledger {
    /// Folds the journal and starts the task. The second value receives what happens, the third lists damage of the
    /// journal.
    pub async fn open(
        journal: Arc<dyn Journal>,
        clock: Arc<dyn Clock>,
    ) -> Result<(Self, NewsReceiver, JournalDamage), JournalError> {
        let (fold, findings) = Fold::open(&*journal).await?;
        let found = JournalDamage::of(&findings);
        let (news, told) = mpsc::unbounded_channel();
        let (sender, orders) = mpsc::unbounded_channel();
        let (asks, places) = mpsc::unbounded_channel();
        let (team, snapshots) = watch::channel(fold.team().clone());
        let (broken, is_broken) = watch::channel(None);
        let length = JournalLength::default();
        length.set(fold.length());
        let keeper = LedgerTask {
            journal,
            clock,
            fold,
            team,
            broken,
            length: length.clone(),
            orders,
            places,
            follower: None,
            news,
            damaged: found.damaged.iter().cloned().collect(),
            is_behind: false,
        };
        let ledger = Self {
            team: snapshots,
            orders: sender,
            places: asks,
            tenures: Tenures::All,
            broken: is_broken,
            length,
            keeper: tokio::spawn(keeper.run()).abort_handle(),
        };
        Ok((ledger, told, found))
    }

    /// The same for a process that speaks for these members only: each command of a member goes by the right to speak for it.
    pub(crate) fn for_tenures(self, tenures: Tenures) -> Self {
        Self { tenures, ..self }
    }

    /// The team as of the journal at this moment. It costs no copy and does not change while it is kept; but an
    /// append meanwhile copies the team once, so drop it before many members wait for each other.
    pub fn team(&self) -> Arc<TeamState> {
        self.team.borrow().clone()
    }

    /// Decides; returns once what follows is in the journal.
    pub async fn decide(&self, command: Command) -> CommitResult {
        let (reply, result) = oneshot::channel();
        let order = Submission {
            command: self.by_right(command),
            reply: Some(reply),
        };
        self.orders.send(order).map_err(|_| LedgerError::Closed)?;
        result.await.map_err(|_| LedgerError::Closed)?
    }

    /// Queues a command without waiting, for facts that a restart can find out again.
    pub(crate) fn submit(&self, command: Command) {
        // A closing team needs no more notes.
        let _ = self.orders.send(Submission {
            command: self.by_right(command),
            reply: None,
        });
    }

    /// A command of a member, with the right of this process to speak for it.
    fn by_right(&self, command: Command) -> Command {
        let Tenures::Placed(_) = self.tenures else {
            return command;
        };
        let team = self.team();
        let speaker = team.speaker(&command);
        match speaker.and_then(|member| self.tenures.right_of(&team, member)) {
            Some(right) => Command::Under {
                right,
                command: Box::new(command),
            },
            None => command,
        }
    }

    /// Whether what was decided last could not be written. Nobody should wait for what the journal cannot take.
    pub(crate) fn is_broken(&self) -> bool {
        self.broken.borrow().is_some()
    }

    /// Why what was decided last could not be written, if it could not.
    pub(crate) fn failure(&self) -> Option<JournalError> {
        self.broken.borrow().clone()
    }

    /// Whether the ledger is closed.
    pub(crate) fn is_closed(&self) -> bool {
        self.team.has_changed().is_err()
    }

    /// How many records of the journal are in the team, now and later.
    pub(crate) fn length(&self) -> JournalLength {
        self.length.clone()
    }

    /// Closes the ledger: the journal belongs to another process from now on.
    pub(crate) fn abort(&self) {
        self.keeper.abort();
    }

    /// The team, and a hint whenever it may have changed.
    pub(crate) fn changes(&self) -> watch::Receiver<Arc<TeamState>> {
        self.team.clone()
    }
}

impl LedgerTask {
    async fn run(mut self) {
        let (mut batch, journal) = (Vec::new(), self.journal.clone());
        loop {
            tokio::select! {
                biased;
                Some(order) = self.places.recv() => {
                    self.place(order).await;
                    continue;
                }
                count = self.orders.recv_many(&mut batch, BATCH_MAX) => if count == 0 { return },
                () = journal.grew() => {
                    self.catch_up().await;
                    continue;
                }
                () = tokio::time::sleep(READ_AGAIN_AFTER), if self.is_behind => {
                    self.catch_up().await;
                    continue;
                }
            }
            let (commands, replies): (Vec<Command>, Vec<_>) = batch
                .drain(..)
                .map(|order| (order.command, order.reply))
                .unzip();
            let results = self.commit(&commands).await;
            for (reply, result) in replies.into_iter().zip(results) {
                if let Some(reply) = reply {
                    // The caller may have stopped waiting.
                    let _ = reply.send(result);
                }
            }
        }
    }

    async fn commit(&mut self, commands: &[Command]) -> Vec<CommitResult> {
        let commit = self.fold.commit(&*self.journal, &*self.clock, commands);
        let Committed { others, results } = commit.await;
        let is_news = |result: &Result<Vec<_>, _>| result.as_ref().is_ok_and(|e| !e.is_empty());
        // Before the team is shown: who looks at it now must learn that waiting is in vain.
        match &results {
            Err(error) => drop(self.broken.send_replace(Some(error.clone()))),
            Ok(results) if results.iter().any(is_news) => drop(self.broken.send_replace(None)),
            Ok(_) => {}
        }
        let own: Vec<&TeamEvent> = results.iter().flatten().flatten().flatten().collect();
        self.show(&others, &own);
        self.publish(own.into_iter());
        match results {
            Ok(results) => {
                let refused = |result: Result<_, TeamRefusal>| result.map_err(LedgerError::from);
                results.into_iter().map(refused).collect()
            }
            Err(error) => commands.iter().map(|_| Err(error.clone().into())).collect(),
        }
    }

    /// Takes what another process has appended. What cannot be read now is met at the next append, or in a moment.
    async fn catch_up(&mut self) {
        let read = self.fold.catch_up(&*self.journal).await;
        self.is_behind = read.is_err();
        if let Ok(read) = read {
            self.show(&read, &[]);
        }
    }

    /// Publishes the team to readers, and the records that other processes have appended. `own` is what this one has.
    fn show(&mut self, others: &JournalRead, own: &[&TeamEvent]) {
        self.publish_places(others, own);
        self.team.send_modify(|team| {
            *team = self.fold.team().clone();
            // The team that readers see knows at least what the length counts.
            self.length.set(self.fold.length());
        });
        for line in others.damaged.iter().map(ToString::to_string) {
            if self.damaged.insert(line.clone()) {
                let _ = self.news.send(JournalNews::Damaged(line));
            }
        }
        self.publish(others.records.iter().flat_map(|record| &record.events));
    }

    fn publish<'a>(&self, events: impl Iterator<Item = &'a TeamEvent>) {
        for event in events {
            // The receiver may already be dropped when a team closes.
            let _ = self.news.send(JournalNews::Event(Box::new(event.clone())));
        }
    }
}

#[cfg(test)]
mod tests;
