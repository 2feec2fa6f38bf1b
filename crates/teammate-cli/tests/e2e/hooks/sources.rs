//! Whose hooks run: the user's, those of a flag, and a repository's only as the user trusts them.

use std::{fs, os::unix::fs::PermissionsExt as _};

use serde_json::json;

use super::{NOTES, file, hook, own, told, write, write_text};
use crate::{
    play::{Scene as _, bash, play, say},
    world::World,
};

const OF_REPOSITORY: &str = ".teammate/hooks.json";

fn lead() -> World {
    let scenes = vec![bash("touch made"), say("Done.").otherwise()];
    World::playing(&play([("lead", scenes)]))
}

/// A repository whose hook runs a script of it.
fn with_script(world: &World, script: &str) {
    let checks = hook("sh \"$CLAUDE_PROJECT_DIR\"/.teammate/hooks/check.sh");
    write(
        world,
        OF_REPOSITORY,
        &file([("PreToolUse", "Bash", checks)]),
    );
    write_text(world, ".teammate/hooks/check.sh", script);
}

#[test]
fn hooks_of_a_repository_run_only_as_they_are_trusted() {
    let world = lead();
    with_script(&world, "touch ran");
    let note =
        "the hooks in .teammate/hooks.json do not run, as you have not trusted them as they are";
    world.run_anew("Go").ends(0).complains(note);
    assert!(!world.path("ran").exists());

    let trusted = world.teammate(&["trust", "--yes"]).ends(0);
    trusted
        .says("PreToolUse (Bash)")
        .says("sh \"$CLAUDE_PROJECT_DIR\"/.teammate/hooks/check.sh")
        .says(".teammate/hooks/check.sh");
    let run = world.run_anew("Go").ends(0);
    assert!(!run.err.contains("do not run"), "{}", run.err);
    assert!(world.path("ran").exists());
    fs::remove_file(world.path("ran")).unwrap();

    // A change of the script is a change.
    with_script(&world, "touch ran; touch more");
    world.run_anew("Go").ends(0).complains(note);
    assert!(!world.path("ran").exists());
    world.teammate(&["trust", "--yes"]).ends(0);
    write(
        &world,
        OF_REPOSITORY,
        &file([("PreToolUse", "Bash", hook("touch ran"))]),
    );
    world.run_anew("Go").ends(0).complains(note);
    assert!(!world.path("ran").exists());
}

#[test]
fn members_cannot_change_the_hooks_of_a_repository() {
    let scenes = vec![
        bash(
            "echo > .teammate/hooks.json; echo > .teammate/hooks/check.sh; rm -rf .teammate; mv .teammate x",
        ),
        say("Done.").otherwise(),
    ];
    let world = World::playing(&play([("lead", scenes)]));
    with_script(&world, "touch ran");
    let before = world.file(OF_REPOSITORY);
    world.teammate(&["trust", "--yes"]).ends(0);
    world.run("Go").ends(0);
    assert_eq!(world.file(OF_REPOSITORY), before);
    assert_eq!(world.file(".teammate/hooks/check.sh"), "touch ran");
}

