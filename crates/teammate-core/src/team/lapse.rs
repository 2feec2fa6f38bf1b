//! The lapse of what loses its effect when a team's records turn out to be incomplete, or come from somewhere else. A
//! permission or an approval counts only as long as everything that was recorded about it can be proven: a missing record may
//! have been the one that used it up or took it back.

use super::{Decision, TeamEvent, TeamState};
use crate::{
    Sender,
    member::MemberPhase,
    status::JobEnd,
    task::TaskEvent,
    team::{Durability, Lapse},
    transcript::EndReason,
};

impl TeamState {
    /// The events that follow from a lapse, as one record.
    pub(super) fn lapse(&self, lapse: Lapse, why: &str) -> Decision {
        let mut events = vec![TeamEvent::Lapsed {
            lapse,
            why: why.to_owned(),
        }];
        events.extend(self.cancel_permissions(why));
        match lapse {
            Lapse::Damage => {}
            Lapse::Adoption => {
                events.extend(self.cancel_pending(why));
                events.extend(self.drop_checks());
                events.extend(self.lose_jobs());
                events.extend(self.interrupt_turns());
            }
        }
        Decision {
            events,
            durability: Durability::Synced,
        }
    }

    /// Applies the mark itself. What lapses with it stands in the events beside it, except for approved plans, assignments,
    /// schedules and goals, which have no event of their own.
    pub(super) fn apply_lapse(&mut self, lapse: Lapse) {
        match lapse {
            Lapse::Damage => {}
            Lapse::Adoption => self.lapse_conversations(),
        }
        self.schedules.lapse();
        self.goals.lapse();
        for member in self.members.values_mut() {
            member.gate.lapse();
            match lapse {
                Lapse::Damage => {}
                Lapse::Adoption => member.assignment = None,
            }
        }
    }

    fn drop_checks(&self) -> impl Iterator<Item = TeamEvent> {
        // Completed ones, too: they may be opened again.
        let with_check = self
            .board()
            .all_with_deleted()
            .filter(|task| task.check.is_some());
        with_check.map(|task| TeamEvent::Task {
            task: task.id,
            change: TaskEvent::without_check(Sender::System),
        })
    }

    fn lose_jobs(&self) -> impl Iterator<Item = TeamEvent> {
        self.jobs().running().map(|job| TeamEvent::JobEnded {
            job: job.id,
            end: JobEnd::Lost,
        })
    }

    fn interrupt_turns(&self) -> impl Iterator<Item = TeamEvent> {
        let busy = self.members().filter(|member| match member.phase {
            MemberPhase::Starting | MemberPhase::Working | MemberPhase::Waiting(_) => true,
            MemberPhase::Idle { .. } | MemberPhase::Stopped => false,
        });
        busy.map(|member| TeamEvent::TurnEnded {
            member: member.name.clone(),
            incarnation: member.incarnation,
            why: EndReason::Interrupted,
            turn: None,
            result: String::new(),
        })
    }
}
