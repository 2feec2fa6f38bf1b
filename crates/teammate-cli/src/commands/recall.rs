//! `teammate recall`: takes back what the user said and nobody has heard, from any terminal.

use clap::Args;
use serde_json::json;
use teammate::MessageId;

use super::{CliContext, CliResult, SharedOptions, UsageError, Verb, print_json, print_line};
use crate::screen::clean_line;

/// Take back mail of yours that no member has heard yet
///
/// Without an id it is the last such mail. What was heard stays said: the error tells by whom.
#[derive(Args)]
pub(crate) struct Recall {
    /// The mail's id, as `teammate inbox --json` shows it
    id: Option<String>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Verb for Recall {
    const SHARED: SharedOptions = SharedOptions::OfTeam;

    async fn run(self, place: &CliContext) -> CliResult {
        let mut client = place.look().await?;
        let id = self.id.as_deref().map(id).transpose()?;
        let mail = client.recall(id.as_ref()).await?;
        if self.json {
            print_json(&json!({
                "recalled": mail.id, "to": mail.to, "content": mail.content,
            }));
        } else {
            let words = clean_line(&mail.content);
            print_line(format!("Taken back from {}: {words}", mail.to));
        }
        Ok(std::process::ExitCode::SUCCESS)
    }
}

fn id(text: &str) -> Result<MessageId, UsageError> {
    MessageId::parse(text)
        .ok_or_else(|| UsageError(format!("'{}' is no id of mail", clean_line(text))))
}
