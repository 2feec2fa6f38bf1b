//! What is older than it is kept: shown, removed after a yes, and at the opening.

use std::{
    fs::{self, File},
    time::{Duration, SystemTime},
};

use serde_json::Value;

use crate::{
    play::{Scene as _, bash, play, say},
    terminal::Terminal,
    world::World,
};

const DAY: Duration = Duration::from_secs(86_400);

/// A team with an old output and a new one.
fn world() -> World {
    let world = World::playing(&play([("lead", vec![say("Well.").otherwise()])]));
    world.run("Go").ends(0);
    for (name, days) in [("old.txt", 40), ("new.txt", 1)] {
        put(&world, &format!(".team/outputs/{name}"), days);
    }
    put(&world, ".team/archive/web-1/alice/transcript.jsonl", 0);
    age(&world, ".team/archive/web-1", 40);
    world
}

fn put(world: &World, path: &str, days: u32) {
    let full = world.path(path);
    fs::create_dir_all(full.parent().unwrap()).unwrap();
    fs::write(full, "12345\n").unwrap();
    age(world, path, days);
}

fn age(world: &World, path: &str, days: u32) {
    let file = File::open(world.path(path)).unwrap();
    file.set_modified(SystemTime::now() - days * DAY).unwrap();
}

fn configure(world: &World, text: &str) {
    let dir = world.path("../home/.config/teammate");
    fs::create_dir_all(&dir).unwrap();
    fs::write(dir.join("config.toml"), text).unwrap();
}

// fast: the verb purge
#[test]
fn what_is_old_is_shown_and_removed_after_a_yes() {
    let world = world();
    let kept = world.teammate(&["purge"]).ends(0);
    assert!(kept.out.starts_with("Everything is kept"), "{}", kept.out);
    // Nobody can be asked here.
    world
        .teammate(&["purge", "--older-than", "30d"])
        .ends(1)
        .says("outputs of commands: 1, 6 bytes")
        .says(".team/outputs/old.txt")
        .says("archives of ended teams: 1, 6 bytes")
        .complains("teammate purge --yes");
    assert!(world.path(".team/outputs/old.txt").exists());
    world
        .teammate(&["purge", "--older-than", "30d", "--yes"])
        .ends(0);
    for (path, is_there) in [
        (".team/outputs/old.txt", false),
        (".team/outputs/new.txt", true),
        (".team/archive/web-1", false),
        (".team/agents/lead/transcript.jsonl", true),
    ] {
        assert_eq!(world.path(path).exists(), is_there, "{path}");
    }
    world
        .teammate(&["audit"])
        .says("removed as old: outputs of commands: 1, 6 bytes");
    world
        .teammate(&["purge", "--older-than", "30d"])
        .ends(0)
        .says("Nothing is that old");
    world.run("Go on").ends(0);
}

#[test]
fn what_is_older_than_the_configuration_keeps_it_goes_at_the_opening() {
    let world = world();
    configure(&world, "[keep]\noutputs = \"30d\"\n");
    world
        .run("Go on")
        .ends(0)
        .complains("Removed as old: outputs of commands: 1, 6 bytes");
    assert!(!world.path(".team/outputs/old.txt").exists());
    assert!(world.path(".team/archive/web-1").exists());
    configure(&world, "[keep]\noutputs = \"a month\"\n");
    world
        .run("Go on")
        .ends(1)
        .complains("'a month' is no time: write 30d, 12h or 45m");
}

#[test]
fn a_team_in_which_nothing_happens_goes_whole() {
    let world = world();
    age(&world, ".team/journal.jsonl", 100);
    configure(&world, "[keep]\ntranscripts = \"90d\"\n");
    let listed = world.teammate(&["purge", "--json"]).ends(0);
    let listed: Value = serde_json::from_str(&listed.out).unwrap();
    assert_eq!(
        (&listed["old"][0]["kind"], &listed["removed"]),
        (&Value::from("transcripts"), &Value::from(false))
    );
    // What may have work in it stays.
    fs::create_dir_all(world.path(".team/worktrees/alice")).unwrap();
    world
        .teammate(&["purge"])
        .ends(0)
        .says("Nothing is that old");
    fs::remove_dir_all(world.path(".team/worktrees")).unwrap();
    world.teammate(&["purge", "--yes"]).ends(0);
    assert!(!world.path(".team").exists());
    // Nobody misses it, and what happened in it is still known.
    let again = world.run("Go").ends(0);
    assert!(!again.err.contains("is gone"), "{}", again.err);
    world.teammate(&["audit", "verify"]).ends(0);
}

#[test]
fn nothing_of_a_team_that_runs_is_removed() {
    let world = World::playing(&play([("lead", vec![bash("touch begun; sleep 1000")])]));
    let run = world.start(&["run", "--permission-mode", "bypass", "Go"]);
    crate::world::until(
        || world.path("begun").exists(),
        || "it does not begin".to_owned(),
    );
    put(&world, ".team/outputs/old.txt", 40);
    let refused = world
        .teammate(&["purge", "--older-than", "30d", "--yes"])
        .ends(1);
    assert!(
        refused.err.contains("the team is already running"),
        "{}",
        refused.err
    );
    assert!(world.path(".team/outputs/old.txt").exists());
    drop(run);
}

#[test]
fn a_team_that_is_used_while_the_question_waits_stays() {
    let world = world();
    age(&world, ".team/journal.jsonl", 100);
    let arguments = ["purge", "--older-than", "90d"];
    let terminal = Terminal::open(&world, 100, &arguments);
    terminal.until("the team with its transcripts");
    terminal.until("Remove them? [y/N]");
    world.run("Go on").ends(0);
    terminal.keys("y\r");
    terminal.until("nothing was removed: the team was used meanwhile");
    terminal.ends(1);
    assert!(world.path(".team/agents/lead/transcript.jsonl").exists());
    world
        .teammate(&arguments)
        .ends(0)
        .says("Nothing is that old");
}
