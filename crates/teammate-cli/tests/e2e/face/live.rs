//! Words while they are written, in a screen that is attached to the team of another process.

use std::{io, os::unix::fs::MetadataExt as _};

use teammate_testkit::Answer;

use super::{attached::attach, *};
use crate::wires::Vendor;

/// The beginning of an answer, as its server sends it.
fn half(text: &str) -> Answer {
    let lines = [
        r#"{"type":"message_start","message":{"id":"m","type":"message","role":"assistant","model":"m","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":9,"output_tokens":1}}}"#.to_owned(),
        r#"{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}"#.to_owned(),
        format!(r#"{{"type":"content_block_delta","index":0,"delta":{{"type":"text_delta","text":"{text}"}}}}"#),
    ];
    let body: String = lines
        .iter()
        .map(|line| format!("data: {line}\n\n"))
        .collect();
    let all = body.len();
    // More would follow, if it did not stall.
    Answer::stream(body + "data: {}\n\n").stalled_at(all)
}

/// A team whose first answer stalls in the middle of a sentence.
fn stalls() -> (World, Vendor) {
    let mut first = Some(half("Half a sentence"));
    let vendor = Vendor::answering(move |_| {
        first
            .take()
            .unwrap_or_else(|| Answer::text("A whole sentence."))
    });
    let world = World::with_model("slow:m").env("TEAMMATE_SCREEN", "full");
    let home = world.path("../home/.config/teammate");
    fs::create_dir_all(&home).unwrap();
    let server = format!(
        "[providers.slow]\nwire = \"anthropic\"\nbase_url = \"{}\"\n",
        vendor.url()
    );
    fs::write(home.join("config.toml"), server).unwrap();
    (world, vendor)
}

/// The modes of the sockets that are there.
fn sockets(world: &World) -> Vec<u32> {
    let dir = world.path("../home/.local/state/teammate/live");
    assert_eq!(fs::metadata(&dir).unwrap().mode() & 0o777, 0o700);
    let sockets = fs::read_dir(dir).unwrap();
    let mode = |socket: io::Result<fs::DirEntry>| socket.unwrap().metadata().unwrap().mode();
    sockets.map(|socket| mode(socket) & 0o777).collect()
}

#[test]
fn a_second_screen_shows_words_while_they_are_written_and_once() {
    let (world, _vendor) = stalls();
    let host = open(&world);
    host.until_prompt("lead", "");
    let guest = attach(&world);
    let sockets = || sockets(&world);
    assert_eq!(sockets(), [0o600]);
    guest.keys(F2);
    host.says("hello");
    guest.until("Half a sentence");
    guest.keys(CTRL_C);
    guest.until("Ctrl-C once more interrupts all turns: lead");
    guest.keys(CTRL_C);
    guest.until("Interrupted all turns");
    host.until("heard from you: hello");
    host.until("interrupted; send it");

    host.says("hello again");
    guest.until("A whole sentence.");
    host.until("says: A whole sentence.");
    assert_eq!(guest.shows().matches("A whole sentence.").count(), 1);
    assert!(
        !guest.shows().contains("Half a sentence"),
        "{}",
        guest.shows()
    );
    guest.leaves_well();
    host.leaves_well();
    assert!(sockets().is_empty());
}
