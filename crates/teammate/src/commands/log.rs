//! `teammate log`: what happened, and what happens.

use std::{io::IsTerminal as _, time::Duration};

use clap::Args;
use teammate::{
    Event, EventLine, EventLog, MemberName, Outside, TeamError, platform::terminal_width,
};

use super::{Ended, Place, note, say};
use crate::{
    screen::{Lines, Shown, Style, clean_json},
    settings::user_dirs,
};

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
        let mut log = EventLog::of(place.team(), place.options.read_max()?)?;
        let only = self.only(place).await?;
        let stdout = std::io::stdout();
        let width = stdout
            .is_terminal()
            .then(|| terminal_width(&stdout))
            .flatten();
        let mut lines = Lines::new(Style::for_stdout(), width);
        loop {
            log.read_on(|line| match line {
                EventLine::Text(line) => self.show(line, only.as_ref(), &mut lines),
                EventLine::TooLong { bytes } => note(&format!(
                    "a line of {} MiB in the event log is not shown: it is too long",
                    bytes >> 20
                )),
            })?;
            if !self.follow {
                return Ok(std::process::ExitCode::SUCCESS);
            }
            tokio::time::sleep(LOOK_EVERY).await;
        }
    }

    /// The member that is asked for. Of a team that is not opened, any name may be in the log.
    async fn only(&self, place: &Place) -> anyhow::Result<Option<MemberName>> {
        let read_max = place.options.read_max()?;
        match Outside::look_reading_at_most(place.team(), &user_dirs(), read_max).await {
            Ok(outside) => {
                let name = self.name.as_deref();
                Ok(name.map(|name| outside.member(name)).transpose()?)
            }
            Err(error @ TeamError::NotProven { .. }) => {
                note(&format!("{error}. Its log is shown as it stands there"));
                let name = self.name.as_deref();
                Ok(name.map(MemberName::parse).transpose()?)
            }
            Err(error) => Err(error.into()),
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
