//! Placements within the team: who needs what, and who may speak for whom.

use std::collections::BTreeSet;

use crate::{
    MemberName,
    id::Term,
    member::{Member, MemberPhase},
    name::WorkerName,
    team::{
        Command, Decision, Durability, TeamEvent, TeamRefusal, TeamState,
        place::{PlaceCommand, PlaceRefusal, Placements, Right, Unplaced, Waiting},
    },
    worker::Label,
};

impl TeamState {
    /// Workers and who holds whom.
    pub fn places(&self) -> &Placements {
        &self.places
    }

    /// The reason why a member that is to begin waits for a worker, where the team has workers. Nobody is taken to be silent
    /// but `silent`.
    pub fn missing_worker(
        &self,
        member: &Member,
        silent: &BTreeSet<WorkerName>,
    ) -> Option<Waiting> {
        let is_to_begin = member.phase == MemberPhase::Starting
            && self.places.is_used()
            && !self.is_in_ending_group(member)
            && self.paused_for(&member.name).is_none();
        if !is_to_begin || self.places.is_held(&member.name) {
            return None;
        }
        let of = Unplaced {
            member: &member.name,
            needs: &member.options.labels,
            silent,
        };
        self.places.choose(of, None).err()
    }

    /// The state of a member, for the user. One that no worker can take says what it waits for.
    pub fn describe(&self, member: &Member, silent: &BTreeSet<WorkerName>) -> String {
        match self.missing_worker(member, silent) {
            Some(why) => format!("{} ({why})", member.phase.describe()),
            None => member.phase.describe(),
        }
    }

    pub(in crate::team) fn decide_place(
        &self,
        command: &PlaceCommand,
    ) -> Result<Decision, TeamRefusal> {
        let none = BTreeSet::new();
        let own = match command {
            PlaceCommand::Place { member, .. } | PlaceCommand::Move { member, .. } => {
                self.own_needs(member)?
            }
            PlaceCommand::Join { .. }
            | PlaceCommand::Leave { .. }
            | PlaceCommand::Claim { .. }
            | PlaceCommand::Deliver { .. }
            | PlaceCommand::Demand(_) => &none,
        };
        let events = self.places.decide(command, own)?;
        Ok(Decision {
            events: events.into_iter().map(TeamEvent::Place).collect(),
            durability: Durability::Synced,
        })
    }

    /// A command by a right: an old term is refused, whatever is asked.
    pub(in crate::team) fn decide_under(
        &self,
        right: &Right,
        command: &Command,
    ) -> Result<Decision, TeamRefusal> {
        match right {
            Right::Steward(by) => self.places.require_steward(by)?,
            Right::Holder(by) => {
                self.places.require_holding(by)?;
                let speaks = self.speaker(command) == Some(&by.member);
                if !(speaks || by.member.is_lead() && self.is_due_end(command)) {
                    return Err(PlaceRefusal::OtherMember(by.member.clone()).into());
                }
            }
        }
        self.decide(command)
    }

    /// Whether it ends a member that is to end by now, or counts and records its last turn. Its own worker does that, and the lead's
    /// in the place of a silent one.
    fn is_due_end(&self, command: &Command) -> bool {
        let (member, incarnation) = match command {
            Command::Stop {
                member,
                incarnation,
            }
            | Command::EndTurn {
                member,
                incarnation,
                ..
            } => (member, *incarnation),
            Command::RecordUsage(report) => (&report.member, report.incarnation),
            _ => return false,
        };
        self.requests().is_shutting_down(member, incarnation)
    }

    /// Whether a worker asks in its own name: by a right of its own, or for nobody whom another worker holds.
    pub fn require_asker(&self, by: &WorkerName, command: &Command) -> Result<(), TeamRefusal> {
        let foreign = match command {
            Command::Under {
                right: Right::Steward(steward),
                ..
            } if steward.worker != *by => {
                let steward = self.places.steward().cloned();
                return Err(PlaceRefusal::NotSteward { steward }.into());
            }
            Command::Under {
                right: Right::Holder(holding),
                ..
            } if holding.worker != *by => Some((&holding.member, holding.term)),
            Command::Under { .. } => None,
            command => self
                .speaker(command)
                .filter(|member| self.is_held_by_another(member, by))
                .map(|member| (member, Term::NONE)),
        };
        let Some((member, asked)) = foreign else {
            return Ok(());
        };
        let placement = self.places.placement(member);
        Err(PlaceRefusal::OldTerm {
            member: member.clone(),
            asked,
            now: placement.map_or(Term::NONE, |placement| placement.term),
        }
        .into())
    }

    /// Whether only another worker speaks for the member.
    pub(in crate::team) fn is_held_by_another(
        &self,
        member: &MemberName,
        worker: &WorkerName,
    ) -> bool {
        let placement = self.places.placement(member);
        let holder = placement.and_then(|placement| placement.worker.as_ref());
        holder.is_some_and(|holder| holder != worker)
    }

    fn own_needs(&self, member: &MemberName) -> Result<&BTreeSet<Label>, TeamRefusal> {
        match self.member(member) {
            None => Err(TeamRefusal::Unknown(member.clone())),
            Some(known) => {
                known.must_run()?;
                Ok(&known.options.labels)
            }
        }
    }
}
