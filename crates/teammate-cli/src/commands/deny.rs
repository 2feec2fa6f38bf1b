//! `deny`: the user denies a request.

use clap::Args;
use teammate::{
    TeamState,
    handle::known_request,
    request::{Answer, RequestId},
};

use super::{
    alike::AnsweredId,
    approve::{answer_seen, request_and_text},
    saw::Saw,
    verb::{TeamVerb, VerbCall, VerbOutput},
};

/// Deny a permission question, or reject a plan
#[derive(Args)]
pub(crate) struct Deny {
    /// The request: req_000003 or 3; with a + behind it (3+) also those of others that ask exactly the same
    id: AnsweredId,

    /// The reason, for the member that asked
    #[arg(long, value_name = "TEXT", default_value = "")]
    because: String,

    #[command(flatten)]
    saw: Saw,
}

impl TeamVerb for Deny {
    const WORD: &str = "/deny";
    const USAGE: &str = "ID [WHY]";
    const ABOUT: &str = "say no to one";

    fn typed(words: &str, team: &TeamState) -> anyhow::Result<Self> {
        let (id, because) = request_and_text(words, team)?;
        Ok(Self {
            id,
            because: because.to_owned(),
            saw: Saw::default(),
        })
    }

    fn answers(&self) -> Option<RequestId> {
        Some(self.id.id)
    }

    async fn carry_out(self, call: &VerbCall<'_>) -> anyhow::Result<VerbOutput> {
        let asked = known_request(&call.state, self.id.id)?;
        let alike = self.id.alike(&call.state, &asked);
        answer_seen(&asked, alike, &self.saw, Answer::no(self.because), call).await
    }
}
