//! Learns what a server refuses: one clear sentence, the same request without it, and no such field again. The conversation
//! goes on. `lessons` is what the next program knows of it.
//!
//! Only what can be left out is learnt here. What a request cannot do without stays a failure.

mod learnt;
mod lessons;
mod limit;
mod part;

use std::sync::Arc;

use teammate_core::{
    model::{ChatMessage, ModelRequest, Origin, Wire},
    tool::ToolSpec,
};

pub(crate) use learnt::Learnt;
pub use lessons::{LessonStore, Lessons};
pub(crate) use limit::LowerLimit;
pub(crate) use part::Part;

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
    /// Whether this part is sent: it is, and noted, unless the server has refused it.
    pub(crate) fn has(&mut self, part: Part, learnt: &Learnt) -> bool {
        let is_sent = !learnt.refuses(part);
        if is_sent {
            self.parts.push(part);
        }
        is_sent
    }

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

/// The tools of a request in their bytes, without those whose schema the server has refused. `refused`: a part that is in what
/// `render` makes of each.
pub(crate) fn rendered_tools(
    learnt: &Learnt,
    request: &ModelRequest,
    (wire, refused): (Wire, Option<Part>),
    render: impl FnOnce(&[ToolSpec]) -> String,
) -> Arc<str> {
    let preamble = &request.preamble;
    let is_refused = refused.is_some_and(|part| learnt.refuses(part));
    if is_refused || learnt.has_refused_tools() {
        let tools = preamble.tools.iter();
        let taken: Vec<ToolSpec> = tools
            .filter(|tool| !learnt.refuses_tool(&tool.name))
            .cloned()
            .collect();
        return render(&taken).into();
    }
    preamble.rendered_tools((wire, request.options.cache_lifetime), render)
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
    let form = learnt.message_form();
    let each = request.messages.iter().enumerate();
    each.map(|(at, message)| match at < unread {
        true => render(message, false).into(),
        false => message.rendered((&to, form), |message| render(message, true)),
    })
    .collect()
}
