//! The team's tools for an agent within the walls: a Unix socket in a directory that only this agent sees, which is who calls. The
//! agent starts a small program that brings its standard streams to that socket. What comes from there is a stranger's:
//! lines and calls are bounded.

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

use rmcp::{
    ErrorData, RoleServer, ServerHandler,
    model::{
        CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, JsonObject,
        ListToolsResult, PaginatedRequestParams, ServerConfig, Tool, ToolAnnotations,
    },
    service::RequestContext,
};
use serde_json::Value;
use teammate_core::{
    port::AgentClient,
    tool::{CallId, Outcome, OutcomePart, ToolCall, ToolInput},
};
use tokio::{net::UnixListener, task::JoinSet};
use tokio_util::sync::CancellationToken;

use crate::mcp::server::{serve_lines, tool_server};

/// The name of the server for agents.
pub(super) const SERVER: &str = "team";

const SOCKET: &str = "team.sock";

/// How many clients one agent may have.
const CLIENTS_MAX: usize = 8;

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
                    let (from, to) = stream.into_split();
                    let client = client.clone();
                    let tools = move |gone| TeamTools { client, gone };
                    clients.spawn(serve_lines(tools, from, to));
                }
            }
            Some(_) = clients.join_next(), if !clients.is_empty() => {}
        }
    }
}

/// The team's tools for one client.
struct TeamTools {
    client: Arc<dyn AgentClient>,
    /// Cancelled when the client has gone: then its calls end.
    gone: CancellationToken,
}

impl ServerHandler for TeamTools {
    fn get_info(&self) -> ServerConfig {
        tool_server(SERVER)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let tools = self.client.tools().into_iter().map(|tool| {
            let schema: JsonObject = serde_json::from_str(tool.schema.get()).unwrap_or_default();
            // They change nothing but the team: agents in a careful mode offer them, too.
            let hints = ToolAnnotations::new().read_only(true);
            Tool::new(tool.name.to_string(), tool.description, schema).with_annotations(hints)
        });
        Ok(ListToolsResult::with_all_items(tools.collect()))
    }

    async fn call_tool(
        &self,
        asked: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let input = Value::Object(asked.arguments.unwrap_or_default());
        let call = ToolCall {
            id: CallId::new(String::new()),
            name: asked.name.into_owned(),
            input: ToolInput::from_json(input.to_string()),
        };
        let outcome = tokio::select! {
            outcome = self.client.call(call) => outcome,
            () = self.gone.cancelled() => return Err(ErrorData::internal_error("nobody waits for it", None)),
        };
        let Outcome {
            parts, is_error, ..
        } = outcome;
        let content = parts.into_iter().map(|part| match part {
            OutcomePart::Text(text) => ContentBlock::text(text),
            OutcomePart::Image { media_type, base64 } => ContentBlock::image(base64, media_type),
            OutcomePart::Document { name, .. } => {
                ContentBlock::text(format!("[the document {name}]"))
            }
        });
        let result = match is_error {
            true => CallToolResult::error(content.collect()),
            false => CallToolResult::success(content.collect()),
        };
        Ok(result.into())
    }
}
