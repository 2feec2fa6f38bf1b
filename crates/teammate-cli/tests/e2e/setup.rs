//! `teammate setup`: walked through at a terminal by somebody who has nothing yet, and by flags.

use std::{
    fs,
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::TcpListener,
    os::unix::fs::PermissionsExt as _,
    thread,
};

use crate::{terminal::Terminal, wires::configure, world::World};

/// The key that the server takes.
pub(crate) const KEY: &str = "sk-typed-0123456789";

const MODELS: &str = r#"{"data": [{"id": "small"}, {"id": "large"}]}"#;

const ANSWER: &str = "data: {\"id\":\"1\",\"object\":\"chat.completion.chunk\",\"created\":1,\"model\":\"m\",\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":\"Hi\"},\"finish_reason\":null}]}\n\n\
data: {\"id\":\"1\",\"object\":\"chat.completion.chunk\",\"created\":1,\"model\":\"m\",\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n\
data: [DONE]\n\n";

const REFUSAL: &str = r#"{"error": {"message": "Incorrect API key provided", "type": "invalid_request_error", "code": "invalid_api_key"}}"#;

/// A server with two models that answers who has the key. Returns its base URL.
pub(crate) fn server() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/v1", listener.local_addr().unwrap());
    thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let mut reader = BufReader::new(stream.try_clone().unwrap());
            let (mut head, mut line) = (String::new(), String::new());
            while reader.read_line(&mut line).is_ok_and(|read| read > 2) {
                head.push_str(&line.to_lowercase());
                line.clear();
            }
            let length = head
                .lines()
                .find_map(|line| line.strip_prefix("content-length: "));
            let length: usize = length.map_or(0, |length| length.trim().parse().unwrap());
            let _ = reader.read_exact(&mut vec![0; length]);
            let (status, kind, body) = match &*head {
                head if !head.contains(&format!("bearer {KEY}")) => {
                    (401, "application/json", REFUSAL)
                }
                head if head.starts_with("get /v1/models") => (200, "application/json", MODELS),
                _ => (200, "text/event-stream", ANSWER),
            };
            let _ = write!(
                stream,
                "HTTP/1.1 {status} X\r\ncontent-type: {kind}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
                body.len()
            );
        }
    });
    url
}

/// Somebody who has set nothing up.
pub(crate) fn nothing_yet() -> World {
    World::with_model("")
}

fn file(world: &World, name: &str) -> String {
    let path = world.path("../home/.config/teammate").join(name);
    fs::read_to_string(&path).unwrap_or_else(|why| panic!("{}: {why}", path.display()))
}

// fast: the verb setup
#[test]
fn who_has_nothing_yet_is_walked_through_it_and_then_talks_with_a_team() {
    let (world, url) = (nothing_yet(), server());
    let terminal = Terminal::open(&world, 100, &[]);
    let says = |question: &str, answer: &str| {
        terminal.until(question);
        terminal.keys(&format!("{answer}\r"));
    };
    says("Set one up now? [Y/n]", "");
    terminal.until("1  Anthropic");
    says("Which? [1]", "5");
    says("Its base URL", &url);
    says("Does it want a key? [y/N]", "y");
    terminal.until("3  I type it here, and it is kept in a file that only I can read");
    says("Which? [3]", "");
    says("The key (it is not shown):", KEY);
    terminal.until("2  large");
    says("Which model? [small]", "arg");
    terminal.until("1  ask           looking is free");
    says("How much may members do", "");
    terminal.until("Asking local:large for one word ...");
    terminal.until("It answers.");
    terminal.until("Type to talk with the lead (local:large)");
    terminal.until("Say what to do, for example:");
    let shown = terminal.quits();
    assert!(!shown.contains(KEY), "{shown}");

    let config = file(&world, "config.toml");
    assert!(
        config.starts_with(
            "model = \"local:large\"\npermission_mode = \"ask\"\n\n[providers.local]\n"
        ),
        "{config}"
    );
    assert!(
        config.contains("keys/local'\"") && !config.contains(KEY),
        "{config}"
    );
    assert_eq!(file(&world, "keys/local").trim(), KEY);
    let mode = fs::metadata(world.path("../home/.config/teammate/keys/local")).unwrap();
    assert_eq!(mode.permissions().mode() & 0o777, 0o600);
    world
        .teammate(&["doctor"])
        .says("local: ")
        .says("model: local:large");
}

