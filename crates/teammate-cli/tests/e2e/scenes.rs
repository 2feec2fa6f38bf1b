//! The scenes that the documents invite to try.

use serde_json::json;

use crate::{
    play::{Scene as _, calls, play, say, send, spawn},
    world::World,
};

/// "Spawn alice (coder) and bob (tester). Have alice send bob a message."
fn alice_writes_to_bob() -> serde_json::Value {
    play([
        (
            "lead",
            vec![
                // First who gets mail: alice begins as soon as she is spawned.
                spawn([
                    ("bob", "tester", "Wait for mail"),
                    ("alice", "coder", "Say hello to bob"),
                ]),
                say("Everybody has reported.").after("Alice says"),
                say("I wait.").otherwise(),
            ],
        ),
        (
            "alice",
            vec![
                send("bob", "Hello Bob, this is Alice"),
                say("I wrote to bob."),
            ],
        ),
        (
            "bob",
            vec![
                say("Alice says: {{mail}}").after_mail_from("alice"),
                say("Nothing yet.").otherwise(),
            ],
        ),
    ])
}

// fast: spawning and mail
#[test]
fn spawn_two_and_let_one_write_to_the_other() {
    let world = World::playing(&alice_writes_to_bob());
    world
        .run("Spawn alice (coder) and bob (tester). Have alice send bob a message.")
        .ends(0)
        .says("Everybody has reported.")
        .complains("[alice] spawned (coder)")
        .complains("[bob] spawned (tester)")
        .complains("[alice] -> bob: Hello Bob, this is Alice");

    // What the user finds afterwards has the documents' shape.
    let config = world.config();
    assert_eq!(config["team_name"], "default");
    let members: Vec<_> = config["members"]
        .as_array()
        .unwrap()
        .iter()
        .map(|member| (&member["name"], &member["role"], &member["status"]))
        .collect();
    assert_eq!(
        members,
        [
            (&json!("bob"), &json!("tester"), &json!("idle")),
            (&json!("alice"), &json!("coder"), &json!("idle")),
        ]
    );
    assert!(
        world
            .file(".team/config.json")
            .starts_with("{\n  \"team_name\": \"default\",\n  \"members\": [\n    {\n")
    );

    // Each piece of mail was heard exactly once, and the results came by themselves.
    assert_eq!(
        world.heard("alice"),
        ["lead task_assignment: Say hello to bob"]
    );
    let bob = world.heard("bob");
    assert_eq!(bob[0], "lead task_assignment: Wait for mail");
    assert_eq!(bob[1..], ["alice message: Hello Bob, this is Alice"]);
    let lead = world.heard("lead");
    let results = |text: &str| lead.iter().filter(|mail| mail.contains(text)).count();
    assert_eq!(results("alice idle_notification: I wrote to bob."), 1);
    assert_eq!(
        results("bob idle_notification: Alice says: Hello Bob, this is Alice"),
        1
    );
    world.assert_at_rest();
}

// fast: the verb resume
#[test]
fn the_team_is_there_again_the_next_day() {
    let world = World::playing(&alice_writes_to_bob());
    world.run("Go").ends(0);
    world
        .teammate(&["team"])
        .ends(0)
        .says("Team 'default', not running\nMembers: 3, 0 work\n  lead   idle (lead)\n  bob    idle (tester)\n  alice  idle (coder)\n");
    world
        .teammate(&["inbox"])
        .ends(0)
        .says("lead's inbox is empty");
    world
        .teammate(&["inbox", "bob"])
        .ends(0)
        .says("bob's inbox is empty");
}

// fast: broadcasts
#[test]
fn a_broadcast_reaches_everybody_but_its_sender() {
    let world = World::playing(&play([
        (
            "lead",
            vec![
                spawn([("alice", "coder", "Wait"), ("bob", "tester", "Wait")]),
                calls([("broadcast", json!({ "content": "phase 1 is done" }))]),
                say("A report: {{mail}}").after_mail("heard: phase 1"),
                say("I wait.").otherwise(),
            ],
        ),
        (
            "*",
            vec![
                say("heard: {{mail}}").after_mail("phase 1"),
                say("ready").otherwise(),
            ],
        ),
    ]));
    world
        .run("Broadcast \"phase 1 is done\" to all teammates")
        .ends(0)
        .says("A report: heard: phase 1 is done");
    let sent = world.outcomes("lead");
    assert!(
        sent.iter().any(|text| text == "Broadcast to 2 teammates"),
        "{sent:?}"
    );
    for name in ["alice", "bob"] {
        let heard = world.heard(name);
        let times = heard
            .iter()
            .filter(|mail| *mail == "lead broadcast: phase 1 is done");
        assert_eq!(times.count(), 1, "{heard:?}");
    }
    assert!(
        world
            .heard("lead")
            .iter()
            .all(|mail| !mail.contains("broadcast"))
    );
    world.assert_at_rest();
}

#[test]
fn checking_the_lead_inbox_takes_nothing_from_the_model() {
    let world = World::playing(&play([(
        "lead",
        vec![say("Hello."), say("You said: {{mail}}")],
    )]));
    world.run("Hi").ends(0);
    world
        .teammate(&["send", "lead", "an", "afterthought"])
        .ends(0)
        .says("Saved for lead. The team is not running; lead reads it after `teammate resume`");

    // On disk it is one line with the documents' fields.
    let lines = world.json_lines(".team/inbox/lead.jsonl");
    assert_eq!(lines.len(), 1);
    assert_eq!(lines[0]["type"], "message");
    assert_eq!(lines[0]["from"], "user");
    assert_eq!(lines[0]["content"], "an afterthought");
    assert!(lines[0]["timestamp"].is_f64() && lines[0]["id"].is_string());

    // However often the user looks, it stays for the model.
    for _ in 0..3 {
        world.teammate(&["inbox"]).ends(0).says("an afterthought");
        world
            .teammate(&["inbox", "--json"])
            .ends(0)
            .says("\"content\":\"an afterthought\"");
    }
    world
        .teammate(&["team"])
        .ends(0)
        .says("lead  idle (lead), 1 unread");
    world.resume().ends(0).says("You said: an afterthought");
    world
        .teammate(&["inbox"])
        .ends(0)
        .says("lead's inbox is empty");
    assert_eq!(
        world.heard("lead"),
        ["user message: Hi", "user message: an afterthought"]
    );
    world.assert_at_rest();
}

#[test]
fn the_program_that_bob_tests_is_the_one_alice_wrote() {
    let world = World::playing(&play([
        (
            "lead",
            vec![
                spawn([
                    // First, for alice writes to him as soon as she works.
                    ("bob", "tester", "Test hello.sh when alice says so"),
                    ("alice", "coder", "Write hello.sh"),
                ]),
                say("bob says: {{mail}}").after_mail("it prints"),
                say("I wait.").otherwise(),
            ],
        ),
        (
            "alice",
            vec![
                calls([(
                    "write_file",
                    json!({ "path": "hello.sh", "content": "echo \"Hello, $1\"\n" }),
                )]),
                send("bob", "hello.sh is ready"),
                say("written"),
            ],
        ),
        (
            "bob",
            vec![
                calls([("read_file", json!({ "path": "hello.sh" }))]).after_mail_from("alice"),
                crate::play::bash("sh hello.sh world").after("echo"),
                say("it prints: {{last_result}}").after("Hello, world"),
                say("not yet").otherwise(),
            ],
        ),
    ]));
    world
        .run("Build it")
        .ends(0)
        .says("bob says: it prints: Hello, world");
    assert_eq!(world.file("hello.sh"), "echo \"Hello, $1\"\n");
    world.assert_at_rest();
}
