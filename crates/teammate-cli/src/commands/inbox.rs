//! `inbox`: looks into a mailbox. Looking is not reading: the mail stays for its owner.

use clap::Args;
use serde::Serialize;
use teammate::{Message, MessageId, MessageKind, Sender, attachments::AttachmentNote};
use teammate_view::t;

use super::verb::{TeamVerb, VerbCall, VerbOutput};
use crate::screen::{Style, clean};

/// Show a member's unread mail, and leave it unread
#[derive(Args)]
pub(crate) struct Inbox {
    /// The member [default: lead]
    name: Option<String>,
}

/// One message.
#[derive(Serialize)]
struct InboxRow {
    id: MessageId,
    #[serde(rename = "type")]
    kind: MessageKind,
    from: Sender,
    content: String,
    timestamp: f64,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    attachments: Vec<AttachmentNote>,
}

impl TeamVerb for Inbox {
    const WORD: &str = "/inbox";
    const USAGE: &str = "[NAME]";
    const ABOUT: &str = "unread mail (it stays unread)";

    async fn carry_out(self, call: &VerbCall<'_>) -> anyhow::Result<VerbOutput> {
        let owner = call.member(self.name.as_deref().unwrap_or("lead"))?;
        let mail = call.team.look().await?.inbox(&owner).await?;
        let mail: Vec<_> = mail.into_iter().map(InboxRow::of).collect();
        let lines = match mail.is_empty() {
            true => vec![t!("{owner}'s inbox is empty", owner)],
            false => mail
                .iter()
                .flat_map(|mail| mail.lines(call.style))
                .collect(),
        };
        VerbOutput::of(mail, lines)
    }
}

impl InboxRow {
    fn of(message: Message) -> Self {
        Self {
            id: message.id,
            kind: message.kind,
            from: message.from,
            content: message.content,
            timestamp: message.sent_at.as_seconds(),
            attachments: message.metadata.attachments.notes(),
        }
    }

    fn lines(&self, style: Style) -> Vec<String> {
        let from = style.name(&clean(&self.from.to_string()));
        let head = format!("{from} {}", style.dim(self.kind.as_str()));
        let text = clean(&self.content);
        let text = text.lines().map(|line| format!("  {line}"));
        let files = self.attachments.iter();
        let files = files.map(|file| style.dim(&clean(&t!("  attached: {file}", file))));
        std::iter::once(head).chain(text).chain(files).collect()
    }
}
