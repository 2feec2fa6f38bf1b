//! The server: accepts, checks, records, answers.

use std::{
    collections::HashMap,
    error::Error,
    io,
    sync::{Arc, Mutex},
    time::Instant,
};

use hyper::{Request, Response, body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::rt::TokioIo;
use serde_json::Value;
use teammate_core::{
    lock::Hold,
    model::{AnswerOptions, ModelRequest, Preamble, Role, Wire},
    port::Model,
};
use tokio::{
    net::{TcpListener, TcpStream},
    task::JoinHandle,
};

use crate::{
    answer::Answer,
    anthropic,
    http::{self, AnswerBody, HttpRequest},
    openai,
    parsed_request::ParsedRequest,
    responses,
};

/// A request that the server saw.
#[derive(Debug, Clone)]
pub struct RecordedRequest {
    /// The wire it came on.
    pub wire: Wire,
    /// The path.
    pub path: String,
    /// The headers, names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body, byte for byte.
    pub body: String,
    /// When it came.
    pub at: Instant,
    /// Why it was refused, if it was.
    pub problem: Option<String>,
    /// How many of its bytes the request before it of the same conversation began with (cache markers left out).
    pub shared: usize,
}

impl RecordedRequest {
    /// A header's value.
    pub fn header(&self, name: &str) -> Option<&str> {
        let (_, value) = self.headers.iter().find(|(known, _)| known == name)?;
        Some(value)
    }

    /// The body as JSON; null if it is none.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_default()
    }
}

/// Sums over everything that was seen.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Totals {
    /// Requests.
    pub requests: u64,
    /// Those that were refused for what they said.
    pub refused: u64,
    /// Bytes of their bodies.
    pub bytes: u64,
    /// Of these, the bytes that the request before had begun with.
    pub shared: u64,
}

/// Why the server would refuse this body on that wire; nothing, if it would answer.
pub fn problem(wire: Wire, body: &str) -> Option<String> {
    match wire {
        Wire::OpenAi => openai::check(body).err(),
        Wire::Responses => responses::check(body).err(),
        Wire::Anthropic | Wire::Plain => anthropic::check(body).err(),
    }
}

