//! Several teams side by side in one directory, each in a place of its own.

use std::fs;

use serde_json::{Value, json};

use crate::{
    play::{Scene as _, bash, calls, play, say},
    terminal::Terminal,
    world::{Run, World},
};

fn answers() -> World {
    let answer = say("I heard: {{mail}}").again();
    World::playing(&play([("lead", vec![answer])]))
}

fn of(world: &World, team: &str, arguments: &[&str]) -> Run {
    world.teammate(&[&["--team", team], arguments].concat())
}

// fast: named teams
#[test]
fn named_teams_live_side_by_side_and_know_nothing_of_each_other() {
    let world = answers();
    world.run("Default").ends(0).says("I heard: Default");
    of(&world, "shop", &["run", "One"])
        .ends(0)
        .says("I heard: One");
    of(&world, "shop", &["run", "--continue", "Two"]).ends(0);
    of(&world, "docs", &["run", "Three"]).ends(0);
    for (team, place, jobs) in [
        ("default", ".team", 1),
        ("shop", ".teams/shop", 2),
        ("docs", ".teams/docs", 1),
    ] {
        of(&world, team, &["team"])
            .ends(0)
            .says(&format!("Team '{team}', not running"));
        let config: Value =
            serde_json::from_str(&world.file(&format!("{place}/config.json"))).unwrap();
        assert_eq!(config["team_name"], team);
        let events = world.file(&format!("{place}/events.jsonl"));
        assert_eq!(events.matches("\"team_opened\"").count(), jobs, "{team}");
        assert_eq!(world.file(&format!("{place}/.gitignore")), "*\n");
    }
    // Every verb finds it.
    of(&world, "shop", &["send", "lead", "By the way"]).ends(0);
    of(&world, "shop", &["inbox", "lead"])
        .ends(0)
        .says("By the way");
    world.teammate(&["inbox", "lead"]).ends(0);
    of(&world, "shop", &["tasks", "add", "Sweep"]).ends(0);
    of(&world, "shop", &["tasks"]).ends(0).says("Sweep");
    let others = of(&world, "docs", &["tasks"]).ends(0);
    assert!(!others.out.contains("Sweep"), "{}", others.out);
    of(&world, "shop", &["resume"])
        .ends(0)
        .says("I heard: By the way");
    of(&world, "shop", &["log"]).ends(0);
    of(&world, "shop", &["doctor"]);
    world
        .teammate(&["team", "--all"])
        .ends(0)
        .says("default")
        .says("shop")
        .says("docs");
    // Names are checked before anything is made, and what is not there is said.
    of(&world, "../x", &["run", "x"])
        .ends(2)
        .complains("not a team's name");
    of(&world, "none", &["team"])
        .ends(1)
        .complains("there is no team");
}

#[test]
fn the_prompt_of_a_named_team_shows_what_was_said_last_in_that_team() {
    let world = answers();
    world.run("Default").ends(0);
    of(&world, "shop", &["run", "One"]).ends(0);
    let terminal = Terminal::open(&world, 200, &["--team", "shop"]);
    terminal.until("> One\n  I heard: One");
    terminal.quits();
}

#[test]
fn a_named_team_is_proven_by_itself() {
    let world = answers();
    world.run("Default").ends(0);
    of(&world, "shop", &["run", "One"]).ends(0);
    // The records of one are nothing in the place of the other.
    let journal = world.path(".teams/shop/journal.jsonl");
    fs::copy(world.path(".team/journal.jsonl"), &journal).unwrap();
    of(&world, "shop", &["team"])
        .ends(1)
        .complains("is not opened");
    of(&world, "shop", &["trust", "--yes"]).ends(0);
    of(&world, "shop", &["team"]).ends(0);
    // A link in the place of the directory is not followed.
    fs::remove_dir_all(world.path(".teams")).unwrap();
    std::os::unix::fs::symlink("..", world.path(".teams")).unwrap();
    of(&world, "shop", &["run", "One"])
        .ends(1)
        .complains("cannot use the team's directory");
    fs::remove_file(world.path(".teams")).unwrap();
    fs::create_dir(world.path(".teams")).unwrap();
    std::os::unix::fs::symlink("../.team", world.path(".teams/shop")).unwrap();
    of(&world, "shop", &["run", "One"])
        .ends(1)
        .complains("cannot use the team's directory");
}

