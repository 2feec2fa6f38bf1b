//! What members are doing, recorded by the ledger and shown on screens.

use teammate_core::{
    Incarnation, MemberName,
    event::EventKind,
    port::MemberSummary,
    team::{Command, MemberPhase},
    transcript::EndReason,
};

use super::Base;

impl Base {
    /// Queues a status for the ledger without waiting, and emits it.
    pub(crate) fn record_status(&self, command: Command) {
        let (member, phase) = match &command {
            Command::StartTurn { member, .. } => (member.clone(), MemberPhase::Working),
            Command::Wait { member, on, .. } => (member.clone(), MemberPhase::Waiting(*on)),
            Command::Create { .. }
            | Command::Open { .. }
            | Command::Adopt { .. }
            | Command::Lapse { .. }
            | Command::Spawn(_)
            | Command::EndTurn { .. }
            | Command::ChooseModel { .. }
            | Command::SetTodos { .. }
            | Command::RecordUsage(_)
            | Command::Task(_)
            | Command::Group(_)
            | Command::Request(_)
            | Command::Conversation(_)
            | Command::Join(_)
            | Command::MarkBoardReported { .. }
            | Command::StartJob(_)
            | Command::EndJob { .. }
            | Command::DropConversation(_)
            | Command::Stop { .. } => return self.ledger.submit(command),
        };
        self.ledger.submit(command);
        self.feed.emit(&member, status_event(&phase));
    }

    /// Tells the screen a status that is in the ledger already.
    pub(crate) fn emit_status(&self, name: &MemberName) {
        let what = self
            .ledger
            .team()
            .member(name)
            .map(|member| status_event(&member.phase));
        if let Some(what) = what {
            self.feed.emit(name, what);
        }
    }

    /// Records that a member failed in this incarnation, and emits it.
    pub(crate) async fn record_failure(
        &self,
        name: &MemberName,
        incarnation: Incarnation,
        what: String,
    ) {
        let why = EndReason::Failed { what };
        let rest = Command::EndTurn {
            member: name.clone(),
            incarnation,
            why: why.clone(),
            turn: None,
            result: String::new(),
        };
        if let Err(error) = self.ledger.decide(rest).await {
            let text = format!("its failure was not recorded: {error}");
            self.feed.note(name, text);
        }
        let result = String::new();
        self.feed.emit(name, EventKind::TurnEnded { why, result });
        self.emit_status(name);
    }

    pub(crate) fn roster(&self) -> Vec<MemberSummary> {
        let team = self.ledger.team();
        team.members()
            .map(|member| MemberSummary {
                name: member.name.clone(),
                role: member.role.clone(),
                status: member.describe(),
                team: member.options.group.clone(),
                is_busy: member.phase.is_busy(),
            })
            .collect()
    }
}

fn status_event(phase: &MemberPhase) -> EventKind {
    EventKind::Status {
        status: phase.status(),
        phase: phase.describe(),
    }
}
