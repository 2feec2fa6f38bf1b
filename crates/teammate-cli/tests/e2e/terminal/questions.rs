//! Questions to the user: what they show, which answer belongs to which, and what is kept of an answer.

use std::os::unix::fs::PermissionsExt as _;

use super::*;
use serde_json::{Value, json};

use crate::play::{bash, calls};

#[test]
fn a_question_names_who_asks_and_what_will_run() {
    let world = World::playing(&play([
        (
            "lead",
            vec![
                spawn([("alice", "coder", "Begin")]),
                say("I wait.").otherwise(),
            ],
        ),
        (
            "alice",
            vec![
                bash("echo one > one"),
                bash("echo two > two"),
                bash("echo two > two; echo three"),
                say("through"),
            ],
        ),
    ]));
    let terminal = Terminal::open(&world, 100, &[]);
    terminal.types("Go");
    terminal.until("[alice] asks: run echo one > one (req_000001, no in");
    terminal.until("    echo one > one");
    terminal.types("n");
    terminal.until("denied (user, req_000001): run echo one > one");
    terminal.until("asks: run echo two > two (req_000002, no in");
    terminal.types("y");
    terminal.until("asks: run echo two > two; echo three (req_000003, no in");
    terminal.until("    echo two > two; echo three");
    assert_eq!(world.file("two"), "two\n");
    // Anything else is no answer, and is said to the lead.
    terminal.types("what is this?");
    terminal.types("/team");
    terminal.until("working (waiting for permission)");
    terminal.types("no");
    terminal.until("[alice] done: through");
    terminal.quits();
    assert!(!world.path("one").exists());
    let outcomes = world.outcomes("alice");
    assert!(
        outcomes[0].contains("the user denied it") && outcomes[2].contains("the user denied it"),
        "{outcomes:?}"
    );
    assert!(
        world
            .heard("lead")
            .contains(&"user message: what is this?".to_owned())
    );
    world.assert_at_rest();
}

#[test]
fn an_answer_that_was_typed_for_another_question_answers_nothing() {
    let asks = |file: &str| {
        let last = say("It said: {{last_result}}").otherwise();
        vec![bash(&format!("echo x > {file}")), last]
    };
    let world = World::playing(&play([
        (
            "lead",
            vec![
                spawn([("alice", "coder", "Begin")]).after("Go"),
                spawn([("bob", "coder", "Begin")]).after("Now bob"),
                say("I wait.").otherwise(),
            ],
        ),
        ("alice", asks("a")),
        ("bob", asks("b")),
    ]));
    let terminal = Terminal::open(&world, 120, &[]);
    terminal.types("Go");
    terminal.until("    echo x > a");
    terminal.types("Now bob");
    terminal.until("[bob] also has a question (req_000002); req_000001 comes first");
    terminal.types("/requests");
    terminal.until("req_000002  permission  bob -> the user");
    assert!(
        !terminal.shows().contains("    echo x > b\n"),
        "one at a time"
    );

    // The finger is on the way when somebody answers from another terminal, and the next question comes.
    terminal.keys("y");
    terminal.until("> y");
    world.teammate(&["deny", "req_000001"]).ends(0);
    terminal.until("[bob] asks: run echo x > b (req_000002, no in");
    terminal.keys("\r");
    terminal.until("Not answered: req_000001 is already settled (rejected by the user); now asking: req_000002");
    assert!(!world.path("b").exists());
    terminal.types("y");
    terminal.until("[bob] done: It said:");
    assert!(world.path("b").exists() && !world.path("a").exists());

    terminal.types("/plan alice the schema");
    terminal.until("alice may only read until you approve its plan");
    terminal.types("/shutdown bob");
    terminal.until("[bob] stopped: agreed to shut down");
    terminal.types("/deny nothing");
    terminal.until("'nothing' is not a request id; ids look like req_000001; no request is open");
    terminal.quits();
}

#[test]
fn a_wider_always_is_for_what_the_question_offers() {
    let scenes = vec![
        bash("cargo test a"),
        bash("cargo test b"),
        bash("cargo build"),
        bash("cargo build c"),
        say("Done.").otherwise(),
    ];
    let world = World::playing(&play([("lead", scenes)]));
    let terminal = Terminal::open(&world, 100, &[]);
    terminal.types("Go");
    terminal.until("[p] always this prefix, from now on: 'bash(cargo test *)'");
    terminal.types("t");
    terminal.until("it offers exact: bash(=cargo test a), prefix: bash(cargo test *)");
    terminal.types("p");
    terminal.until("[p] always this prefix, from now on: 'bash(cargo build *)'");
    terminal.types("/approve 2 always prefix");
    terminal.until("Done.");
    assert!(
        !terminal.shows().contains("req_000003"),
        "{}",
        terminal.shows()
    );
    terminal.quits();
}

