//! What members are doing, noted in the ledger and told to screens.

use teammate_core::{
    MemberName,
    event::What,
    port::RosterLine,
    team::{Command, Phase},
};

use super::Shared;

impl Shared {
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
