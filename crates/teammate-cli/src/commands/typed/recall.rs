//! `/recall`: takes back the last words that nobody has heard.

use anyhow::anyhow;
use teammate::{MessageId, handle::Recall};

use super::{TypedCall, TypedCommand, in_lines};
use crate::screen::{clean, clean_line};

pub(super) const RECALL: TypedCommand = TypedCommand {
    word: "/recall",
    usage: "[ID]",
    about: "take back your last words that nobody has heard",
    run: |call| in_lines(run(call)),
};

async fn run(call: TypedCall<'_>) -> anyhow::Result<String> {
    let mail = match call.words {
        "" => None,
        text => Some(MessageId::parse(text).ok_or_else(|| anyhow!("'{text}' is no id of mail"))?),
    };
    let mail = call.team.ask(Recall { mail }).await?;
    let words = clean_line(&mail.content);
    Ok(clean(&format!("Taken back from {}: {words}", mail.to)).into_owned())
}
