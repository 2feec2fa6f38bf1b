//! The team as its journal records it, and the one way to add to that journal: decide commands against the team,
//! append what follows, and only then show it to readers. The host and every other process use the same [`Fold`],
//! so there is one rule for what happens when another process appends first.

mod draft;
mod history;
mod names;
mod new_names;

use std::sync::Arc;

pub use self::draft::DecisionOrigin;
pub use self::history::records_about;
use self::{draft::RecordDraft, names::CommandNames};
use crate::{
    port::{Clock, Damage, DamageKind, Journal, JournalError, JournalRead},
    secrets::Secrets,
    team::{
        Command, Durability, Record, RecordWriter, TeamEvent, TeamRefusal, TeamState, UnaskedRecord,
    },
};

/// How often commands are decided again after another process appended first.
const CONFLICTS_MAX: usize = 100;

/// The fold over a journal, as far as it was read or written here.
#[derive(Debug, Default)]
pub struct Fold {
    /// Holds only what is in the journal. Readers may keep it for as long as they like: it never changes.
    team: Arc<TeamState>,
    /// The value before the last append. The next one is made of it, so that nothing is copied unless a reader still has
    /// it.
    spare: Option<Spare>,
    /// How many records are in `team`.
    length: u64,
    /// An append failed or was abandoned: it may be in the journal all the same.
    is_in_doubt: bool,
    /// The commands that the last records list.
    names: CommandNames,
    /// Secrets that are hidden in all records that this process decides.
    secrets: Arc<Secrets>,
}

#[derive(Debug)]
struct Spare {
    team: Arc<TeamState>,
    /// The part of the journal beyond it.
    missing: Vec<Record>,
}

/// The findings of a fold in a journal besides the team.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Findings {
    /// Damage of the journal, in the order of the file.
    pub damaged: Vec<Damage>,
    /// The number of the last record that counts with which permissions lapsed.
    pub last_lapse: Option<u64>,
}

impl Findings {
    /// The first damage that may hide records and from which no permission has lapsed yet.
    pub fn new_damage(&self) -> Option<&Damage> {
        let is_new = |damage: &&Damage| {
            damage.kind.may_hide_records()
                && self.last_lapse.is_none_or(|lapse| damage.from > lapse)
        };
        self.damaged.iter().find(is_new)
    }
}

/// The result of [`Fold::commit`].
#[derive(Debug)]
pub struct Committed {
    /// The records that other processes appended meanwhile; they come before the events of the commands.
    pub others: JournalRead,
    /// For each command the events that are in the journal now, none if it changed nothing, or a refusal. An error means
    /// that none of them had any effect.
    pub results: Result<Vec<Result<Vec<TeamEvent>, TeamRefusal>>, JournalError>,
}

impl Fold {
    /// Reads the whole journal, record by record.
    pub async fn open(journal: &dyn Journal) -> Result<(Self, Findings), JournalError> {
        let (mut team, mut length, mut last_lapse) = (TeamState::default(), 0, None);
        let (mut names, mut uncounted) = (CommandNames::default(), Vec::new());
        let mut replay = |record: Record| {
            let is_lapse = |event: &TeamEvent| matches!(event, TeamEvent::Lapsed { .. });
            length = record.number + 1;
            match team.replay(&record) {
                Ok(()) => {
                    if record.events.iter().any(is_lapse) {
                        last_lapse = Some(record.number);
                    }
                    names.take(&record);
                    names.forget_old();
                }
                Err(why) => uncounted.push(damage(&record, &why)),
            }
        };
        let mut damaged = journal.visit(0, &mut replay).await?;
        damaged.append(&mut uncounted);
        let fold = Self {
            team: Arc::new(team),
            // Copying the team once is less work than folding all of this twice.
            spare: None,
            length,
            is_in_doubt: false,
            names,
            secrets: Arc::default(),
        };
        let findings = Findings {
            damaged,
            last_lapse,
        };
        Ok((fold, findings))
    }

    /// Hides these secrets in all that it decides from now on.
    #[must_use]
    pub fn hiding(self, secrets: Arc<Secrets>) -> Self {
        Self { secrets, ..self }
    }

