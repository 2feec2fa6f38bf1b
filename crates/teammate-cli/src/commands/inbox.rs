//! `teammate inbox`: looks into a mailbox. Looking is not reading: the mail stays for its owner.

use clap::Args;
use serde_json::json;

use super::{CliContext, CliResult, SharedOptions, Verb, print_json, print_line};
use crate::screen::{Style, clean};

/// Show a member's unread mail, and leave it unread
#[derive(Args)]
pub(crate) struct Inbox {
    /// The member [default: lead]
    name: Option<String>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Verb for Inbox {
    const SHARED: SharedOptions = SharedOptions::OfTeam;

    async fn run(self, place: &CliContext) -> CliResult {
        let client = place.look().await?;
        let name = client.member(self.name.as_deref().unwrap_or("lead"))?;
        let mail = client.inbox(&name).await?;
        if self.json {
            let lines: Vec<_> = mail
                .iter()
                .map(|message| {
                    let mut line = json!({
                        "id": message.id, "type": message.kind, "from": message.from,
                        "content": message.content, "timestamp": message.sent_at.as_seconds(),
                    });
                    let attachments = message.metadata.attachments.notes();
                    if !attachments.is_empty() {
                        line["attachments"] = json!(attachments);
                    }
                    line
                })
                .collect();
            print_json(&json!(lines));
            return Ok(std::process::ExitCode::SUCCESS);
        }
        if mail.is_empty() {
            print_line(format!("{name}'s inbox is empty"));
        }
        let style = Style::for_stdout();
        for message in mail {
            let from = message.from.to_string();
            print_line(format!(
                "{} {}",
                style.name(&clean(&from)),
                style.dim(message.kind.as_str())
            ));
            for line in clean(&message.content).lines() {
                print_line(format!("  {line}"));
            }
            for file in message.metadata.attachments.notes() {
                print_line(style.dim(&clean(&format!("  attached: {file}"))));
            }
        }
        Ok(std::process::ExitCode::SUCCESS)
    }
}
