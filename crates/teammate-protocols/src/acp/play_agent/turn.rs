//! A turn: what the prompt tells to do, each after a question.

use std::{
    collections::HashMap,
    fs,
    io::{BufRead as _, BufReader, Write as _},
    sync::{Mutex, mpsc},
    thread,
    time::Duration,
};

use serde_json::{Value, json};
use teammate_core::lock::Hold;

use super::{
    Manners,
    children::start,
    instructions::{Instruction, instructions},
    say,
    sessions::Sessions,
};
use crate::rpc;

/// Answers to what it asked.
#[derive(Default)]
pub struct Answers(Mutex<HashMap<String, mpsc::Sender<Value>>>);

impl Answers {
    pub(super) fn came(&self, id: &Value, result: Value) {
        let mut open = self.0.hold();
        if let Some(asked) = open.remove(&id.to_string()) {
            drop(asked.send(result));
        }
    }

    /// Asks, and waits for the answer.
    pub fn ask(&self, id: &str, method: &str, params: &Value) -> Value {
        let (answers, answer) = mpsc::channel();
        let id = json!(id);
        let mut open = self.0.hold();
        open.insert(id.to_string(), answers);
        drop(open);
        say::line(&rpc::request(id, method, params));
        answer.recv().unwrap_or_default()
    }
}

/// Has a turn.
pub(super) fn work(
    manners: &dyn Manners,
    id: &Value,
    params: &Value,
    sessions: &Sessions,
    answers: &Answers,
) {
    let session = &params["sessionId"];
    let text = params["prompt"][0]["text"].as_str().unwrap_or_default();
    sessions.begin(session);
    keep_and_say(sessions, session, &chunk("user_message_chunk", text));
    if !manners.works(id, session, answers) {
        let mut said = Vec::new();
        for (number, instruction) in instructions(text).into_iter().enumerate() {
            if sessions.is_cancelled(session) {
                break;
            }
            match instruction {
                Instruction::Say(words) => said.push(words),
                act => {
                    let call = format!("call-{id}-{number}");
                    tool(manners, (session, &call), &act, sessions, answers);
                }
            }
        }
        let said = match said.is_empty() {
            true => "done".to_owned(),
            false => said.join("\n"),
        };
        keep_and_say(sessions, session, &chunk("agent_message_chunk", &said));
        say::update(
            session,
            &json!({ "sessionUpdate": "usage_update", "used": 7, "size": 100, "cost": { "amount": 0.1, "currency": "USD" } }),
        );
    }
    let reason = match sessions.end(session) {
        true => "cancelled",
        false => "end_turn",
    };
    if !(manners.is("deaf-to-cancel") && reason == "cancelled") {
        let usage = json!({ "inputTokens": 5, "outputTokens": 2, "totalTokens": 7 });
        say::result(id, &json!({ "stopReason": reason, "usage": usage }));
    }
}

/// Uses a tool, after a question.
fn tool(
    manners: &dyn Manners,
    (session, call): (&Value, &str),
    act: &Instruction,
    sessions: &Sessions,
    answers: &Answers,
) {
    let (title, kind, input) = act.shown();
    let path = match act {
        Instruction::Write(path, _) => json!([{ "path": path }]),
        _ => json!([]),
    };
    let begun = json!({ "sessionUpdate": "tool_call", "toolCallId": call, "title": title, "kind": kind, "status": "pending", "rawInput": input, "locations": path });
    keep_and_say(sessions, session, &begun);
    let asked = json!({ "toolCallId": call, "title": title, "kind": kind, "rawInput": input, "locations": path });
    let is_allowed = sessions.is_free(session) || asks(session, call, &asked, answers);
    if is_allowed {
        match act {
            Instruction::Run(line) => run(manners, line, || sessions.is_cancelled(session)),
            Instruction::Write(path, content) => drop(fs::write(path, content)),
            Instruction::Call(tool, input) => {
                let _ = call_tool(&sessions.server(session), tool, input);
            }
            Instruction::Say(_) => {}
        }
    }
    let status = if is_allowed { "completed" } else { "failed" };
    let ended =
        json!({ "sessionUpdate": "tool_call_update", "toolCallId": call, "status": status });
    keep_and_say(sessions, session, &ended);
}

/// A piece of text, as an update of this kind.
pub fn chunk(kind: &str, text: &str) -> Value {
    json!({ "sessionUpdate": kind, "content": { "type": "text", "text": text } })
}

fn keep_and_say(sessions: &Sessions, session: &Value, update: &Value) {
    sessions.keep(session, update);
    if update["sessionUpdate"] != "user_message_chunk" {
        say::update(session, update);
    }
}

fn asks(session: &Value, call: &str, asked: &Value, answers: &Answers) -> bool {
    let answer = answers.ask(
        &format!("ask-{call}"),
        "session/request_permission",
        &json!({
            "sessionId": session,
            "toolCall": asked,
            "options": [
                { "optionId": "ever", "name": "Always", "kind": "allow_always" },
                { "optionId": "once", "name": "Yes", "kind": "allow_once" },
                { "optionId": "no", "name": "No", "kind": "reject_once" },
            ],
        }),
    );
    answer["outcome"]["optionId"] == "once"
}

/// Calls a tool of its server, and waits for the answer.
fn call_tool(server: &Value, tool: &str, input: &Value) -> Option<()> {
    let words = server["args"].as_array()?.iter().filter_map(Value::as_str);
    let mut child = start(server["command"].as_str()?, words, true).ok()?;
    let us = json!({ "name": "test-agent", "version": "1" });
    let hello = json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": us });
    let call = json!({ "name": tool, "arguments": input });
    let mut to = child.stdin.take()?;
    let mut from = BufReader::new(child.stdout.take()?);
    for message in [
        rpc::request(1, "initialize", &hello),
        rpc::notification("notifications/initialized", &json!({})),
        rpc::request(2, "tools/call", &call),
    ] {
        drop(to.write_all(&[&*message, b"\n"].concat()));
    }
    let mut answers = String::new();
    for _ in 0..2 {
        drop(from.read_line(&mut answers));
    }
    // The server ends with its input.
    drop(to);
    child.wait().ok().map(drop)
}

/// Runs a command until its end or the turn's.
fn run(manners: &dyn Manners, line: &str, is_cancelled: impl Fn() -> bool) {
    // In the shell's own place: what is killed is the command.
    let line = format!("exec {line}");
    let Ok(mut child) = start("sh", ["-c", &*line], false) else {
        return;
    };
    loop {
        if is_cancelled() {
            if !manners.is("leaves-running") {
                drop(child.kill());
                drop(child.wait());
            }
            return;
        }
        if child.try_wait().is_ok_and(|ended| ended.is_some()) {
            return;
        }
        thread::sleep(Duration::from_millis(10));
    }
}
