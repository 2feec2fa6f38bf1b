//! Directories that the teaching versions of agent teams left behind.

use std::fs;

use serde_json::json;

use crate::{
    play::{Scene as _, play, say},
    world::World,
};

/// What a teaching version leaves: a roster with somebody "working" for ever, mail without ids, a torn line.
fn left_behind() -> World {
    let world = World::playing(&play([
        ("lead", vec![say("I heard {{mail}}.").otherwise()]),
        ("*", vec![say("I heard {{mail}}.").otherwise()]),
    ]));
    let member =
        |name: &str, status: &str| json!({ "name": name, "role": "coder", "status": status });
    let config = json!({ "team_name": "default", "members": [
        member("alice", "working"), member("bob", "idle"), member("carol", "shutdown"), member("../x", "idle"),
    ]});
    fs::create_dir_all(world.path(".team/inbox")).unwrap();
    fs::write(world.path(".team/config.json"), config.to_string()).unwrap();
    let mail = |from: &str, text: &str| {
        json!({ "type": "message", "from": from, "content": text, "timestamp": 1_732_230_000.5 })
            .to_string()
    };
    let boxes = [
        (
            "alice",
            format!("{}\n{}\n", mail("lead", "one"), mail("lead", "one")),
        ),
        (
            "bob",
            format!(
                "{}\n{{\"type\": \"mess\n{}\n",
                mail("alice", "two"),
                mail("alice", "three")
            ),
        ),
        ("carol", format!("{}\n", mail("alice", "too late"))),
        (
            "lead",
            json!({ "type": "message", "sender": "alice", "content": "four", "ts": 1 }).to_string(),
        ),
    ];
    for (name, lines) in boxes {
        fs::write(world.path(&format!(".team/inbox/{name}.jsonl")), lines).unwrap();
    }
    world
}

// fast: directories of teaching teams
#[test]
fn a_teaching_teams_directory_opens_and_its_mail_is_heard() {
    let world = left_behind();
    world
        .run("Hello")
        .ends(0)
        .complains("note: config.json: '../x' is not a member's name")
        .complains("a line in the inbox could not be read")
        .complains(
            "mail in alice's inbox was not written by the team's mail and claims to be from 'lead'",
        );
    // The same line twice is two messages: it had no id that says otherwise.
    assert_eq!(
        world.heard("alice"),
        [
            "unverified:lead message: one",
            "unverified:lead message: one"
        ]
    );
    assert_eq!(
        world.heard("bob"),
        [
            "unverified:alice message: two",
            "unverified:alice message: three"
        ]
    );
    let lead = world.heard("lead");
    assert!(
        lead.contains(&"unverified:alice message: four".to_owned()),
        "{lead:?}"
    );
    assert!(lead.contains(&"user message: Hello".to_owned()), "{lead:?}");
    // Nobody works for ever; who was shut down stays so, and its mail stays.
    assert_eq!(
        ["alice", "bob", "carol"].map(|name| world.status(name)),
        ["idle", "idle", "shutdown"]
    );
    world.teammate(&["inbox", "carol"]).ends(0).says("too late");
    // The torn line is kept for the user.
    assert!(world.file(".team/inbox/.bad/bob.jsonl").contains("mess"));
    world.assert_valid();

    // The second time nothing is heard again.
    let before = world.heard("bob");
    world.resume().ends(0);
    assert_eq!(world.heard("bob"), before);
}

#[test]
fn a_roster_that_cannot_be_read_is_kept_and_named() {
    let world = World::playing(&play([("lead", vec![say("Hello.")])]));
    fs::create_dir_all(world.path(".team")).unwrap();
    fs::write(
        world.path(".team/config.json"),
        "{\"team_name\": \"default\", \"memb",
    )
    .unwrap();
    world
        .run("Hi")
        .ends(0)
        .complains("note: config.json could not be read")
        .complains("config.json.bad");
    assert_eq!(
        world.file(".team/config.json.bad"),
        "{\"team_name\": \"default\", \"memb"
    );
    assert_eq!(world.config()["members"], json!([]));
}