// fast: the verb rules
#[test]
fn always_is_kept_for_the_very_same_until_it_is_removed() {
    let scenes = vec![
        bash("echo x >> one"),
        bash("echo x >> one; echo y >> one"),
        say("Done.").otherwise(),
    ];
    let world = World::playing(&play([("lead", scenes)]));
    let ask_again = || {
        let _ = std::fs::remove_dir_all(world.path(".team"));
        Terminal::open(&world, 100, &[])
    };
    let terminal = ask_again();
    terminal.types("Go");
    terminal.until("    echo x >> one");
    terminal.types("a");
    terminal.until("    echo x >> one; echo y >> one");
    terminal.types("/rules");
    terminal.until("allow  bash(=echo x >> one)  answered with \"always\"");
    terminal.types("n");
    terminal.until("Done.");
    terminal.quits();

    // Another team in the same place; nothing of it is in the workspace.
    let terminal = ask_again();
    terminal.types("Go");
    terminal.until("    echo x >> one; echo y >> one");
    assert!(
        !terminal.shows().contains("req_000002"),
        "{}",
        terminal.shows()
    );
    terminal.types("n");
    terminal.until("Done.");
    terminal.quits();
    assert_eq!(world.file("one"), "x\nx\n");

    let kept = world.path("../home/.local/state/teammate/rules");
    for file in std::fs::read_dir(&kept).unwrap() {
        let mode = file.unwrap().metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
    world
        .teammate(&["rules"])
        .ends(0)
        .says("bash(=echo x >> one)");
    world
        .teammate(&["rules", "remove", "bash(=echo x >> one)"])
        .ends(0)
        .says("Forgotten");
    world.teammate(&["rules"]).ends(0).says("No rules");
    std::fs::remove_dir_all(world.path(".team")).unwrap();
    world.teammate(&["run", "go"]).ends(4);
    assert_eq!(world.file("one"), "x\nx\n");
}

#[test]
fn trust_is_asked_for_and_shows_what_is_trusted_harmlessly() {
    let world = small_team();
    let agents = world.path(".claude/agents");
    std::fs::create_dir_all(&agents).unwrap();
    let text = "---\nname: rev\ndescription: Reviews\u{1b}[2J code\ntools: Read\npermissionMode: acceptEdits\n---\nLook.\n";
    std::fs::write(agents.join("rev.md"), text).unwrap();
    for (answer, said) in [
        ("\r", "Not trusted; they are not used."),
        ("y\r", "Trusted until one of them changes."),
    ] {
        let terminal = Terminal::open(&world, 100, &["trust"]);
        terminal.until("Trust them? They are instructions and rights for your team. [y/N]");
        let shown = terminal.shows();
        assert!(shown.contains(".claude/agents/rev.md"), "{shown}");
        assert!(shown.contains("rev: Reviews\\u{1b}[2J code"), "{shown}");
        let given = "tools: read_file · mode: accept-edits · model: the team's";
        assert!(shown.contains(given), "{shown}");
        terminal.keys(answer);
        terminal.until(said);
        terminal.ends(0);
    }
    let terminal = Terminal::open(&world, 100, &["trust"]);
    terminal.until("They are trusted.");
    terminal.ends(0);
}

#[test]
fn an_answer_at_the_prompt_of_another_process_says_what_it_was() {
    let asks = |file: &str| bash(&format!("echo x > {file}"));
    let world = World::playing(&play([(
        "lead",
        vec![
            asks("a").after("Go"),
            asks("b"),
            asks("c"),
            say("I wait.").otherwise(),
        ],
    )]));
    let up = world.start(&["up"]);
    up.until("is open in process");
    let terminal = Terminal::open(&world, 120, &[]);
    terminal.types("Go");
    terminal.until("    echo x > a");
    terminal.types("n");
    terminal.until("\ndenied: req_000001, run echo x > a");
    terminal.until("    echo x > b");
    terminal.types("y");
    terminal.until("\nallowed once: req_000002, run echo x > b");
    terminal.until("    echo x > c");
    terminal.types("/deny 3 not that");
    terminal.until("\ndenied: req_000003, run echo x > c");
    terminal.until("[lead] I wait.");
    assert!(world.path("b").exists() && !world.path("a").exists());
}

#[test]
fn the_plain_prompt_asks_first_for_what_holds_up_most_and_once_for_those_that_ask_the_same() {
    let asks = |command: &str, more: Vec<Value>| {
        let last = say("It said: {{last_result}}").otherwise();
        more.into_iter()
            .chain([bash(command), last])
            .collect::<Vec<_>>()
    };
    let task = |subject: &str, after: &[u32]| {
        let input = json!({ "subject": subject, "blocked_by": after });
        calls([("create_task", input)])
    };
    let claim = calls([("claim_task", json!({ "id": 1 }))]);
    let world = World::playing(&play([
        (
            "lead",
            vec![
                task("Ship it", &[]).after("Go"),
                task("Tell of it", &[1]),
                spawn([("alice", "coder", "Begin")]),
                spawn([("bob", "coder", "Begin"), ("carol", "coder", "Begin")]).after("Now bob"),
                spawn([("dave", "coder", "Begin")]).after("Now dave"),
                say("I wait.").otherwise(),
            ],
        ),
        ("alice", asks("echo first > first", Vec::new())),
        ("bob", asks("echo same >> same", Vec::new())),
        ("carol", asks("echo same >> same", Vec::new())),
        ("dave", asks("echo ship > ship", vec![claim])),
    ]));
    let terminal = Terminal::open(&world, 120, &[]);
    terminal.types("Go");
    terminal.until("[alice] asks: run echo first > first");
    terminal.types("Now bob");
    terminal.until("(req_000003); req_000001 comes first");
    terminal.types("Now dave");
    terminal.until("(req_000004); req_000001 comes first");
    terminal.types("y");
    terminal.until("[dave] asks: run echo ship > ship (req_000004, 1 of 2, no in");
    terminal.until("holds up: #1 Ship it, #2 Tell of it");
    terminal.types("y");
    terminal.until("[2 members] ask: run echo same >> same (req_000002, no in");
    terminal.until("waiting: bob, carol");
    terminal.types("y");
    terminal.until("allowed once: req_000002 and 1 more, run echo same >> same");
    terminal.until("[bob] done: It said:");
    terminal.until("[carol] done: It said:");
    terminal.quits();
    assert_eq!(world.file("same"), "same\nsame\n");
}
