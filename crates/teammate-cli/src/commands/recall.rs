//! `recall`: takes back what the user said and nobody has heard.

use clap::Args;
use serde::Serialize;
use teammate::{MemberName, MessageId, handle};

use super::verb::{TeamVerb, VerbCall};
use crate::screen::{Style, clean_line};

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
    const USAGE: &str = "[ID]";
    const ABOUT: &str = "take back your last words that nobody has heard";
    type Done = Recalled;

    async fn carry_out(self, call: &VerbCall<'_>) -> anyhow::Result<Recalled> {
        let mail = call.team.ask(handle::Recall { mail: self.id }).await?;
        Ok(Recalled {
            recalled: mail.id,
            to: mail.to,
            content: mail.content,
        })
    }

    fn lines(done: &Recalled, _: Style) -> Vec<String> {
        vec![format!(
            "Taken back from {}: {}",
            done.to,
            clean_line(&done.content)
        )]
    }
}

/// Mail that was taken back.
#[derive(Serialize)]
pub(crate) struct Recalled {
    recalled: MessageId,
    to: MemberName,
    content: String,
}

fn id(text: &str) -> Result<MessageId, String> {
    MessageId::parse(text).ok_or_else(|| format!("'{}' is no id of mail", clean_line(text)))
}
