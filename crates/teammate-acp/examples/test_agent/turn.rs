//! A turn: a command or a file, as the prompt says, after a question.

use std::{
    collections::HashMap,
    fs,
    io::Write as _,
    process::{Command, Stdio},
    sync::{Mutex, PoisonError, mpsc},
    thread,
    time::Duration,
};

use serde_json::{Value, json};

use crate::{Manner, hostile, say, sessions::Sessions};

/// Answers to what it asked.
#[derive(Default)]
pub(crate) struct Answers(Mutex<HashMap<String, mpsc::Sender<Value>>>);

impl Answers {
    pub(crate) fn came(&self, id: &Value, result: Value) {
        let mut open = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(asked) = open.remove(&id.to_string()) {
            drop(asked.send(result));
        }
    }

    /// Asks, and waits for the answer.
    pub(crate) fn ask(&self, id: &str, method: &str, params: &Value) -> Value {
        let (answers, answer) = mpsc::channel();
        let id = json!(id);
        let mut open = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        open.insert(id.to_string(), answers);
        drop(open);
        say::line(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        answer.recv().unwrap_or_default()
    }
}

pub(crate) fn work(
    manner: &Manner,
    id: &Value,
    params: &Value,
    sessions: &Sessions,
    answers: &Answers,
) {
    let session = &params["sessionId"];
    let text = params["prompt"][0]["text"].as_str().unwrap_or_default();
    sessions.begin(session);
    keep_and_say(sessions, session, &chunk("user_message_chunk", text));
    if !hostile::works(manner, id, session, answers) {
        let call = format!("call-{id}");
        let line = text.split_once("then say done: ").map(|(_, line)| line);
        let file = text
            .split_once("write the file ")
            .and_then(|(_, rest)| rest.split_once(" with the content: "));
        let kind = if line.is_some() { "execute" } else { "edit" };
        let title = line.or(file.map(|(path, _)| path)).unwrap_or_default();
        let begun = json!({ "sessionUpdate": "tool_call", "toolCallId": call, "title": title, "kind": kind, "status": "pending" });
        keep_and_say(sessions, session, &begun);
        let is_allowed = sessions.is_free(session) || asks(session, &call, title, kind, answers);
        if is_allowed {
            match (line, file) {
                (Some(line), _) => run(manner, line, || sessions.is_cancelled(session)),
                (None, Some((path, content))) => drop(fs::write(path, content)),
                (None, None) => drop(call_tool(&sessions.server(session), text)),
            }
        }
        let status = if is_allowed { "completed" } else { "failed" };
        let ended =
            json!({ "sessionUpdate": "tool_call_update", "toolCallId": call, "status": status });
        keep_and_say(sessions, session, &ended);
        keep_and_say(sessions, session, &chunk("agent_message_chunk", "done"));
        say::update(
            session,
            &json!({ "sessionUpdate": "usage_update", "used": 7, "size": 100, "cost": { "amount": 0.1, "currency": "USD" } }),
        );
    }
    let reason = match sessions.end(session) {
        true => "cancelled",
        false => "end_turn",
    };
    if !(manner.is("deaf-to-cancel") && reason == "cancelled") {
        say::result(id, &json!({ "stopReason": reason }));
    }
}

pub(crate) fn chunk(kind: &str, text: &str) -> Value {
    json!({ "sessionUpdate": kind, "content": { "type": "text", "text": text } })
}

fn keep_and_say(sessions: &Sessions, session: &Value, update: &Value) {
    sessions.keep(session, update);
    if update["sessionUpdate"] != "user_message_chunk" {
        say::update(session, update);
    }
}

fn asks(session: &Value, call: &str, title: &str, kind: &str, answers: &Answers) -> bool {
    let answer = answers.ask(
        &format!("ask-{call}"),
        "session/request_permission",
        &json!({
            "sessionId": session,
            "toolCall": { "toolCallId": call, "title": title, "kind": kind },
            "options": [
                { "optionId": "ever", "name": "Always", "kind": "allow_always" },
                { "optionId": "once", "name": "Yes", "kind": "allow_once" },
                { "optionId": "no", "name": "No", "kind": "reject_once" },
            ],
        }),
    );
    answer["outcome"]["optionId"] == "once"
}

/// Calls the tool that the prompt names.
fn call_tool(server: &Value, text: &str) -> Option<()> {
    let (_, rest) = text.split_once("Call the tool ")?;
    let (tool, _) = rest.split_once(' ')?;
    let words = server["args"].as_array()?.iter().filter_map(Value::as_str);
    let mut child = Command::new(server["command"].as_str()?)
        .args(words)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .ok()?;
    let call =
        json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": { "name": tool } });
    // Dropped behind it: the server ends with its input.
    drop(writeln!(child.stdin.take()?, "{call}"));
    child.wait().ok().map(drop)
}

/// Runs a command until its end or the turn's.
fn run(manner: &Manner, line: &str, is_cancelled: impl Fn() -> bool) {
    // In the shell's own place: what is killed is the command.
    let line = format!("exec {line}");
    let Ok(mut child) = Command::new("sh").args(["-c", &line]).spawn() else {
        return;
    };
    loop {
        if is_cancelled() {
            if !manner.is("leaves-running") {
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
