//! A model at a server, whatever its wire: how it is reached, what is known of it, and what the server has come to refuse.
//!
//! What goes into a request, and what the events of an answer mean, is the wire's own.

use teammate_core::{
    model::{ModelFailure, ModelProfile, ModelRequest, Reply, StreamPart, Wire},
    port::PartSink,
};

use crate::{
    adapt::{Learnt, Outgoing, Part},
    catalogue::Catalogue,
    context_probe,
    http::{Connection, EventStream},
    listing::{self, ListedModel, Paging},
    probe::Probe,
    reply_stream::{Progress, ReplyStream},
    settings::ModelSettings,
    stream_error::{CUT_SHORT, StreamError},
};

/// A model at a server.
#[derive(Debug)]
pub(crate) struct Served {
    pub(crate) connection: Connection,
    /// The model's name, as the server calls it.
    pub(crate) model: String,
    pub(crate) settings: ModelSettings,
    pub(crate) learnt: Learnt,
    /// The end of the path that requests go to.
    own_end: &'static str,
}

impl Served {
    /// The model of this name, of which nothing is known yet. The path of `connection` ends with `own_end`.
    pub(crate) fn new(connection: Connection, model: &str, own_end: &'static str) -> Self {
        Self {
            connection,
            model: model.to_owned(),
            settings: ModelSettings::default(),
            learnt: Learnt::default(),
            own_end,
        }
    }

    /// Tries the server and the key without a model call. Fails if the server cannot be reached.
    pub(crate) async fn probe(&self) -> Result<Probe, ModelFailure> {
        self.connection.probe(self.own_end).await
    }

    /// The server's list of models. Fails if it cannot be had.
    pub(crate) async fn list(&self, paging: Paging) -> Result<Vec<ListedModel>, ModelFailure> {
        listing::list(&self.connection, self.own_end, paging).await
    }

    /// The profile of the model, less what the server has come to refuse.
    pub(crate) fn profile(&self, wire: Wire) -> ModelProfile {
        self.learnt.fit(self.settings.profile(wire))
    }

    /// Sends what `outgoing` makes of the request, and has `reply` read what comes.
    pub(crate) async fn answer(
        &self,
        request: &ModelRequest,
        outgoing: impl Fn() -> Outgoing,
        mut reply: impl ReplyStream,
        mut parts: PartSink,
    ) -> Result<Reply, ModelFailure> {
        let mut events = self.ask(request, outgoing, &mut parts).await?;
        let mut parts = begun_once(parts);
        let failed = |error| StreamError::failure(&error, &self.connection);
        while let Some(event) = events.next().await? {
            match reply.take(&event, &mut parts).map_err(failed)? {
                Progress::Ignored => continue,
                Progress::Empty => events.extend_deadline(),
                Progress::Grew => events.reset_watchdog(),
                Progress::Done => return reply.reply().map_err(failed),
            }
            parts(StreamPart::Started);
        }
        match reply.is_whole() {
            true => reply.reply().map_err(failed),
            false => Err(failed(CUT_SHORT)),
        }
    }

    /// Sends what `outgoing` makes of the request, and again without what the server turns out to refuse. It ends: each time at
    /// least one part fewer is sent.
    async fn ask(
        &self,
        request: &ModelRequest,
        outgoing: impl Fn() -> Outgoing,
        parts: &mut PartSink,
    ) -> Result<EventStream<'_>, ModelFailure> {
        self.connection.obtain_key().await?;
        self.learn_context().await;
        loop {
            let mut sent = outgoing();
            let refused = match self.connection.ask(sent.body, &sent.beta).await {
                Ok(events) => return Ok(events),
                Err(refused) => refused,
            };
            let mut show =
                |what: String| parts(StreamPart::Adapted(format!("{} {what}", request.model)));
            let Some(message) = &refused.message else {
                return Err(refused.failure);
            };
            if let Some(learnt) = self.learnt.learn_context(message) {
                show(learnt);
            }
            sent.parts.push(Part::Reasoning);
            sent.parts.extend(sent.takes.parts_in(request));
            let conversation = (&*request.conversation, request.messages.len());
            match self.learnt.learn(message, &sent.parts, conversation) {
                Some(learnt) => show(learnt),
                None => return Err(refused.failure),
            }
        }
    }

    /// Asks a server that is no vendor's own for its context, once, unless the user has set one.
    async fn learn_context(&self) {
        if self.settings.is_context_set || Catalogue::built_in().is_vendor(self.connection.host()) {
            return;
        }
        let ask = || context_probe::context(&self.connection, self.own_end, &self.model);
        self.learnt.ask_context_once(ask).await;
    }
}

/// Shows the answer's start once, before anything else of it.
fn begun_once(mut parts: PartSink) -> PartSink {
    let mut has_started = false;
    Box::new(move |part| {
        if !std::mem::replace(&mut has_started, true) {
            parts(StreamPart::Started);
        }
        if part != StreamPart::Started {
            parts(part);
        }
    })
}
