//! `teammate inbox`: looks into a mailbox. Looking is not reading: the mail stays for its owner.

use clap::Args;
use serde_json::json;

use super::{Ended, Place, say, say_json};
use crate::screen::{Style, clean};

/// Show the mail that waits for a member, without taking it
#[derive(Args)]
pub(crate) struct Inbox {
    /// Whose [default: lead]
    name: Option<String>,

    /// As JSON
    #[arg(long)]
    json: bool,
}

impl Inbox {
    pub(crate) async fn run(self, place: &Place) -> Ended {
        let outside = place.look().await?;
        let name = outside.member(self.name.as_deref().unwrap_or("lead"))?;
        let mail = outside.inbox(&name).await?;
        if self.json {
            let lines: Vec<_> = mail
                .iter()
                .map(|message| {
                    json!({
                        "id": message.id, "type": message.kind, "from": message.from,
                        "content": message.content, "timestamp": message.sent_at.as_seconds(),
                    })
                })
                .collect();
            say_json(&json!(lines));
            return Ok(std::process::ExitCode::SUCCESS);
        }
        if mail.is_empty() {
            say(format!("{name}'s inbox is empty"));
        }
        let style = Style::for_stdout();
        for message in mail {
            let from = message.from.to_string();
            say(format!(
                "{} {}",
                style.name(&clean(&from)),
                style.dim(message.kind.as_str())
            ));
            for line in clean(&message.content).lines() {
                say(format!("  {line}"));
            }
        }
        Ok(std::process::ExitCode::SUCCESS)
    }
}