#[test]
fn the_directory_of_another_program_is_named_and_left_alone() {
    let world = answers();
    fs::create_dir_all(world.path(".teams/demo")).unwrap();
    let inbox = ".teams/demo/alice_inbox.jsonl";
    fs::write(world.path(inbox), "{\"content\":\"hi\"}\n").unwrap();
    fs::create_dir_all(world.path(".tasks")).unwrap();
    fs::write(world.path(".tasks/task_1.json"), "{}").unwrap();
    of(&world, "demo", &["run", "Go"])
        .ends(1)
        .complains("holds another program's mailboxes")
        .complains("--team");
    world
        .run("Go")
        .ends(0)
        .complains(".teams/demo holds mailboxes of another program")
        .complains(".tasks holds tasks of another program");
    world
        .teammate(&["doctor"])
        .says(".teams/demo holds mailboxes");
    assert_eq!(world.file(inbox), "{\"content\":\"hi\"}\n");
    assert_eq!(fs::read_dir(world.path(".teams/demo")).unwrap().count(), 1);
}

#[test]
fn no_team_reaches_into_the_directory_of_another() {
    let look = |tool: &str, input: Value| calls([(tool, input)]);
    let world = World::playing(&play([(
        "lead",
        vec![
            say("Hello.").after("Greet"),
            look("read_file", json!({ "path": ".team/journal.jsonl" })),
            look("read_file", json!({ "path": ".teams/docs/journal.jsonl" })),
            look(
                "write_file",
                json!({ "path": ".teams/docs/inbox/lead.jsonl", "content": "x" }),
            ),
            look("grep", json!({ "pattern": "created", "hidden": true })),
            bash(
                "echo forged >> .teams/docs/journal.jsonl; echo forged >> .team/journal.jsonl; true",
            ),
            say("Tried."),
        ],
    )]));
    world.run("Greet").ends(0);
    of(&world, "docs", &["run", "Greet"]).ends(0);
    of(
        &world,
        "shop",
        &["run", "--permission-mode", "bypass", "Look"],
    )
    .ends(0);
    let path = world.path(".teams/shop/agents/lead/transcript.jsonl");
    let transcript = fs::read_to_string(path).unwrap();
    let refused = transcript.matches("team's own directory").count();
    assert_eq!(refused, 3, "{transcript}");
    assert!(
        !transcript.contains("event\\\":\\\"created"),
        "{transcript}"
    );
    if cfg!(target_os = "linux") && world.teammate(&["doctor"]).out.contains("in namespaces") {
        for place in [".team", ".teams/docs"] {
            let journal = world.file(&format!("{place}/journal.jsonl"));
            assert!(!journal.contains("forged"), "{place}");
        }
    }
}

#[test]
fn branches_and_directories_of_worktrees_carry_the_name_of_the_team() {
    let spawns = calls([(
        "spawn_teammate",
        json!({ "name": "alice", "role": "coder", "prompt": "Work", "worktree": true }),
    )]);
    let world = World::playing(&play([
        ("lead", vec![spawns, say("I wait.").otherwise()]),
        (
            "alice",
            vec![
                bash("pwd; git branch --show-current"),
                say("done").otherwise(),
            ],
        ),
    ]));
    crate::worktrees::repository(&world);
    of(
        &world,
        "shop",
        &["run", "--permission-mode", "bypass", "Go"],
    )
    .ends(0);
    let path = world.path(".teams/shop/agents/alice/transcript.jsonl");
    let transcript = fs::read_to_string(path).unwrap();
    assert!(
        transcript.contains(".teams/shop/worktrees/alice"),
        "{transcript}"
    );
    assert!(transcript.contains("teammate-shop/alice"), "{transcript}");
    of(&world, "shop", &["worktrees"])
        .ends(0)
        .says("branch teammate-shop/alice");
    world.run("Go").ends(0);
    world
        .teammate(&["worktrees"])
        .ends(0)
        .says("branch teammate/alice");
    let status = std::process::Command::new("git")
        .args(["status", "--porcelain"])
        .current_dir(world.work())
        .output()
        .unwrap();
    assert_eq!(String::from_utf8_lossy(&status.stdout), "");
}
