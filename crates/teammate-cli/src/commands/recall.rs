//! `recall`: takes back what the user said and nobody has heard.

use clap::Args;
use serde_json::json;
use teammate::{MessageId, handle};
use teammate_view::t;

use super::verb::{TeamVerb, VerbCall, VerbOutput};
use crate::screen::clean_line;

/// Take back mail of yours that no member has heard yet
///
/// Without an id it is the last such mail. What was heard stays said: the error tells by whom.
#[derive(Args)]
pub(crate) struct Recall {
    /// The mail's id, as `teammate inbox --json` shows it
    #[arg(value_parser = id)]
    id: Option<MessageId>,
}

impl TeamVerb for Recall {
    const WORD: &str = "/recall";
    const USAGE: &str = "[ID]";
    const ABOUT: &str = "take back your last words that nobody has heard";

    async fn carry_out(self, call: &VerbCall<'_>) -> anyhow::Result<VerbOutput> {
        let mail = call.team.ask(handle::Recall { mail: self.id }).await?;
        let line = t!(
            "Taken back from {to}: {text}",
            to = mail.to,
            text = clean_line(&mail.content)
        );
        let json = json!({ "recalled": mail.id, "to": mail.to, "content": mail.content });
        VerbOutput::of(json, vec![line])
    }
}

fn id(text: &str) -> Result<MessageId, String> {
    MessageId::parse(text).ok_or_else(|| format!("'{}' is no id of mail", clean_line(text)))
}