    /// Puts the names of secrets in their place in a command of this process. What other workers ask has to stay as they asked
    /// it: they have done the same.
    pub fn hide(&self, command: &mut Command) {
        command.hide(&self.secrets);
    }

    /// The team after everything that was read or appended here.
    pub fn team(&self) -> &Arc<TeamState> {
        &self.team
    }

    /// How many records of the journal are in the team.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// Takes what other processes have appended since; returns it. A record that does not count is damage, and not among the records.
    pub async fn catch_up(&mut self, journal: &dyn Journal) -> Result<JournalRead, JournalError> {
        let mut read = journal.read(self.length).await?;
        self.is_in_doubt = false;
        self.take(&mut read);
        Ok(read)
    }

    /// Takes what this process has heard of, at least the records before number `through`, if there are so many; returns it.
    pub async fn follow(
        &mut self,
        journal: &dyn Journal,
        through: u64,
    ) -> Result<JournalRead, JournalError> {
        let mut read = journal.follow(self.length, through).await?;
        self.take(&mut read);
        Ok(read)
    }

    /// Takes what was read; what of it does not count becomes damage.
    fn take(&mut self, read: &mut JournalRead) {
        if let Some(last) = read.records.last() {
            let mut next = self.draft();
            let team = Arc::make_mut(&mut next);
            self.length = last.number + 1;
            read.records.retain(|record| match team.replay(record) {
                Ok(()) => {
                    self.names.take(record);
                    true
                }
                Err(why) => {
                    read.damaged.push(damage(record, &why));
                    false
                }
            });
            self.show(next, read.records.clone());
        }
    }

    /// Decides commands of this process one after the other, without the secrets in them, and appends all that follows as one
    /// record; again from the start if another process appended first. Returns once the record is in the journal, as durably as
    /// the commands require.
    pub async fn commit(
        &mut self,
        journal: &dyn Journal,
        clock: &dyn Clock,
        commands: &[Command],
    ) -> Committed {
        let mut commands = commands.to_vec();
        commands.iter_mut().for_each(|command| self.hide(command));
        let here = |command| (DecisionOrigin::Here, command);
        let commands: Vec<_> = commands.iter().map(here).collect();
        self.commit_from(journal, clock, &commands).await
    }

    /// Commits commands in which nothing is left to [hide](Self::hide), where workers ask each other to decide. A command
    /// that is listed by now changes nothing: what followed from it is in the record that lists it, which is among `others`
    /// if it was not read before.
    pub async fn commit_from(
        &mut self,
        journal: &dyn Journal,
        clock: &dyn Clock,
        commands: &[(DecisionOrigin, &Command)],
    ) -> Committed {
        let mut others = JournalRead::default();
        let results = self.append(journal, clock, commands, &mut others).await;
        Committed { others, results }
    }

    /// Forgets the oldest names of commands, if there are many. Whether it still knows all that were listed since the journal had
    /// this length: otherwise it cannot say that a command of that time was not decided.
    pub fn knows_names_since(&mut self, length: u64) -> bool {
        self.names.forget_old();
        self.names.knows_since(length)
    }

