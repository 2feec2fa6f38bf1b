//! What a server refuses is learnt: one clear sentence, the same request without it, and no such field again while the program
//! runs. The conversation goes on.
//!
//! Only what can be left out is learnt here. What a request cannot do without stays a failure.

mod learnt;

use std::sync::Arc;

use teammate_core::{
    model::{ChatMessage, ModelFailure, ModelRequest, Origin, StreamPart, Wire},
    port::PartSink,
};

pub(crate) use learnt::{Learnt, Part};

use crate::{
    attachments::Takes,
    catalogue::Catalogue,
    context_probe,
    http::{Connection, EventStream},
    settings::ModelSettings,
};

/// A request as it is sent.
#[derive(Debug)]
pub(crate) struct Outgoing {
    /// Its body.
    pub(crate) body: String,
    /// Beta features that it uses, for the header `anthropic-beta`.
    pub(crate) beta: Vec<String>,
    /// What is in its head that a server may refuse.
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

/// Whom a request goes to.
#[derive(Clone, Copy)]
pub(crate) struct Asked<'a> {
    pub(crate) connection: &'a Connection,
    pub(crate) learnt: &'a Learnt,
    pub(crate) settings: &'a ModelSettings,
    /// The model's name, as the server calls it.
    pub(crate) model: &'a str,
    /// The end of the path that requests go to.
    pub(crate) own_end: &'static str,
}

impl Asked<'_> {
    /// Asks a server that is no vendor's own for its context, once, unless the user has set one.
    async fn learn_context(&self) {
        if self.settings.is_context_set || Catalogue::built_in().is_vendor(self.connection.host()) {
            return;
        }
        let ask = || context_probe::context(self.connection, self.own_end, self.model);
        self.learnt.ask_context_once(ask).await;
    }
}

/// Sends what `outgoing` makes of the request, and again without what the server turns out to refuse. It ends: each time at
/// least one part fewer is sent.
pub(crate) async fn ask<'a>(
    asked: &Asked<'a>,
    request: &ModelRequest,
    outgoing: impl Fn() -> Outgoing,
    parts: &mut PartSink,
) -> Result<EventStream<'a>, ModelFailure> {
    let Asked {
        connection, learnt, ..
    } = *asked;
    connection.obtain_key().await?;
    asked.learn_context().await;
    loop {
        let mut sent = outgoing();
        let refused = match connection.ask(sent.body, &sent.beta).await {
            Ok(events) => return Ok(events),
            Err(refused) => refused,
        };
        let mut tell =
            |what: String| parts(StreamPart::Adapted(format!("{} {what}", request.model)));
        let Some(message) = &refused.message else {
            return Err(refused.failure);
        };
        if let Some(told) = learnt.learn_context(message) {
            tell(told);
        }
        sent.parts.push(Part::Reasoning);
        sent.parts.extend(sent.takes.parts_in(request));
        let conversation = (&*request.conversation, request.messages.len());
        match learnt.learn(message, &sent.parts, conversation) {
            Some(told) => tell(told),
            None => return Err(refused.failure),
        }
    }
}
