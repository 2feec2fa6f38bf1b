//! The ledger: decides commands one after the other and writes what follows into the journal.
//!
//! One task owns the journal's end. It takes every command that waits, decides them in order, and appends all events
//! as one record with one sync, so that a hundred spawns at once cost little more than one. Another process may append
//! too: its records are read when the journal rings, the append is compare-and-swap, and on a conflict the value is folded
//! anew and the batch decided again. Whatever happened is told in order, whoever did it.

use std::{
    collections::BTreeSet,
    sync::{Arc, PoisonError, RwLock, RwLockReadGuard},
};

use teammate_core::{
    Timestamp,
    port::{Clock, Damage, Durability, Journal, JournalError, JournalRead, Record, Refusal},
    team::{Command, Team, TeamEvent, TeamRefusal},
};
use tokio::{
    sync::{mpsc, oneshot, watch},
    task::AbortHandle,
};

/// The most commands decided as one record.
const BATCH_MAX: usize = 256;

/// How often a batch is decided again after another process came first.
const CONFLICTS_MAX: usize = 100;

/// Why a command had no effect.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LedgerError {
    /// The team's rules say no.
    #[error(transparent)]
    Refused(#[from] TeamRefusal),
    /// What follows could not be written.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// Nobody decides any more.
    #[error("the team is closing")]
    Closed,
}

/// What the team's rules or the journal say, as a tool or a person reads it.
impl From<LedgerError> for Refusal {
    fn from(error: LedgerError) -> Self {
        match error {
            LedgerError::Refused(refusal) => Self::Rule(refusal.to_string()),
            LedgerError::Journal(_) | LedgerError::Closed => Self::Broken(error.to_string()),
        }
    }
}

/// What has happened since, or why nothing has.
pub type Verdict = Result<Vec<TeamEvent>, LedgerError>;

/// The handle. Cheap to clone.
#[derive(Clone)]
pub struct Ledger {
    team: Arc<RwLock<Team>>,
    /// Without a bound: what is noted cannot wait, as values note things when they are dropped, and everybody else has one
    /// order under way and waits for its verdict.
    orders: mpsc::UnboundedSender<Order>,
    changes: watch::Receiver<u64>,
    /// Why what was decided last could not be written.
    broken: watch::Receiver<Option<JournalError>>,
    keeper: AbortHandle,
}

struct Order {
    command: Command,
    reply: Option<oneshot::Sender<Verdict>>,
}

struct Keeper {
    journal: Arc<dyn Journal>,
    clock: Arc<dyn Clock>,
    team: Arc<RwLock<Team>>,
    length: u64,
    /// The value holds what could not be written, and must be folded anew before anything else is decided.
    is_ahead: bool,
    broken: watch::Sender<Option<JournalError>>,
    orders: mpsc::UnboundedReceiver<Order>,
    changes: watch::Sender<u64>,
    /// Without a bound: who reads the news has commands decided, so this task must never wait for it.
    news: mpsc::UnboundedSender<Told>,
    /// Damaged lines that were told of: they are met again whenever the journal is folded anew.
    damaged: BTreeSet<String>,
}

/// What the journal says from now on.
#[derive(Debug, Clone, PartialEq)]
pub enum Told {
    /// Something happened to the team, whichever process did it.
    Event(Box<TeamEvent>),
    /// A line cannot be read and has no effect: which and why, for a person. Told once.
    Damaged(String),
}

/// What the journal says, in order.
pub type News = mpsc::UnboundedReceiver<Told>;

/// What is wrong with a journal that was just opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// All that is wrong, in sentences for a person.
    pub damaged: Vec<String>,
    /// The first damage from which no permission has lapsed yet.
    pub new: Option<String>,
}

impl Found {
    fn of(read: &JournalRead) -> Self {
        let is_lapse = |event: &TeamEvent| matches!(event, TeamEvent::Lapsed { .. });
        let lapses = |record: &&Record| record.events.iter().any(is_lapse);
        let settled = read.records.iter().rfind(lapses);
        let is_new = |damage: &&Damage| settled.is_none_or(|lapse| damage.from > lapse.number);
        Self {
            damaged: read.damaged.iter().map(ToString::to_string).collect(),
            new: read.damaged.iter().find(is_new).map(ToString::to_string),
        }
    }
}