    /// Appends what was decided elsewhere from a journal of `expects` records; false if it has others by now.
    ///
    /// Errors: it is not known whether it was appended. What could be read since is in the first value.
    pub async fn append_at(
        &mut self,
        journal: &dyn Journal,
        clock: &dyn Clock,
        (expects, events): (u64, Vec<TeamEvent>),
    ) -> (JournalRead, Result<bool, JournalError>) {
        let mut others = JournalRead::default();
        if self.is_in_doubt {
            match self.catch_up(journal).await {
                Ok(read) => others.join(read),
                Err(error) => return (others, Err(error)),
            }
        }
        if self.length != expects {
            return (others, Ok(false));
        }
        let record = Record {
            writer: journal.writer(),
            ..Record::of(expects, clock.now(), events)
        };
        if let Err(why) = self.team.require_asked(&record) {
            let why = damage(&record, &why).text;
            return (others, Err(JournalError::Broken(why.into())));
        }
        self.is_in_doubt = true;
        let appended = journal
            .append_record(record.clone(), Durability::Synced)
            .await;
        if appended.is_ok() {
            self.is_in_doubt = false;
            self.length += 1;
            let mut next = self.draft();
            // It counts, as was looked at above.
            let _ = Arc::make_mut(&mut next).replay(&record);
            self.show(next, vec![record]);
            return (others, Ok(true));
        }
        match (self.catch_up(journal).await, appended) {
            (Ok(read), Err(JournalError::Conflict { length })) => {
                others.join(read);
                // Damaged lines keep their numbers.
                self.length = self.length.max(length);
                (others, Ok(false))
            }
            (Ok(read), result) => {
                others.join(read);
                (others, result.map(|()| true))
            }
            (Err(error), _) => (others, Err(error)),
        }
    }

    async fn append(
        &mut self,
        journal: &dyn Journal,
        clock: &dyn Clock,
        commands: &[(DecisionOrigin, &Command)],
        others: &mut JournalRead,
    ) -> Result<Vec<Result<Vec<TeamEvent>, TeamRefusal>>, JournalError> {
        if self.is_in_doubt {
            others.join(self.catch_up(journal).await?);
        }
        let mut conflicts = 0;
        loop {
            let (number, before, writer) = (self.length, self.team.clone(), journal.writer());
            let mut draft =
                RecordDraft::new(self.draft(), (&before, &writer), (number, clock.now()));
            let mut decide = |command: &(DecisionOrigin, &Command)| {
                command
                    .1
                    .require_names_without(&self.secrets, &draft.team)?;
                draft.decide(&self.names, command)
            };
            let results = commands.iter().map(&mut decide).collect();
            let RecordDraft {
                team: next,
                record,
                durability,
                ..
            } = draft;
            if record.events.is_empty() && record.commands.is_empty() {
                let missing = Vec::new();
                self.spare = Some(Spare {
                    team: next,
                    missing,
                });
                return Ok(results);
            }
            self.is_in_doubt = true;
            let error = match journal.append_record(record.clone(), durability).await {
                Ok(()) => {
                    self.is_in_doubt = false;
                    self.length += 1;
                    self.names.take(&record);
                    self.show(next, vec![record]);
                    return Ok(results);
                }
                Err(error) => error,
            };
            others.join(self.catch_up(journal).await?);
            conflicts += 1;
            match error {
                JournalError::Conflict { length } if conflicts <= CONFLICTS_MAX => {
                    // Nothing new could be read, yet there is more: damaged lines that keep their numbers.
                    if self.length == number {
                        self.length = length;
                    }
                }
                JournalError::Conflict { .. }
                | JournalError::Broken(_)
                | JournalError::Unsound(_) => return Err(error),
            }
        }
    }

    /// The team as a value that may be changed and dropped; copied on change while another reader holds it.
    fn draft(&mut self) -> Arc<TeamState> {
        let Some(Spare { mut team, missing }) = self.spare.take() else {
            return self.team.clone();
        };
        if !missing.is_empty() {
            let team = Arc::make_mut(&mut team);
            for record in &missing {
                // They were found to count.
                let _ = team.replay(record);
            }
        }
        team
    }

    /// From now on readers see `next`, which has these records beyond the value that they saw.
    fn show(&mut self, next: Arc<TeamState>, missing: Vec<Record>) {
        let team = std::mem::replace(&mut self.team, next);
        self.spare = Some(Spare { team, missing });
    }
}

/// The damage that a record which does not count amounts to.
fn damage(record: &Record, why: &UnaskedRecord) -> Damage {
    let by = match &record.writer {
        RecordWriter::User => String::new(),
        RecordWriter::Worker(worker) => format!(", which worker '{worker}' wrote,"),
    };
    let from = record.number;
    Damage {
        from,
        kind: DamageKind::Unasked,
        text: format!("record {from} of journal{by} does not count: {why}"),
    }
}

#[cfg(test)]
mod tests;