/// A body without cache markers.
pub fn without_cache_markers(body: &str) -> String {
    body.replace(r#","cache_control":{"type":"ephemeral"}"#, "")
}

type Closure = Box<dyn FnMut(&RecordedRequest) -> Answer + Send>;

enum Source {
    Closure(Mutex<Closure>),
    Model(Arc<dyn Model>),
}

struct Shared {
    source: Source,
    records: Mutex<Records>,
    keeps_requests: bool,
    checks: bool,
}

#[derive(Default)]
struct Records {
    seen: Vec<RecordedRequest>,
    totals: Totals,
    /// By conversation: the last body.
    last: HashMap<String, String>,
    /// The first of them.
    refused: Vec<String>,
}

/// So many reasons of refusals are kept.
const REFUSED_MAX: usize = 100;

/// A running server. It stops when this is dropped.
pub struct Server {
    shared: Arc<Shared>,
    address: std::net::SocketAddr,
    task: JoinHandle<()>,
}

impl Drop for Server {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Server {
    /// Answers good requests from a closure; bad ones get 400 and the reason.
    pub async fn start(
        answers: impl FnMut(&RecordedRequest) -> Answer + Send + 'static,
    ) -> io::Result<Self> {
        let source = Source::Closure(Mutex::new(Box::new(answers)));
        Self::run("127.0.0.1:0", source, true, true).await
    }

    /// The same for programs of other people, whose requests have what ours have not: every request is given to the closure, of
    /// whatever path, and nothing is kept but sums.
    pub async fn for_others(
        answers: impl FnMut(&RecordedRequest) -> Answer + Send + 'static,
    ) -> io::Result<Self> {
        let source = Source::Closure(Mutex::new(Box::new(answers)));
        Self::run("127.0.0.1:0", source, false, false).await
    }

    /// Gives these answers, one after the other, and then errors.
    pub async fn with_answers(answers: impl IntoIterator<Item = Answer>) -> io::Result<Self> {
        let mut answers: Vec<Answer> = answers.into_iter().collect();
        answers.reverse();
        Self::start(move |_| {
            let none = || Answer::error(500, "api_error", "the test has no more answers");
            answers.pop().unwrap_or_else(none)
        })
        .await
    }

    /// Lets a model answer, a play for example. `keeps_requests`: whether [`Server::seen`] has them.
    pub async fn with_model(
        address: &str,
        model: Arc<dyn Model>,
        keeps_requests: bool,
    ) -> io::Result<Self> {
        Self::run(address, Source::Model(model), keeps_requests, true).await
    }

    async fn run(
        address: &str,
        source: Source,
        keeps_requests: bool,
        checks: bool,
    ) -> io::Result<Self> {
        let listener = TcpListener::bind(address).await?;
        let shared = Arc::new(Shared {
            source,
            records: Mutex::default(),
            keeps_requests,
            checks,
        });
        let address = listener.local_addr()?;
        let task = tokio::spawn(accept(listener, shared.clone()));
        Ok(Self {
            shared,
            address,
            task,
        })
    }

    /// `http://127.0.0.1:PORT`.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// All requests so far.
    pub fn seen(&self) -> Vec<RecordedRequest> {
        self.shared.records.hold().seen.clone()
    }

    /// Why requests were refused for what they said, the first hundred.
    pub fn refused(&self) -> Vec<String> {
        self.shared.records.hold().refused.clone()
    }

    /// Sums over all requests so far.
    pub fn totals(&self) -> Totals {
        self.shared.records.hold().totals
    }
}

/// Dropping the set, with the task, ends all connections.
async fn accept(listener: TcpListener, shared: Arc<Shared>) {
    let mut connections = tokio::task::JoinSet::new();
    loop {
        tokio::select! {
            accepted = listener.accept() => {
                if let Ok((stream, _)) = accepted {
                    connections.spawn(serve(stream, shared.clone()));
                }
            }
            Some(_) = connections.join_next() => {}
        }
    }
}

async fn serve(stream: TcpStream, shared: Arc<Shared>) {
    let _ = stream.set_nodelay(true);
    let respond = service_fn(|request| shared.respond(request));
    // A client that goes away, and an answer that breaks off, are no failures of the server.
    let _ = http1::Builder::new()
        .serve_connection(TokioIo::new(stream), respond)
        .await;
}

impl Shared {
    /// Errors: the connection is to be closed without a word.
    async fn respond(
        &self,
        request: Request<Incoming>,
    ) -> Result<Response<AnswerBody>, Box<dyn Error + Send + Sync>> {
        let asked = HttpRequest::read(request).await?;
        let wire = if asked.path.contains("/chat/completions") {
            Wire::OpenAi
        } else if asked.path.contains("/responses") {
            Wire::Responses
        } else {
            Wire::Anthropic
        };
        let answer = self.answer(wire, asked).await;
        tokio::time::sleep(answer.delay).await;
        let bytes = answer.bytes(wire).ok_or("closed without an answer")?;
        Ok(http::response(&answer, bytes)?)
    }

    async fn answer(&self, wire: Wire, asked: HttpRequest) -> Answer {
        if let (Source::Closure(closure), false) = (&self.source, self.checks) {
            let seen = self.record(wire, asked, None);
            let mut closure = closure.hold();
            return closure(&seen);
        }
        let checked = match (wire, asked.path.as_str()) {
            (Wire::OpenAi, "/v1/chat/completions") => openai::check(&asked.body),
            (Wire::Responses, "/v1/responses") => responses::check(&asked.body),
            (Wire::Anthropic, "/v1/messages") => match asked.header("anthropic-version") {
                Some("2023-06-01" | "2026-10-21") => {
                    anthropic::check(&asked.body).and_then(|told| {
                        anthropic::check_beta(&asked.body, asked.header("anthropic-beta"))?;
                        Ok(told)
                    })
                }
                Some(_) | None => Err("anthropic-version: header is required".to_owned()),
            },
            _ => return Answer::error(404, "not_found_error", &asked.path),
        };
        let seen = self.record(wire, asked, checked.as_ref().err().cloned());
        let told = match checked {
            Ok(told) => told,
            Err(problem) => return Answer::error(400, "invalid_request_error", &problem),
        };
        match &self.source {
            Source::Closure(closure) => {
                let mut closure = closure.hold();
                closure(&seen)
            }
            Source::Model(model) => model
                .answer(told.request(), Box::new(|_| {}))
                .await
                .map_or_else(Answer::from, Answer::reply),
        }
    }

    fn record(&self, wire: Wire, asked: HttpRequest, problem: Option<String>) -> RecordedRequest {
        let mut records = self.records.hold();
        let bare = without_cache_markers(&asked.body);
        let conversation = conversation(&asked.body);
        let last = records.last.get(&conversation);
        let shared = last.map_or(0, |last| {
            let pairs = last.bytes().zip(bare.bytes());
            pairs.take_while(|(before, now)| before == now).count()
        });
        records.last.insert(conversation, bare);
        let seen = RecordedRequest {
            wire,
            path: asked.path,
            headers: asked.headers,
            body: asked.body,
            at: Instant::now(),
            problem,
            shared,
        };
        records.totals.requests += 1;
        records.totals.refused += u64::from(seen.problem.is_some());
        records.totals.bytes += seen.body.len() as u64;
        records.totals.shared += shared as u64;
        if records.refused.len() < REFUSED_MAX {
            records.refused.extend(seen.problem.clone());
        }
        if self.keeps_requests {
            records.seen.push(seen.clone());
        }
        seen
    }
}

/// What tells conversations apart: the system text, which names the member.
fn conversation(body: &str) -> String {
    let body: Value = serde_json::from_str(body).unwrap_or_default();
    let system = match body.get("system") {
        Some(system) => Some(system),
        None => body
            .pointer("/messages/0/content")
            .or_else(|| body.pointer("/input/0/content")),
    };
    without_cache_markers(&system.cloned().unwrap_or_default().to_string())
}

impl ParsedRequest {
    fn request(self) -> ModelRequest {
        let before = self
            .messages
            .iter()
            .rposition(|message| message.role == Role::Assistant);
        ModelRequest {
            asker: asker(&self.system).into(),
            preamble: Arc::new(Preamble::new(Vec::new(), String::new())),
            conversation: self.system.as_str().into(),
            identity: self.system.into(),
            cached: before.unwrap_or(0),
            messages: self.messages.into_iter().map(Arc::new).collect(),
            max_tokens: self.max_tokens,
            model: "test:model".into(),
            options: AnswerOptions::default(),
        }
    }
}

/// Who asks. A server is not told, so it is found where the program's prompts say it: in the first line `You are 'NAME'...`.
fn asker(system: &str) -> &str {
    system
        .lines()
        .find_map(|line| line.strip_prefix("You are '")?.split('\'').next())
        .unwrap_or("")
}
