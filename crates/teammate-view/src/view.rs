//! The fold.

use std::collections::BTreeMap;

use teammate_core::{
    MemberName, Timestamp,
    event::{Closing, Event, EventKind, RunId},
    port::{Record, SeenPresence},
    request::RequestId,
    team::{PlaceEvent, TeamEvent, TeamState},
};

use crate::{
    AnsweredRequest, ContextShare, Costs, Fact, KeptEntries, MailLog, Need, Story,
    answered::AnsweredLately,
    story::OtherFacts,
    troubles::{RunTroubles, Trouble},
};

/// A team as screens show it: the same facts in the same order give the same view, wherever they are read.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TeamView {
    team: TeamState,
    records: u64,
    kept: KeptEntries,
    /// Whether anybody has begun a turn.
    has_worked: bool,
    /// The number of the first event; 0 if nothing that is worth an event can have come before it.
    first_event: Option<u64>,
    /// The number of the next event; nothing before the first one that has a number.
    next_event: Option<u64>,
    now: Timestamp,
    run: Option<Run>,
    stories: BTreeMap<MemberName, Story>,
    mail: MailLog,
    costs: Costs,
    troubles: RunTroubles,
    /// The last answers of the processes that run it.
    presence: SeenPresence,
    answered: AnsweredLately,
}

/// The run that events come from.
#[derive(Debug, Clone, PartialEq)]
pub struct Run {
    /// Its id; nothing in old logs.
    pub id: Option<RunId>,
    pub pid: Option<u32>,
    pub since: Timestamp,
    /// How it ended, if it has said so.
    pub closed: Option<Closing>,
    /// Whether the process is known to have ended without a word.
    pub is_lost: bool,
}

impl TeamView {
    /// The view that these facts make, in their order.
    pub fn of(facts: &[Fact]) -> Self {
        let mut view = Self::default();
        facts.iter().for_each(|fact| view.apply(fact));
        view
    }

    /// A view of nothing yet that will keep this much.
    pub fn keeping(kept: KeptEntries) -> Self {
        Self {
            kept,
            mail: MailLog::keeping(kept),
            ..Self::default()
        }
    }

    /// The number of the first event that it was given; 0 if there was none before. In the event log of a directory that is how many
    /// there were.
    pub fn unknown_events(&self) -> u64 {
        self.first_event.unwrap_or(0)
    }

    /// The team as the journal records it.
    pub fn team(&self) -> &TeamState {
        &self.team
    }

    /// Whether anybody has ever begun a turn.
    pub(crate) fn has_worked(&self) -> bool {
        self.has_worked
    }

    /// How many records of the journal are in it.
    pub fn records(&self) -> u64 {
        self.records
    }

    /// The latest moment that a fact told.
    pub fn now(&self) -> Timestamp {
        self.now
    }

    /// The latest run.
    pub fn run(&self) -> Option<&Run> {
        self.run.as_ref()
    }

    /// Whether a process runs the team, as far as facts tell.
    pub fn is_live(&self) -> bool {
        let run = self.run.as_ref();
        run.is_some_and(|run| run.closed.is_none() && !run.is_lost)
    }

    /// The last answers of the processes that run it; of a team in files nobody is asked.
    pub fn presence(&self) -> &SeenPresence {
        &self.presence
    }

    /// A member's story; nothing if no event was about it.
    pub fn story(&self, member: &MemberName) -> Option<&Story> {
        self.stories.get(member)
    }

    /// How much of its context a member has used, in percent, where that is known.
    pub fn context(&self, member: &MemberName) -> Option<ContextShare> {
        let context = self.story(member)?.context()?;
        let limit = context.limit.filter(|limit| *limit > 0)?;
        Some(ContextShare {
            percent: (context.used.saturating_mul(100) / limit).min(100),
            is_estimated: context.estimated,
        })
    }

    /// The stories of all members that events were about.
    pub fn stories(&self) -> impl Iterator<Item = (&MemberName, &Story)> {
        self.stories.iter()
    }

    /// The mail.
    pub fn mail(&self) -> &MailLog {
        &self.mail
    }

    /// The costs.
    pub fn costs(&self) -> &Costs {
        &self.costs
    }

    /// The needs of the user now, the first things first.
    pub fn needs(&self) -> Vec<Need> {
        Need::of(&self.team, self.now)
    }

    /// The needs of the user as they are asked: those that ask exactly the same are one.
    pub fn grouped_needs(&self) -> Vec<Need> {
        Need::grouped(&self.team, self.now)
    }

    /// The requests that were answered lately, by the user or by nobody in time: the last answer first.
    pub fn answered(&self) -> impl ExactSizeIterator<Item = &AnsweredRequest> {
        self.answered.all.iter()
    }

