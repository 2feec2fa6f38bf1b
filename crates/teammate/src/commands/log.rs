//! `teammate log`: what happened, and what happens.

use std::{io::IsTerminal as _, time::Duration};

use clap::Args;
use teammate::{EVENT_BYTES_MAX, Event, EventLine, MemberName, Outside, platform::terminal_width};

use super::{Ended, Place, say};
use crate::screen::{Lines, Shown, Style, clean_json, put};

/// How often a followed log is looked at.
const LOOK_EVERY: Duration = Duration::from_millis(200);

/// Show what happened in the team
#[derive(Args)]
pub(crate) struct Log {
    /// Only this member
    name: Option<String>,

    /// Go on showing what happens
    #[arg(short, long)]
    follow: bool,

    /// One JSON object per event
    #[arg(long)]
    json: bool,
}

impl Log {
    pub(crate) async fn run(self, place: &Place) -> Ended {
        let outside = Outside::look(&place.dir).await?;
        let only = self
            .name
            .as_deref()
            .map(|name| outside.member(name))
            .transpose()?;
        let stdout = std::io::stdout();
        let width = stdout
            .is_terminal()
            .then(|| terminal_width(&stdout))
            .flatten();
        let mut lines = Lines::new(Style::for_stdout(), width);
        let mut offset = 0;
        loop {
            offset = outside.events_from(offset, &mut |line| match line {
                EventLine::Text(line) => self.show(&line, only.as_ref(), &mut lines),
                EventLine::TooLong { bytes } => put(&mut std::io::stderr(), &format!(
                    "note: a line of {} MiB in {} is not shown; the longest that is read has {} MiB\n",
                    bytes >> 20,
                    outside.events_path().display(),
                    EVENT_BYTES_MAX >> 20
                )),
            })?;
            if !self.follow {
                return Ok(std::process::ExitCode::SUCCESS);
            }
            tokio::time::sleep(LOOK_EVERY).await;
        }
    }

    /// Lines of another version that cannot be read are shown as they are only in JSON.
    fn show(&self, line: &str, only: Option<&MemberName>, lines: &mut Lines) {
        let Ok(event) = serde_json::from_str::<Event>(line) else {
            return;
        };
        if only.is_some_and(|name| *name != event.member) {
            return;
        }
        if self.json {
            return say(clean_json(line));
        }
        let style = Style::for_stdout();
        for shown in lines.show(&event) {
            match shown {
                Shown::Line(text) => say(text),
                Shown::Lead(text) => say(format!("[{}] {text}", style.name("lead"))),
                Shown::LeadEnd => {}
            }
        }
    }
}
