//! `/clear`: a new conversation with the lead, in a team that stays.

use serde_json::json;
use teammate_core::transcript::Conversation;

use crate::{
    play::{Scene as _, bash, calls, play, say, send, spawn},
    terminal::Terminal,
    world::{World, until},
};

/// A lead who has spawned alice; she takes a task and is at it until the file `go` is there.
fn team() -> World {
    let task = json!({ "subject": "Parse" });
    World::playing(&play([
        (
            "lead",
            vec![
                calls([("create_task", task)]).after_mail("Go"),
                spawn([("alice", "coder", "Begin")]).after("Created #1"),
                bash("touch works; until [ -e on ]; do sleep 0.02; done").after_mail("Work"),
                send("alice", "how is it?").after_mail("Ask alice"),
                say("I heard: {{mail}}").otherwise(),
            ],
        ),
        (
            "alice",
            vec![
                bash("until [ -e go ]; do sleep 0.02; done").after("#1"),
                calls([("update_task", json!({ "id": 1, "status": "completed" }))])
                    .after("exit status 0"),
                say("ready").otherwise(),
            ],
        ),
    ]))
}

/// What the lead is sent with its next request.
fn context(world: &World) -> String {
    let conversation = Conversation::of(world.entries("lead"));
    let messages = conversation.messages().iter();
    let blocks = messages.flat_map(|message| message.blocks.iter());
    blocks.map(|block| block.json().to_owned()).collect()
}

/// Clears the conversation as soon as the lead rests: what a member says may have it work once more.
fn clears(terminal: &Terminal) {
    until(
        || {
            terminal.types("/clear");
            let said = || terminal.shows().lines().rev().nth(1).map(str::to_owned);
            until(
                || terminal.is_at_prompt() && said().is_some_and(|said| !said.contains("> /clear")),
                || terminal.shows(),
            );
            terminal
                .shows()
                .contains("Conversation 2 with the lead begins")
        },
        || terminal.shows(),
    );
}

// fast: clear
#[test]
fn the_lead_forgets_and_the_team_its_board_and_its_mail_stay() {
    let world = team();
    let terminal = Terminal::open(&world, 100, &["--permission-mode", "bypass"]);
    terminal.types("/clear");
    terminal.until("The conversation with the lead is new already");
    terminal.types("The secret word is albatross");
    terminal.until("I heard: The secret word is albatross");
    terminal.types("Go");
    terminal.until("[alice] bash:");
    clears(&terminal);
    terminal.until("1 is kept");
    terminal.types("Hello");
    // It may be heard together with alice's word.
    until(|| context(&world).contains("Hello"), || terminal.shows());
    let sent = context(&world);
    assert!(!sent.contains("albatross"), "{sent}");

    terminal.types("/tasks");
    terminal.until("#1");
    std::fs::write(world.path("go"), "").unwrap();
    terminal.until("[alice] completed #1: Parse");
    until(
        || context(&world).contains("The task is completed"),
        || terminal.shows(),
    );
    terminal.quits();
    let all = world.file(".team/agents/lead/transcript.jsonl");
    assert!(all.contains("albatross"), "nothing is deleted");
    world
        .teammate(&["conversations"])
        .ends(0)
        .says("1  ")
        .says("albatross (finished)")
        .says("* 2  ");

    // The next opening continues the new one; the old one is there by its number.
    world.run("Hello again").ends(0);
    assert!(!context(&world).contains("albatross"));
    let flags = ["run", "--conversation", "1", "Back"];
    world.teammate(&flags).ends(0);
    assert!(context(&world).contains("albatross"));
    world.assert_at_rest();
}

#[test]
fn another_terminal_clears_it_too_and_a_lead_that_works_keeps_it() {
    let world = team();
    let host = Terminal::open(&world, 100, &["--permission-mode", "bypass"]);
    host.until("permission mode bypass");
    let guest = Terminal::open(&world, 100, &[]);
    guest.until("Attached to the team");
    guest.types("Work");
    until(|| world.path("works").exists(), || host.shows());
    for terminal in [&guest, &host] {
        terminal.types("/clear");
        terminal
            .until("Not cleared: the lead is working: wait until it rests, or interrupt it first");
    }
    std::fs::write(world.path("on"), "").unwrap();
    guest.until("I heard: (nothing)");
    guest.types("/clear");
    guest.until("Conversation 2 with the lead begins");
    host.until("a new conversation with the lead begins");
    host.types("Hello");
    guest.until("I heard: Hello");
    assert!(!context(&world).contains("Work"));
    guest.quits();
    host.quits();
    world.assert_at_rest();
}
