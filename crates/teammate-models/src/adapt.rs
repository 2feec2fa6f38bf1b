//! Learns what a server refuses: one clear sentence, the same request without it, and no such field again while the program
//! runs. The conversation goes on.
//!
//! Only what can be left out is learnt here. What a request cannot do without stays a failure.

mod learnt;

use std::sync::Arc;

use teammate_core::model::{ChatMessage, ModelRequest, Origin, Wire};

pub(crate) use learnt::{Learnt, Part};

use crate::{attachments::Takes, settings::ModelSettings};

/// A request as it is sent.
#[derive(Debug)]
pub(crate) struct Outgoing {
    pub(crate) body: String,
    /// Beta features that it uses, for the header `anthropic-beta`.
    pub(crate) beta: Vec<String>,
    /// The parts of its head that a server may refuse.
    pub(crate) parts: Vec<Part>,
    /// Which attachments of the conversation are in it.
    pub(crate) takes: Takes,
}

impl Outgoing {
    /// The schema that the server is to hold the answer to, if the model can be held to one and has not refused it.
    pub(crate) fn schema<'a>(
        &mut self,
        settings: &ModelSettings,
        learnt: &Learnt,
        request: &'a ModelRequest,
    ) -> Option<&'a str> {
        let can_hold = settings.facts.schema == Some(true) && !learnt.refuses(Part::Schema);
        let schema = request.options.schema.as_deref().filter(|_| can_hold)?;
        self.parts.push(Part::Schema);
        Some(schema)
    }
}

/// All messages of a request in their bytes, those that were rendered before as they were kept. `render` gets a message, and
/// whether the server still reads the reasoning of earlier answers there.
pub(crate) fn rendered_messages(
    learnt: &Learnt,
    request: &ModelRequest,
    wire: Wire,
    render: impl Fn(&ChatMessage, bool) -> String,
) -> Vec<Arc<str>> {
    let to = Origin::new(wire, &request.model);
    let unread = learnt.without_reasoning(&request.conversation);
    let each = request.messages.iter().enumerate();
    each.map(|(at, message)| match at < unread || learnt.has_refused() {
        // What the server has come to refuse is not in the bytes that were kept.
        true => render(message, at >= unread).into(),
        false => message.rendered(&to, |message| render(message, true)),
    })
    .collect()
}
