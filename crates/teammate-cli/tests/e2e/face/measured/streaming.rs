//! A model server whose members talk, word by word.

use std::{
    fs,
    io::{BufRead as _, BufReader, Read as _, Write},
    net::{TcpListener, TcpStream},
    thread,
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use crate::world::World;

/// How long an answer is written.
const TALK: Duration = Duration::from_secs(90);

/// Between two pieces of an answer.
const PIECE: Duration = Duration::from_millis(50);

/// A world whose lead spawns so many members that talk, when it hears "Spawn them". The server is there until the process ends.
pub(super) fn talkers(count: usize) -> World {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            thread::spawn(move || answer(stream, count));
        }
    });
    let world = World::with_model("slow:m").env("TEAMMATE_SCREEN", "full");
    let home = world.path("../home/.config/teammate");
    fs::create_dir_all(&home).unwrap();
    let server =
        format!("[providers.slow]\nwire = \"anthropic\"\nbase_url = \"http://{address}\"\n");
    fs::write(home.join("config.toml"), server).unwrap();
    world
}

fn answer(mut stream: TcpStream, count: usize) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut length = 0;
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line)? <= 2 {
            break;
        }
        let line = line.to_ascii_lowercase();
        if let Some(number) = line.strip_prefix("content-length:") {
            length = number.trim().parse().unwrap_or(0);
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    let body = String::from_utf8_lossy(&body);
    write!(
        stream,
        "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n"
    )?;
    event(
        &mut stream,
        &json!({ "type": "message_start", "message": { "id": "m", "type": "message", "role": "assistant", "model": "m",
            "content": [], "stop_reason": null, "stop_sequence": null, "usage": { "input_tokens": 9, "output_tokens": 1 } } }),
    )?;
    let is_lead = body.contains("Spawn them");
    let reason = match (is_lead, body.contains("tool_result")) {
        (true, false) => {
            (0..count).try_for_each(|number| spawn(&mut stream, number))?;
            "tool_use"
        }
        (true, true) => {
            talk(&mut stream, Duration::ZERO)?;
            "end_turn"
        }
        (false, _) => {
            talk(&mut stream, TALK)?;
            "end_turn"
        }
    };
    event(
        &mut stream,
        &json!({ "type": "message_delta", "delta": { "stop_reason": reason, "stop_sequence": null }, "usage": { "output_tokens": 7 } }),
    )?;
    event(&mut stream, &json!({ "type": "message_stop" }))
}

fn event(stream: &mut TcpStream, data: &Value) -> std::io::Result<()> {
    let kind = data["type"].as_str().unwrap_or_default();
    stream.write_all(format!("event: {kind}\ndata: {data}\n\n").as_bytes())
}

fn spawn(stream: &mut TcpStream, number: usize) -> std::io::Result<()> {
    let block = json!({ "type": "tool_use", "id": format!("call{number}"), "name": "spawn_teammate", "input": {} });
    event(
        stream,
        &json!({ "type": "content_block_start", "index": number, "content_block": block }),
    )?;
    let input = json!({ "name": format!("m{number}"), "role": "talker", "prompt": "Talk." });
    let delta = json!({ "type": "input_json_delta", "partial_json": input.to_string() });
    event(
        stream,
        &json!({ "type": "content_block_delta", "index": number, "delta": delta }),
    )?;
    event(
        stream,
        &json!({ "type": "content_block_stop", "index": number }),
    )
}

fn talk(stream: &mut TcpStream, long: Duration) -> std::io::Result<()> {
    let block = json!({ "type": "text", "text": "" });
    event(
        stream,
        &json!({ "type": "content_block_start", "index": 0, "content_block": block }),
    )?;
    let begun = Instant::now();
    for number in 0.. {
        let end = if number % 20 == 19 { ".\n\n" } else { " " };
        let delta =
            json!({ "type": "text_delta", "text": format!("some `word` **{number}**{end}") });
        event(
            stream,
            &json!({ "type": "content_block_delta", "index": 0, "delta": delta }),
        )?;
        if begun.elapsed() >= long {
            break;
        }
        thread::sleep(PIECE);
    }
    event(stream, &json!({ "type": "content_block_stop", "index": 0 }))
}
