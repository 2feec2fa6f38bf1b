//! A client that speaks raw lines.

use serde_json::{Value, json};
use teammate_serve::mcp::{McpServer, serve_lines};
use tokio::{
    io::{
        AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, DuplexStream, Lines, ReadHalf,
        WriteHalf, duplex, split,
    },
    task::JoinHandle,
};

/// Room for what is on its way.
const PIPE_BYTES: usize = 64 * 1024;

/// What every request of a client of 2026-07-28 carries.
pub(crate) fn meta() -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { "name": "test", "version": "1" },
        "io.modelcontextprotocol/clientCapabilities": {},
    })
}

/// A client and the server that it talks with.
pub(crate) struct Wire {
    to: WriteHalf<DuplexStream>,
    from: Lines<BufReader<ReadHalf<DuplexStream>>>,
    last: u64,
    serving: JoinHandle<std::io::Result<()>>,
}

impl Wire {
    pub(crate) fn to(server: McpServer) -> Self {
        let (client, other) = duplex(PIPE_BYTES);
        let (reader, writer) = split(other);
        let serving = tokio::spawn(async move { serve_lines(&server, reader, writer).await });
        let (from, to) = split(client);
        Self {
            to,
            from: BufReader::new(from).lines(),
            last: 0,
            serving,
        }
    }

    pub(crate) async fn send(&mut self, line: &str) {
        self.to.write_all(line.as_bytes()).await.unwrap();
        self.to.write_all(b"\n").await.unwrap();
    }

    /// The next line of the server.
    pub(crate) async fn line(&mut self) -> Value {
        let line = self.from.next_line().await.unwrap();
        serde_json::from_str(&line.expect("a line")).unwrap()
    }

    /// Sends a call and returns its id.
    pub(crate) async fn begin(&mut self, tool: &str, arguments: Value) -> u64 {
        self.last += 1;
        let call = json!({
            "jsonrpc": "2.0",
            "id": self.last,
            "method": "tools/call",
            "params": { "name": tool, "arguments": arguments, "_meta": meta() },
        });
        self.send(&call.to_string()).await;
        self.last
    }

    /// The answer to a call; what else comes is passed over.
    pub(crate) async fn answer(&mut self, id: u64) -> Value {
        loop {
            let line = self.line().await;
            if line["id"] == id {
                return line;
            }
        }
    }

    /// Calls a tool that works.
    pub(crate) async fn call(&mut self, tool: &str, arguments: Value) -> Value {
        let id = self.begin(tool, arguments).await;
        let answer = self.answer(id).await;
        assert_eq!(answer["result"]["isError"], false, "{tool}: {answer}");
        serde_json::from_str(text(&answer)).unwrap()
    }

    /// Calls a tool that refuses, and returns what it says.
    pub(crate) async fn refused(&mut self, tool: &str, arguments: Value) -> String {
        let id = self.begin(tool, arguments).await;
        let answer = self.answer(id).await;
        assert_eq!(answer["result"]["isError"], true, "{tool}: {answer}");
        text(&answer).to_owned()
    }

    /// Waits until the team has this state.
    pub(crate) async fn until(&mut self, state: &str) -> Value {
        loop {
            let waited = self.call("wait_for_team", json!({})).await;
            if waited["state"] == state {
                return waited;
            }
        }
    }

    /// The client ends its side.
    pub(crate) async fn leave(mut self) -> std::io::Result<()> {
        self.to.shutdown().await.unwrap();
        self.serving.await.unwrap()
    }

    /// The same, and what still comes.
    pub(crate) async fn rest(mut self) -> Vec<Value> {
        self.to.shutdown().await.unwrap();
        let mut rest = Vec::new();
        while let Some(line) = self.from.next_line().await.unwrap() {
            rest.push(serde_json::from_str(&line).unwrap());
        }
        rest
    }
}

/// The text of a result.
pub(crate) fn text(answer: &Value) -> &str {
    answer["result"]["content"][0]["text"].as_str().unwrap()
}
