//! One look at a record of a worker, event by event: against the team before it, and what the record itself says so far.

use std::collections::{BTreeMap, BTreeSet};

use super::{AskedSoFar, UnaskedRecord, reach::WriterReach, scheduled::Firing};
use crate::{
    MemberName,
    id::{JobId, RequestId},
    name::WorkerName,
    request::RequestEvent,
    team::{
        AskedQuestion, Command, CommandId, EventSpeaker, Record, RecordWriter, Right, StewardTerm,
        TeamEvent, TeamState,
    },
};

/// A look at a record of this worker. It changes nothing of the team.
#[derive(Debug)]
pub(crate) struct Inspection<'t> {
    team: &'t TeamState,
    writer: &'t WorkerName,
    /// Whether the record changes who runs whom, as its first event says.
    is_placing: Option<bool>,
    asked: AskedSoFar,
    reach: WriterReach,
    firing: Firing,
    stopped: BTreeSet<MemberName>,
    jobs: BTreeMap<JobId, MemberName>,
    requests: BTreeMap<RequestId, Option<MemberName>>,
}

/// A command that another worker asked for, and how many events it may still lead to.
struct AskedCommand<'a> {
    by: &'a WorkerName,
    command: &'a Command,
    left: usize,
}

impl<'t> Inspection<'t> {
    /// Nothing, if every record of this writer counts.
    pub(crate) fn of(team: &'t TeamState, writer: &'t RecordWriter) -> Option<Self> {
        let RecordWriter::Worker(writer) = writer else {
            return None;
        };
        Some(Self {
            team,
            writer,
            is_placing: None,
            asked: AskedSoFar::default(),
            reach: WriterReach::default(),
            firing: Firing::default(),
            stopped: BTreeSet::new(),
            jobs: BTreeMap::new(),
            requests: BTreeMap::new(),
        })
    }

    /// Looks at a whole record.
    pub(crate) fn record(&mut self, record: &Record) -> Result<(), UnaskedRecord> {
        let (mut rest, mut seen) = (record.events.as_slice(), 0);
        for decided in &record.commands {
            let (first, count) = (decided.first as usize, decided.count as usize);
            let before = first.checked_sub(seen);
            let cut = before.and_then(|before| rest.split_at_checked(before));
            let (unasked, from) = cut.ok_or(UnaskedRecord::BadList)?;
            let cut = from.split_at_checked(count);
            let (events, after) = cut.ok_or(UnaskedRecord::BadList)?;
            self.run(unasked, None)?;
            let question = record.question_of(decided.id);
            self.run(events, question.map(|question| (&**question, decided.id)))?;
            (rest, seen) = (after, first + count);
        }
        self.run(rest, None)
    }

    /// Looks at what follows from one command, or from commands of the writer's own.
    pub(crate) fn run(
        &mut self,
        events: &[TeamEvent],
        question: Option<(&AskedQuestion, CommandId)>,
    ) -> Result<(), UnaskedRecord> {
        let mut asked = match question {
            Some((question, id)) if !events.is_empty() => self.asked(question, id)?,
            Some(_) | None => None,
        };
        for event in events {
            self.require_unmixed(event)?;
            self.require_speaker(event, asked.as_mut())?;
            self.reach.require(self.team, event)?;
            self.see(event);
        }
        Ok(())
    }