#[test]
fn a_script_that_a_member_edits_is_no_longer_trusted() {
    let scenes = vec![
        bash("echo 'touch evil' > scripts/check.sh; touch edited"),
        bash("touch passed"),
        say("Done.").otherwise(),
    ];
    let world = World::playing(&play([("lead", scenes)]));
    let mut required = hook("./scripts/check.sh");
    required["required"] = json!(true);
    write(
        &world,
        OF_REPOSITORY,
        &file([
            ("PreToolUse", "Bash", required),
            ("PostToolUse", "Bash", hook("sh scripts/check.sh")),
            ("SessionEnd", "", hook("touch kept")),
        ]),
    );
    let script = world.path("scripts/check.sh");
    write_text(&world, "scripts/check.sh", "#!/bin/sh\ntouch ran\n");
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
    world
        .teammate(&["trust", "--yes"])
        .ends(0)
        .says("    scripts/check.sh\n");

    let run = world.run("Go").ends(0);
    run.complains("the PostToolUse hook [sh scripts/check.sh] failed: it was not run: scripts/check.sh is not as you trusted it");
    assert!(world.path("ran").exists() && world.path("edited").exists());
    assert!(!world.path("passed").exists(), "the required hook refuses");
    let outcomes = world.outcomes("lead");
    assert!(
        outcomes[1].ends_with("it was not run: scripts/check.sh is not as you trusted it"),
        "{}",
        outcomes[1]
    );
    assert!(world.path("kept").exists(), "others run on");
    assert!(!world.path("evil").exists());

    // Nor does it run when the team is opened again, until there is a new yes.
    let note =
        "hooks in .teammate/hooks.json do not run: scripts/check.sh is not as you trusted it";
    world.run_anew("Go").ends(0).complains(note);
    assert!(!world.path("evil").exists() && !world.path("passed").exists());
    world.teammate(&["hooks", "list"]).ends(0).says(note);
    world
        .teammate(&["trust", "--list"])
        .ends(0)
        .says("a script of its hooks changed since you trusted it");
    world
        .teammate(&["trust", "--yes"])
        .ends(0)
        .says("Trusted until one of them changes.");
    world.run_anew("Go").ends(0);
    assert!(world.path("evil").exists() && world.path("passed").exists());
}

#[test]
fn settings_of_another_program_in_a_repository_are_not_read() {
    let world = lead();
    write(
        &world,
        ".claude/settings.json",
        &file([("PreToolUse", "", hook("touch ran"))]),
    );
    world.teammate(&["trust", "--yes"]).ends(0);
    world.run_anew("Go").ends(0);
    assert!(!world.path("ran").exists());
    // Until you name them.
    let named = [
        "run",
        "--permission-mode",
        "bypass",
        "--hooks",
        ".claude/settings.json",
        "Go",
    ];
    world.teammate(&named).ends(0);
    assert!(world.path("ran").exists());
}

#[test]
fn files_of_a_flag_add_to_the_users_own() {
    let world = lead();
    own(&world, [("PreToolUse", "", NOTES)]);
    write(
        &world,
        "../one.json",
        &file([("PreToolUse", "", hook("touch one"))]),
    );
    write(
        &world,
        "../two.json",
        &file([("PreToolUse", "", hook("touch two"))]),
    );
    let flags = ["--hooks", "../one.json", "--hooks", "../two.json"];
    let run = [&["run", "--permission-mode", "bypass"], &flags[..], &["Go"]].concat();
    world.teammate(&run).ends(0);
    assert!(world.path("one").exists() && world.path("two").exists());
    assert_eq!(told(&world, "PreToolUse").len(), 1);
    world
        .teammate(&["run", "--hooks", "absent.json", "Go"])
        .ends(1)
        .complains("absent.json cannot be read");
}

#[test]
fn scripts_beside_the_users_file_are_seen_by_hooks_and_by_nobody_else() {
    let scenes = vec![
        bash("cat \"$HOME\"/.config/teammate/hooks/check.sh && touch seen"),
        say("Done.").otherwise(),
    ];
    let world = World::playing(&play([("lead", scenes)]));
    write_text(
        &world,
        "../home/.config/teammate/hooks/check.sh",
        "touch ran",
    );
    write_text(&world, "../home/.claude/hooks/old.sh", "touch ran-too");
    own(
        &world,
        [
            ("PreToolUse", "", "sh ~/.config/teammate/hooks/check.sh"),
            ("PreToolUse", "", "sh ~/.claude/hooks/old.sh"),
            (
                "PreToolUse",
                "",
                "cat ~/.config/teammate/hooks.json > leaked",
            ),
        ],
    );
    world.run("Go").ends(0);
    assert!(world.path("ran").exists() && world.path("ran-too").exists());
    assert!(!world.path("seen").exists());
    assert_eq!(world.file("leaked"), "");
}
