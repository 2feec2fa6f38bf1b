//! A model server that looks at the clock: it notes when the first byte of a request comes and when its answer goes.
//!
//! It notes requests of models only, not what the program asks about them, and believes what it is sent. The strict server of
//! `teammate-testkit` is used where counts matter, and this one where moments do: it does nothing between the two but ask the script.

use std::{
    io,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use serde_json::Value;
use teammate_core::{
    block::Block,
    model::StopReason,
    tool::{CallId, ToolCall, ToolInput},
};
use teammate_testkit::{anthropic_stream, reply};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
};

/// What was asked and when.
#[derive(Debug, Clone)]
pub(super) struct Exchange {
    pub(super) member: String,
    /// The first byte of the request came.
    pub(super) asked: Instant,
    /// The answer began to be written.
    pub(super) answered: Option<Instant>,
    pub(super) bytes: usize,
    /// The body, if it is kept.
    pub(super) body: Option<String>,
}

/// What the script has the model say.
pub(super) enum Says {
    Text(String),
    Calls(Vec<(&'static str, Value)>),
    /// No answer ever comes.
    Nothing,
    /// The same, after this time.
    After(Duration, Box<Says>),
    /// 429: come again after so many seconds, if it says so.
    TooMany(Option<u64>),
    /// The connection ends without an answer.
    Breaks,
}

/// What the script sees.
pub(super) struct Asked<'a> {
    pub(super) member: &'a str,
    /// How many requests of this member came before.
    pub(super) before: usize,
    pub(super) body: &'a str,
}

/// The answer to what is no request of a model, such as `GET /v1/models`.
const NOT_FOUND: &[u8] = b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n";

type Script = Box<dyn FnMut(&Asked<'_>) -> Says + Send>;

struct Shared {
    script: Mutex<Script>,
    exchanges: Mutex<Vec<Exchange>>,
    keeps_bodies: bool,
}

/// A running server with a runtime of its own. It stops when this is dropped.
pub(super) struct Wire {
    shared: Arc<Shared>,
    address: std::net::SocketAddr,
    _runtime: tokio::runtime::Runtime,
}

impl Wire {
    pub(super) fn start(
        keeps_bodies: bool,
        script: impl FnMut(&Asked<'_>) -> Says + Send + 'static,
    ) -> io::Result<Self> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()?;
        let shared = Arc::new(Shared {
            script: Mutex::new(Box::new(script)),
            exchanges: Mutex::default(),
            keeps_bodies,
        });
        let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0"))?;
        let address = listener.local_addr()?;
        let serving = shared.clone();
        runtime.spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, serving.clone()));
            }
        });
        Ok(Self {
            shared,
            address,
            _runtime: runtime,
        })
    }

    pub(super) fn address(&self) -> String {
        self.address.to_string()
    }

    pub(super) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// All exchanges so far, in the order of their requests.
    pub(super) fn exchanges(&self) -> Vec<Exchange> {
        locked(&self.shared.exchanges).clone()
    }

    /// How many exchanges there were so far.
    pub(super) fn count(&self) -> usize {
        locked(&self.shared.exchanges).len()
    }

    /// Waits until `holds` of the exchanges, for a minute at most.
    pub(super) fn until(&self, holds: impl Fn(&[Exchange]) -> bool) -> io::Result<()> {
        let begun = Instant::now();
        while !holds(&locked(&self.shared.exchanges)) {
            if begun.elapsed() > Duration::from_secs(60) {
                return Err(io::ErrorKind::TimedOut.into());
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        Ok(())
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

async fn serve(mut stream: TcpStream, shared: Arc<Shared>) {
    let _ = stream.set_nodelay(true);
    let mut buffer = Vec::new();
    // A connection that breaks is the end of it.
    while let Ok(Some((asked, body))) = read(&mut stream, &mut buffer).await {
        if !buffer.starts_with(b"POST ") {
            if stream.write_all(NOT_FOUND).await.is_err() {
                return;
            }
            continue;
        }
        let (number, mut says) = shared.ask(asked, &body);
        while let Says::After(time, then) = says {
            tokio::time::sleep(time).await;
            says = *then;
        }
        let bytes = match says {
            Says::Nothing | Says::After(..) => return std::future::pending().await,
            Says::Breaks => return,
            Says::TooMany(seconds) => too_many(seconds),
            Says::Text(text) => {
                let blocks = vec![Block::text(&text)];
                streamed(blocks, StopReason::EndTurn, body.len())
            }
            Says::Calls(calls) => {
                let blocks = blocks(number, &calls);
                streamed(blocks, StopReason::ToolUse, body.len())
            }
        };
        locked(&shared.exchanges)[number].answered = Some(Instant::now());
        if stream.write_all(&bytes).await.is_err() {
            return;
        }
    }
}

/// The next request's moment and body.
async fn read(
    stream: &mut TcpStream,
    buffer: &mut Vec<u8>,
) -> io::Result<Option<(Instant, String)>> {
    buffer.clear();
    if stream.read_buf(buffer).await? == 0 {
        return Ok(None);
    }
    let asked = Instant::now();
    let head = loop {
        match buffer.windows(4).position(|four| four == b"\r\n\r\n") {
            Some(at) => break at + 4,
            None if stream.read_buf(buffer).await? == 0 => return Ok(None),
            None => {}
        }
    };
    let headers = String::from_utf8_lossy(&buffer[..head]).to_ascii_lowercase();
    let length = headers
        .lines()
        .find_map(|line| line.strip_prefix("content-length:")?.trim().parse().ok())
        .unwrap_or(0);
    buffer.reserve(length);
    while buffer.len() < head + length {
        if stream.read_buf(buffer).await? == 0 {
            return Ok(None);
        }
    }
    let body = String::from_utf8_lossy(&buffer[head..head + length]).into_owned();
    Ok(Some((asked, body)))
}

impl Shared {
    fn ask(&self, asked: Instant, body: &str) -> (usize, Says) {
        let member = member(body).to_owned();
        let mut exchanges = locked(&self.exchanges);
        let before = exchanges
            .iter()
            .filter(|exchange| exchange.member == member)
            .count();
        let number = exchanges.len();
        exchanges.push(Exchange {
            member: member.clone(),
            asked,
            answered: None,
            bytes: body.len(),
            body: self.keeps_bodies.then(|| body.to_owned()),
        });
        drop(exchanges);
        let asked = Asked {
            member: &member,
            before,
            body,
        };
        (number, locked(&self.script)(&asked))
    }
}

/// Who asks: the system text says `You are 'NAME'`.
fn member(body: &str) -> &str {
    body.split_once("You are '")
        .and_then(|(_, rest)| rest.split('\'').next())
        .unwrap_or("")
}

/// The answer on the wire; it counts the request as a model would that reads four bytes to a token.
fn streamed(blocks: Vec<Block>, stop: StopReason, asked: usize) -> Vec<u8> {
    let mut reply = reply(blocks, stop);
    reply.usage.input = asked as u64 / 4;
    let body = anthropic_stream(&reply);
    let head = format!(
        "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    [head.into_bytes(), body.into_bytes()].concat()
}

fn too_many(seconds: Option<u64>) -> Vec<u8> {
    let body = r#"{"type":"error","error":{"type":"rate_limit_error","message":"too many"}}"#;
    let when = seconds.map_or(String::new(), |seconds| {
        format!("retry-after: {seconds}\r\n")
    });
    let head = format!(
        "HTTP/1.1 429 Too Many Requests\r\ncontent-type: application/json\r\n{when}content-length: {}\r\n\r\n",
        body.len()
    );
    [head, body.to_owned()].concat().into_bytes()
}

fn blocks(number: usize, calls: &[(&'static str, Value)]) -> Vec<Block> {
    let calls = calls.iter().enumerate().map(|(at, (tool, input))| {
        Block::tool_use(&ToolCall {
            id: CallId::new(format!("call_{number}_{at}")),
            name: (*tool).to_owned(),
            input: ToolInput::from_json(input.to_string()),
        })
    });
    calls.collect()
}

#[cfg(test)]
mod tests {
    use std::io::{Read as _, Write as _};

    use super::*;

    fn asks(wire: &Wire, request: &str) -> String {
        let mut stream = std::net::TcpStream::connect(wire.address()).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = [0; 12];
        stream.read_exact(&mut answer).unwrap();
        String::from_utf8_lossy(&answer).into_owned()
    }

    #[test]
    fn only_requests_of_models_count() {
        let wire = Wire::start(false, |_| Says::Text("done".to_owned())).unwrap();
        assert_eq!(
            asks(&wire, "GET /v1/models HTTP/1.1\r\n\r\n"),
            "HTTP/1.1 404"
        );
        assert_eq!(wire.count(), 0);
        let post = "POST /v1/messages HTTP/1.1\r\ncontent-length: 2\r\n\r\n{}";
        assert_eq!(asks(&wire, post), "HTTP/1.1 200");
        assert_eq!(wire.count(), 1);
    }
}
