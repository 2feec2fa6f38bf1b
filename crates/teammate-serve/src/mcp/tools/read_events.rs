//! `read_events`: what has happened, on and on.

use std::collections::VecDeque;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use teammate::{EventLine, EventLog, TeamError};
use tokio::runtime::Handle;

use crate::mcp::{
    cut::cut_all,
    tool::{Call, Effect, Refused, ServedTool},
};

const EVENTS: usize = 50;
const EVENTS_MAX: usize = 200;

/// The most characters of a text in an event.
const TEXT_CHARS_MAX: usize = 1_000;

/// How much of the log's end is looked at first.
const END_BYTES: u64 = 1024 * 1024;

pub(in crate::mcp) struct ReadEvents;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::mcp) struct Input {
    /// Only events after this number: last of the answer before. Without it: the latest.
    #[serde(default)]
    since: Option<u64>,
    /// How many at most: 50 by default, 200 at most.
    #[serde(default)]
    limit: Option<usize>,
}

impl ServedTool for ReadEvents {
    type Input = Input;

    const NAME: &'static str = "read_events";
    const DESCRIPTION: &'static str = "Read the team's event log: model calls, tools, mail, tasks, permissions, with numbers. \
        To follow it, pass last as since.";
    const EFFECT: Effect = Effect::Looks;

    async fn run(input: Input, call: &Call) -> Result<Value, Refused> {
        // Whose team it is, is proven first.
        call.team.look().await?;
        let (place, read_max) = (call.team.place().clone(), call.team.read_max());
        let limit = input.limit.unwrap_or(EVENTS).clamp(1, EVENTS_MAX);
        let read = tokio::task::spawn_blocking(move || {
            let log = || EventLog::of(place.clone(), read_max);
            match input.since {
                Some(since) => after(log, since, limit),
                None => latest(log()?, limit),
            }
        });
        let page = read
            .await
            .map_err(|bug| Refused(format!("a bug: {bug}")))??;
        Ok(page.json(input.since))
    }
}

/// Some events, in their order.
#[derive(Default)]
struct Page {
    events: VecDeque<(u64, Value)>,
    has_more: bool,
}

impl Page {
    fn json(self, since: Option<u64>) -> Value {
        let last = self.events.back().map(|(number, _)| *number).or(since);
        let events = self.events.into_iter().map(|(_, mut event)| {
            cut_all(&mut event, TEXT_CHARS_MAX);
            event
        });
        json!({
            "events": events.collect::<Vec<_>>(),
            "last": last,
            "has_more": self.has_more,
        })
    }
}

/// The last events of the log.
fn latest(mut log: EventLog, limit: usize) -> Result<Page, TeamError> {
    let mut page = Page::default();
    log.go_near_end(END_BYTES)?;
    read(&mut log, |number, event| {
        page.events.push_back((number, event));
        if page.events.len() > limit {
            page.events.pop_front();
        }
    })?;
    Ok(page)
}

/// The first events after a number. Most clients read on where they were, near the end.
fn after(
    open: impl Fn() -> Result<EventLog, TeamError>,
    since: u64,
    limit: usize,
) -> Result<Page, TeamError> {
    let mut log = open()?;
    let is_cut = log.go_near_end(END_BYTES)?;
    let (page, first) = page_after(&mut log, since, limit)?;
    match first {
        Some(first) if is_cut && first > since + 1 => Ok(page_after(&mut open()?, since, limit)?.0),
        Some(_) | None => Ok(page),
    }
}

/// With the number of the first event that was read at all.
fn page_after(
    log: &mut EventLog,
    since: u64,
    limit: usize,
) -> Result<(Page, Option<u64>), TeamError> {
    let (mut page, mut first) = (Page::default(), None);
    read(log, |number, event| {
        first.get_or_insert(number);
        if number > since {
            if page.events.len() < limit {
                page.events.push_back((number, event));
            } else {
                page.has_more = true;
            }
        }
    })?;
    Ok((page, first))
}

/// Gives each event that has a number: those of older versions have none.
fn read(log: &mut EventLog, mut give: impl FnMut(u64, Value) + Send) -> Result<(), TeamError> {
    let reading = log.read_on(|line| {
        if let EventLine::Text(text) = line
            && let Ok(event) = serde_json::from_str::<Value>(text)
            && let Some(number) = event["n"].as_u64()
        {
            give(number, event);
        }
    });
    // This is a thread of its own.
    Handle::current().block_on(reading)
}
