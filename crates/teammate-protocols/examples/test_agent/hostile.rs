//! Ways to misbehave, by name.

use std::{
    io::{self, Write as _},
    process::Command,
    thread,
    time::Duration,
};

use serde_json::{Value, json};

use teammate_protocols::acp::play_agent::{Answers, chunk, say};

use crate::Manner;

pub(crate) fn hang() -> ! {
    loop {
        thread::sleep(Duration::from_secs(60));
    }
}

/// What it does before it listens.
pub(crate) fn before(manner: &Manner) {
    match manner.0.as_str() {
        "exits" => {
            eprintln!("starting\nno API key is set\n");
            std::process::exit(3);
        }
        "silent" => hang(),
        "chatty" => println!("Agent is listening on stdio\n\n{{}}"),
        "floods" => loop {
            println!("{}", "junk ".repeat(2_000));
        },
        "endless-line" => loop {
            print!("{}", "x".repeat(1 << 20));
        },
        "stderr-flood" => {
            for _ in 0..2_000 {
                eprintln!("{}", "warning ".repeat(1_000));
            }
        }
        "stays" => {
            let mark = std::env::args().nth(2).unwrap_or_default();
            // Neither the end of its input nor TERM ends it.
            let script = format!("trap '' TERM; (setsid sleep {mark} &) ; sleep {mark}");
            drop(Command::new("sh").args(["-c", &script]).spawn());
        }
        _ => {}
    }
}

/// Answers in its own way; false if it answers as others do.
pub(crate) fn answers(manner: &Manner, id: &Value, method: &str) -> bool {
    match (manner.0.as_str(), method) {
        ("protocol-99", "initialize") => say::result(id, &json!({ "protocolVersion": 99 })),
        ("no-version", "initialize") => say::result(id, &json!({ "agentInfo": "me" })),
        ("refuses", "initialize") => say::error(id, -1, "go\u{1b}[2J away"),
        ("bad-utf8", "initialize") => {
            let head = format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"result\":{{\"x\":\"");
            let mut out = io::stdout().lock();
            drop(out.write_all(head.as_bytes()));
            drop(out.write_all(b"\xff\"}}\n"));
            drop(out.flush());
        }
        ("log-in", "initialize") => say::result(
            id,
            &json!({ "protocolVersion": 1, "authMethods": [{ "id": "key", "name": "API key" }] }),
        ),
        ("log-in", "session/new") => say::error(id, -32_000, "Authentication required"),
        ("session-hangs", "session/new") => {}
        ("breaks-once", "session/load") => {
            let broken = std::env::home_dir().unwrap_or_default().join("broken");
            if broken.exists() {
                return false;
            }
            drop(std::fs::write(broken, ""));
            say::error(id, -32_603, "Internal error: a part of it was killed");
        }
        ("breaks", "session/load") => say::error(id, -32_603, "Internal error"),
        ("no-session", "session/new") => say::result(id, &json!({})),
        ("dies-after-hello", "session/new") => {
            eprintln!("segmentation fault");
            std::process::exit(139);
        }
        ("answers-twice", "session/new") => {
            say::result(&json!(4_711), &json!({}));
            say::result(&json!("ours"), &json!({}));
            for _ in 0..2 {
                say::result(id, &json!({ "sessionId": "s1" }));
            }
            say::update(&json!("another's"), &chunk("agent_message_chunk", "psst"));
        }
        _ => return false,
    }
    true
}

/// Has a turn in its own way; false if it works as others do.
pub(crate) fn works(manner: &Manner, id: &Value, session: &Value, answers: &Answers) -> bool {
    match manner.0.as_str() {
        "never-ends" => hang(),
        "dies-in-turn" => {
            eprintln!("out of memory");
            std::process::exit(1);
        }
        "huge-update" => say::update(
            session,
            &chunk("agent_message_chunk", &"x".repeat(12 << 20)),
        ),
        "update-over-line" => {
            say::update(
                session,
                &chunk("agent_message_chunk", &"x".repeat(50 << 20)),
            );
        }
        "flood-of-updates" => {
            for _ in 0..100_000 {
                say::update(session, &chunk("agent_message_chunk", "word "));
            }
        }
        "odd" => {
            say::update(session, &json!({ "sessionUpdate": "hologram", "data": 1 }));
            say::update(session, &json!(7));
            answers.ask("odd-1", "secrets/give", &json!({}));
            say::line(br#"{"jsonrpc":"2.0","method":"gossip"}"#);
            say::result(id, &json!({ "stopReason": "bored" }));
        }
        "always-only" => {
            let answer = answers.ask(
                "ask-1",
                "session/request_permission",
                &json!({
                    "sessionId": session,
                    "toolCall": { "toolCallId": "c", "title": "x" },
                    "options": [{ "optionId": "a", "name": "Always", "kind": "allow_always" }],
                }),
            );
            let outcome = answer["outcome"]["outcome"].as_str().unwrap_or("none");
            say::update(session, &chunk("agent_message_chunk", outcome));
        }
        "outside" => {
            for (id, method, params) in [
                (
                    "f1",
                    "fs/read_text_file",
                    json!({ "sessionId": session, "path": "/etc/passwd" }),
                ),
                (
                    "f2",
                    "fs/write_text_file",
                    json!({ "sessionId": session, "path": "../outside.txt", "content": "x" }),
                ),
                (
                    "f3",
                    "fs/write_text_file",
                    json!({ "sessionId": session, "path": "inside.txt", "content": "one\ntwo\nthree\n" }),
                ),
                (
                    "f4",
                    "fs/read_text_file",
                    json!({ "sessionId": session, "path": "inside.txt", "line": 2, "limit": 1 }),
                ),
            ] {
                let answer = answers.ask(id, method, &params);
                let said = match answer["content"].as_str() {
                    Some(text) => format!("{id} {text}"),
                    None => format!("{id} {answer}\n"),
                };
                say::update(session, &chunk("agent_message_chunk", &said));
            }
        }
        "questions" => {
            for number in 0..100_000 {
                let asked = json!({ "jsonrpc": "2.0", "id": format!("q{number}"), "method": "fs/read_text_file", "params": {} });
                say::line(asked.to_string().as_bytes());
            }
        }
        _ => return false,
    }
    true
}
