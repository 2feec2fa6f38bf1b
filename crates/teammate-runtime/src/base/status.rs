//! What members are doing, noted in the ledger and told to screens.

use teammate_core::{
    Incarnation, MemberName,
    event::What,
    port::RosterLine,
    team::{Command, Phase},
    transcript::RestReason,
};

use super::Base;

impl Base {
    /// Notes a status without waiting, and tells the screen.
    pub(crate) fn status(&self, command: Command) {
        let (member, phase) = match &command {
            Command::Work { member, .. } => (member.clone(), Phase::Working),
            Command::Wait { member, on, .. } => (member.clone(), Phase::Waiting(*on)),
            Command::Create { .. }
            | Command::Open { .. }
            | Command::Adopt { .. }
            | Command::Lapse { .. }
            | Command::Spawn(_)
            | Command::Rest { .. }
            | Command::Todos { .. }
            | Command::Spend(_)
            | Command::Task(_)
            | Command::Group(_)
            | Command::Request(_)
            | Command::Conversation(_)
            | Command::Join(_)
            | Command::BoardTold { .. }
            | Command::StartJob(_)
            | Command::EndJob { .. }
            | Command::DropConversation(_)
            | Command::Stop { .. } => return self.ledger.note(command),
        };
        self.ledger.note(command);
        self.feed.tell(&member, status_of(&phase));
    }

    /// Tells the screen a status that is in the ledger already.
    pub(crate) fn tell_status(&self, name: &MemberName) {
        let what = self
            .ledger
            .team()
            .member(name)
            .map(|member| status_of(&member.phase));
        if let Some(what) = what {
            self.feed.tell(name, what);
        }
    }

    /// Notes that a member cannot go on in this incarnation, and shows it.
    pub(crate) async fn fail(&self, name: &MemberName, incarnation: Incarnation, what: String) {
        let why = RestReason::Failed { what };
        let rest = Command::Rest {
            member: name.clone(),
            incarnation,
            why: why.clone(),
            turn: None,
            result: String::new(),
        };
        if let Err(error) = self.ledger.decide(rest).await {
            let text = format!("its failure was not noted: {error}");
            self.feed.notice(name, text);
        }
        let result = String::new();
        self.feed.tell(name, What::Rested { why, result });
        self.tell_status(name);
    }

    pub(crate) fn roster(&self) -> Vec<RosterLine> {
        let team = self.ledger.team();
        team.members()
            .map(|member| RosterLine {
                name: member.name.clone(),
                role: member.role.clone(),
                status: member.describe(),
                team: member.terms.team.clone(),
                is_busy: member.phase.is_busy(),
            })
            .collect()
    }
}

fn status_of(phase: &Phase) -> What {
    What::Status {
        status: phase.status().to_owned(),
        phase: phase.describe(),
    }
}
