//! Makes finished spans and counts of a run's events: a function of them, which waits for nothing and reads no clock. Whatever has
//! begun ends: with its own event, with its turn, its member or the run.

mod calls;
mod mail;
mod member;
mod model_call;
mod tools;
mod words;

use std::collections::BTreeMap;

use teammate_core::{
    MemberName, Timestamp,
    event::{Closing, Event, EventKind, RunId},
    request::{RequestId, RequestKind},
    transcript::EndReason,
};

use self::{mail::MailOnItsWay, member::MemberTrace, words::word};
use crate::{
    metrics::{Instrument, Metrics},
    names::{attribute, error, operation},
    span::{OpenSpan, SpanId, SpanIds, SpanSide, TraceId, TraceSpan},
};

/// How many plans may wait for an answer at once; more have no span.
const PLANS_MAX: usize = 1_000;

/// Whether spans hold what was said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Contents {
    /// Names, numbers and times only.
    #[default]
    Left,
    /// Answers, arguments and outcomes of tools, and mail, too.
    Sent,
}

/// Of which run spans are made.
#[derive(Debug, Clone)]
pub struct About {
    pub run: RunId,
    /// The id that tells this team from all others.
    pub team_id: String,
    /// Whether spans hold what was said.
    pub contents: Contents,
}

/// The fold.
#[derive(Debug)]
pub struct SpanFold {
    shared: FoldParts,
    run: Option<OpenSpan>,
    members: BTreeMap<MemberName, MemberTrace>,
    mail: MailOnItsWay,
    plans: BTreeMap<RequestId, OpenSpan>,
}

/// The parts that all parts of the fold use.
#[derive(Debug)]
struct FoldParts {
    about: About,
    ids: SpanIds,
    root: SpanId,
    team: String,
    metrics: Metrics,
    finished: Vec<TraceSpan>,
    last: Timestamp,
}

impl FoldParts {
    /// A span that begins now.
    fn begin(&mut self, parent: SpanId, name: String, kind: SpanSide, at: Timestamp) -> OpenSpan {
        OpenSpan::begin(self.ids.next(), Some(parent), name, kind, at)
    }

    fn end(&mut self, open: OpenSpan, at: Timestamp, error: Option<&'static str>) {
        self.finished.push(open.end(at, error));
    }

    /// The attributes that every span of a member has.
    fn of_member(&self, open: OpenSpan, member: &MemberName, operation: &'static str) -> OpenSpan {
        open.with(attribute::OPERATION, operation)
            .with(
                attribute::AGENT_ID,
                format!("{}/{member}", self.about.team_id),
            )
            .with(attribute::AGENT_NAME, member.as_str())
            .with(
                attribute::CONVERSATION_ID,
                format!("{}/{member}", self.about.team_id),
            )
    }

    /// Text of the conversation, if it may leave the program.
    fn said(&self, text: impl FnOnce() -> String) -> Option<String> {
        match self.about.contents {
            Contents::Left => None,
            Contents::Sent => Some(text()),
        }
    }
}

impl SpanFold {
    /// Before the first event.
    pub fn new(about: About) -> Self {
        let mut ids = SpanIds::of(TraceId::of(about.run));
        let shared = FoldParts {
            root: ids.next(),
            ids,
            about,
            team: String::new(),
            metrics: Metrics::default(),
            finished: Vec::new(),
            last: Timestamp(0),
        };
        Self {
            shared,
            run: None,
            members: BTreeMap::new(),
            mail: MailOnItsWay::default(),
            plans: BTreeMap::new(),
        }
    }

    /// The counts so far.
    pub fn metrics(&self) -> &Metrics {
        &self.shared.metrics
    }

    /// The moment of the last event.
    pub fn last(&self) -> Timestamp {
        self.shared.last
    }

