//! `teammate approve`: the user approves a request, from any terminal.

use std::sync::Arc;

use clap::Args;
use teammate::{
    Breadth, Mode, Refusal, TeamClient, TeamError,
    handle::AnswerRequest,
    json::whole_request_json,
    request::{Answer, Request, RequestId, RequestState},
};

use super::{CliContext, CliResult, SharedOptions, Verb, print_json, print_line, saw::Saw};
use crate::{screen::clean_line, settings::parse_mode};

/// Approve a plan or a permission question
#[derive(Args)]
pub(crate) struct Approve {
    /// The request: req_000003 or 3
    id: RequestId,

    /// For a permission question: also write one of the rules that it offers, for this exact action, its prefix, or the whole
    /// tool until the team is closed
    #[arg(
        long,
        value_name = "exact|prefix|tool",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "exact",
        value_parser = parse_breadth
    )]
    always: Option<Breadth>,

    /// For a plan: its author's permission mode from now on: ask, accept-edits or bypass
    #[arg(long, value_name = "MODE", value_parser = parse_mode)]
    mode: Option<Mode>,

    /// A note for the member that asked
    #[arg(long, value_name = "TEXT", default_value = "")]
    note: String,

    #[command(flatten)]
    saw: Saw,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Verb for Approve {
    const SHARED: SharedOptions = SharedOptions::OfTeam;

    async fn run(self, place: &CliContext) -> CliResult {
        let mut client = place.look().await?;
        client.require_user()?;
        let asked = client.request(self.id)?;
        self.require_applicable(&asked)?;
        let answer = Answer::Approve {
            note: self.note,
            mode: self.mode,
            always: self.always,
        };
        let request = answer_seen(&mut client, &asked, &self.saw, answer).await?;
        print_answered(&client, &request, self.json);
        Ok(std::process::ExitCode::SUCCESS)
    }
}

impl Approve {
    /// What means nothing for this kind is a slip, and nothing is answered.
    fn require_applicable(&self, request: &Request) -> Result<(), TeamError> {
        let slip = if self.always.is_some() && request.permission().is_none() {
            "--always is for permission questions"
        } else if self.mode.is_some() && request.plan().is_none() {
            "--mode is for plans"
        } else {
            return Ok(());
        };
        let kind = request.request_kind();
        Err(Refusal::Rule(format!("{slip}, and {} is a request for {kind}", self.id)).into())
    }
}

/// Answers, if what is asked is what was seen, where that was said.
pub(super) async fn answer_seen(
    client: &mut TeamClient,
    asked: &Request,
    saw: &Saw,
    answer: Answer,
) -> Result<Arc<Request>, TeamError> {
    let answer = AnswerRequest {
        request: asked.id,
        saw: saw.of(asked)?,
        answer,
    };
    client.ask(answer).await
}

/// What was answered.
pub(super) fn print_answered(client: &TeamClient, request: &Request, as_json: bool) {
    if as_json {
        return print_json(&whole_request_json(request));
    }
    print_line(format!(
        "{} is {}: {}",
        request.id,
        request.state.as_str(),
        clean_line(&request.summary())
    ));
    if let RequestState::Approved(approval) = &request.state
        && let Some(breadth) = approval.always
        && let Some(rule) = request.offers().of(breadth)
    {
        let rule = clean_line(rule);
        print_line(format!("'{rule}' is allowed {}", breadth.lasts()));
    }
    if let (RequestState::Approved(approval), Some(author)) = (&request.state, request.from.name())
        && let Some(mode) = approval.mode
    {
        print_line(format!("{author}'s permission mode is now '{mode}'"));
    }
    if client.host().is_none() {
        print_line("Saved. The team is not running; it acts on this after `teammate resume`");
    }
}

fn parse_breadth(word: &str) -> Result<Breadth, String> {
    Breadth::parse(word).ok_or_else(|| "write exact, prefix or tool".to_owned())
}