    /// The troubles that the user should look at and nobody answers, the oldest first.
    pub fn troubles(&self) -> Vec<Trouble> {
        self.troubles.and_silent(&self.stories, self.now)
    }

    /// Whether somebody does something that takes time, and a shown second counts. Waiting for the user does not.
    pub fn is_moving(&self) -> bool {
        self.stories
            .values()
            .filter_map(Story::doing)
            .any(|doing| !doing.what.is_waiting_for_person())
    }

    /// Whether a member is in the middle of something, be it waiting for the user: now, or when the last run was left and a member
    /// has not begun again yet.
    pub fn has_work_under_way(&self) -> bool {
        let mut stories = self.stories.values();
        stories.any(|story| story.doing().is_some()) || self.team.has_work_under_way()
    }

    /// Takes a fact. Never fails; what it does not know, or has already, changes nothing.
    pub fn apply(&mut self, fact: &Fact) {
        match fact {
            Fact::Record(record) => self.take_record(record),
            Fact::Event(event) => self.take_event(event),
            Fact::HostEnded { pid } => self.host_ended(*pid),
            Fact::Presence(seen) => self.take_presence(seen),
            Fact::Clock(now) => self.now = self.now.max(*now),
        }
    }

    fn host_ended(&mut self, pid: u32) {
        if let Some(run) = &mut self.run
            && run.pid == Some(pid)
            && run.closed.is_none()
        {
            run.is_lost = true;
            self.stories.values_mut().for_each(Story::rest);
        }
    }

    fn take_presence(&mut self, seen: &SeenPresence) {
        self.presence.clone_from(seen);
        let is_run = seen.holder.is_some();
        if let Some(run) = &mut self.run
            && run.closed.is_none()
        {
            run.is_lost = !is_run;
        }
        if !is_run {
            self.stories.values_mut().for_each(Story::rest);
        }
    }

    /// Cuts off the member's present activity: its worker continues from its transcript.
    fn goes_on_elsewhere(&mut self, event: &TeamEvent) {
        if let TeamEvent::Place(
            PlaceEvent::Placed { member, .. } | PlaceEvent::Moved { member, .. },
        ) = event
            && let Some(story) = self.stories.get_mut(member)
        {
            story.rest();
        }
    }

    fn take_record(&mut self, record: &Record) {
        if record.number < self.records {
            return;
        }
        if self.team.replay(record).is_err() {
            // It counts for nobody.
            self.records = record.number + 1;
            return;
        }
        self.costs.take_record(record, &self.team);
        self.answered.take_record(record, &self.team);
        for event in &record.events {
            self.has_worked |= matches!(event, TeamEvent::Working { .. });
            self.goes_on_elsewhere(event);
        }
        self.records = record.number + 1;
        self.now = self.now.max(record.at);
    }

    fn take_event(&mut self, event: &Event) {
        if let Some(number) = event.n {
            if self.next_event.is_some_and(|next| number < next) {
                return;
            }
            let is_first = !self.has_worked && matches!(event.what, EventKind::TeamOpened { .. });
            let begins = if is_first { 0 } else { number };
            self.first_event.get_or_insert(begins);
            self.next_event = Some(number + 1);
        }
        self.now = self.now.max(event.at);
        self.mail.take(event);
        self.troubles.take(event);
        let known = self.stories.get(&event.member);
        let model = known.and_then(Story::model).map(str::to_owned);
        self.costs.take_event(event, model.as_deref());
        match &event.what {
            EventKind::TeamOpened { pid, worker, .. } => {
                self.run = Some(Run {
                    id: event.run,
                    pid: *pid,
                    since: event.at,
                    closed: None,
                    is_lost: false,
                });
                // Members of other workers go on; those of a lost one are moved, each by a record.
                if worker.is_none() {
                    self.stories.values_mut().for_each(Story::rest);
                }
            }
            EventKind::TeamClosed { why } => {
                if let Some(run) = &mut self.run {
                    run.closed = Some(*why);
                }
                self.stories.values_mut().for_each(Story::rest);
            }
            _ => {}
        }
        let heard = match &event.what {
            EventKind::MailHeard { id, .. } => self.mail.get(id).map(|mail| mail.text.clone()),
            _ => None,
        };
        let asked = match &event.what {
            EventKind::PermissionAsked { question, .. } => {
                self.team.requests().get(RequestId::new(*question))
            }
            _ => None,
        };
        let known = OtherFacts {
            mail: heard.as_deref(),
            cause: asked.map(|request| &request.call),
        };
        let story = self.stories.entry(event.member.clone());
        let story = story.or_insert_with(|| Story::keeping(self.kept));
        story.take(event.at, &event.what, known);
    }
}
