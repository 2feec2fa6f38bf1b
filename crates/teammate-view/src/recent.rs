//! The last happenings in the whole team, a line each.

use teammate_core::{MemberName, Timestamp};

use crate::{ItemKind, TeamView};

/// Something that happened lately.
#[derive(Debug, Clone, PartialEq)]
pub struct RecentLine {
    pub at: Timestamp,
    /// The member that did it.
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
                    text: item.what.line()?,
                    receipt: self.receipt(&item.what),
                })
            });
            let from = lines.len();
            lines.extend(shown.take(most));
            // In their order, which those of the same moment keep.
            lines[from..].reverse();
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
