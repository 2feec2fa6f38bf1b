//! `approve`: the user approves a request.

use clap::Args;
use teammate::{
    Breadth, Mode, Refusal, TeamError, TeamState,
    handle::{AnswerRequest, known_request},
    json::whole_request_json,
    request::{Answer, Request, RequestId, RequestState},
};
use teammate_view::t;
use teammate_view::{AnswerChoice, SeenRequest, answer_receipt};

use super::{
    alike::{AnsweredId, answer_all},
    requests::named,
    saw::Saw,
    verb::{TeamVerb, VerbCall, VerbOutput},
};
use crate::{screen::clean_line, settings::parse_mode};

/// Approve a plan or a permission question
#[derive(Args)]
pub(crate) struct Approve {
    /// The request: req_000003 or 3; with a + behind it (3+) also those of others that ask exactly the same
    id: AnsweredId,

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
}

impl TeamVerb for Approve {
    const WORD: &str = "/approve";
    const USAGE: &str = "ID [NOTE | always [exact|prefix|tool]]";
    const ABOUT: &str = "say yes to a plan or a permission question";

    fn typed(words: &str, team: &TeamState) -> anyhow::Result<Self> {
        let (id, text) = request_and_text(words, team)?;
        let request = known_request(team, id.id).ok();
        let is_question = request.is_some_and(|request| request.permission().is_some());
        let always = AnswerChoice::typed_always(text).filter(|_| is_question);
        Ok(Self {
            id,
            always,
            mode: None,
            note: always.map_or(text, |_| "").to_owned(),
            saw: Saw::default(),
        })
    }

    fn answers(&self) -> Option<RequestId> {
        Some(self.id.id)
    }

    async fn carry_out(self, call: &VerbCall<'_>) -> anyhow::Result<VerbOutput> {
        let asked = known_request(&call.state, self.id.id)?;
        self.require_applicable(&asked)?;
        let alike = self.id.alike(&call.state, &asked);
        let answer = Answer::Approve {
            note: self.note,
            mode: self.mode,
            always: self.always,
        };
        answer_seen(&asked, alike, &self.saw, answer, call).await
    }
}

impl Approve {
    /// Refuses flags that mean nothing for a request of this kind; nothing is answered then.
    fn require_applicable(&self, request: &Request) -> Result<(), TeamError> {
        let slip = if self.always.is_some() && request.permission().is_none() {
            "--always is for permission questions"
        } else if self.mode.is_some() && request.plan().is_none() {
            "--mode is for plans"
        } else {
            return Ok(());
        };
        let kind = request.request_kind();
        Err(Refusal::Rule(format!(
            "{slip}, and {} is a request for {kind}",
            self.id.id
        ))
        .into())
    }
}

/// Answers it, and those that ask the same where they are meant, if what is asked is what was seen, where that was said.
pub(super) async fn answer_seen(
    asked: &Request,
    alike: Vec<SeenRequest>,
    saw: &Saw,
    answer: Answer,
    call: &VerbCall<'_>,
) -> anyhow::Result<VerbOutput> {
    let verb = AnswerRequest {
        request: asked.id,
        saw: saw.of(asked)?,
        answer: answer.clone(),
        device: None,
    };
    let (request, besides) = answer_all(call.team, &call.state, verb, alike).await?;
    let mut lines = vec![answer_receipt(&request, &answer, besides)];
    if let RequestState::Approved(approval) = &request.state {
        let rule = approval.always.and_then(|breadth| {
            let rule = clean_line(request.offers().of(breadth)?);
            Some(t!(
                "'{rule}' is allowed {lasts}",
                rule,
                lasts = breadth.lasts()
            ))
        });
        let mode = approval.mode.zip(request.from.name());
        let mode = mode
            .map(|(mode, author)| t!("{author}'s permission mode is now '{mode}'", author, mode));
        lines.extend(rule.into_iter().chain(mode));
    }
    lines.extend(call.if_saved().await);
    VerbOutput::of(whole_request_json(&request), lines)
}

/// A request and the text behind it, as they are typed at prompts.
pub(super) fn request_and_text<'a>(
    words: &'a str,
    team: &TeamState,
) -> anyhow::Result<(AnsweredId, &'a str)> {
    let (id, text) = words.split_once(char::is_whitespace).unwrap_or((words, ""));
    Ok((named(id, team)?, text.trim()))
}

fn parse_breadth(word: &str) -> Result<Breadth, String> {
    Breadth::parse(word).ok_or_else(|| "write exact, prefix or tool".to_owned())
}
