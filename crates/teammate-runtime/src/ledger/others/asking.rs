//! A worker's ledger has the steward decide, for workers that compete for the journal spend their time on conflicts.
//!
//! What waits goes over the wire as one question; there is one at a time, so commands keep their order. What follows from a command is
//! read in the journal: its record lists the command's name. The answer says what was refused, and how far to read.
//!
//! A steward that is not heard is no reason to wait: the ledger then decides by itself, as it does where there is no steward. What
//! the steward may have read by then, and may still decide, is recorded with its name whatever comes of it. So it is decided once.

use std::{
    collections::{BTreeMap, VecDeque},
    future::pending,
    sync::Arc,
    time::Duration,
};

use teammate_core::{
    fold::DecisionOrigin,
    name::WorkerName,
    port::{
        AskedCommands, BoxFuture, CommandVerdict, DecidedCommands, Fleet, FleetAnswer,
        FleetQuestion, FleetReply, Record,
    },
    team::{Command, CommandId, Placements, StewardTerm},
};
use tokio::time::Instant;
use uuid::Uuid;

use crate::{
    ledger::{CommitResult, LedgerError, LedgerTask, Submission},
    worker_role::WorkerRole,
};

/// How long the steward may take to answer.
const ANSWER_WITHIN: Duration = Duration::from_secs(2);

/// How long a steward that did not answer is not asked again.
const ASK_AGAIN_AFTER: Duration = Duration::from_secs(2);

/// The most commands in a question.
const COMMANDS_MAX: usize = 256;

/// The most bytes that they have together.
const QUESTION_BYTES_MAX: usize = 256 << 10;

/// The questions of a worker to the steward.
pub(super) struct StewardAsking {
    wire: Arc<dyn Fleet>,
    worker: WorkerName,
    /// Whose commands they are: this session of the worker.
    writer: Uuid,
    /// The number of the next command that is named.
    next: u64,
    /// Commands that were named, and nothing is known of them yet. In order.
    open: BTreeMap<u64, Submission>,
    /// The question that the steward has not answered.
    question: Option<StewardQuestion>,
    /// The steward that did not answer, and until when it is not asked.
    unheard: Option<(StewardTerm, Instant)>,
}

struct StewardQuestion {
    steward: StewardTerm,
    /// The number of its first command.
    first: u64,
    count: usize,
    reply: BoxFuture<'static, FleetReply>,
}

impl StewardAsking {
    pub(super) fn of(role: &WorkerRole) -> Self {
        Self {
            wire: role.wire.clone(),
            worker: role.name.clone(),
            writer: role.session,
            next: 0,
            open: BTreeMap::new(),
            question: None,
            unheard: None,
        }
    }

    /// Resolves when there is a reply to the question; never, if there is none. May be given up and called again.
    pub(super) async fn reply(&mut self) -> FleetReply {
        match &mut self.question {
            Some(question) => (&mut question.reply).await,
            None => pending().await,
        }
    }

    /// Whether something was asked and is not answered.
    pub(super) fn has_question(&self) -> bool {
        self.question.is_some()
    }

    /// The steward, if it is another worker that can be asked.
    pub(super) fn decider(&self, places: &Placements) -> Option<StewardTerm> {
        let steward = places.steward()?;
        let is_unheard = self
            .unheard
            .as_ref()
            .is_some_and(|(who, until)| who == steward && Instant::now() < *until);
        let is_elsewhere = steward.worker != self.worker;
        (is_elsewhere && !is_unheard && places.worker(&steward.worker).is_some())
            .then(|| steward.clone())
    }

    /// Asks the steward for what waits, as much as one question holds. A command that no question holds is given back.
    pub(super) fn ask(
        &mut self,
        steward: StewardTerm,
        journal: u64,
        waiting: &mut VecDeque<Submission>,
    ) -> Option<Submission> {
        let (first, mut commands, mut bytes) = (self.next, Vec::new(), 0);
        while commands.len() < COMMANDS_MAX
            && let Some(submission) = waiting.pop_front()
        {
            bytes = size(&submission.command).saturating_add(bytes);
            if bytes > QUESTION_BYTES_MAX && commands.is_empty() {
                return Some(submission);
            }
            if bytes > QUESTION_BYTES_MAX {
                waiting.push_front(submission);
                break;
            }
            commands.push(submission.command.clone());
            self.open.insert(self.next, submission);
            self.next += 1;
        }
        let (wire, worker, count) = (self.wire.clone(), steward.worker.clone(), commands.len());
        let asked = FleetQuestion::Decide(AskedCommands {
            steward: steward.term,
            journal,
            first: self.id(first),
            commands,
        });
        let reply = async move { wire.ask(&worker, &asked, ANSWER_WITHIN).await };
        self.question = Some(StewardQuestion {
            steward,
            first,
            count,
            reply: Box::pin(reply),
        });
        None
    }

