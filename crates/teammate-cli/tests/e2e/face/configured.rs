//! What people configure of the prompt: keys, colours, and a command that alerts them.

use std::fs;

use serde_json::{Value, json};

use super::*;
use crate::play::{Scene as _, bash, play, say};

/// Some keys as a terminal sends them.
const F3: &str = "\u{1b}OR";
const F9: &str = "\u{1b}[20~";

/// The lead asks once.
fn asker() -> World {
    full(&play([(
        "lead",
        vec![
            bash("echo secret-word >> ran").after_mail("Ask"),
            say("I wait.").otherwise(),
        ],
    )]))
}

pub(super) fn configure(world: &World, text: &str) {
    let place = world.path("../home/.config/teammate");
    fs::create_dir_all(&place).unwrap();
    fs::write(place.join("config.toml"), text).unwrap();
}

#[test]
fn a_changed_key_is_the_one_that_counts() {
    let world = asker();
    configure(
        &world,
        "[keys]\nboard = \"F9\"\nanswer_once = \"J\"\n\n[theme]\nname = \"#010203\"\n",
    );
    let terminal = open(&world);
    terminal.until_prompt("lead", "");
    terminal.keys(F3);
    terminal.keys(F9);
    terminal.until("[3 Board]");
    assert!(
        terminal.printed().contains("38;2;1;2;3"),
        "names have no colour of their own"
    );
    terminal.keys(F1);
    terminal.until("[1 Team]");
    terminal.says("Ask");
    terminal.until("1 NEEDS YOU");
    terminal.keys(CTRL_N);
    terminal.until(" J once   a always   n no   w no, and why");
    terminal.presses("J", |_| world.path("ran").exists());
    terminal.until("Nothing needs you");
    terminal.keys(TAB);
    terminal.leaves_well();
}

#[test]
fn no_color_wins_over_colours() {
    let world = asker().env("NO_COLOR", "1");
    configure(&world, "[theme]\npreset = \"dark\"\nname = \"#010203\"\n");
    let terminal = open(&world);
    terminal.until_prompt("lead", "");
    assert!(!terminal.printed().contains("38;2;"));
    terminal.leaves_well();
}

#[test]
fn wrong_keys_are_an_error_at_the_start() {
    let world = asker();
    configure(&world, "[keys]\nbord = \"F9\"\nmail = \"F3\"\n");
    let mut terminal = open(&world);
    assert_eq!(terminal.leaves().code(), Some(1));
    // The terminal ends lines where it is full, and may show the last of them a moment later.
    for text in [
        "config.toml",
        "bord: there is no such action; did you mean board?",
        "F3 would be board and mail everywhere",
    ] {
        until(
            || terminal.shows().replace('\n', "").contains(text),
            || format!("no '{text}':\n{}", terminal.shows()),
        );
    }
}

/// What the command was given, each time.
fn alerts(world: &World) -> Vec<Value> {
    let text = fs::read_to_string(world.path("../home/alerts")).unwrap_or_default();
    let whole = text
        .split_inclusive('\n')
        .filter(|line| line.ends_with('\n'));
    whole
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// What a command of the user's reads about a question of the lead's.
fn alert() -> Value {
    json!({
        "team": "default", "member": "lead", "kind": "permission", "id": "req_000001",
        "text": "lead asks for permission"
    })
}

#[test]
fn what_needs_the_user_alerts_them_and_does_not_say_what_is_asked() {
    let world = asker();
    // In the home directory; and what goes wrong is said.
    let line = "pwd > place; cat >> alerts; echo no telephone >&2; exit 3";
    configure(&world, &format!("[notify]\ncommand = \"{line}\"\n"));
    let terminal = open(&world);
    terminal.says("Ask");
    terminal.until("1 NEEDS YOU");
    terminal.until("[notify] command failed (exit status: 3): no telephone");
    assert_eq!(alerts(&world), [alert()]);
    let home = fs::canonicalize(world.path("../home")).unwrap();
    let place = world.file("../home/place");
    assert_eq!(place.trim_end(), home.display().to_string());
    terminal.leaves_well();
}

#[test]
fn the_plain_prompt_alerts_too() {
    let world = asker();
    configure(&world, "[notify]\ncommand = \"cat >> alerts; exit 4\"\n");
    let plain = world.again().env("TEAMMATE_SCREEN", "plain");
    let terminal = Terminal::open(&plain, 100, &[]);
    terminal.types("Ask");
    terminal.until("[notify] command failed (exit status: 4)");
    assert_eq!(alerts(&world), [alert()]);
    terminal.types("n");
    terminal.until("I wait.");
    terminal.quits();
}

#[test]
fn an_alert_that_runs_ends_with_the_program() {
    let world = asker();
    let line = "echo $$ > started; exec sleep 1000";
    configure(&world, &format!("[notify]\ncommand = \"{line}\"\n"));
    let terminal = open(&world);
    terminal.says("Ask");
    let started = world.path("../home/started");
    let pid = || fs::read_to_string(&started).unwrap_or_default();
    until(|| pid().ends_with('\n'), || terminal.shows());
    terminal.leaves_well();
    let process = format!("/proc/{}", pid().trim());
    until(
        || !std::path::Path::new(&process).exists(),
        || format!("{process} goes on"),
    );
}
