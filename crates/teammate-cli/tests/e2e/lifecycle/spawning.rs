//! Spawning members, and waking those that rest.

use teammate_core::transcript::Conversation;

use super::*;

#[test]
fn a_working_name_is_refused_and_says_so() {
    let world = World::playing(&spawns_alice(
        vec![spawn([("alice", "coder", "Begin again")]), bash("touch go")],
        vec![bash(UNTIL_GO), say("through")],
    ));
    world.run("Go").ends(0);
    let outcomes = world.outcomes("lead");
    assert_eq!(outcomes[0], "Spawned 'alice' (role: coder)");
    assert!(
        outcomes[1].contains("'alice' is currently working"),
        "{outcomes:?}"
    );
    assert_eq!(world.heard("alice"), ["lead task_assignment: Begin"]);
    world.assert_at_rest();
}

// fast: idle members wake by mail
#[test]
fn an_idle_teammate_is_woken_by_mail_and_remembers() {
    let world = World::playing(&spawns_alice(
        vec![],
        vec![
            say("first"),
            say("second: {{mail}}"),
            say("third: {{mail}}"),
        ],
    ));
    world.run("Go").ends(0);
    // By another process, days later.
    world.teammate(&["send", "alice", "and", "now?"]).ends(0);
    world
        .resume()
        .ends(0)
        .complains("[alice] done: second: and now?");
    let conversation = Conversation::of(world.entries("alice"));
    assert_eq!(conversation.messages().len(), 4, "one conversation");
    world.assert_at_rest();
}

#[test]
fn spawning_an_idle_teammate_wakes_it_with_its_transcript() {
    let world = World::playing(&play([
        (
            "lead",
            vec![
                spawn([("alice", "coder", "Begin")]),
                spawn([("alice", "reviewer", "Review it")]).after("first"),
                say("I wait.").otherwise(),
            ],
        ),
        ("alice", vec![say("first"), say("second")]),
    ]));
    world
        .run("Go")
        .ends(0)
        .complains("[alice] woken (reviewer)");
    let outcomes = world.outcomes("lead");
    assert_eq!(
        outcomes[1],
        "Woke 'alice' (role: reviewer) with its transcript"
    );
    assert_eq!(Conversation::of(world.entries("alice")).messages().len(), 4);
    let alice = &world.config()["members"][0];
    assert_eq!(
        (&alice["role"], &alice["incarnation"]),
        (&json!("reviewer"), &json!(2))
    );
    world.assert_at_rest();
}

#[test]
fn fresh_begins_a_new_memory() {
    let fresh = json!({ "name": "alice", "role": "coder", "prompt": "Anew", "fresh": true });
    let world = World::playing(&play([
        (
            "lead",
            vec![
                spawn([("alice", "coder", "Begin")]),
                calls([("spawn_teammate", fresh)]).after("first"),
                say("I wait.").otherwise(),
            ],
        ),
        ("alice", vec![say("anew").after("Anew"), say("first")]),
    ]));
    world.run("Go").ends(0);
    assert_eq!(world.outcomes("lead")[1], "Spawned 'alice' (role: coder)");
    assert_eq!(
        Conversation::of(world.entries("alice")).messages().len(),
        2,
        "nothing older"
    );
    assert_eq!(world.heard("alice").len(), 2, "but the file has it");
    world.assert_at_rest();
}
