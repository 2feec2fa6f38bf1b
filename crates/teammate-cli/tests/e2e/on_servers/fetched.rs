//! Members' work comes to a person's clone when they look at it or merge it.

use super::{
    begun,
    carried::{git, is_saved, repository, writing},
    joined, worker_of,
};
use crate::{
    play::{Scene as _, bash, say},
    world::{World, until},
};

/// What alice commits.
const COMMIT: &str = "echo a wick > lamp.txt && git add lamp.txt && \
    git -c user.name=Alice -c user.email=alice@localhost commit -q -m Wick && echo made";

fn plays() -> World {
    writing(vec![
        bash(COMMIT).after("Write it"),
        say("It is written.").after("made"),
        say("I rest.").otherwise(),
    ])
}

#[test]
fn a_person_sees_and_merges_what_a_member_wrote_on_a_worker() {
    let Some((server, world, dir)) = begun(plays()) else {
        return;
    };
    let (url, repository) = (server.url(), repository(dir.path()));
    let one = worker_of(&world, &url, "one", &["--repo", &repository]);
    one.until("team lamps: holds lead");
    joined(&world, "one", &one);
    let at = |args: &[&str]| world.teammate(&[args, &["--team", "lamps"]].concat());
    at(&["send", "lead", "begin"]).ends(0);
    until(
        || at(&["log"]).out.contains("It is written.") && is_saved(dir.path()),
        || format!("{}{}", at(&["log"]).out, one.err()),
    );

    // Where the work does not belong, nothing is fetched.
    at(&["worktrees", "diff", "alice"])
        .ends(1)
        .complains("is not in a git repository");
    let work = world.work();
    let here = |args: &[&str]| git(&work, args);
    here(&["init", "-q", "-b", "main", "."]);
    let name = ["-c", "user.name=Ann", "-c", "user.email=ann@localhost"];
    let commit = ["commit", "-q", "--allow-empty", "-m", "Another"];
    here(&[&name[..], &commit].concat());
    for verb in ["diff", "merge"] {
        at(&["worktrees", verb, "alice"])
            .ends(1)
            .complains("is no clone of it (it has no remote): use this in a clone of it");
    }
    at(&["worktrees"])
        .ends(0)
        .says("No worktrees")
        .complains("is no clone of it");

    // In a clone it comes, also when its worker is gone.
    let clone = dir.path().join("mine");
    let mine = clone.to_str().unwrap();
    git(dir.path(), &["clone", "-q", &repository, mine]);
    one.signal(rustix::process::Signal::KILL);
    let in_clone = |args: &[&str]| at(&[args, &["--dir", mine]].concat());
    in_clone(&["worktrees"]).ends(0).says("alice");
    in_clone(&["worktrees", "diff", "alice"])
        .ends(0)
        .says("+a wick");
    in_clone(&["worktrees", "merge", "alice"]).ends(0);
    assert!(clone.join("lamp.txt").exists());
}
