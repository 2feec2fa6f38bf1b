//! Words for models: what keeps a member waiting for one, which model it is, and what becomes of a long conversation.

use teammate_core::event::Compaction;

use super::{marked, plain};
use crate::text::{TextLine, TextRole};

/// A request failed and is sent again.
pub(crate) fn retrying(why: &str, after_ms: u64, attempt: u32) -> TextLine {
    let when = match after_ms {
        0 => "when others are through".to_owned(),
        pause => format!("in {:.1} s", (pause as f64 / 1000.0).max(0.1)),
    };
    plain(&format!("{why}; try {attempt} {when}"))
}

/// A member goes on with another model.
pub(crate) fn changed(from: &str, to: &str, why: &str) -> TextLine {
    let text = format!("goes on with {to} instead of {from}: {why}");
    marked(&text, TextRole::Strong, "")
}

/// A conversation was made shorter, or could not be.
pub(crate) fn compacted(how: Compaction, before: u64, after: u64) -> TextLine {
    let text = match how {
        Compaction::Shortened => {
            format!("context about {before} -> about {after} tokens: old tool outputs shortened")
        }
        Compaction::Summarized => {
            format!("context about {before} -> about {after} tokens: conversation summarized")
        }
        Compaction::Failed => {
            "compaction failed: the model returned no usable summary; nothing is lost".to_owned()
        }
    };
    marked(&text, TextRole::Dim, "")
}