    /// One event more; the spans that ended with it.
    pub fn take(&mut self, event: &Event) -> Vec<TraceSpan> {
        let (at, member) = (event.at, &event.member);
        self.shared.last = self.shared.last.max(at);
        if self.run.is_none() {
            self.run = Some(self.shared.run_span(at));
        }
        match &event.what {
            EventKind::TeamOpened { team, .. } => self.shared.team.clone_from(team),
            EventKind::TeamClosed { why } => self.close(at, Some(*why)),
            EventKind::ModelAsked { .. } => self.of_member(event, MemberTrace::ask),
            EventKind::ModelAnswered { .. } => self.of_member(event, MemberTrace::answered),
            EventKind::Retrying { .. } => self.of_member(event, |state, _, _| state.retry()),
            EventKind::Compacted { usage, .. } | EventKind::SubagentAnswered { usage, .. } => {
                let state = self.members.entry(member.clone()).or_default();
                state.spend(&mut self.shared, usage);
            }
            EventKind::ToolStarted { .. } => self.of_member(event, MemberTrace::start_tool),
            EventKind::ToolFinished { .. } => self.of_member(event, MemberTrace::finish_tool),
            EventKind::PermissionAsked { question, .. } => {
                let state = self.members.entry(member.clone()).or_default();
                state.ask_person(*question, at);
            }
            EventKind::PermissionAnswered { question, .. } => {
                let state = self.members.entry(member.clone()).or_default();
                state.person_answered(*question, at);
            }
            EventKind::SubagentStarted { .. } => self.of_member(event, MemberTrace::start_subagent),
            EventKind::SubagentEnded { .. } => self.of_member(event, MemberTrace::end_subagent),
            EventKind::Status { waits, .. } => {
                let (state, on) = (self.members.entry(member.clone()), waits.as_ref());
                let state = state.or_default();
                state.wait(&mut self.shared, member, at, on.map(|waits| waits.on));
            }
            EventKind::TurnEnded { why, .. } => {
                if let Some(state) = self.members.get_mut(member) {
                    state.end_turn(&mut self.shared, member, at, word(why), error_of(why));
                }
            }
            EventKind::Terminated { .. } => {
                if let Some(mut state) = self.members.remove(member) {
                    state.stop(&mut self.shared, member, at);
                }
            }
            EventKind::RequestOpened { request, kind, .. } => {
                self.open_plan(*request, *kind, member, at);
            }
            EventKind::RequestSettled { request, state, .. } => {
                if let Some(mut plan) = self.plans.remove(request) {
                    plan.set(attribute::PLAN_END, word(state));
                    self.shared.end(plan, at, None);
                }
            }
            // No other span begins or ends with any other.
            _ => self.take_mail(event),
        }
        std::mem::take(&mut self.shared.finished)
    }

    /// No event comes any more. What `team_closed` would have ended has ended with the last event.
    pub fn finish(&mut self) -> Vec<TraceSpan> {
        self.close(self.shared.last, None);
        std::mem::take(&mut self.shared.finished)
    }

    fn close(&mut self, at: Timestamp, why: Option<Closing>) {
        for (member, mut state) in std::mem::take(&mut self.members) {
            state.stop(&mut self.shared, &member, at);
        }
        for plan in std::mem::take(&mut self.plans).into_values() {
            self.shared.end(plan, at, None);
        }
        self.mail.give_up(&mut self.shared, at);
        let Some(mut run) = self.run.take() else {
            return;
        };
        let error = match why {
            Some(Closing::Storage) => Some(error::STORAGE),
            Some(Closing::Settled | Closing::Paused | Closing::Stopped) | None => None,
        };
        let name = self.shared.team.clone();
        run.set(attribute::WORKFLOW_NAME, name.as_str());
        if let Some(why) = why {
            run.set(attribute::RUN_END, word(&why));
        }
        let labels = vec![(attribute::WORKFLOW_NAME, name)];
        let took = run.seconds(at);
        self.shared
            .metrics
            .record(Instrument::WorkflowDuration, labels, took);
        self.shared.end(run, at, error);
    }

    fn of_member(&mut self, event: &Event, step: fn(&mut MemberTrace, &mut FoldParts, &Event)) {
        let state = self.members.entry(event.member.clone()).or_default();
        step(state, &mut self.shared, event);
    }

    /// The span of the member's turn, or of the run where it has none.
    fn turn_of(&self, member: &MemberName) -> SpanId {
        let turn = self.members.get(member).and_then(MemberTrace::turn_id);
        turn.unwrap_or(self.shared.root)
    }

    fn open_plan(
        &mut self,
        request: RequestId,
        kind: RequestKind,
        member: &MemberName,
        at: Timestamp,
    ) {
        match kind {
            RequestKind::Plan if self.plans.len() < PLANS_MAX => {}
            RequestKind::Plan | RequestKind::Shutdown | RequestKind::Permission => return,
        }
        let turn = self.turn_of(member);
        let shared = &mut self.shared;
        let plan = shared.begin(turn, operation::PLAN.to_owned(), SpanSide::Internal, at);
        let plan = shared.of_member(plan, member, operation::PLAN);
        self.plans.insert(request, plan);
    }
}

impl FoldParts {
    fn run_span(&self, at: Timestamp) -> OpenSpan {
        let name = operation::INVOKE_WORKFLOW.to_owned();
        OpenSpan::begin(self.root, None, name, SpanSide::Internal, at)
            .with(attribute::OPERATION, operation::INVOKE_WORKFLOW)
            .with(attribute::RUN_ID, self.about.run.to_string())
    }
}

/// The kind of error that a turn ended with.
fn error_of(why: &EndReason) -> Option<&'static str> {
    match why {
        EndReason::Done | EndReason::Waiting { .. } => None,
        EndReason::Interrupted => Some(error::INTERRUPTED),
        EndReason::Failed { .. } => Some(error::MODEL),
        EndReason::Limit { .. } => Some(error::LIMIT),
    }
}
