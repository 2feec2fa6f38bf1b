//! A model at a server, whatever its wire: how it is reached, what is known of it, and what the server has come to refuse.
//!
//! What goes into a request, and what the events of an answer mean, is the wire's own.

use std::{fmt, marker::PhantomData, sync::Arc};

use teammate_core::{
    model::{ModelFailure, ModelProfile, ModelRequest, Remedy, Reply, StreamPart, Wire},
    port::{BoxFuture, Model, PartSink},
};

use crate::{
    Endpoint, Http,
    adapt::{Learnt, LessonStore, LowerLimit, Outgoing, Part},
    catalogue::Catalogue,
    context_probe,
    http::{Connection, EventStream},
    listing::{self, ListedModel, Paging},
    probe::Probe,
    reply_stream::{CUT_SHORT, Progress, ReplyStream, StreamError},
    settings::ModelSettings,
    text_calls::TextCalls,
};

/// What a wire has of its own.
pub trait OwnWire: fmt::Debug + Send + Sync + Sized + 'static {
    /// Which one it is.
    const WIRE: Wire;
    /// The end of the path that requests go to.
    const OWN_END: &'static str;
    /// Whether the server's list of models comes in pages.
    const LISTS_IN_PAGES: bool = false;
    /// Headers of every request.
    const HEADERS: &'static [(&'static str, &'static str)] = &[];

    /// The path before [`Self::OWN_END`], of the one that an endpoint names.
    fn base_path(path: &str) -> String {
        match path {
            "" | "/" => "/v1".to_owned(),
            base => base.to_owned(),
        }
    }

    /// The HTTP body of a request.
    fn body(model: &ServedModel<Self>, request: &ModelRequest) -> String;

    /// Sends a request and reads the answer.
    fn ask(
        model: &ServedModel<Self>,
        request: ModelRequest,
        parts: PartSink,
    ) -> BoxFuture<'_, Result<Reply, ModelFailure>>;
}

/// A model at a server.
#[derive(Debug)]
pub struct ServedModel<W> {
    pub(crate) connection: Connection,
    /// The model's name, as the server calls it.
    pub(crate) model: String,
    pub(crate) settings: ModelSettings,
    pub(crate) learnt: Learnt,
    wire: PhantomData<W>,
}

impl<W: OwnWire> ServedModel<W> {
    /// The model named `model` at `endpoint`. Fails if the endpoint's settings are invalid.
    pub fn new(endpoint: &Endpoint, model: &str, http: Http) -> Result<Self, ModelFailure> {
        let mut url = endpoint.url()?;
        let end = format!("/{}", W::OWN_END);
        let base = W::base_path(url.path().trim_end_matches(&*end));
        url.set_path(&(base + &end));
        Ok(Self {
            connection: Connection::new(endpoint, url, W::HEADERS, model, http)?,
            model: model.to_owned(),
            settings: ModelSettings::default(),
            learnt: Learnt::default(),
            wire: PhantomData,
        })
    }

    /// The same model with what is known of it, and what the user wants in its requests.
    #[must_use]
    pub fn with_settings(mut self, settings: ModelSettings) -> Self {
        self.settings = settings;
        self
    }

    /// The same model with what was learnt of it before, to which is added what is learnt now. After
    /// [`with_settings`](Self::with_settings).
    #[must_use]
    pub fn with_lessons(mut self, store: Arc<dyn LessonStore>) -> Self {
        self.learnt = Learnt::with(store, self.settings.is_context_set);
        self
    }

    /// Tries the server and the key without a model call. Fails if the server cannot be reached.
    pub async fn probe(&self) -> Result<Probe, ModelFailure> {
        self.connection.probe(W::OWN_END).await
    }

    /// The server's list of models. Fails if it cannot be had.
    pub async fn list(&self) -> Result<Vec<ListedModel>, ModelFailure> {
        let paging = match W::LISTS_IN_PAGES {
            true => Paging::AfterId,
            false => Paging::None,
        };
        listing::list(&self.connection, W::OWN_END, paging).await
    }

    /// The HTTP body of a request.
    pub fn body(&self, request: &ModelRequest) -> String {
        W::body(self, request)
    }

    /// OpenAI itself, which refuses unknown fields and has some that compatible servers lack.
    pub(crate) fn is_official(&self) -> bool {
        self.connection.host().ends_with("api.openai.com")
    }

    /// Sends what `outgoing` makes of the request, and has `reply` read what comes.
    pub(crate) async fn read_answer(
        &self,
        request: &ModelRequest,
        outgoing: impl Fn(&ModelRequest) -> Outgoing,
        reply: impl ReplyStream,
        mut parts: PartSink,
    ) -> Result<Reply, ModelFailure> {
        let sent = self.send(request, outgoing, &mut parts).await;
        if !matches!(&sent, Err(failure) if failure.remedy != Remedy::Shorten) {
            // It was right.
            self.learnt.keep_news().await;
        }
        let events = sent?;
        let mut parts = begun_once(parts);
        let Some(calls) = self.text_calls(request) else {
            return self.read_events(events, reply, &mut parts).await;
        };
        let mut held_back = calls.held_back(parts);
        let reply = self.read_events(events, reply, &mut held_back).await?;
        Ok(calls.read(reply, &mut held_back))
    }

