//! The ledger: decides commands one after the other and writes what follows into the journal.
//!
//! One task owns the journal's end. It takes every command that waits and commits them as one record with one sync, so
//! that a hundred spawns at once cost little more than one. What other processes append is read when the journal rings.
//! News is published in order, from any writer. The rules of appending are the [`Fold`]'s.
//!
//! Where several workers run the team, they have the steward decide (`others`).

#[cfg(not(feature = "fleet"))]
mod no_others;
#[cfg(feature = "fleet")]
pub(crate) mod others;
mod task;

use std::{
    collections::{BTreeSet, VecDeque},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use teammate_core::{
    MemberName,
    fold::{Findings, Fold},
    port::{Clock, Journal, JournalError, Refusal},
    secrets::Secrets,
    team::{Command, TeamEvent, TeamRefusal, TeamState},
};
use tokio::{
    sync::{mpsc, oneshot, watch},
    task::AbortHandle,
};

#[cfg(not(feature = "fleet"))]
use self::no_others as others;
use self::others::Asker;
pub(crate) use self::others::LedgerPeers;
use crate::deployment::{Alone, Deployment};

/// Why a command had no effect.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LedgerError {
    #[error(transparent)]
    Refused(#[from] TeamRefusal),
    #[error(transparent)]
    Journal(#[from] JournalError),
    #[error("the team is closing")]
    Closed,
}

/// A refusal of the rules or an error of the journal, as a tool or the user reads it.
impl From<LedgerError> for Refusal {
    fn from(error: LedgerError) -> Self {
        match error {
            LedgerError::Refused(TeamRefusal::Request(refusal)) => refusal.into(),
            LedgerError::Refused(refusal) => Self::Rule(refusal.to_string()),
            LedgerError::Journal(_) | LedgerError::Closed => Self::Broken(error.to_string()),
        }
    }
}

/// The events that have happened since, or why none has.
pub type CommitResult = Result<Vec<TeamEvent>, LedgerError>;

/// The handle. Cheap to clone.
#[derive(Clone)]
pub struct Ledger {
    team: watch::Receiver<Arc<TeamState>>,
    /// Without a bound: what is noted cannot wait, as values note things when they are dropped, and none may be lost, as money is
    /// counted so. Everybody else has one order under way and waits for its result. A turn notes a handful of things.
    orders: mpsc::UnboundedSender<Submission>,
    /// For whom this process speaks.
    deployment: Arc<dyn Deployment>,
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
    client: Submitter,
}

/// For whom a command is decided.
enum Submitter {
    /// Nobody waits for what comes of it.
    Nobody,
    Caller(oneshot::Sender<CommitResult>),
    Worker(Asker),
}

impl Submitter {
    /// How long the journal was as far as a worker knew that asks.
    fn since(&self) -> Option<u64> {
        match self {
            Self::Nobody | Self::Caller(_) => None,
            Self::Worker(asker) => Some(asker.since()),
        }
    }

    fn answer(self, result: CommitResult) {
        match self {
            Self::Nobody => {}
            // The caller may have stopped waiting.
            Self::Caller(reply) => drop(reply.send(result)),
            Self::Worker(asker) => asker.answer(result),
        }
    }
}

impl From<Asker> for Submitter {
    fn from(asker: Asker) -> Self {
        Self::Worker(asker)
    }
}

/// The task that owns the journal's end.
struct LedgerTask {
    journal: Arc<dyn Journal>,
    clock: Arc<dyn Clock>,
    fold: Fold,
    /// The team for readers.
    team: watch::Sender<Arc<TeamState>>,
    broken: watch::Sender<Option<JournalError>>,
    length: JournalLength,
    orders: mpsc::UnboundedReceiver<Submission>,
    /// Commands of this process that nobody has decided, in order.
    waiting: VecDeque<Submission>,
    /// The other workers, if this process is one.
    others: Option<LedgerPeers>,
    /// Without a bound: who reads the news has commands decided, so this task must never wait for it, and reactions to none may be
    /// lost. All of it is in the journal.
    news: mpsc::UnboundedSender<JournalNews>,
    /// Damaged lines that were reported; each new read finds them again.
    damaged: BTreeSet<String>,
    /// The journal has grown and could not be read.
    is_behind: bool,
}

/// News of the journal from now on.
#[derive(Debug, Clone, PartialEq)]
pub enum JournalNews {
    /// A team event, from this process or another.
    Event(Box<TeamEvent>),
    /// A line cannot be read or does not count, and has no effect: which and why, for the user. Told once.
    Damaged(String),
}

/// The journal's events, in order.
pub type NewsReceiver = mpsc::UnboundedReceiver<JournalNews>;

/// The damage of a journal that was just opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JournalDamage {
    /// All that is wrong, in sentences for the user.
    pub damaged: Vec<String>,
    /// The first damage that may hide records and from which no permission has lapsed yet.
    pub new: Option<String>,
}

impl JournalDamage {
    fn of(findings: &Findings) -> Self {
        Self {
            damaged: findings.damaged.iter().map(ToString::to_string).collect(),
            new: findings.new_damage().map(ToString::to_string),
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
        Self::open_with(journal, clock, Arc::default(), None).await
    }

    /// Opens it for a process with these secrets, which are hidden in all that is decided, and for one of several workers.
    pub(crate) async fn open_with(
        journal: Arc<dyn Journal>,
        clock: Arc<dyn Clock>,
        secrets: Arc<Secrets>,
        others: Option<LedgerPeers>,
    ) -> Result<(Self, NewsReceiver, JournalDamage), JournalError> {
        let (fold, findings) = Fold::open(&*journal).await?;
        let fold = fold.hiding(secrets);
        let found = JournalDamage::of(&findings);
        #[expect(clippy::disallowed_methods, reason = "said at their fields")]
        let ((news, told), (sender, orders)) =
            (mpsc::unbounded_channel(), mpsc::unbounded_channel());
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
            waiting: VecDeque::new(),
            others,
            news,
            damaged: found.damaged.iter().cloned().collect(),
            is_behind: false,
        };
        let ledger = Self {
            team: snapshots,
            orders: sender,
            deployment: Arc::new(Alone),
            broken: is_broken,
            length,
            keeper: tokio::spawn(keeper.run()).abort_handle(),
        };
        Ok((ledger, told, found))
    }

    /// A ledger for a process that speaks for these members only: each command of a member goes by the right to speak for it.
    pub(crate) fn for_deployment(self, deployment: Arc<dyn Deployment>) -> Self {
        Self { deployment, ..self }
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
            client: Submitter::Caller(reply),
        };
        self.orders.send(order).map_err(|_| LedgerError::Closed)?;
        result.await.map_err(|_| LedgerError::Closed)?
    }

    /// Queues a command without waiting, for facts that a restart can find out again.
    pub(crate) fn submit(&self, command: Command) {
        // A closing team needs no more notes.
        let _ = self.orders.send(Submission {
            command: self.by_right(command),
            client: Submitter::Nobody,
        });
    }

    /// Resolves when what was submitted here before is in the journal, or cannot be written.
    pub(crate) async fn written(&self) {
        // It changes nothing: the lead is never paused.
        let _ = self.decide(Command::Join(MemberName::lead())).await;
    }

    /// A command of a member, with the right of this process to speak for it.
    fn by_right(&self, command: Command) -> Command {
        if self.deployment.worker().is_none() {
            return command;
        }
        let team = self.team();
        let speaker = team.speaker(&command);
        match speaker.and_then(|member| self.deployment.right_of(&team, member)) {
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

    /// Resolves when the journal is found to be not one history.
    pub(crate) async fn unsound(&self) {
        let is_unsound = |broken: &Option<_>| matches!(broken, Some(JournalError::Unsound(_)));
        if self.broken.clone().wait_for(is_unsound).await.is_err() {
            // A ledger that is closed finds nothing more.
            std::future::pending::<()>().await;
        }
    }

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

#[cfg(test)]
mod tests;