#[test]
fn every_verb_opens_an_old_directory_as_run_does() {
    for (arguments, says) in [
        (&["team"][..], "lead   idle"),
        (&["inbox", "alice"], "one"),
        (&["tasks"], "No tasks"),
        (&["tasks", "add", "Write a poem"], "#1"),
        (&["send", "bob", "hello"], "Saved"),
        (&["requests"], ""),
        (&["cost"], ""),
        (&["worktrees"], ""),
        (&["doctor", "--offline"], "team 'default': 3 teammates"),
    ] {
        let world = left_behind();
        let run = world.teammate(arguments);
        assert_eq!(run.code, 0, "{arguments:?}: {}{}", run.out, run.err);
        assert!(run.out.contains(says), "{arguments:?}: {}", run.out);
        assert!(
            run.err
                .contains("note: config.json: '../x' is not a member's name"),
            "{arguments:?}: {}",
            run.err
        );
        // It is taken over once, and nothing was heard by looking.
        let again = world.teammate(&["team"]).ends(0);
        assert!(!again.err.contains("config.json"), "{}", again.err);
        assert!(world.file(".team/inbox/alice.jsonl").contains("one"));
    }
    let world = left_behind();
    world.resume().ends(0);
    assert_eq!(world.heard("bob").len(), 2);
    world.assert_valid();
}

#[test]
fn what_of_an_old_directory_cannot_be_kept_is_named_and_stays() {
    let world = World::playing(&play([("*", vec![say("Heard.").otherwise()])]));
    let config = r#"{"team_name": "my-proj", "members": [
        {"name": "Alice", "role": "coder", "status": "idle"}, {"name": "bob", "role": "tester", "status": "idle"}]}"#;
    fs::create_dir_all(world.path(".team/inbox")).unwrap();
    fs::write(world.path(".team/config.json"), config).unwrap();
    let mail = json!({ "type": "message", "from": "lead", "content": "hi", "timestamp": 1 });
    for name in ["Alice", "ghost"] {
        let path = world.path(&format!(".team/inbox/{name}.jsonl"));
        fs::write(path, format!("{mail}\n")).unwrap();
    }
    world
        .run("Hello")
        .ends(0)
        .complains("note: config.json: 'Alice' is not a member's name")
        .complains("config.json calls the team 'my-proj'; here it is called 'default'")
        .complains("config.json as it was found is kept in")
        .complains("1 message for 'Alice', which is no member, in")
        .complains("no member can have that name")
        .complains("1 message for 'ghost', which is no member, in")
        .complains("spawn 'ghost' to have it heard");
    assert_eq!(world.file(".team/config.json.found"), config);
    assert!(world.file(".team/inbox/Alice.jsonl").contains("hi"));
    world
        .teammate(&["doctor", "--offline"])
        .ends(0)
        .says("1 message for 'ghost', which is no member, in");
}

#[test]
fn who_only_looks_reads_the_commands_that_help() {
    let world = left_behind();
    fs::create_dir_all(world.path(".tasks")).unwrap();
    fs::write(world.path(".tasks/task_1.json"), "{}\n").unwrap();
    world
        .teammate(&["team"])
        .ends(0)
        .complains("`teammate tasks add`");
}

#[test]
fn directories_of_the_eighth_version_are_recognised_and_left_alone() {
    let world = World::playing(&play([("lead", vec![say("Hello.").otherwise()])]));
    fs::create_dir_all(world.path(".teams/old")).unwrap();
    fs::write(world.path(".teams/old/alice_inbox.jsonl"), "{}\n").unwrap();
    fs::create_dir_all(world.path(".tasks")).unwrap();
    fs::write(world.path(".tasks/task_1.json"), "{}\n").unwrap();
    let named = "holds mailboxes of another program";
    world.teammate(&["team"]).ends(1).complains(named);
    world.teammate(&["doctor", "--offline"]).complains(named);
    world.run("Hi").ends(0).complains(named);
    assert_eq!(world.file(".tasks/task_1.json"), "{}\n");
    // Once is enough.
    let again = world.run("Hi").ends(0);
    assert!(!again.err.contains(named), "{}", again.err);
}
