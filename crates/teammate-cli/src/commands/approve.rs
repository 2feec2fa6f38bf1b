//! `teammate approve`: the person says yes, from any terminal.

use clap::Args;
use teammate::{
    Mode, Outside, Refusal, TeamError,
    json::whole_request_json,
    request::{Answer, Request, RequestId, State},
};

use super::{Ended, Place, say, say_json};
use crate::{screen::clean_line, settings::mode};

/// Say yes to a plan or a permission question
#[derive(Args)]
pub(crate) struct Approve {
    /// Which: req_000003 or 3
    id: RequestId,

    /// Permission: the very same is allowed from now on
    #[arg(long)]
    always: bool,

    /// A plan: how much its author may do without asking from now on: ask, accept-edits or bypass
    #[arg(long, value_name = "MODE", value_parser = mode)]
    mode: Option<Mode>,

    /// What is said with it
    #[arg(long, value_name = "TEXT", default_value = "")]
    note: String,

    /// As JSON
    #[arg(long)]
    json: bool,
}

impl Approve {
    pub(crate) async fn run(self, place: &Place) -> Ended {
        let mut outside = place.look().await?;
        outside.as_person()?;
        self.fits(&*outside.request(self.id)?)?;
        let answer = Answer::Approve {
            note: self.note,
            mode: self.mode,
            always: self.always,
        };
        let request = outside.answer(self.id, answer).await?;
        tell(&outside, &request, self.json);
        Ok(std::process::ExitCode::SUCCESS)
    }

    /// What means nothing for this kind is a slip, and nothing is answered.
    fn fits(&self, request: &Request) -> Result<(), TeamError> {
        let slip = if self.always && request.permission().is_none() {
            "--always is for permission questions"
        } else if self.mode.is_some() && request.plan().is_none() {
            "--mode is for plans"
        } else {
            return Ok(());
        };
        let kind = request.kind_name();
        Err(Refusal::Rule(format!("{slip}, and {} is a request for {kind}", self.id)).into())
    }
}

/// What was answered.
pub(super) fn tell(outside: &Outside, request: &Request, as_json: bool) {
    if as_json {
        return say_json(&whole_request_json(request));
    }
    say(format!(
        "{} is {}: {}",
        request.id,
        request.state.word(),
        clean_line(&request.summary())
    ));
    if let (State::Approved(approval), Some(author)) = (&request.state, request.from.name())
        && let Some(mode) = approval.mode
    {
        say(format!("{author}'s permission mode is now '{mode}'"));
    }
    if outside.runs_in().is_none() {
        say("The team does not run; it takes this up when it is opened: `teammate resume`");
    }
}
