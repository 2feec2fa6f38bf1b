//! `requests`: what waits for an answer.

use std::{str::FromStr, sync::Arc};
use teammate_view::t;

use anyhow::anyhow;
use clap::{Args, Subcommand};
use serde_json::json;
use teammate::{
    TeamClient, TeamState,
    handle::known_request,
    json::whole_request_json,
    platform::now,
    request::{Request, RequestId, RequestIdError},
};

use super::verb::{TeamVerb, VerbCall, VerbOutput};
use crate::screen::{Style, request_lines, whole_request};

/// Show requests that wait for an answer: permission questions, plans, shutdowns
#[derive(Args, Default)]
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
}

#[derive(Subcommand)]
enum RequestsCommand {
    /// Show one request in full, with its answer
    Show {
        /// The request: req_000003 or 3
        id: RequestId,
    },
}

impl TeamVerb for Requests {
    const WORD: &str = "/requests";
    const USAGE: &str = "[ID]";
    const ABOUT: &str = "requests that wait for an answer; one in full";

    fn typed(words: &str, team: &TeamState) -> anyhow::Result<Self> {
        // The subcommand may be left out.
        match words.strip_prefix("show ").unwrap_or(words) {
            "" => Ok(Self::default()),
            id => Ok(Self {
                verb: Some(RequestsCommand::Show {
                    id: named(id.trim(), team)?,
                }),
                ..Self::default()
            }),
        }
    }

    async fn carry_out(self, call: &VerbCall<'_>) -> anyhow::Result<VerbOutput> {
        match self.verb {
            None => self.list(&*call.team.look().await?, call.style),
            Some(RequestsCommand::Show { id }) => {
                let request = known_request(&call.state, id)?;
                let lines = whole_request(&request, now(), call.style);
                VerbOutput::of(whole_request_json(&request), lines)
            }
        }
    }
}

impl Requests {
    fn list(&self, client: &TeamClient, style: Style) -> anyhow::Result<VerbOutput> {
        let requests = match self.all {
            true => client.all_requests(),
            false => client.requests(),
        };
        let whole = |request: &Arc<Request>| whole_request(request, now(), style);
        let mut lines = match (requests.is_empty(), self.verbose) {
            (true, _) => vec![t("No request is open").to_owned()],
            (false, true) => requests.iter().flat_map(whole).collect(),
            (false, false) => request_lines(&requests, now(), style),
        };
        let is_any_open = requests.iter().any(|request| request.is_pending());
        if is_any_open && client.host().is_none() {
            let text = t("The team is not running; it acts on answers after `teammate resume`");
            lines.push(text.to_owned());
        }
        let requests: Vec<_> = requests.iter().map(|one| whole_request_json(one)).collect();
        let json = json!({
            "team_name": client.team().name(),
            "runs_in": client.host(),
            "requests": requests,
        });
        VerbOutput::of(json, lines)
    }
}

/// A request by what was typed; an error lists what is open.
pub(super) fn named<T>(id: &str, team: &TeamState) -> anyhow::Result<T>
where
    T: FromStr<Err = RequestIdError>,
{
    id.parse().map_err(|error| {
        let open = team.requests().pending();
        let open = open.map(|request| format!("{} ({})", request.id, request.request_kind()));
        match open.collect::<Vec<_>>().join(", ").as_str() {
            "" => anyhow!("{error}; no request is open"),
            open => anyhow!("{error}; open: {open}"),
        }
    })
}