impl Ledger {
    /// Folds the journal and starts the task. The second value tells what happens, the third what is wrong with the journal.
    pub async fn open(
        journal: Arc<dyn Journal>,
        clock: Arc<dyn Clock>,
    ) -> Result<(Self, News, Found), JournalError> {
        let (news, told) = mpsc::unbounded_channel();
        let team = Arc::new(RwLock::new(Team::default()));
        let (sender, orders) = mpsc::unbounded_channel();
        let (changes, watcher) = watch::channel(0);
        let (broken, is_broken) = watch::channel(None);
        let mut keeper = Keeper {
            journal,
            clock,
            team: team.clone(),
            length: 0,
            is_ahead: false,
            broken,
            orders,
            changes,
            news,
            damaged: BTreeSet::new(),
        };
        let found = Found::of(&keeper.fold().await?);
        keeper.damaged.extend(found.damaged.iter().cloned());
        let task = tokio::spawn(keeper.run());
        Ok((
            Self {
                team,
                orders: sender,
                changes: watcher,
                broken: is_broken,
                keeper: task.abort_handle(),
            },
            told,
            found,
        ))
    }

    /// The team as it is. May hold an event or two that are just being written.
    pub fn team(&self) -> RwLockReadGuard<'_, Team> {
        self.team.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Decides; returns once what follows is in the journal.
    pub async fn decide(&self, command: Command) -> Verdict {
        let (reply, verdict) = oneshot::channel();
        let order = Order {
            command,
            reply: Some(reply),
        };
        self.orders.send(order).map_err(|_| LedgerError::Closed)?;
        verdict.await.map_err(|_| LedgerError::Closed)?
    }

    /// Decides without waiting, for what a restart can tell by itself.
    pub(crate) fn note(&self, command: Command) {
        // A closing team needs no more notes.
        let _ = self.orders.send(Order {
            command,
            reply: None,
        });
    }

    /// Whether what was decided last could not be written. Nobody should wait for what the journal cannot take.
    pub(crate) fn is_broken(&self) -> bool {
        self.broken.borrow().is_some()
    }

    /// Why what was decided last could not be written, if it could not.
    pub(crate) fn failure(&self) -> Option<JournalError> {
        self.broken.borrow().clone()
    }

    /// Whether nobody decides any more.
    pub(crate) fn is_closed(&self) -> bool {
        self.changes.has_changed().is_err()
    }

    /// Decides nothing any more: the journal is another's from now on.
    pub(crate) fn stop(&self) {
        self.keeper.abort();
    }

    /// Counts changes of the team.
    pub(crate) fn changes(&self) -> watch::Receiver<u64> {
        self.changes.clone()
    }
}

impl Keeper {
    async fn run(mut self) {
        let (mut batch, journal) = (Vec::new(), self.journal.clone());
        loop {
            tokio::select! {
                biased;
                count = self.orders.recv_many(&mut batch, BATCH_MAX) => if count == 0 { return },
                () = journal.grew() => {
                    self.catch_up().await;
                    continue;
                }
            }
            let (commands, replies): (Vec<Command>, Vec<_>) = batch
                .drain(..)
                .map(|order| (order.command, order.reply))
                .unzip();
            let verdicts = self.settle(&commands).await;
            self.changes.send_modify(|count| *count += 1);
            for (reply, verdict) in replies.into_iter().zip(verdicts) {
                if let Some(reply) = reply {
                    // Whoever asked may have gone.
                    let _ = reply.send(verdict);
                }
            }
        }
    }

