//! The status of members, recorded by the ledger and shown on screens.

use teammate_core::{
    Incarnation, MemberName,
    event::{EventKind, Waits, WaitsOn},
    port::MemberSummary,
    team::{Command, Member, MemberPhase, MemberStatus},
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
            | Command::Schedule(_)
            | Command::Goal(_)
            | Command::Place(_)
            | Command::Under { .. }
            | Command::ChooseMode(_)
            | Command::SetBudgets(_)
            | Command::Pause(_)
            | Command::Continue(_)
            | Command::BeginAnew { .. }
            | Command::Conversation(_)
            | Command::Join(_)
            | Command::MarkBoardReported { .. }
            | Command::StartJob(_)
            | Command::EndJob { .. }
            | Command::Order { .. }
            | Command::DropRule(_)
            | Command::EndOrder { .. }
            | Command::DropConversation(_)
            | Command::Stop { .. } => return self.ledger.submit(command),
        };
        self.ledger.submit(command);
        self.emit_phase(&member, &phase, false);
    }

    /// Tells the screen a status that is in the ledger already.
    pub(crate) fn emit_status(&self, name: &MemberName) {
        self.emit_rest(name, false);
    }

    /// Emits the rest after a turn; `is_spent` says whether it ended because a budget is spent.
    pub(crate) fn emit_rest(&self, name: &MemberName, is_spent: bool) {
        let team = self.ledger.team();
        if let Some(member) = team.member(name) {
            self.emit_phase(name, &member.phase, is_spent);
        }
    }

    /// Tells the screen that a member in a turn waits for the others, until the value is dropped.
    pub(crate) fn awaiting_mail<'a>(&'a self, name: &'a MemberName) -> AwaitingMail<'a> {
        let waits = Waits {
            on: WaitsOn::Mail,
            id: None,
            since: self.ports.clock.now(),
        };
        let status = EventKind::Status {
            status: MemberStatus::Working,
            phase: "working (waiting for the team)".to_owned(),
            waits: Some(waits),
        };
        self.feed.emit(name, status);
        AwaitingMail(self, name)
    }

    fn emit_phase(&self, name: &MemberName, phase: &MemberPhase, is_spent: bool) {
        let (team, now) = (self.ledger.team(), self.ports.clock.now());
        let member = team.member(name);
        let waits = member.and_then(|member| team.waits(member, phase, is_spent, now));
        let status = EventKind::Status {
            status: phase.status(),
            phase: phase.describe(),
            waits,
        };
        self.feed.emit(name, status);
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
        if let Err(error) = self.decide_or_wait(rest).await {
            let text = format!("its failure was not recorded: {error}");
            self.feed.note(name, text);
        }
        let result = String::new();
        self.feed.emit(name, EventKind::TurnEnded { why, result });
        self.emit_status(name);
    }

    pub(crate) fn roster(&self) -> Vec<MemberSummary> {
        let (team, unfit) = (self.ledger.team(), self.deployment.unfit());
        let status = |member: &Member| match team.missing_worker(member, &unfit) {
            Some(_) => team.describe(member, &unfit),
            None => member.describe(),
        };
        team.members()
            .map(|member| MemberSummary {
                name: member.name.clone(),
                role: member.role_and_engine(),
                status: status(member),
                team: member.options.group.clone(),
                is_busy: member.phase.is_busy(),
            })
            .collect()
    }
}

/// A member that waits for the others within a turn, also if the call is dropped.
pub(crate) struct AwaitingMail<'a>(&'a Base, &'a MemberName);

impl Drop for AwaitingMail<'_> {
    fn drop(&mut self) {
        self.0.emit_phase(self.1, &MemberPhase::Working, false);
    }
}
