//! What new worktrees get besides their commit: files, links, and commands that are run there.

use std::fs;

use serde_json::{Value, json};

use crate::{
    play::{bash, calls, play, say},
    worktrees::repository,
    world::World,
};

/// Alice is spawned in a worktree, and runs this.
fn alice_runs(command: &str) -> Value {
    let ask = json!({ "name": "alice", "prompt": "Work", "worktree": true });
    play([
        (
            "lead",
            vec![
                calls([("spawn_teammate", ask)]),
                calls([("wait_for_team", json!({}))]),
                say("done"),
            ],
        ),
        ("alice", vec![bash(command), say("seen")]),
    ])
}

/// A repository with files that git ignores, and these settings of the user.
fn project(play: &Value, settings: &str) -> World {
    // Commands do not see a workspace below `/tmp` but their own.
    let world = World::outside_tmp().replay(play);
    repository(&world);
    write(&world, "../home/.config/teammate/config.toml", settings);
    write(&world, ".git/info/exclude", ".env\nnode_modules/\n*.made\n");
    write(&world, ".env", "PORT=1\n");
    write(&world, "node_modules/pad.js", "pad\n");
    world
}

fn write(world: &World, path: &str, text: &str) {
    let path = world.path(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

#[test]
fn a_member_finds_in_its_worktree_what_the_settings_say() {
    let settings = "[worktrees]\ncopy = [\".env\"]\nlink = [\"node_modules\"]\n\
                    run = [\"cat .env node_modules/pad.js > all.made\", \"pwd >> all.made\"]\n";
    let look = "cat all.made; echo 2 >> .env; touch node_modules/new; git status --porcelain";
    let world = project(&alice_runs(look), settings);
    world.run("Go").ends(0).says("done");

    let place = world.path(".team/worktrees/alice").canonicalize().unwrap();
    let [seen] = &world.outcomes("alice")[..] else {
        panic!()
    };
    assert!(
        seen.starts_with(&format!("PORT=1\npad\n{}\n", place.display())),
        "{seen}"
    );
    assert!(seen.contains("Read-only file system"), "{seen}");
    assert_eq!(world.file(".env"), "PORT=1\n");
    assert!(!world.path("node_modules/new").exists());

    let told = "Files that git ignores were copied from the workspace: .env. Links lead to the workspace's own, which \
                commands here read and cannot change: node_modules.";
    let heard = world.heard("alice").concat();
    assert!(
        heard.contains(&format!("Your worktree is new. {told}")),
        "{heard}"
    );
    let [spawned, ..] = &world.outcomes("lead")[..] else {
        panic!()
    };
    assert!(spawned.contains(told.trim_end_matches('.')), "{spawned}");
}

#[test]
fn a_command_that_fails_is_told_and_the_worktree_stays_usable() {
    let settings = "deny = [\"bash(touch:*)\"]\n[worktrees]\nrun = [\"echo half done; exit 3\", \"echo > never.made\"]\n";
    let world = project(&alice_runs("ls -a"), settings);
    world
        .run("Go")
        .ends(0)
        .complains(
            "`echo half done; exit 3`, which the settings have run in a new worktree, failed",
        )
        .complains("half done");
    for told in [&world.heard("alice").concat(), &world.outcomes("lead")[0]] {
        assert!(
            told.contains("failed; the worktree can be used all the same. It ended so:\nhalf done\nexit status 3"),
            "{told}"
        );
    }
    let seen = world.outcomes("alice").concat();
    assert!(
        seen.contains("hello.txt") && !seen.contains("never.made"),
        "{seen}"
    );

    // What the user denies is denied here as well.
    let settings = "deny = [\"bash(touch:*)\"]\n[worktrees]\nrun = [\"touch denied.made\"]\n";
    let world = project(&alice_runs("ls -a"), settings);
    world.run("Go").ends(0).complains("`touch denied.made`");
    assert!(!world.outcomes("alice").concat().contains("denied.made"));
}

#[test]
fn a_project_s_commands_run_once_the_user_has_said_yes_to_them() {
    let world = project(&alice_runs("cat made.made"), "");
    let settings = "[worktrees]\nrun = [\"echo ours > made.made\"]\n";
    write(&world, ".teammate/settings.toml", settings);
    world
        .run("Go")
        .ends(0)
        .complains("in .teammate/settings.toml are not used");
    assert!(world.outcomes("alice").concat().contains("No such file"));

    let world = project(&alice_runs("cat made.made"), "");
    write(&world, ".teammate/settings.toml", settings);
    world
        .teammate(&["trust", "--yes"])
        .ends(0)
        .says("What new worktrees of members get:\n  run there: echo ours > made.made");
    world.run("Go").ends(0);
    assert_eq!(world.outcomes("alice"), ["ours\nexit status 0"]);
}

#[test]
fn a_task_s_worktree_is_set_up_before_its_owner_works_in_it() {
    let task = json!({ "subject": "Look", "worktree": true });
    let alice = json!({ "name": "alice", "prompt": "Take what there is." });
    let world = project(
        &play([
            (
                "lead",
                vec![
                    calls([("create_task", task), ("spawn_teammate", alice)]),
                    calls([("wait_for_team", json!({}))]),
                    say("done"),
                ],
            ),
            (
                "alice",
                vec![
                    say("ready"),
                    calls([
                        ("bash", json!({ "command": "cat runs.made .env" })),
                        ("bash", json!({ "command": "cat runs.made" })),
                    ]),
                    calls([("complete_task", json!({ "task_id": 1, "result": "seen" }))]),
                    say("seen"),
                ],
            ),
        ]),
        "[worktrees]\ncopy = [\".env\"]\nrun = [\"echo run >> runs.made\"]\n",
    );
    world.run("Go").ends(0);
    assert_eq!(
        world.outcomes("alice")[..2],
        ["run\nPORT=1\nexit status 0", "run\nexit status 0"]
    );
    let heard = world.heard("alice").concat();
    assert!(
        heard.contains("Your worktree is new. Files that git ignores"),
        "{heard}"
    );
}
