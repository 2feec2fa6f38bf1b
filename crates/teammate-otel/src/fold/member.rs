//! One member: its turn, what waits to be linked to the next one, and what it waits for.

use std::collections::BTreeMap;

use teammate_core::{
    MemberName, Timestamp,
    event::{Event, WaitsOn},
    tool::CallId,
};

use super::{
    FoldParts,
    model_call::{OpenModelCall, TurnTokens},
    words::word,
};
use crate::{
    metrics::Instrument,
    names::{attribute, error, operation},
    span::{Link, OpenSpan, SpanId, SpanSide},
};

/// How many pieces of mail a turn is linked to.
const LINKS_MAX: usize = 128;

#[derive(Debug, Default)]
pub(super) struct MemberTrace {
    pub(super) turn: Option<OpenTurn>,
    /// Mail that it heard before its turn began.
    links: Links,
    wait: Option<(WaitsOn, Timestamp)>,
    /// The model that it asked last, as events name it.
    pub(super) model: String,
}

#[derive(Debug, Default)]
pub(super) struct Links {
    links: Vec<Link>,
    dropped: u32,
}

/// A turn that has not ended.
#[derive(Debug)]
pub(super) struct OpenTurn {
    pub(super) open: OpenSpan,
    links: Links,
    pub(super) call: Option<OpenModelCall>,
    pub(super) tools: BTreeMap<CallId, OpenSpan>,
    /// The calls that have not ended, in the order in which they began.
    pub(super) begun: Vec<CallId>,
    /// The questions to a person: about which call, and when.
    pub(super) asked: BTreeMap<u64, (CallId, Timestamp)>,
    /// How many milliseconds of each call a person was waited for.
    pub(super) waited: BTreeMap<CallId, u64>,
    pub(super) subagents: BTreeMap<String, OpenSpan>,
    pub(super) spent: TurnTokens,
}

impl Links {
    fn add(&mut self, link: Link) {
        match self.links.len() < LINKS_MAX {
            true => self.links.push(link),
            false => self.dropped += 1,
        }
    }
}

impl MemberTrace {
    pub(super) fn turn_id(&self) -> Option<SpanId> {
        self.turn.as_ref().map(|turn| turn.open.id())
    }

    /// It heard mail: its turn goes back to that, or the next one does.
    pub(super) fn hear(&mut self, link: Link) {
        match &mut self.turn {
            Some(turn) => turn.links.add(link),
            None => self.links.add(link),
        }
    }

    /// Its turn, which begins if there is none.
    pub(super) fn turn(&mut self, shared: &mut FoldParts, event: &Event) -> &mut OpenTurn {
        let links = &mut self.links;
        self.turn.get_or_insert_with(|| {
            let name = format!("{} {}", operation::INVOKE_AGENT, event.member);
            let open = shared.begin(shared.root, name, SpanSide::Internal, event.at);
            OpenTurn {
                open: shared.of_member(open, &event.member, operation::INVOKE_AGENT),
                links: std::mem::take(links),
                call: None,
                tools: BTreeMap::new(),
                begun: Vec::new(),
                asked: BTreeMap::new(),
                waited: BTreeMap::new(),
                subagents: BTreeMap::new(),
                spent: TurnTokens::default(),
            }
        })
    }

    /// Takes a new reason to wait, or none.
    pub(super) fn wait(
        &mut self,
        shared: &mut FoldParts,
        member: &MemberName,
        at: Timestamp,
        on: Option<WaitsOn>,
    ) {
        if self.wait.map(|(on, _)| on) == on {
            return;
        }
        if let Some((on, since)) = self.wait.take() {
            let labels = vec![
                (attribute::AGENT_NAME, member.to_string()),
                (attribute::WAIT_ON, word(&on)),
            ];
            let waited = at.0.saturating_sub(since.0) as f64 / 1000.0;
            shared
                .metrics
                .record(Instrument::WaitDuration, labels, waited);
        }
        self.wait = on.map(|on| (on, at));
    }

    /// Its turn is over, and with it whatever runs in it.
    pub(super) fn end_turn(
        &mut self,
        shared: &mut FoldParts,
        member: &MemberName,
        at: Timestamp,
        how: String,
        error: Option<&'static str>,
    ) {
        let Some(mut turn) = self.turn.take() else {
            return;
        };
        turn.end_parts(shared, at, error.unwrap_or(error::INTERRUPTED));
        let mut labels = vec![
            (attribute::OPERATION, operation::INVOKE_AGENT.to_owned()),
            (attribute::AGENT_NAME, member.to_string()),
        ];
        labels.extend(error.map(|error| (attribute::ERROR_TYPE, error.to_owned())));
        let took = turn.open.seconds(at);
        shared
            .metrics
            .record(Instrument::AgentDuration, labels, took);
        turn.spent.show(&mut turn.open);
        turn.open.set(attribute::TURN_END, how);
        let mut span = turn.open.end(at, error);
        span.links = turn.links.links;
        span.links_dropped = turn.links.dropped;
        shared.finished.push(span);
    }

    /// It is stopped, or the team closes.
    pub(super) fn stop(&mut self, shared: &mut FoldParts, member: &MemberName, at: Timestamp) {
        self.wait(shared, member, at, None);
        self.end_turn(
            shared,
            member,
            at,
            error::STOPPED.to_owned(),
            Some(error::STOPPED),
        );
    }
}

impl OpenTurn {
    /// Ends what runs in it.
    fn end_parts(&mut self, shared: &mut FoldParts, at: Timestamp, error: &'static str) {
        let tools = std::mem::take(&mut self.tools);
        let subagents = std::mem::take(&mut self.subagents);
        for open in tools.into_values().chain(subagents.into_values()) {
            shared.end(open, at, Some(error));
        }
        if let Some(call) = self.call.take() {
            call.end(shared, at, Some(error));
        }
    }
}
