//! The bytes that reach the terminal: no text of a model, a command or a file commands it, and no secret is among them.

use serde_json::{Value, json};
use teammate_testkit::Answer;

use super::*;
use crate::{
    play::{bash, send},
    sinks::hostile,
    wires::{Vendor, WIRES, Wire, world_at},
};

#[test]
fn the_bytes_that_reach_a_terminal_command_nothing() {
    let world = hostile();
    let mut terminal = Terminal::open(&world, 200, &["--permission-mode", "bypass"]);
    terminal.types("Go");
    terminal.until("[alice] done:");
    for (command, answer) in [
        ("/team", "  alice ("),
        ("/tasks", "#1 "),
        ("/inbox alice", "alice's inbox is empty"),
        ("/cost", "In all runs of the team:"),
    ] {
        terminal.types(command);
        terminal.until(answer);
    }
    terminal.types("/quit");
    assert_eq!(terminal.leaves_paused().code(), Some(0));
    let text = terminal.printed();
    assert!(text.contains("\\u{1b}]52"), "it was shown: {text:?}");
    for command in [
        "\u{1b}]",
        "\u{1b}[2J",
        "\u{1b}P",
        "\u{1b}[6n",
        "\u{7}",
        "\u{9b}",
        "\u{9d}",
        "\u{202e}",
        "\u{2066}",
        "\u{200b}",
        "\u{e0041}",
    ] {
        assert!(!text.contains(command), "{command:?} in {text:?}");
    }
}

#[test]
fn a_command_types_nothing_into_the_persons_terminal() {
    let push = "python3 -c 'import fcntl, termios\nfor fd in 0, 1, 2: fcntl.ioctl(fd, termios.TIOCSTI, b\"!\")'";
    let world = World::playing(&play([(
        "lead",
        vec![
            bash(&format!(
                "tty; (: < /dev/tty) 2>&1; (printf '\\033[6n' > /dev/tty) 2>&1; {push} 2>&1 | tail -1"
            )),
            say("It was tried.").otherwise(),
        ],
    )]));
    let mut terminal = Terminal::open(&world, 200, &["--permission-mode", "bypass"]);
    terminal.types("Go");
    terminal.until("It was tried.");
    // Whatever was typed would stand at the prompt.
    terminal.types("/quit");
    assert_eq!(terminal.leaves_paused().code(), Some(0));
    let text = terminal.printed();
    assert!(!text.contains("\u{1b}[6n"), "{text:?}");
    let said = &world.outcomes("lead")[0];
    assert!(said.starts_with("not a tty"), "{said}");
    assert_eq!(
        said.matches("No such device or address").count(),
        2,
        "{said}"
    );
}

#[test]
fn what_others_write_does_not_move_the_cursor() {
    let evil = "\u{1b}[2J\u{1b}[1;1Hgone\u{7}\u{202e}txt\u{9b}31m\u{1b}]0;title\u{7}";
    let world = World::playing(&json!({ "members": {
        "lead": [spawn([("alice", "coder", "Begin")]), say("I wait.").otherwise()],
        "alice": [send("lead", evil), say(evil)],
    }}));
    let terminal = Terminal::open(&world, 100, &[]);
    terminal.types("Go");
    terminal.until("[alice] done: \\u{1b}[2J\\u{1b}[1;1Hgone");
    terminal.until("[alice] -> lead: \\u{1b}[2J");
    terminal.until("Type to talk with the lead");
    assert_eq!(terminal.shows().matches('\u{202e}').count(), 0);
    terminal.quits();
}

/// The pieces of an answer are shown while they come; here each is one letter.
#[test]
fn a_secret_that_comes_in_pieces_is_not_on_the_screen() {
    const SAID: &str = "The key is canary-in-pieces-1. And canary-in-pie is not it.";
    let letters = |event: fn(&str) -> Value| -> String {
        let events = SAID.chars().map(|letter| event(&letter.to_string()));
        events.map(|data| format!("data: {data}\n\n")).collect()
    };
    for wire in WIRES {
        let stream = match wire {
            Wire::Anthropic => {
                let start = r#"{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}"#;
                let text = letters(
                    |letter| json!({ "type": "content_block_delta", "index": 0, "delta": { "type": "text_delta", "text": letter } }),
                );
                let stop = r#"{"type":"content_block_stop","index":0}"#;
                format!(
                    "data: {start}\n\n{text}data: {stop}\n\ndata: {{\"type\":\"message_stop\"}}\n\n"
                )
            }
            Wire::OpenAi => {
                let text =
                    letters(|letter| json!({ "choices": [{ "delta": { "content": letter } }] }));
                text + "data: [DONE]\n\n"
            }
            Wire::Responses => {
                let text = letters(
                    |letter| json!({ "type": "response.output_text.delta", "output_index": 0, "delta": letter }),
                );
                let end = json!({ "type": "response.completed", "response": {} });
                format!("{text}data: {end}\n\n")
            }
        };
        let vendor = Vendor::answering(move |_| Answer::stream(stream.clone()));
        let world = world_at(wire, &vendor.url()).env("SOME_TOKEN", "canary-in-pieces-1");
        let mut terminal = Terminal::open(&world, 100, &["run", "Go"]);
        assert_eq!(terminal.leaves().code(), Some(0));
        let (screen, all) = (terminal.shows(), terminal.printed());
        assert!(!all.contains("canary-in-pieces"), "{wire:?}: {all}");
        let shown = "The key is [secret SOME_TOKEN]. And canary-in-pie is not it.";
        assert!(screen.contains(shown), "{wire:?}: {screen}");
    }
}
