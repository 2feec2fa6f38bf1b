//! The run of the task that owns the journal's end: one batch of commands after the other.

use std::time::Duration;

use teammate_core::{
    fold::{Committed, DecisionOrigin},
    port::{CommandVerdict, JournalError, JournalRead},
    team::{Command, TeamEvent, TeamRefusal},
};
use tokio::time::sleep;

use super::{
    CommitResult, JournalNews, LedgerError, LedgerTask, Submission, Submitter, others::LedgerPeers,
};

/// The most commands decided as one record.
const BATCH_MAX: usize = 256;

/// The pause before what could not be read is read again: nothing rings for it a second time.
const READ_AGAIN_AFTER: Duration = Duration::from_secs(1);

impl LedgerTask {
    pub(super) async fn run(mut self) {
        let (mut batch, journal) = (Vec::new(), self.journal.clone());
        loop {
            tokio::select! {
                biased;
                said = LedgerPeers::next(&mut self.others) => self.hear_others(said).await,
                count = self.orders.recv_many(&mut batch, BATCH_MAX) => if count == 0 {
                    return self.finish().await;
                },
                // Where something was asked, the answer says how far to read: not once for each record of others.
                () = journal.grew(), if !self.has_question() => self.hear().await,
                () = sleep(READ_AGAIN_AFTER), if self.is_behind => self.catch_up().await,
            }
            self.go_on(&mut batch).await;
        }
    }

    /// Decides these commands of other workers, and what waits of its own, or has it decided.
    async fn go_on(&mut self, batch: &mut Vec<Submission>) {
        let mut now = self.sort(batch).await;
        loop {
            if self.decides() {
                let count = BATCH_MAX.min(self.waiting.len());
                now.extend(self.waiting.drain(..count));
            }
            if now.is_empty() {
                now.extend(self.ask());
            }
            if now.is_empty() {
                return;
            }
            self.commit(std::mem::take(&mut now)).await;
        }
    }

    /// Puts the commands of this process behind those that wait, without secrets; gives back those of other workers.
    async fn sort(&mut self, batch: &mut Vec<Submission>) -> Vec<Submission> {
        let since = batch
            .iter()
            .filter_map(|submission| submission.client.since());
        // Who asks is not answered by less than it knows itself.
        let is_read = match since.max() {
            Some(length) => self.read_up_to(length).await == Ok(true),
            None => true,
        };
        let mut asked = Vec::new();
        for mut submission in batch.drain(..) {
            match submission.client {
                Submitter::Nobody | Submitter::Caller(_) => {
                    self.fold.hide(&mut submission.command);
                    self.waiting.push_back(submission);
                }
                // Whether it was decided cannot be said.
                Submitter::Worker(asker)
                    if !is_read || !self.fold.knows_names_since(asker.since()) =>
                {
                    asker.say(CommandVerdict::Unknown);
                }
                Submitter::Worker(_) => asked.push(submission),
            }
        }
        asked
    }

    fn has_question(&self) -> bool {
        self.others.as_ref().is_some_and(LedgerPeers::has_question)
    }

    /// Whether what waits is decided here.
    fn decides(&self) -> bool {
        self.others.as_ref().is_none_or(|others| {
            !others.has_question() && others.decider(self.fold.team().places()).is_none()
        })
    }

    /// Asks for what waits, if nothing is being asked. What must be decided here all the same is given back.
    fn ask(&mut self) -> Option<Submission> {
        let others = self.others.as_mut()?;
        if others.has_question() || self.waiting.is_empty() {
            return None;
        }
        let steward = others.decider(self.fold.team().places())?;
        others.ask(steward, self.fold.length(), &mut self.waiting)
    }

    /// Nobody submits anything any more: what was asked is waited for.
    async fn finish(&mut self) {
        while self.has_question() {
            let said = LedgerPeers::next(&mut self.others).await;
            self.hear_others(said).await;
            self.go_on(&mut Vec::new()).await;
        }
    }

    async fn commit(&mut self, batch: Vec<Submission>) {
        let origin = |submission: &Submission| match &submission.client {
            Submitter::Nobody | Submitter::Caller(_) => DecisionOrigin::Here,
            Submitter::Worker(asker) => asker.origin(),
        };
        let commands: Vec<_> = batch
            .iter()
            .map(|submission| (origin(submission), &submission.command))
            .collect();
        let results = self.commit_from(&commands).await;
        for (submission, result) in batch.into_iter().zip(results) {
            submission.client.answer(result);
        }
    }

    pub(super) async fn commit_from(
        &mut self,
        commands: &[(DecisionOrigin, &Command)],
    ) -> Vec<CommitResult> {
        let commit = self
            .fold
            .commit_from(&*self.journal, &*self.clock, commands);
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

    /// Takes all that other processes have appended.
    pub(super) async fn catch_up(&mut self) {
        let read = self.fold.catch_up(&*self.journal).await;
        self.take(read);
    }

    /// Takes what was heard of others' appends.
    async fn hear(&mut self) {
        let known = self.fold.length();
        let read = self.fold.follow(&*self.journal, known).await;
        self.take(read);
    }

    /// Shows what was read. What cannot be read now is met at the next append, or in a moment; but for a journal that is not one
    /// history: nothing is appended to it any more.
    fn take(&mut self, read: Result<JournalRead, JournalError>) {
        self.is_behind = matches!(
            read,
            Err(JournalError::Conflict { .. } | JournalError::Broken(_))
        );
        match read {
            Ok(read) => self.show(&read, &[]),
            Err(error @ JournalError::Unsound(_)) => drop(self.broken.send_replace(Some(error))),
            Err(JournalError::Conflict { .. } | JournalError::Broken(_)) => {}
        }
    }

    /// Reads so much of the journal; false if there is not so much.
    pub(super) async fn read_up_to(&mut self, length: u64) -> Result<bool, JournalError> {
        while self.fold.length() < length {
            let before = self.fold.length();
            let read = self.fold.follow(&*self.journal, length).await?;
            self.show(&read, &[]);
            if self.fold.length() == before {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Publishes the team to readers, and the records that other processes have appended. `own` is what this one has.
    pub(super) fn show(&mut self, read: &JournalRead, own: &[&TeamEvent]) {
        let journal = (&*self.journal, self.fold.length());
        if let Some(others) = &mut self.others {
            others.publish(read, journal, own);
        }
        self.team.send_modify(|team| {
            *team = self.fold.team().clone();
            // The team that readers see knows at least what the length counts.
            self.length.set(self.fold.length());
        });
        for line in read.damaged.iter().map(ToString::to_string) {
            if self.damaged.insert(line.clone()) {
                let _ = self.news.send(JournalNews::Damaged(line));
            }
        }
        self.publish(read.records.iter().flat_map(|record| &record.events));
        if let Some(others) = &mut self.others
            && others.read(read)
        {
            self.broken.send_replace(None);
        }
    }

    pub(super) fn publish<'a>(&self, events: impl Iterator<Item = &'a TeamEvent>) {
        for event in events {
            // The receiver may already be dropped when a team closes.
            let _ = self.news.send(JournalNews::Event(Box::new(event.clone())));
        }
    }
}
