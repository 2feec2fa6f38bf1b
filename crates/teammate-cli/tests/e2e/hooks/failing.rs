//! Hooks that fail, hang, run wild, or try to begin a team of their own.

use std::fs;

use serde_json::json;

use super::{NOTES, file, hook, own, write};
use crate::{
    play::{Scene as _, bash, play, say},
    world::World,
};

fn lead() -> World {
    let scenes = vec![bash("touch made"), say("Done.").otherwise()];
    World::playing(&play([("lead", scenes)]))
}

const OWN: &str = "../home/.config/teammate/hooks.json";

#[test]
fn a_hook_that_fails_is_told_and_harmless_unless_it_is_required() {
    let world = lead();
    own(&world, [("PreToolUse", "Bash", "echo oops >&2; exit 1")]);
    let run = world.run_anew("Go").ends(0);
    run.complains(
        "the PreToolUse hook [echo oops >&2; exit 1] failed: it ended with exit code 1: oops",
    );
    assert!(world.path("made").exists());
    fs::remove_file(world.path("made")).unwrap();

    let mut required = hook("exit 1");
    required["required"] = json!(true);
    write(&world, OWN, &file([("PreToolUse", "Bash", required)]));
    world.run_anew("Go").ends(0);
    assert!(!world.path("made").exists());
    let outcomes = world.outcomes("lead");
    let last = outcomes.last().unwrap();
    assert!(
        last.ends_with("this hook is required, and it failed: it ended with exit code 1"),
        "{last}"
    );
}

#[test]
fn a_hook_that_hangs_is_ended_after_its_time() {
    let world = lead();
    let mut slow = hook("sleep 600");
    slow["timeout"] = json!(0.3);
    let mut required = slow.clone();
    required["required"] = json!(true);
    write(&world, OWN, &file([("PreToolUse", "", slow)]));
    let run = world.run_anew("Go").ends(0);
    run.complains("failed: it took longer than 0.3 s");
    assert!(world.path("made").exists());
    fs::remove_file(world.path("made")).unwrap();
    write(&world, OWN, &file([("PreToolUse", "", required)]));
    world.run_anew("Go").ends(0);
    assert!(!world.path("made").exists());
}

#[test]
fn an_interrupt_does_not_wait_for_a_hook() {
    let world = lead();
    own(&world, [("PreToolUse", "", "touch begun; sleep 600")]);
    let mut running = world.start(&["run", "--permission-mode", "bypass", "Go"]);
    crate::world::until(|| world.path("begun").exists(), || running.err());
    world.teammate(&["interrupt", "lead"]).ends(0);
    let run = running_end(&mut running);
    assert!(run, "it hangs");
    assert!(!world.path("made").exists());
}

fn running_end(running: &mut crate::world::Running) -> bool {
    crate::world::until(|| running.is_over(), || "it runs on".to_owned());
    true
}

#[test]
fn a_hook_runs_no_team() {
    let world = lead();
    let program = env!("CARGO_BIN_EXE_teammate");
    let script = format!(
        "{program} run --model none:none --dir /tmp hello > said 2>&1; echo $? >> said; {program} hooks test Stop > tested 2>&1; true"
    );
    own(&world, [("PreToolUse", "", &script)]);
    world.run("Go").ends(0);
    let said = world.file("said");
    assert!(
        said.contains("a hook cannot run a team, nor hooks"),
        "{said}"
    );
    assert!(said.ends_with("\n1\n"), "{said}");
    let tested = world.file("tested");
    assert!(
        tested.contains("a hook cannot run a team, nor hooks"),
        "{tested}"
    );
}

#[test]
fn what_a_hook_starts_ends_with_it() {
    let world = lead();
    let script = "(setsid sh -c 'while :; do date +%s%N > beat; sleep 0.02; done' &) ; until [ -e beat ]; do sleep 0.01; done";
    own(
        &world,
        [("PreToolUse", "", script), ("PostToolUse", "", NOTES)],
    );
    world.run("Go").ends(0);
    let beat = world.file("beat");
    // Had it lived on, it would have written during all that followed.
    world.run("Go on").ends(0);
    assert!(world.path("beat").exists(), "{beat}");
    let last = world.file("beat");
    std::thread::sleep(std::time::Duration::from_millis(200));
    assert_eq!(world.file("beat"), last);
}

#[test]
fn a_file_of_the_users_that_cannot_be_used_keeps_the_team_closed() {
    let world = lead();
    fs::create_dir_all(world.path("../home/.config/teammate")).unwrap();
    for (text, why) in [
        ("{", "hooks.json cannot be used: EOF while parsing"),
        (
            r#"{"hooks":{"PreToolUse":[{"matcher":"(","hooks":[]}]}}"#,
            "the matcher \"(\" is not understood",
        ),
    ] {
        fs::write(world.path(OWN), text).unwrap();
        world
            .run("Go")
            .ends(1)
            .complains(why)
            .complains("so it is not opened without them");
    }
    assert!(!world.path("made").exists());
    fs::write(world.path(OWN), r#"{"hooks":{"Notification":[]}}"#).unwrap();
    world
        .run("Go")
        .ends(0)
        .complains("there is no event Notification here");
}
