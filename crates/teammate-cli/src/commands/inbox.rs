//! `inbox`: looks into a mailbox. Looking is not reading: the mail stays for its owner.

use clap::Args;
use serde::Serialize;
use teammate::{MemberName, Message, MessageId, MessageKind, Sender, attachments::AttachmentNote};

use super::verb::{TeamVerb, VerbCall};
use crate::screen::{Style, clean};

/// Show a member's unread mail, and leave it unread
#[derive(Args)]
pub(crate) struct Inbox {
    /// The member [default: lead]
    name: Option<String>,
}

/// What lies in a mailbox.
#[derive(Serialize)]
#[serde(transparent)]
pub(crate) struct Unread {
    #[serde(skip)]
    owner: MemberName,
    mail: Vec<UnreadMail>,
}

/// One message.
#[derive(Serialize)]
struct UnreadMail {
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
    const USAGE: &str = "[NAME]";
    const ABOUT: &str = "unread mail (it stays unread)";
    type Done = Unread;

    async fn carry_out(self, call: &VerbCall<'_>) -> anyhow::Result<Unread> {
        let owner = call.member(self.name.as_deref())?;
        let mail = call.team.look().await?.inbox(&owner).await?;
        let mail = mail.into_iter().map(UnreadMail::of).collect();
        Ok(Unread { owner, mail })
    }

    fn lines(done: &Unread, style: Style) -> Vec<String> {
        if done.mail.is_empty() {
            return vec![format!("{}'s inbox is empty", done.owner)];
        }
        let lines = done.mail.iter().flat_map(|message| {
            let from = style.name(&clean(&message.from.to_string()));
            let head = format!("{from} {}", style.dim(message.kind.as_str()));
            let text = clean(&message.content);
            let text = text.lines().map(|line| format!("  {line}"));
            let files = message.attachments.iter();
            let files = files.map(|file| style.dim(&clean(&format!("  attached: {file}"))));
            std::iter::once(head)
                .chain(text)
                .chain(files)
                .collect::<Vec<_>>()
        });
        lines.collect()
    }
}

impl UnreadMail {
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
}
