//! `teammate log`: what happened, and what happens.

mod entry;

use std::{collections::VecDeque, io::IsTerminal as _};
use teammate_view::t;

use clap::Args;
use teammate::{
    Event, EventKind, EventLine, EventLog, MemberName, TeamError, TeamPlace, Timestamp,
    platform::terminal_width,
};

use self::entry::{LogEntry, Stamps, entry, log_lines};
use super::{CliContext, CliResult, SharedOptions, Verb, note, print_line};
use crate::screen::{EventRenderer, Style, clean_json, past_moment};

/// How many bytes of the log's end are read first where only its end is wanted.
const END_BYTES: u64 = 64 << 10;

/// Show what happened in the team
#[derive(Args)]
pub(crate) struct Log {
    /// Only this member
    name: Option<String>,

    /// Keep running and print new events
    #[arg(short, long)]
    follow: bool,

    /// Only events since WHEN: 45s, 10m, 2h or 3d ago, or a day or time like 2026-11-22T14:05
    #[arg(long, value_name = "WHEN", value_parser = past_moment)]
    since: Option<Timestamp>,

    /// Only the last N events
    #[arg(long, value_name = "N")]
    tail: Option<usize>,

    /// Print one JSON object per event
    #[arg(long)]
    json: bool,
}

impl Verb for Log {
    const SHARED: SharedOptions = SharedOptions::OfTeam;

    async fn run(self, place: &CliContext) -> CliResult {
        let mut log = EventLog::of(place.team(), place.options.read_max()?)?;
        let only = self.only(place).await?;
        let mut show = self.show(only);
        let mut stamps = Stamps::new(Style::for_stdout());
        let mut told = |entry| print_line(stamps.stamped(entry));
        match self.tail {
            Some(count) => {
                let (last, goes_on) = last(count, &mut log, &show).await?;
                last.into_iter().for_each(&mut told);
                show = goes_on;
            }
            None => {
                log.read_on(|line| show.take(line).into_iter().for_each(&mut told))
                    .await?;
            }
        }
        if !self.follow {
            return Ok(std::process::ExitCode::SUCCESS);
        }
        loop {
            log.changed().await;
            log.read_on(|line| show.take(line).into_iter().for_each(&mut told))
                .await?;
        }
    }
}

impl Log {
    fn show(&self, only: Option<MemberName>) -> Show {
        let stdout = std::io::stdout();
        let width = stdout
            .is_terminal()
            .then(|| terminal_width(&stdout))
            .flatten();
        Show {
            only,
            since: self.since,
            is_json: self.json,
            renderer: log_lines(Style::for_stdout(), width),
        }
    }

    /// The member to show. Without a team, any name may be in the log.
    async fn only(&self, place: &CliContext) -> anyhow::Result<Option<MemberName>> {
        match place.look_at(place.team()).await? {
            Ok(client) => {
                let name = self.name.as_deref();
                Ok(name.map(|name| client.member(name)).transpose()?)
            }
            Err(error @ TeamError::NotProven { .. }) => {
                note(&t!("{error}. Showing its log as it is on disk", error));
                let name = self.name.as_deref();
                Ok(name.map(MemberName::parse).transpose()?)
            }
            Err(error) => Err(error.into()),
        }
    }
}

/// The last `count` entries, and the renderer for what follows. Reads as much of the log's end as needed.
async fn last(
    count: usize,
    log: &mut EventLog,
    fresh: &Show,
) -> Result<(VecDeque<LogEntry>, Show), TeamError> {
    let mut bytes = END_BYTES;
    loop {
        let (mut show, mut last) = (fresh.clone(), VecDeque::new());
        let has_more = log.go_near_end(bytes)?;
        log.read_on(|line| {
            last.extend(show.take(line));
            if last.len() > count {
                last.pop_front();
            }
        })
        .await?;
        if last.len() >= count || !has_more {
            return Ok((last, show));
        }
        bytes = bytes.saturating_mul(4);
    }
}

/// Which lines are shown, and how.
#[derive(Clone)]
struct Show {
    only: Option<MemberName>,
    since: Option<Timestamp>,
    is_json: bool,
    renderer: EventRenderer,
}

impl Show {
    /// The line as it is shown, if it is worth showing. Lines of another version that cannot be read are not.
    fn take(&mut self, line: EventLine<'_>) -> Option<LogEntry> {
        let line = match line {
            EventLine::Text(line) => line,
            EventLine::TooLong { bytes } => {
                note(&format!(
                    "a line in the event log is not shown: it has {} MiB",
                    bytes >> 20
                ));
                return None;
            }
        };
        let event = serde_json::from_str::<Event>(line).ok()?;
        let is_other = self.only.as_ref().is_some_and(|name| *name != event.member);
        if is_other || self.since.is_some_and(|since| event.at < since) {
            return None;
        }
        if self.is_json {
            return Some(LogEntry::Json(clean_json(line).into_owned()));
        }
        entry(&mut self.renderer, &event)
    }
}

/// The last messages.
#[derive(Default)]
pub(super) struct Exchange {
    /// By the user, to the lead.
    pub(super) person: Option<String>,
    /// By the lead, after that.
    pub(super) lead: Option<String>,
}

/// The last messages between the user and the lead, if they are near the end of the log.
///
/// Errors: the log cannot be read.
pub(super) async fn last_exchange(team: TeamPlace, read_max: u64) -> Result<Exchange, TeamError> {
    let mut log = EventLog::of(team, read_max)?;
    let mut last = Exchange::default();
    log.go_near_end(16 * END_BYTES)?;
    log.read_on(|line| {
        let EventLine::Text(line) = line else { return };
        let Ok(event) = serde_json::from_str::<Event>(line) else {
            return;
        };
        if !event.member.is_lead() {
            return;
        }
        if let EventKind::PersonSaid { content, .. } = event.what {
            last = Exchange {
                person: Some(content),
                lead: None,
            };
        } else if let EventKind::ModelAnswered { text, .. } = event.what
            && !text.trim().is_empty()
        {
            last.lead = Some(text);
        }
    })
    .await?;
    Ok(last)
}
