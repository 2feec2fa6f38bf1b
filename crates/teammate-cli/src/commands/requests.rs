//! `teammate requests`: what waits for an answer, from any terminal.

use clap::{Args, Subcommand};
use serde_json::json;
use teammate::{Outside, json::whole_request_json, platform::now, request::RequestId};

use super::{Ended, Place, say, say_json};
use crate::screen::{Style, request_lines, whole_request};

/// Show what waits for an answer: permission, plans, shutdowns
#[derive(Args)]
pub(crate) struct Requests {
    #[command(subcommand)]
    verb: Option<Verb>,

    /// Those that were settled lately, too
    #[arg(long)]
    all: bool,

    /// Each with all that is asked
    #[arg(short, long)]
    verbose: bool,

    /// As JSON
    #[arg(long, global = true)]
    json: bool,
}

#[derive(Subcommand)]
enum Verb {
    /// Show one with all that is asked and answered
    Show {
        /// Which: req_000003 or 3
        id: RequestId,
    },
}

impl Requests {
    pub(crate) async fn run(self, place: &Place) -> Ended {
        let outside = place.look().await?;
        match self.verb {
            None => self.list(&outside),
            Some(Verb::Show { id }) => {
                let request = outside.request(id)?;
                if self.json {
                    say_json(&whole_request_json(&request));
                } else {
                    for line in whole_request(&request, now(), Style::for_stdout()) {
                        say(line);
                    }
                }
            }
        }
        Ok(std::process::ExitCode::SUCCESS)
    }

    fn list(&self, outside: &Outside) {
        let (style, now) = (Style::for_stdout(), now());
        let requests = if self.all {
            outside.all_requests()
        } else {
            outside.requests()
        };
        if self.json {
            let requests: Vec<_> = requests.iter().map(|one| whole_request_json(one)).collect();
            return say_json(&json!({
                "team_name": outside.team().name(),
                "runs_in": outside.runs_in(),
                "requests": requests,
            }));
        }
        if requests.is_empty() {
            return say("No request is open");
        }
        let lines = if self.verbose {
            let whole = requests.iter();
            whole
                .flat_map(|request| whole_request(request, now, style))
                .collect()
        } else {
            request_lines(&requests, now, style)
        };
        for line in lines {
            say(line);
        }
        let is_any_open = requests.iter().any(|request| request.is_pending());
        if is_any_open && outside.runs_in().is_none() {
            say("The team does not run; it takes answers up when it is opened: `teammate resume`");
        }
    }
}