    /// How calls are found that the server leaves in its text, if it may do so.
    fn text_calls<'a>(&self, request: &'a ModelRequest) -> Option<TextCalls<'a>> {
        let facts = &self.settings.facts;
        let has_tools = !request.preamble.tools.is_empty()
            && facts.tools != Some(false)
            && !self.learnt.refuses(Part::Tools);
        // A vendor's own server reads the calls of its models.
        let is_vendor = || Catalogue::built_in().is_vendor(self.connection.host());
        let template = facts.text_calls.filter(|_| has_tools && !is_vendor())?;
        Some(TextCalls::of(template, request))
    }

    /// Has `reply` read what comes.
    async fn read_events(
        &self,
        mut events: EventStream<'_>,
        mut reply: impl ReplyStream,
        parts: &mut PartSink,
    ) -> Result<Reply, ModelFailure> {
        let failed = |error| StreamError::failure(&error, &self.connection);
        loop {
            let event = match events.next().await {
                Ok(Some(event)) => event,
                Ok(None) => break,
                // Nothing of the answer is missing.
                Err(_) if reply.is_whole() => break,
                Err(failure) => return Err(failure),
            };
            if event.is_keep_alive() {
                continue;
            }
            match reply.take(&event, parts) {
                Ok(Progress::Ignored) => continue,
                Ok(Progress::Empty) => events.extend_deadline(),
                Ok(Progress::Grew) => events.reset_watchdog(),
                Ok(Progress::Done) => return reply.reply().map_err(failed),
                Err(StreamError::Error(_)) if reply.is_whole() => break,
                Err(error) => return Err(failed(error)),
            }
            parts(StreamPart::Started);
        }
        match reply.is_whole() {
            true => reply.reply().map_err(failed),
            false => Err(failed(CUT_SHORT)),
        }
    }

    /// Sends what `outgoing` makes of the request, and again as the server turns out to want it. It ends: each time at least one part
    /// fewer is sent, or fewer tokens are asked for, but for the one time that what was kept is given up.
    async fn send(
        &self,
        request: &ModelRequest,
        outgoing: impl Fn(&ModelRequest) -> Outgoing,
        parts: &mut PartSink,
    ) -> Result<EventStream<'_>, ModelFailure> {
        self.connection.obtain_key().await?;
        self.learn_context().await;
        let mut asked = request.clone();
        loop {
            let known = self.learnt.changes();
            let context = self.settings.facts.context_tokens;
            asked.max_tokens = asked
                .max_tokens
                .min(self.learnt.answer_limit(request, context));
            let mut sent = outgoing(&asked);
            let body = std::mem::take(&mut sent.body);
            let refused = match self.connection.ask(body, &sent.beta, W::WIRE).await {
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
            match self.learnt.learn_limit(message, asked.max_tokens) {
                Some(limit) => {
                    let tokens = limit.tokens();
                    asked.max_tokens = tokens;
                    match limit {
                        LowerLimit::Always(_) | LowerLimit::Meanwhile(_) => show(format!(
                            "gives at most {tokens} tokens in an answer; no more are asked for from now on"
                        )),
                        LowerLimit::Now(_) => {}
                    }
                    continue;
                }
                None if refused.failure.remedy == Remedy::Shorten => return Err(refused.failure),
                None => {}
            }
            match self.learn(message, request, sent) {
                Some(learnt) => show(learnt),
                // Another request was refused for it since this one was made.
                None if self.learnt.changes() != known => {}
                None if refused.is_about_form && self.learnt.doubt_kept().await => {}
                None => return Err(refused.failure),
            }
        }
    }

    /// Learns which part of what was sent the server refuses, in a sentence for the user.
    fn learn(&self, message: &str, request: &ModelRequest, mut sent: Outgoing) -> Option<String> {
        sent.parts.push(Part::Reasoning);
        sent.parts.extend(sent.takes.parts_in(request));
        let tools = request.preamble.tools.iter().map(|tool| &*tool.name);
        let tool = self.learnt.learn_tool(message, tools);
        let conversation = (&*request.conversation, request.messages.len());
        tool.or_else(|| self.learnt.learn(message, &sent.parts, conversation))
    }

    /// Asks a server that is no vendor's own for its context, once, unless the user has set one.
    async fn learn_context(&self) {
        if self.settings.is_context_set || Catalogue::built_in().is_vendor(self.connection.host()) {
            return;
        }
        let ask = || context_probe::context(&self.connection, W::OWN_END, &self.model);
        self.learnt.ask_context_once(ask).await;
    }
}

impl<W: OwnWire> Model for ServedModel<W> {
    fn answer(
        &self,
        request: ModelRequest,
        parts: PartSink,
    ) -> BoxFuture<'_, Result<Reply, ModelFailure>> {
        W::ask(self, request, parts)
    }

    fn rate_limit_key(&self) -> &str {
        self.connection.rate_limit_key()
    }

    /// What the model takes, less what the server has come to refuse.
    fn profile(&self) -> ModelProfile {
        self.learnt.fit(self.settings.profile(W::WIRE))
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
