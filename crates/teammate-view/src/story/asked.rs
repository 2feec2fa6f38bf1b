//! The member's own words about a question: what it said before the call that asks, and what it said the call is for.

use serde_json::Value;
use teammate_core::request::RequestId;

use super::{Call, ItemKind, Story};

/// The argument by which a call says what it is for.
const DESCRIPTION: &str = "description";

/// A question in the words of the member that asks.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AskersWords {
    /// The member's last words before the call, in the same turn: Markdown.
    pub said: Option<String>,
    /// What the call says of itself.
    pub described: Option<String>,
}

impl Story {
    /// The words about a question; none of one that no call of an entry asks.
    pub fn words_about(&self, request: RequestId) -> AskersWords {
        let asks = |call: &Call| call.asked.iter().any(|one| one.request == request);
        let mut latest = self.items.iter().rev();
        let Some(call) = latest.find_map(|item| item.call().filter(|call| asks(call))) else {
            return AskersWords::default();
        };
        // What it did meanwhile does not end what it says; what it hears or a turn that ends does.
        let before = latest.map(|item| match &item.what {
            ItemKind::Said { text } => Some(Some(text.clone())),
            ItemKind::Heard { .. }
            | ItemKind::Began { .. }
            | ItemKind::Rested { .. }
            | ItemKind::Stopped { .. } => Some(None),
            ItemKind::Called(_)
            | ItemKind::Sent { .. }
            | ItemKind::Subagent { .. }
            | ItemKind::Compacted { .. }
            | ItemKind::Request { .. }
            | ItemKind::Task { .. }
            | ItemKind::Model { .. }
            | ItemKind::Note { .. } => None,
        });
        AskersWords {
            said: before.flatten().next().flatten(),
            described: call.described(),
        }
    }
}

impl Call {
    /// What it says it is for; nothing if its arguments do not say that, or were cut.
    fn described(&self) -> Option<String> {
        let input: Value = serde_json::from_str(self.input.as_deref()?).ok()?;
        let text = input.get(DESCRIPTION)?.as_str()?.trim();
        (!text.is_empty()).then(|| text.to_owned())
    }
}