    /// Decides a batch and appends what follows, again from the start if another process came first.
    async fn settle(&mut self, commands: &[Command]) -> Vec<Verdict> {
        let mut conflicts = 0;
        if self.is_ahead
            && let Err(error) = self.fold_anew().await
        {
            return self.fails(commands, &error);
        }
        loop {
            let at = self.clock.now();
            let (verdicts, durability) = self.decide(commands, at);
            let events: Vec<TeamEvent> = verdicts.iter().flatten().flatten().cloned().collect();
            if events.is_empty() {
                return verdicts;
            }
            let error = match self
                .journal
                .append(self.length, at, events, durability)
                .await
            {
                Ok(()) => {
                    self.length += 1;
                    self.broken.send_replace(None);
                    self.tell(verdicts.iter().flatten().flatten());
                    return verdicts;
                }
                Err(error) => error,
            };
            conflicts += 1;
            let known = self.length;
            match (error, self.fold_anew().await) {
                (JournalError::Conflict { length }, Ok(())) if conflicts <= CONFLICTS_MAX => {
                    // Nothing new could be read, yet there is more: damaged lines that keep their numbers.
                    if self.length == known {
                        self.length = length;
                    }
                }
                (error, folded) => return self.fails(commands, &folded.err().unwrap_or(error)),
            }
        }
    }

    fn fails(&self, commands: &[Command], error: &JournalError) -> Vec<Verdict> {
        self.broken.send_replace(Some(error.clone()));
        commands.iter().map(|_| Err(error.clone().into())).collect()
    }

    fn decide(&self, commands: &[Command], at: Timestamp) -> (Vec<Verdict>, Durability) {
        let mut team = self.team.write().unwrap_or_else(PoisonError::into_inner);
        let mut durability = Durability::Lazy;
        let verdicts = commands
            .iter()
            .map(|command| {
                let decided = team.decide(command)?;
                for event in &decided.events {
                    team.apply(event, at);
                }
                if !decided.events.is_empty() {
                    durability = durability.max(decided.durability);
                }
                Ok(decided.events)
            })
            .collect();
        (verdicts, durability)
    }

    /// Takes what another process has appended. What cannot be read now is met at the next append.
    async fn catch_up(&mut self) {
        if self.is_ahead {
            return;
        }
        let Ok(read) = self.journal.read(self.length).await else {
            return;
        };
        self.tell_damaged(&read.damaged);
        let Some(last) = read.records.last() else {
            return;
        };
        self.length = last.number + 1;
        {
            let mut team = self.team.write().unwrap_or_else(PoisonError::into_inner);
            for record in &read.records {
                for event in &record.events {
                    team.apply(event, record.at);
                }
            }
        }
        self.tell(read.records.iter().flat_map(|record| &record.events));
        self.changes.send_modify(|count| *count += 1);
    }

    fn tell<'a>(&self, events: impl Iterator<Item = &'a TeamEvent>) {
        for event in events {
            // Who listens may be gone already when a team closes.
            let _ = self.news.send(Told::Event(Box::new(event.clone())));
        }
    }

    fn tell_damaged(&mut self, damaged: &[Damage]) {
        for line in damaged.iter().map(ToString::to_string) {
            if self.damaged.insert(line.clone()) {
                let _ = self.news.send(Told::Damaged(line));
            }
        }
    }

    /// Forgets what could not be written, and tells what others have.
    async fn fold_anew(&mut self) -> Result<(), JournalError> {
        let known = self.length;
        self.is_ahead = true;
        let read = self.fold().await?;
        self.is_ahead = false;
        self.tell_damaged(&read.damaged);
        let new = read.records.iter().filter(|record| record.number >= known);
        self.tell(new.flat_map(|record| &record.events));
        Ok(())
    }

    /// Folds the whole journal anew.
    async fn fold(&mut self) -> Result<JournalRead, JournalError> {
        let read = self.journal.read(0).await?;
        let mut team = Team::default();
        for record in &read.records {
            for event in &record.events {
                team.apply(event, record.at);
            }
        }
        self.length = read.records.last().map_or(0, |record| record.number + 1);
        *self.team.write().unwrap_or_else(PoisonError::into_inner) = team;
        Ok(read)
    }
}

#[cfg(test)]
mod tests;
