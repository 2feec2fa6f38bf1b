//! `teammate requests`: what waits for an answer, from any terminal.

use clap::{Args, Subcommand};
use serde_json::json;
use teammate::{TeamClient, json::whole_request_json, platform::now, request::RequestId};

use super::{CliContext, CliResult, SharedOptions, Verb, print_json, print_line};
use crate::screen::{Style, request_lines, whole_request};

/// Show requests that wait for an answer: permission questions, plans, shutdowns
#[derive(Args)]
#[command(
    after_help = "Answer one with `teammate approve ID` or `teammate deny ID --because TEXT`."
)]
pub(crate) struct Requests {
    #[command(subcommand)]
    verb: Option<RequestsCommand>,

    /// Also show requests that were settled lately
    #[arg(long)]
    all: bool,

    /// Show each request in full
    #[arg(short, long)]
    verbose: bool,

    /// Print JSON
    #[arg(long, global = true)]
    json: bool,
}

#[derive(Subcommand)]
enum RequestsCommand {
    /// Show one request in full, with its answer
    Show {
        /// The request: req_000003 or 3
        id: RequestId,
    },
}

impl Verb for Requests {
    const SHARED: SharedOptions = SharedOptions::OfTeam;

    async fn run(self, place: &CliContext) -> CliResult {
        let client = place.look().await?;
        match self.verb {
            None => self.list(&client),
            Some(RequestsCommand::Show { id }) => {
                let request = client.request(id)?;
                if self.json {
                    print_json(&whole_request_json(&request));
                } else {
                    for line in whole_request(&request, now(), Style::for_stdout()) {
                        print_line(line);
                    }
                }
            }
        }
        Ok(std::process::ExitCode::SUCCESS)
    }
}

impl Requests {
    fn list(&self, client: &TeamClient) {
        let (style, now) = (Style::for_stdout(), now());
        let requests = if self.all {
            client.all_requests()
        } else {
            client.requests()
        };
        if self.json {
            let requests: Vec<_> = requests.iter().map(|one| whole_request_json(one)).collect();
            return print_json(&json!({
                "team_name": client.team().name(),
                "runs_in": client.host(),
                "requests": requests,
            }));
        }
        if requests.is_empty() {
            return print_line("No request is open");
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
            print_line(line);
        }
        let is_any_open = requests.iter().any(|request| request.is_pending());
        if is_any_open && client.host().is_none() {
            print_line("The team is not running; it acts on answers after `teammate resume`");
        }
    }
}