    /// Answers callers whose commands these records list; whether there are any.
    pub(super) fn read(&mut self, records: &[Record]) -> bool {
        let before = self.open.len();
        for record in records {
            for decided in &record.commands {
                // Without events it was listed by this ledger itself, which answers.
                if decided.id.writer == self.writer
                    && decided.count > 0
                    && let Some(submission) = self.open.remove(&decided.id.number)
                {
                    let events = record.events_of(decided.id).unwrap_or_default();
                    submission.client.answer(Ok(events.to_vec()));
                }
            }
        }
        if self.open.is_empty() {
            self.question = None;
        }
        self.open.len() < before
    }

    fn id(&self, number: u64) -> CommandId {
        let writer = self.writer;
        CommandId { writer, number }
    }

    fn answer(&mut self, number: u64, result: CommitResult) {
        if let Some(submission) = self.open.remove(&number) {
            submission.client.answer(result);
        }
    }

    fn leave_unheard(&mut self, steward: StewardTerm) {
        self.unheard = Some((steward, Instant::now() + ASK_AGAIN_AFTER));
    }
}

impl LedgerTask {
    /// Takes the reply to the question.
    pub(super) async fn settle(&mut self, reply: FleetReply) {
        let Some(asking) = self.asking() else {
            return;
        };
        let Some(question) = asking.question.take() else {
            return;
        };
        match reply {
            FleetReply::Answered(FleetAnswer::Decided(decided))
                if decided.verdicts.len() == question.count =>
            {
                let (steward, first) = (question.steward, question.first);
                self.take_verdicts(&steward, first, decided).await;
            }
            FleetReply::Nobody => {
                asking.leave_unheard(question.steward);
                let numbers: Vec<u64> = asking.open.keys().copied().collect();
                self.take_back(&numbers);
            }
            // An answer that cannot be read may be one of a later version.
            FleetReply::Silent | FleetReply::Answered(_) => {
                asking.leave_unheard(question.steward);
                self.decide_doubted().await;
            }
        }
    }

    /// Takes what the steward said of the commands from number `first` on.
    async fn take_verdicts(&mut self, asked: &StewardTerm, first: u64, decided: DecidedCommands) {
        let is_read = self.read_up_to(decided.journal).await;
        if let Err(error) = &is_read {
            self.broken.send_replace(Some(error.clone()));
        }
        let is_still_steward = self.fold.team().places().steward() == Some(asked);
        let Some(asking) = self.asking() else {
            return;
        };
        let mut unasked = Vec::new();
        for (number, verdict) in (first..).zip(decided.verdicts) {
            match (&is_read, verdict) {
                (_, CommandVerdict::Refused(refusal)) => asking.answer(number, Err(refusal.into())),
                // It changed nothing, or its record would have been read.
                (Ok(true), CommandVerdict::Accepted) => asking.answer(number, Ok(Vec::new())),
                (Err(error), CommandVerdict::Accepted) => {
                    asking.answer(number, Err(LedgerError::Journal(error.clone())));
                }
                (_, CommandVerdict::NotSteward) => unasked.push(number),
                (Ok(false), CommandVerdict::Accepted) | (_, CommandVerdict::Unknown) => {}
            }
        }
        if !unasked.is_empty() && is_still_steward {
            asking.leave_unheard(asked.clone());
        }
        if unasked.len() == asking.open.len() {
            self.take_back(&unasked);
        } else {
            self.decide_doubted().await;
        }
    }

    /// Puts the commands that nobody was asked back before all else.
    fn take_back(&mut self, numbers: &[u64]) {
        let Some(others) = &mut self.others else {
            return;
        };
        let open = &mut others.asking.open;
        for submission in numbers.iter().rev().filter_map(|n| open.remove(n)) {
            self.waiting.push_front(submission);
        }
    }

    /// Decides here what the steward may have decided, and may still: each is recorded with its name.
    async fn decide_doubted(&mut self) {
        // What the journal lists by now has its answer.
        self.catch_up().await;
        let Some(asking) = self.asking() else {
            return;
        };
        let doubted: Vec<(CommandId, Command)> = asking
            .open
            .iter()
            .map(|(number, open)| (asking.id(*number), open.command.clone()))
            .collect();
        if doubted.is_empty() {
            return;
        }
        let commands: Vec<_> = doubted
            .iter()
            .map(|(id, command)| (DecisionOrigin::Doubted(*id), command))
            .collect();
        let results = self.commit_from(&commands).await;
        if let Some(asking) = self.asking() {
            for ((id, _), result) in doubted.iter().zip(results) {
                asking.answer(id.number, result);
            }
        }
    }
}

/// How many bytes a command has on the wire.
fn size(command: &Command) -> usize {
    struct Counted(usize);
    impl std::io::Write for Counted {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0 += bytes.len();
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let mut counted = Counted(0);
    // What cannot be written goes nowhere.
    match serde_json::to_writer(&mut counted, command) {
        Ok(()) => counted.0,
        Err(_) => usize::MAX,
    }
}