    /// The command, if it was asked of this steward and is not decided yet.
    fn asked<'a>(
        &mut self,
        question: &'a AskedQuestion,
        id: CommandId,
    ) -> Result<Option<AskedCommand<'a>>, UnaskedRecord> {
        let steward = StewardTerm {
            worker: self.writer.clone(),
            term: question.asked.steward,
        };
        if self.team.places.steward() != Some(&steward) {
            return Err(UnaskedRecord::OtherSteward);
        }
        let by = &question.by;
        let next = self.team.asked.next(by, id.writer);
        if id.number < next.max(self.asked.next(by, id.writer)) {
            return Err(UnaskedRecord::Repeated);
        }
        self.asked.note(by, id);
        Ok(question.command(id).map(|command| AskedCommand {
            by,
            command,
            left: command.most_events(),
        }))
    }

    fn require_unmixed(&mut self, event: &TeamEvent) -> Result<(), UnaskedRecord> {
        let is_placing = event.is_placing();
        match *self.is_placing.get_or_insert(is_placing) == is_placing {
            true => Ok(()),
            false => Err(UnaskedRecord::Mixed),
        }
    }

    fn require_speaker(
        &self,
        event: &TeamEvent,
        asked: Option<&mut AskedCommand<'_>>,
    ) -> Result<(), UnaskedRecord> {
        let member = match self.speaker(event) {
            EventSpeaker::Harness | EventSpeaker::OwnerOf(_) | EventSpeaker::AskerOf(_) => {
                return Ok(());
            }
            EventSpeaker::User if self.firing.has_made(self.team, event) => return Ok(()),
            EventSpeaker::User => return Err(UnaskedRecord::User),
            EventSpeaker::Member(member) => member,
        };
        let by = asked.as_ref().map_or(self.writer, |asked| asked.by);
        let needs_no_question = self.stopped.contains(member)
            || !self.team.is_held_by_another(member, self.writer)
            || self.firing.has_made(self.team, event)
            || self.is_due_end(event, by);
        if needs_no_question {
            return Ok(());
        }
        if let Some(asked) = asked
            && asked.left > 0
            && !self.team.is_held_by_another(member, asked.by)
            && self.has_right(asked)
            && asked.command.may_lead_to(event)
        {
            asked.left -= 1;
            return Ok(());
        }
        let placement = self.team.places.placement(member);
        let holder = placement.and_then(|placement| placement.worker.as_ref());
        Err(UnaskedRecord::Member {
            member: member.clone(),
            holder: holder.unwrap_or(self.writer).clone(),
        })
    }

    /// For whom it speaks, with what the record says so far.
    fn speaker<'b>(&'b self, event: &'b TeamEvent) -> EventSpeaker<'b> {
        let of = |member: Option<&'b MemberName>| {
            member.map_or(EventSpeaker::Harness, EventSpeaker::Member)
        };
        match event.speaker() {
            EventSpeaker::OwnerOf(job) => {
                let known = self.team.jobs.get(job).map(|job| &job.owner);
                of(known.or_else(|| self.jobs.get(&job)))
            }
            EventSpeaker::AskerOf(request) => {
                let new = self.requests.get(&request).and_then(Option::as_ref);
                let known = self.team.requests.get(request);
                of(known.map_or(new, |request| request.from.name()))
            }
            speaker @ (EventSpeaker::Harness | EventSpeaker::User | EventSpeaker::Member(_)) => {
                speaker
            }
        }
    }

    /// Whether the asker has the right by which it asks.
    fn has_right(&self, asked: &AskedCommand<'_>) -> bool {
        let Command::Under { right, .. } = asked.command else {
            return true;
        };
        match right {
            Right::Holder(by) => {
                by.worker == *asked.by && self.team.places.require_holding(by).is_ok()
            }
            Right::Steward(_) => false,
        }
    }

    /// Whether it ends a member that is to end by now, which the lead's worker does in the place of a silent one.
    fn is_due_end(&self, event: &TeamEvent, by: &WorkerName) -> bool {
        let TeamEvent::Stopped {
            member,
            incarnation,
        } = event
        else {
            return false;
        };
        let lead = self.team.places.placement(&MemberName::lead());
        let has_lead = lead.is_some_and(|lead| lead.worker.as_ref() == Some(by));
        has_lead && self.team.requests.is_shutting_down(member, *incarnation)
    }

    fn see(&mut self, event: &TeamEvent) {
        self.reach.see(event);
        self.firing.see(event);
        match event {
            TeamEvent::Stopped { member, .. } => {
                self.stopped.insert(member.clone());
            }
            TeamEvent::JobStarted { job, member, .. } => {
                self.jobs.insert(*job, member.clone());
            }
            TeamEvent::Request {
                request,
                change: RequestEvent::Opened { from, .. },
            } => {
                self.requests.insert(*request, from.name().cloned());
            }
            _ => {}
        }
    }
}
