//! The steward's ledger at work for other workers: it decides what they ask, in their right, among its own commands.

use std::sync::Arc;

use teammate_core::{
    fold::DecisionOrigin,
    name::WorkerName,
    port::{AskedQuestion, CommandVerdict, DecidedCommands, FleetAnswer},
    team::{Command, CommandId, PlaceRefusal, Right, StewardTerm, TeamRefusal, TeamState},
};
use tokio::sync::oneshot;
use uuid::Uuid;

use crate::ledger::{CommitResult, Ledger, LedgerError, Submission};

/// A worker that asked for a command.
pub(crate) struct Asker {
    id: CommandId,
    question: Arc<AskedQuestion>,
    verdict: oneshot::Sender<CommandVerdict>,
}

impl Asker {
    pub(crate) fn origin(&self) -> DecisionOrigin {
        DecisionOrigin::Asked(self.id, self.question.clone())
    }

    /// How long the journal was when the command was named.
    pub(crate) fn since(&self) -> u64 {
        self.question.asked.journal
    }

    pub(crate) fn answer(self, result: CommitResult) {
        let verdict = match result {
            Ok(_) => CommandVerdict::Accepted,
            Err(LedgerError::Refused(TeamRefusal::Place(PlaceRefusal::NotSteward { .. }))) => {
                CommandVerdict::NotSteward
            }
            Err(LedgerError::Refused(refusal)) => CommandVerdict::Refused(refusal),
            Err(LedgerError::Journal(_) | LedgerError::Closed) => CommandVerdict::Unknown,
        };
        self.say(verdict);
    }

    pub(crate) fn say(self, verdict: CommandVerdict) {
        // The ledger may be closing.
        let _ = self.verdict.send(verdict);
    }
}

impl Ledger {
    /// Decides what another worker asks of this one, `worker`, as the steward. Who asks is proven by the wire, and by what the
    /// records keep of the question.
    pub async fn decide_for(&self, worker: &WorkerName, question: AskedQuestion) -> FleetAnswer {
        let worker = worker.clone();
        let question = Arc::new(question);
        let (by, asked) = (&question.by, &question.asked);
        let (team, term) = (self.team(), asked.steward);
        let steward = StewardTerm { worker, term };
        let is_foreign = is_anothers(&team, by, asked.first.writer);
        let mut verdicts = Vec::new();
        let mut answers = Vec::new();
        for (number, command) in (asked.first.number..).zip(&asked.commands) {
            let (verdict, answer) = oneshot::channel();
            answers.push(answer);
            let writer = asked.first.writer;
            let asker = Asker {
                id: CommandId { writer, number },
                question: question.clone(),
                verdict,
            };
            match team.require_asker(by, command) {
                _ if is_foreign => asker.say(CommandVerdict::Unknown),
                Err(refusal) => asker.say(CommandVerdict::Refused(refusal)),
                // A ledger that is closed drops it.
                Ok(()) => drop(self.orders.send(Submission {
                    command: by_steward(&steward, command.clone()),
                    client: asker.into(),
                })),
            }
        }
        drop(team);
        for answer in answers {
            verdicts.push(answer.await.unwrap_or(CommandVerdict::Unknown));
        }
        // Read after the verdicts: what was accepted is in that much of it.
        let journal = self.length.get();
        FleetAnswer::Decided(DecidedCommands { journal, verdicts })
    }
}

/// The command as the steward of this term decides it: refused under any other.
fn by_steward(steward: &StewardTerm, command: Command) -> Command {
    Command::Under {
        right: Right::Steward(steward.clone()),
        command: Box::new(command),
    }
}

/// Whether this session is known as another worker's: nobody uses up the names of another's commands.
fn is_anothers(team: &TeamState, by: &WorkerName, session: Uuid) -> bool {
    let mut workers = team.places().workers();
    workers.any(|(name, worker)| worker.session == session && name != by)
}
