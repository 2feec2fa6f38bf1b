//! The team's tools for an agent within the walls: a Unix socket in a directory that only this agent sees, which is who calls. The
//! agent starts a small program that brings its standard streams to that socket. What comes from there is a stranger's: lines and
//! calls are bounded.

use std::{
    fs::{self, File},
    io,
    net::Shutdown,
    os::{
        fd::AsRawFd as _,
        unix::{fs::PermissionsExt as _, net::UnixStream as BlockingStream},
    },
    path::Path,
    sync::Arc,
    thread,
};

use serde_json::{Value, json};
use teammate_core::{
    port::AgentClient,
    tool::{CallId, Outcome, OutcomePart, ToolCall, ToolInput},
};
use tokio::{
    io::AsyncWriteExt as _,
    net::{UnixListener, UnixStream},
    sync::mpsc,
    task::JoinSet,
};

use crate::acp::tool_server::hello;
use crate::lines::{BoundedLines, LINE_MAX};

/// What agents call the server.
pub(super) const SERVER: &str = "team";

const SOCKET: &str = "team.sock";

/// How many clients one agent may have, and how many calls each.
const CLIENTS_MAX: usize = 8;
const CALLS_MAX: usize = 32;
/// How many answers may wait to be read.
const ANSWERS_MAX: usize = 64;

/// Serves until it is dropped.
pub(super) struct TeamToolServer(#[expect(dead_code, reason = "dropped with it")] JoinSet<()>);

impl TeamToolServer {
    /// Begins, in this directory. What an earlier one left there is removed.
    pub(super) fn begin(dir: &Path, client: Arc<dyn AgentClient>) -> io::Result<Self> {
        let path = dir.join(SOCKET);
        match fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            Ok(()) | Err(_) => {}
        }
        // By the directory's number: a path may be longer than an address can be.
        let opened = File::open(dir)?;
        let short = format!("/proc/self/fd/{}/{SOCKET}", opened.as_raw_fd());
        let listener = UnixListener::bind(short)?;
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600))?;
        let mut serving = JoinSet::new();
        serving.spawn(accept(listener, client));
        Ok(Self(serving))
    }
}

/// Brings two streams to the socket in this directory, until the socket's side ends. It is a program of its own, which an agent
/// starts.
///
/// # Errors
///
/// There is no such socket.
pub fn bridge(
    dir: &Path,
    mut input: impl io::Read + Send + 'static,
    mut output: impl io::Write,
) -> io::Result<()> {
    std::env::set_current_dir(dir)?;
    let mut from = BlockingStream::connect(SOCKET)?;
    let mut to = from.try_clone()?;
    thread::spawn(move || {
        // The end of either side ends the other.
        let _ = io::copy(&mut input, &mut to);
        let _ = to.shutdown(Shutdown::Write);
    });
    let mut piece = [0; 8 << 10];
    loop {
        let read = io::Read::read(&mut from, &mut piece)?;
        if read == 0 {
            return Ok(());
        }
        output.write_all(&piece[..read])?;
        output.flush()?;
    }
}

async fn accept(listener: UnixListener, client: Arc<dyn AgentClient>) {
    let mut clients = JoinSet::new();
    loop {
        tokio::select! {
            come = listener.accept() => {
                let Ok((stream, _)) = come else { return };
                if clients.len() < CLIENTS_MAX {
                    clients.spawn(serve(stream, client.clone()));
                }
            }
            Some(_) = clients.join_next(), if !clients.is_empty() => {}
        }
    }
}

async fn serve(stream: UnixStream, client: Arc<dyn AgentClient>) {
    let (from, mut to) = stream.into_split();
    let (sender, mut answers) = mpsc::channel::<Value>(ANSWERS_MAX);
    let mut calls = JoinSet::new();
    let reading = async {
        let mut lines = BoundedLines::new(from, LINE_MAX);
        while let Ok(line) = lines.next().await {
            while calls.try_join_next().is_some() {}
            let Ok(message) = serde_json::from_slice::<Value>(&line) else {
                continue;
            };
            // A notification is not answered.
            let (Some(id), Some(method)) = (message.get("id"), message["method"].as_str()) else {
                continue;
            };
            let (id, params) = (id.clone(), message["params"].clone());
            let answer = match method {
                "tools/list" => Ok(json!({ "tools": listed(&*client) })),
                "tools/call" if calls.len() < CALLS_MAX => {
                    let (client, sender) = (client.clone(), sender.clone());
                    calls.spawn(async move {
                        let result = called(&*client, &params).await;
                        let answer = json!({ "jsonrpc": "2.0", "id": id, "result": result });
                        let _ = sender.send(answer).await;
                    });
                    continue;
                }
                "tools/call" => Err((-32_000, "too many calls at once".to_owned())),
                method => hello(SERVER, method, &params),
            };
            let answer = match answer {
                Ok(result) => json!({ "jsonrpc": "2.0", "id": id, "result": result }),
                Err((code, why)) => {
                    json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": why } })
                }
            };
            if sender.send(answer).await.is_err() {
                return;
            }
        }
    };
    let writing = async {
        while let Some(answer) = answers.recv().await {
            if to
                .write_all(format!("{answer}\n").as_bytes())
                .await
                .is_err()
            {
                return;
            }
        }
    };
    tokio::select! {
        () = reading => {}
        () = writing => {}
    }
}

fn listed(client: &dyn AgentClient) -> Vec<Value> {
    let tools = client.tools().into_iter();
    tools
        .map(|tool| {
            json!({
                "name": tool.name,
                "description": tool.description,
                "inputSchema": tool.schema,
                // They change nothing but the team: agents in a careful mode offer them, too.
                "annotations": { "readOnlyHint": true },
            })
        })
        .collect()
}

async fn called(client: &dyn AgentClient, params: &Value) -> Value {
    let input = match &params["arguments"] {
        Value::Null => "{}".to_owned(),
        given => given.to_string(),
    };
    let outcome = client
        .call(ToolCall {
            id: CallId::new(String::new()),
            name: params["name"].as_str().unwrap_or_default().to_owned(),
            input: ToolInput::from_json(input),
        })
        .await;
    let Outcome {
        parts, is_error, ..
    } = outcome;
    let content: Vec<Value> = parts
        .into_iter()
        .map(|part| match part {
            OutcomePart::Text(text) => json!({ "type": "text", "text": text }),
            OutcomePart::Image { media_type, base64 } => {
                json!({ "type": "image", "mimeType": media_type, "data": base64 })
            }
            OutcomePart::Document { name, .. } => {
                json!({ "type": "text", "text": format!("[the document {name}]") })
            }
        })
        .collect();
    json!({ "content": content, "isError": is_error })
}
