//! What the formats have in common once they are read.

use teammate_core::model::ChatMessage;

/// A request as it was understood.
pub(crate) struct ParsedRequest {
    pub(crate) system: String,
    pub(crate) messages: Vec<ChatMessage>,
    pub(crate) max_tokens: u32,
}
