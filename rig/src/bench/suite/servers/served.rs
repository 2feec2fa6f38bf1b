//! A server of tools that does nothing but answer, and a client that does nothing but ask.

use std::{
    io::{self, BufRead as _, BufReader, Write as _},
    process::{Child, ChildStdin, ChildStdout, Command, ExitCode, Stdio},
    time::{Duration, Instant},
};

use serde_json::{Value, json};

pub(super) fn tool_name(number: usize) -> String {
    format!("tool_{number}")
}

/// Serves so many tools over the standard streams until the input ends.
pub(in crate::bench::suite) fn serve(tools: &str) -> ExitCode {
    let tools: Vec<Value> = (0..tools.parse().unwrap_or(0)).map(tool).collect();
    for line in io::stdin().lock().lines() {
        let Ok(line) = line else { break };
        let Ok(asked) = serde_json::from_str::<Value>(&line) else {
            continue;
        };
        let (Some(id), Some(method)) = (asked.get("id"), asked["method"].as_str()) else {
            continue;
        };
        let result = match method {
            "initialize" => json!({
                "protocolVersion": "2025-11-25",
                "capabilities": { "tools": {} },
                "serverInfo": { "name": "bench", "version": "1" },
            }),
            "tools/list" => json!({ "tools": tools }),
            "tools/call" => json!({ "content": [{ "type": "text", "text": "done" }] }),
            _ => {
                let error = json!({ "code": -32601, "message": "unknown method" });
                println!("{}", json!({ "jsonrpc": "2.0", "id": id, "error": error }));
                continue;
            }
        };
        println!(
            "{}",
            json!({ "jsonrpc": "2.0", "id": id, "result": result })
        );
    }
    ExitCode::SUCCESS
}

/// About as large as those of servers that people use.
fn tool(number: usize) -> Value {
    json!({
        "name": tool_name(number),
        "description": format!("Does the thing of number {number} to an item of the project, and says what it has come to."),
        "inputSchema": {
            "type": "object",
            "properties": {
                "project": { "type": "string", "description": "The project that the item belongs to" },
                "item": { "type": "integer", "description": "The number of the item" },
                "labels": { "type": "array", "items": { "type": "string" }, "description": "Labels to set" },
            },
            "required": ["project", "item"],
        },
    })
}

/// A client without a team around it.
pub(super) struct Raw {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Raw {
    /// Starts a server with one tool; says how long it took until the tool was listed.
    pub(super) fn start() -> io::Result<(Self, Duration)> {
        let begun = Instant::now();
        let mut child = Command::new(std::env::current_exe()?)
            .args(["bench", "serve-tools", "1"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let streams = child.stdin.take().zip(child.stdout.take());
        let (input, output) = streams.ok_or(io::ErrorKind::BrokenPipe)?;
        let output = BufReader::new(output);
        let mut client = Self {
            child,
            input,
            output,
        };
        client.ask("initialize")?;
        client.ask("tools/list")?;
        Ok((client, begun.elapsed()))
    }

    /// How long each of so many calls took.
    pub(super) fn calls(&mut self, count: usize) -> io::Result<Vec<Duration>> {
        let call = |_| {
            let begun = Instant::now();
            self.ask("tools/call")?;
            Ok(begun.elapsed())
        };
        (0..count).map(call).collect()
    }

    fn ask(&mut self, method: &str) -> io::Result<()> {
        let asked = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": {} });
        writeln!(self.input, "{asked}")?;
        match self.output.read_line(&mut String::new())? {
            0 => Err(io::ErrorKind::UnexpectedEof.into()),
            _ => Ok(()),
        }
    }
}

impl Drop for Raw {
    fn drop(&mut self) {
        // It may have ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
