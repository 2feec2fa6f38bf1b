//! A server of one tool, for agents that are tried: a call of it leaves a file. It is a program of its own, that an agent starts; it
//! answers the few questions that any client of the Model Context Protocol has.

use std::{
    fs,
    io::{self, BufRead, Write},
    path::Path,
};

use serde_json::{Value, json};

/// What the tool is called.
pub(crate) const TOOL: &str = "write_note";

/// What the server is called.
pub(crate) const SERVER: &str = "trial";

/// A version of the protocol that every client knows; one that asks for another gets that.
const VERSION: &str = "2025-06-18";

/// The longest line that is read, in bytes. Clients of this server say little.
const LINE_MAX: u64 = 1 << 20;

/// Answers until the input ends; a call of the tool writes `file`.
///
/// # Errors
///
/// The input cannot be read, or nobody reads the output.
pub fn serve_tool(mut input: impl BufRead, mut output: impl Write, file: &Path) -> io::Result<()> {
    loop {
        let mut line = Vec::new();
        let mut bounded = io::Read::take(&mut input, LINE_MAX);
        if bounded.read_until(b'\n', &mut line)? == 0 {
            return Ok(());
        }
        let Ok(message) = serde_json::from_slice::<Value>(&line) else {
            continue;
        };
        // A notification is not answered.
        let (Some(id), Some(method)) = (message.get("id"), message["method"].as_str()) else {
            continue;
        };
        let answer = match answer(method, &message["params"], file) {
            Ok(result) => json!({ "jsonrpc": "2.0", "id": id, "result": result }),
            Err((code, why)) => {
                json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": why } })
            }
        };
        writeln!(output, "{answer}")?;
        output.flush()?;
    }
}

/// Answers what every client of a server begins with.
pub(crate) fn hello(server: &str, method: &str, params: &Value) -> Result<Value, (i64, String)> {
    match method {
        "initialize" => Ok(json!({
            "protocolVersion": params["protocolVersion"].as_str().unwrap_or(VERSION),
            "capabilities": { "tools": {} },
            "serverInfo": { "name": server, "version": env!("CARGO_PKG_VERSION") },
        })),
        "ping" => Ok(json!({})),
        _ => Err((-32_601, "there is no such method".to_owned())),
    }
}

fn answer(method: &str, params: &Value, file: &Path) -> Result<Value, (i64, String)> {
    match method {
        "tools/list" => Ok(json!({ "tools": [{
            "name": TOOL,
            "description": "Writes a note that only this tool can write",
            "inputSchema": { "type": "object", "properties": {} },
        }] })),
        "tools/call" if params["name"] == TOOL => {
            let written = fs::write(file, "noted\n");
            let said = match &written {
                Ok(()) => "noted".to_owned(),
                Err(why) => why.to_string(),
            };
            Ok(json!({
                "content": [{ "type": "text", "text": said }],
                "isError": written.is_err(),
            }))
        }
        method => hello(SERVER, method, params),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_of_the_tool_leaves_a_file() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("note");
        let ask = |method: &str, params: Value| {
            let line = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
            let input =
                format!("no message\n{{\"method\":\"notifications/initialized\"}}\n{line}\n");
            let mut output = Vec::new();
            serve_tool(input.as_bytes(), &mut output, &file).unwrap();
            serde_json::from_slice::<Value>(&output).unwrap()
        };
        let hello = ask("initialize", json!({ "protocolVersion": "2024-11-05" }));
        assert_eq!(hello["result"]["protocolVersion"], "2024-11-05");
        let tools = ask("tools/list", json!({}));
        assert_eq!(tools["result"]["tools"][0]["name"], TOOL);
        for unknown in ["server/discover", "tools/call"] {
            assert_eq!(ask(unknown, json!({}))["error"]["code"], -32_601);
        }
        assert!(!file.exists());
        let called = ask("tools/call", json!({ "name": TOOL, "arguments": {} }));
        assert_eq!(called["result"]["content"][0]["text"], "noted");
        assert!(file.exists());
    }
}
