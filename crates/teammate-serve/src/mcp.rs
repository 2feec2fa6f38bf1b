//! The team as an MCP server. The protocol is the SDK's (`rmcp`), lines of standard input and output are `teammate-protocols`', the
//! guard before HTTP is `http`.
//!
//! Nothing is taken from a handshake: some clients ask for tools without one. A client is trusted as far as the user who opened
//! the door for it, with the sandbox, the permission rules and the person's answers as they are for everybody.

mod catalogue;
mod cut;
mod hearing;
mod http;
mod served_team;
mod shown;
mod standing;
mod tool;
mod tools;

use std::{io, sync::Arc};

use rmcp::{
    ErrorData, RoleServer, ServerHandler,
    model::{
        CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ListToolsResult,
        PaginatedRequestParams, ServerConfig, Tool,
    },
    service::RequestContext,
};
use teammate_protocols::mcp::server;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio_util::sync::CancellationToken;

use self::{
    catalogue::Catalogue,
    tool::{Call, Progress},
};
pub use self::{
    http::{AccessKey, serve_http},
    served_team::{FirstJob, HostProgram, ServedTeam},
};

/// The words about the server that clients read before anything else.
const INSTRUCTIONS: &str = "A team of coding agents: a lead and teammates that work in this directory. Give it a job with \
start_team, then call wait_for_team until its state is idle: that has the result. A job goes on in the background if you stop \
waiting. When the state is asks_user, show the user what list_requests has: members wait for an answer.";

/// A team as an MCP server, for any number of clients.
#[derive(Clone)]
pub struct McpServer {
    team: Arc<ServedTeam>,
    catalogue: Arc<Catalogue>,
    /// Cancelled when the client has gone: whatever waits for the team on its behalf stops waiting.
    gone: CancellationToken,
}

impl McpServer {
    /// A server for this team.
    pub fn new(team: ServedTeam) -> Self {
        Self {
            catalogue: Arc::new(Catalogue::of(&team)),
            team: Arc::new(team),
            gone: CancellationToken::new(),
        }
    }

    /// The server for a client that can go.
    fn until_gone(&self, gone: CancellationToken) -> Self {
        Self {
            gone,
            ..self.clone()
        }
    }
}

/// Serves one client until it ends its side, or cannot be written to.
///
/// # Errors
///
/// The client has never said anything that a server could answer.
pub async fn serve_lines<R, W>(server: &McpServer, reader: R, writer: W) -> io::Result<()>
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    server::serve_lines(|gone| server.until_gone(gone), reader, writer).await
}

impl ServerHandler for McpServer {
    fn get_info(&self) -> ServerConfig {
        server::tool_server("teammate").with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(self.catalogue.tools()))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        self.catalogue.tool(name)
    }

    async fn call_tool(
        &self,
        asked: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(run) = self.catalogue.run(&asked.name) else {
            let what = format!("there is no tool '{}'", teammate::visible(&asked.name));
            return Err(ErrorData::invalid_params(what, None));
        };
        let call = Call {
            team: self.team.clone(),
            progress: Progress::of(&context),
            gone: self.gone.clone(),
            cancelled: context.ct,
        };
        // A task of its own: a bug in a tool is an answer, and no call that hangs.
        let running = tokio::spawn(run(call, asked.arguments.unwrap_or_default()));
        let answer = running
            .await
            .map_err(|bug| ErrorData::internal_error(format!("a bug: {bug}"), None))?;
        let result = match answer {
            Ok(value) => CallToolResult::success(vec![ContentBlock::text(value.to_string())]),
            Err(why) => CallToolResult::error(vec![ContentBlock::text(why)]),
        };
        Ok(result.into())
    }
}
