//! Programs that a repository has git run: without a yes to them nothing runs, with one they work.

use std::{fs, path::Path, process::Command};

use serde_json::{Value, json};

use crate::{
    play::{Scene as _, bash, calls, play, say},
    world::World,
};

fn git(dir: &Path, args: &[&str]) {
    let done = Command::new("git")
        .args(args)
        .current_dir(dir)
        .env_clear()
        .env("PATH", std::env::var("PATH").unwrap())
        .env("HOME", "/nowhere")
        .output()
        .unwrap();
    assert!(done.status.success(), "git {args:?}: {done:?}");
}

fn repository(world: &World) {
    git(&world.work(), &["init", "-q", "-b", "main"]);
    git(&world.work(), &["config", "user.name", "Somebody"]);
    git(&world.work(), &["config", "user.email", "a@b"]);
}

/// The lead gives bob a worktree.
fn spawns_bob() -> Value {
    let bob = json!({ "name": "bob", "role": "coder", "prompt": "Look", "worktree": true });
    play([
        (
            "lead",
            vec![
                calls([("spawn_teammate", bob), ("wait_for_team", json!({}))]).after("Go"),
                say("Done.").otherwise(),
            ],
        ),
        ("bob", vec![say("I looked.").otherwise()]),
    ])
}

#[test]
fn a_filter_needs_a_yes_which_shows_it_and_lasts_until_it_changes() {
    let world = World::playing(&spawns_bob());
    repository(&world);
    fs::write(world.path(".gitattributes"), "*.big filter=big\n").unwrap();
    fs::write(world.path("x.big"), "TEXT\n").unwrap();
    git(&world.work(), &["add", "-A"]);
    git(&world.work(), &["commit", "-q", "-m", "x"]);
    git(&world.work(), &["config", "filter.big.clean", "tr a-z A-Z"]);
    git(
        &world.work(),
        &["config", "filter.big.smudge", "tr A-Z a-z"],
    );
    fs::remove_file(world.path("x.big")).unwrap();
    git(&world.work(), &["checkout", "--", "x.big"]);
    let copy = ".team/worktrees/bob/x.big";

    world.run("Go").ends(0);
    let told = world.outcomes("lead");
    assert!(
        told[0].contains("filter.big.smudge") && told[0].contains("`teammate trust`"),
        "{told:?}"
    );
    assert!(!world.path(".team/worktrees/bob").exists());

    world
        .teammate(&["trust"])
        .ends(1)
        .says("filter.big.smudge")
        .says("tr A-Z a-z");
    world
        .teammate(&["trust", "--yes"])
        .ends(0)
        .says("Trusted until");
    fs::remove_dir_all(world.path(".team")).unwrap();
    world.run("Go").ends(0);
    assert_eq!(world.file(copy), "text\n", "{:?}", world.outcomes("lead"));
    world.teammate(&["worktrees"]).ends(0).says("bob: ");

    let owned = world.path("../owned").display().to_string();
    git(
        &world.work(),
        &["config", "filter.big.clean", &format!("touch {owned}")],
    );
    // As long as before: git has to look into it.
    fs::write(world.path(copy), "more\n").unwrap();
    world
        .teammate(&["worktrees"])
        .ends(1)
        .complains("filter.big.clean");
    world.teammate(&["trust", "--list"]).says("changed since");
    assert!(!world.path("../owned").exists());
}

#[test]
fn a_clone_whose_directory_looks_like_a_repository_runs_nothing() {
    let world = World::playing(&spawns_bob());
    let outer = world.path("../outer");
    fs::create_dir(&outer).unwrap();
    git(&outer, &["init", "-q", "-b", "main"]);
    fs::write(outer.join(".gitattributes"), "* filter=x\n").unwrap();
    git(&outer, &["add", "-A"]);
    git(
        &outer,
        &[
            "-c",
            "user.name=A",
            "-c",
            "user.email=a@b",
            "commit",
            "-q",
            "-m",
            "x",
        ],
    );
    let trap = format!("touch {}", world.path("../owned").display());
    fs::create_dir_all(world.path("refs/heads")).unwrap();
    fs::create_dir_all(world.path("objects/info")).unwrap();
    let objects = outer.join(".git/objects").display().to_string();
    fs::write(world.path("objects/info/alternates"), objects).unwrap();
    fs::copy(
        outer.join(".git/refs/heads/main"),
        world.path("refs/heads/main"),
    )
    .unwrap();
    fs::write(world.path("HEAD"), "ref: refs/heads/main\n").unwrap();
    let config = format!(
        "[core]\n\tbare = false\n\tworktree = .\n\tfsmonitor = {trap}\n[filter \"x\"]\n\tsmudge = {trap}\n"
    );
    fs::write(world.path("config"), config).unwrap();
    world.teammate(&["run", "Go"]).ends(0);
    let told = world.outcomes("lead");
    assert!(told[0].contains("safe.bareRepository"), "{told:?}");
    assert!(!world.path("../owned").exists());
}

#[test]
fn a_repository_that_a_member_writes_runs_nothing() {
    let world = World::playing(&Value::Null);
    let trap = format!("touch {}", world.path("../owned").display());
    let file = |path: &str, content: &str| {
        calls([("write_file", json!({ "path": path, "content": content }))])
    };
    let config = format!("[core]\n\tbare = false\n\tworktree = .\n\tfsmonitor = {trap}\n");
    let world = world.replay(&play([(
        "lead",
        vec![
            file("HEAD", "ref: refs/heads/main\n"),
            file("objects/x", ""),
            file("refs/heads/x", ""),
            file("config", &config),
            bash("git status"),
            say("Done.").otherwise(),
        ],
    )]));
    let arguments = [
        "run",
        "--permission-mode",
        "accept-edits",
        "--allow",
        "bash(git status:*)",
        "Go",
    ];
    world.teammate(&arguments);
    let told = world.outcomes("lead");
    assert!(told[4].contains("safe.bareRepository"), "{told:?}");
    assert!(!world.path("../owned").exists());
}

#[test]
fn git_in_a_repository_that_brings_programs_is_asked_whatever_rules_say() {
    let world = World::playing(&play([(
        "lead",
        vec![bash("git status"), say("Done.").otherwise()],
    )]));
    repository(&world);
    let trap = format!("touch {}", world.path("../owned").display());
    git(&world.work(), &["config", "core.fsmonitor", &trap]);
    let run = || world.teammate(&["run", "--allow", "bash(git status:*)", "Go"]);
    run().ends(4).complains("core.fsmonitor");
    assert!(!world.path("../owned").exists());
    world.teammate(&["trust", "--yes"]).ends(0);
    run().ends(0);
    // Members' git starts nothing that watches files, also after a yes.
    assert!(!world.path("../owned").exists());
}
