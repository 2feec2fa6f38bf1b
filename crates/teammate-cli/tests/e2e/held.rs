//! Files that commands write where they decide what programs do later: the user is asked, at the prompt and from another terminal,
//! also after a crash; the member hears the answer; what nobody takes is listed.

use std::fs;

use rustix::process::Signal;
use serde_json::Value;

use crate::{
    play::{Scene as _, bash, play, say},
    terminal::Terminal,
    world::{Running, World, until},
};

/// What a member's command writes.
const WRITES: &str = "mkdir -p .vscode; echo tasks > .vscode/tasks.json; echo use > .envrc";

/// A lead whose command writes such files, and that says what it hears of the answer.
fn world(then: Value) -> World {
    World::playing(&play([(
        "lead",
        vec![
            bash(WRITES).after("Go"),
            say("It is there.").after("said yes"),
            say("It is not there.").after("said no"),
            then,
        ],
    )]))
}

/// The same, where it works on until `go` is there.
fn busy() -> World {
    world(bash("until test -e go; do sleep 0.05; done").after("Held back"))
}

fn start(world: &World) -> Running {
    world.start(&[
        "run",
        "--answers",
        "wait",
        "--permission-mode",
        "bypass",
        "Go",
    ])
}

fn json(world: &World, words: &[&str]) -> Value {
    serde_json::from_str(&world.teammate(words).ends(0).out).unwrap()
}

/// The ids of open questions, once there are any.
fn asked(world: &World) -> Vec<String> {
    let ids = || -> Vec<String> {
        if !world.path(".team/journal.jsonl").exists() {
            return Vec::new();
        }
        let open = json(world, &["requests", "--json"]);
        let open = open["requests"].as_array().unwrap();
        let id = |one: &Value| one["id"].as_str().unwrap().to_owned();
        open.iter().map(id).collect()
    };
    until(|| !ids().is_empty(), || "nothing is asked".to_owned());
    ids()
}

/// The ids of open questions once the lead has heard that the files are held, and works on.
fn asked_of_busy(world: &World) -> Vec<String> {
    let ids = asked(world);
    let has_heard = || {
        let outcomes = world.outcomes("lead");
        outcomes.iter().any(|outcome| outcome.contains("Held back"))
    };
    until(has_heard, || "the command has no outcome".to_owned());
    ids
}

fn held(world: &World) -> Vec<Value> {
    let held = json(world, &["held", "--json"]);
    held.as_array().unwrap().clone()
}

fn is_in_place(world: &World) -> bool {
    let read = |name| fs::read_to_string(world.path(name)).unwrap_or_default();
    read(".envrc") == "use\n" && read(".vscode/tasks.json") == "tasks\n"
}

// fast: files held back from the user's programs
#[test]
fn a_yes_at_the_prompt_puts_held_files_in_place_and_the_member_hears_it() {
    let world = world(say("I go on.").otherwise());
    let terminal = Terminal::open(&world, 100, &["--permission-mode", "bypass"]);
    terminal.types("Go");
    terminal.until("(req_000001");
    terminal.until("I go on.");
    assert!(!is_in_place(&world) && !world.path(".vscode").exists());
    terminal.types("/requests show req_000001");
    terminal.until("+use");
    terminal.types("/approve req_000001");
    terminal.until("It is there.");
    assert!(is_in_place(&world));
    assert!(held(&world).is_empty());
    terminal.quits();
    let told = world.heard("lead").join("\n");
    assert!(
        told.contains("said yes to .envrc, .vscode/tasks.json")
            || told.contains("said yes to .vscode/tasks.json, .envrc"),
        "{told}"
    );
}

#[test]
fn a_no_from_another_terminal_leaves_them_held_and_they_are_listed() {
    let world = world(say("I go on.").otherwise());
    let terminal = Terminal::open(&world, 100, &["--permission-mode", "bypass"]);
    terminal.types("Go");
    let ids = asked(&world);
    let listed = world.teammate(&["held"]).ends(0).out;
    assert!(
        listed.contains(".envrc  by lead") && listed.contains("teammate approve req_000001"),
        "{listed}"
    );
    world
        .teammate(&["held", "take", "1"])
        .ends(1)
        .complains("you are asked about it");
    world
        .teammate(&["deny", &ids[0], "--because", "not here"])
        .ends(0);
    terminal.until("It is not there.");
    terminal.quits();
    assert!(!world.path(".envrc").exists() && !world.path(".vscode").exists());
    let told = world.heard("lead").join("\n");
    assert!(told.contains("(not here)"), "{told}");

    let held = held(&world);
    assert_eq!(held.len(), 2);
    assert!(held.iter().all(|held| held["is_refused"] == true));
    let needs = world.teammate(&["needs"]).ends(0).out;
    assert!(needs.contains("see `teammate held`"), "{needs}");
    let number = |name: &str| {
        let found = held.iter().find(|held| held["file"] == name).unwrap();
        found["number"].to_string()
    };
    let (take, drop) = (number(".envrc"), number(".vscode/tasks.json"));
    let shown = world.teammate(&["held", "show", &take]).ends(0).out;
    assert!(shown.contains("+use"), "{shown}");
    world.teammate(&["held", "take", &take]).ends(0);
    world.teammate(&["held", "drop", &drop]).ends(0);
    assert_eq!(world.file(".envrc"), "use\n");
    assert!(!world.path(".vscode").exists());
    let none = world.teammate(&["held"]).ends(0).out;
    assert_eq!(none, "No file is held\n");
}

#[test]
fn a_question_about_held_files_is_there_again_after_a_crash() {
    let world = busy();
    let host = start(&world);
    let ids = asked_of_busy(&world);
    host.signal(Signal::KILL);
    drop(host);
    let terminal = Terminal::open(&world, 100, &["--permission-mode", "bypass"]);
    terminal.until("(req_000001");
    assert_eq!(asked(&world), ids, "the same question, once");
    world.teammate(&["approve", &ids[0]]).ends(0);
    until(|| is_in_place(&world), || terminal.shows());
    terminal.until("It is there.");
    terminal.quits();
    assert!(held(&world).is_empty());
}

// fast: the verb held
#[test]
fn a_yes_while_nothing_runs_counts_at_the_next_opening() {
    let world = busy();
    let host = start(&world);
    let ids = asked_of_busy(&world);
    host.signal(Signal::KILL);
    drop(host);
    world.teammate(&["approve", &ids[0]]).ends(0);
    assert!(!is_in_place(&world));
    fs::write(world.path("go"), "").unwrap();
    drop(world.resume());
    let told = world.heard("lead").join("\n");
    assert!(is_in_place(&world), "{told}\n{:?}", held(&world));
    assert!(told.contains("said yes"), "{told}");
}
