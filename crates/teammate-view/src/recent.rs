//! What happened last in the whole team, a line each.

use teammate_core::{MemberName, Sender, Timestamp};

use crate::{Call, ItemKind, Receipt, TeamView};

/// Something that happened lately.
#[derive(Debug, Clone, PartialEq)]
pub struct RecentLine {
    /// When.
    pub at: Timestamp,
    /// Who did it.
    pub who: MemberName,
    /// What, in a line.
    pub text: String,
    /// How far it came, of mail.
    pub receipt: &'static str,
}

impl TeamView {
    /// The last things that happened, newest last.
    pub fn recent(&self, most: usize) -> Vec<RecentLine> {
        let mut lines: Vec<RecentLine> = Vec::new();
        for (who, story) in self.stories() {
            let latest = story.items().iter().rev();
            let shown = latest.filter_map(|item| {
                Some(RecentLine {
                    at: item.at,
                    who: who.clone(),
                    text: text(&item.what)?,
                    receipt: self.receipt(&item.what),
                })
            });
            lines.extend(shown.take(most));
        }
        lines.sort_by(|a, b| a.at.cmp(&b.at).then_with(|| a.who.cmp(&b.who)));
        lines.split_off(lines.len().saturating_sub(most))
    }

    fn receipt(&self, what: &ItemKind) -> &'static str {
        let ItemKind::Sent { id, .. } = what else {
            return "";
        };
        self.mail().get(id).map_or("", |mail| mail.receipt.word())
    }
}

impl Receipt {
    /// In a word.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::TakenBack => "taken back",
            Self::Heard { .. } => "heard",
            Self::Acted { .. } => "acted",
        }
    }
}

fn text(what: &ItemKind) -> Option<String> {
    Some(match what {
        ItemKind::Heard {
            from: Sender::User,
            text,
            ..
        } => format!("heard from you: {text}"),
        // The sender's line tells of it.
        ItemKind::Heard { .. } => return None,
        ItemKind::Said { text } => format!("says: {text}"),
        ItemKind::Called(call) => call.line(),
        ItemKind::Sent { to, text, .. } => match to.as_slice() {
            [one] => format!("-> {one}: {text}"),
            many => format!("=> {} members: {text}", many.len()),
        },
        ItemKind::Subagent { kind, title, .. } => format!("subagent {kind}: {title}"),
        ItemKind::Began { role, woken } => {
            let word = if *woken { "woken" } else { "spawned" };
            format!("{word} ({role})")
        }
        ItemKind::Rested { .. } => return None,
        ItemKind::Stopped { how } => format!("stopped: {how}"),
        ItemKind::Compacted { before, after, .. } => {
            format!("made its conversation shorter: {before} to {after} tokens")
        }
        ItemKind::Request { text }
        | ItemKind::Task { text }
        | ItemKind::Model { text }
        | ItemKind::Note { text } => text.clone(),
    })
}

impl Call {
    /// The call in a line.
    pub fn line(&self) -> String {
        let failed = match &self.ended {
            Some(end) if !end.ok => " (failed)",
            Some(_) | None => "",
        };
        format!("{} {}{failed}", self.tool, self.summary)
    }
}
