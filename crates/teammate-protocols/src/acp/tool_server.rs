//! A server of one tool, for agents that are tried: a call of it leaves a file. It is a program of its own, that an agent starts.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use rmcp::{
    ErrorData, RoleServer, ServerHandler,
    model::{
        CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ListToolsResult,
        PaginatedRequestParams, ServerConfig, Tool, object,
    },
    service::RequestContext,
};
use serde_json::json;
use tokio::io::{AsyncRead, AsyncWrite};

use crate::mcp::server::{serve_lines, tool_server};

/// The name of the tool.
pub(crate) const TOOL: &str = "write_note";

/// The name of the server.
pub(crate) const SERVER: &str = "trial";

/// Answers until the input ends; a call of the tool writes `file`.
///
/// # Errors
///
/// The agent does not speak the protocol.
pub async fn serve_tool<R, W>(input: R, output: W, file: &Path) -> io::Result<()>
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    serve_lines(|_| NoteServer(file.to_owned()), input, output).await
}

/// The server, with the file that the tool writes.
struct NoteServer(PathBuf);

impl ServerHandler for NoteServer {
    fn get_info(&self) -> ServerConfig {
        tool_server(SERVER)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let schema = object(json!({ "type": "object", "properties": {} }));
        let tool = Tool::new(TOOL, "Writes a note that only this tool can write", schema);
        Ok(ListToolsResult::with_all_items(vec![tool]))
    }

    async fn call_tool(
        &self,
        asked: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        if asked.name != TOOL {
            return Err(ErrorData::invalid_params("there is no such tool", None));
        }
        let result = match fs::write(&self.0, "noted\n") {
            Ok(()) => CallToolResult::success(vec![ContentBlock::text("noted")]),
            Err(why) => CallToolResult::error(vec![ContentBlock::text(why.to_string())]),
        };
        Ok(result.into())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;
    use tokio::io::{AsyncWriteExt as _, duplex, split};

    use super::*;
    use crate::{
        lines::{BoundedLines, LINE_MAX},
        rpc,
    };

    #[tokio::test]
    async fn a_call_of_the_tool_leaves_a_file() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("note");
        let (agent, server) = duplex(1 << 16);
        let (reader, writer) = split(server);
        let note = file.clone();
        tokio::spawn(async move { serve_tool(reader, writer, &note).await });
        let (from, mut to) = split(agent);
        let mut answers = BoundedLines::new(from, LINE_MAX);
        let mut ask = async |method: &str, params: Value| {
            let line = rpc::request(1, method, &params);
            to.write_all(&[b"no message\n", &*line, b"\n"].concat())
                .await
                .unwrap();
            loop {
                let line = answers.next().await.unwrap();
                let answer: Value = serde_json::from_slice(&line).unwrap();
                if answer["id"] == 1 {
                    return answer;
                }
            }
        };
        let us = json!({ "name": "agent", "version": "1" });
        let hello =
            json!({ "protocolVersion": "2024-11-05", "capabilities": {}, "clientInfo": us });
        let hello = ask("initialize", hello).await;
        assert_eq!(hello["result"]["protocolVersion"], "2024-11-05");
        let tools = ask("tools/list", json!({})).await;
        assert_eq!(tools["result"]["tools"][0]["name"], TOOL);
        assert_eq!(
            ask("tools/unknown", json!({})).await["error"]["code"],
            -32_601
        );
        let other = ask("tools/call", json!({ "name": "other" })).await;
        assert_eq!(other["error"]["code"], -32_602);
        assert!(!file.exists());
        let called = ask("tools/call", json!({ "name": TOOL, "arguments": {} })).await;
        assert_eq!(called["result"]["content"][0]["text"], "noted");
        assert!(file.exists());
    }
}