#[test]
fn a_typed_key_goes_into_the_keyring_where_there_is_one() {
    let (world, url) = (nothing_yet(), server());
    let bin = world.path("../bin");
    fs::create_dir_all(&bin).unwrap();
    let ring = "#!/bin/sh\ncase $1 in\nstore) cat >\"$HOME/ring\" ;;\nlookup) cat \"$HOME/ring\" ;;\nesac\n";
    fs::write(bin.join("secret-tool"), ring).unwrap();
    fs::set_permissions(bin.join("secret-tool"), fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
    let world = world.env("PATH", &path);
    let terminal = Terminal::open(&world, 100, &["setup"]);
    let says = |question: &str, answer: &str| {
        terminal.until(question);
        terminal.keys(&format!("{answer}\r"));
    };
    says("Which? [1]", "5");
    says("Its base URL", &url);
    says("Does it want a key? [y/N]", "y");
    says("Which? [3]", "4");
    says("The key (it is not shown):", KEY);
    says("Which model? [small]", "2");
    says("How much may members do", "2");
    terminal.until("It answers.");
    let shown = terminal.ends(0);
    assert!(!shown.contains(KEY), "{shown}");
    let config = file(&world, "config.toml");
    let line = "key_command = \"secret-tool lookup service teammate provider local\"";
    assert!(config.contains(line), "{config}");
    assert!(
        config.contains("permission_mode = \"accept-edits\""),
        "{config}"
    );
    assert!(!world.path("../home/.config/teammate/keys/local").exists());
}

#[test]
fn flags_answer_everything_and_what_was_written_by_hand_stays() {
    let (world, url) = (nothing_yet().env("DESK_KEY", KEY), server());
    let by_hand = "# Mine.\nmax_rounds = 7 # enough\n\n[sandbox]\nrequired = \"none\"\n";
    configure(&world, by_hand);
    let flags = ["setup", "--vendor", &url, "--key-env", "DESK_KEY"];
    let more = ["--model", "small", "--mode", "accept-edits"];
    world
        .teammate(&[&flags[..], &more[..]].concat())
        .ends(0)
        .says("It answers.");
    let config = file(&world, "config.toml");
    assert!(
        config.starts_with("# Mine.\nmax_rounds = 7 # enough\nmodel = \"local:small\"\n"),
        "{config}"
    );
    assert!(config.contains("key_env = \"DESK_KEY\""), "{config}");
    // Once more, with another answer to one question: the other lines stay.
    let other = [&flags[..], &["--model", "local:large"]].concat();
    world.teammate(&other).ends(0);
    assert_eq!(
        file(&world, "config.toml"),
        config.replace("local:small", "local:large")
    );
    // Which of several models is not guessed.
    world
        .teammate(&flags)
        .ends(1)
        .complains("which model? Name one with --model; local has small, large");
}

#[test]
fn what_is_refused_is_said_and_nothing_is_written() {
    let (world, url) = (nothing_yet().env("DESK_KEY", "sk-wrong"), server());
    let flags = [
        "setup",
        "--vendor",
        &url,
        "--key-env",
        "DESK_KEY",
        "--model",
        "small",
    ];
    world
        .teammate(&flags)
        .ends(1)
        .complains("Incorrect API key provided")
        .complains("Nothing was written; --no-trial writes it all the same");
    let config = world.path("../home/.config/teammate/config.toml");
    assert!(!config.exists());
    world
        .teammate(&[&flags[..], &["--no-trial"]].concat())
        .ends(0);
    assert!(config.exists());
}

#[test]
fn without_a_terminal_it_says_which_flags_answer() {
    let world = nothing_yet();
    world
        .teammate(&["setup"])
        .ends(1)
        .complains("teammate setup --vendor anthropic|openai|openrouter|ollama");
    world
        .teammate(&["run", "Go"])
        .ends(1)
        .complains("no model is configured. `teammate setup` walks through it");
}
