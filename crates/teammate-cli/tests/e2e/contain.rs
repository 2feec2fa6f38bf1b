//! What commands start ends with the host, whatever it did to get away and whatever the host died of; and the team's files
//! and the user's own are not theirs to write.

#![expect(clippy::print_stdout, reason = "a test says what it skips")]

use std::fs;

use rustix::process::Signal;

use crate::{
    play::{Scene as _, bash, calls, play, say},
    protocols::runs,
    world::{World, until},
};

/// A command with a grandchild that left its session and its environment, and does not hear TERM.
fn fugitive(mark: &str) -> String {
    let deaf = format!("trap '' TERM HUP INT; touch away-{mark}; while :; do sleep {mark}; done");
    format!(
        "( ( setsid env -i PATH=\"$PATH\" bash -c \"{deaf}\" >/dev/null 2>&1 & ) & ); until [ -e away-{mark} ]; do sleep 0.01; done"
    )
}

/// The levels that there are here, by the older names in the configuration.
pub(crate) fn levels(world: &World) -> Vec<&'static str> {
    let told = world.teammate(&["doctor"]).out;
    if told.contains("The full sandbox holds commands") {
        vec!["namespace", "descendants"]
    } else {
        println!("skipped: {told}");
        vec!["descendants"]
    }
}

/// Has commands held on this level at most.
pub(crate) fn configure(world: &World, level: &str) {
    let dir = world.work().join("../home/.config/teammate");
    fs::create_dir_all(&dir).unwrap();
    fs::write(
        dir.join("config.toml"),
        format!("containment = \"{level}\"\n"),
    )
    .unwrap();
}

#[test]
fn commands_run_wherever_the_workspace_is() {
    let script =
        "ls .team && echo hidden > /tmp/note && cat /tmp/note > made.txt && git init -q sub";
    let world = World::outside_tmp().replay(&play([(
        "lead",
        vec![bash(script).after("Go"), say("made").otherwise()],
    )]));
    world
        .teammate(&["run", "--permission-mode", "bypass", "Go"])
        .ends(0);
    assert_eq!(
        fs::read_to_string(world.path("made.txt")).unwrap(),
        "hidden\n"
    );
    assert!(world.path("sub/.git/HEAD").exists());
    let mut left: Vec<_> = fs::read_dir(world.work())
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    left.sort();
    assert_eq!(left, [".team", "made.txt", "sub"]);
}

#[test]
fn a_killed_host_leaves_nothing_running() {
    for (nth, level) in levels(&World::with_model("none:none"))
        .into_iter()
        .enumerate()
    {
        let mark = |what: usize| format!("{}.{nth}{what}", 300_000 + std::process::id());
        let (left, job, inner) = (mark(1), mark(2), mark(3));
        let world = World::playing(&play([(
            "lead",
            vec![
                bash(&fugitive(&left)),
                calls([(
                    "bash",
                    serde_json::json!({ "command": format!("{}; sleep 1000", fugitive(&job)), "run_in_background": true }),
                )]),
                bash(&format!("{}; sleep 1000", fugitive(&inner))),
            ],
        )]));
        configure(&world, level);
        let host = world.start(&["run", "--permission-mode", "bypass", "Go"]);
        let all = [&left, &job, &inner];
        until(
            || all.iter().all(|mark| runs(mark)),
            || "they do not start".to_owned(),
        );
        host.signal(Signal::KILL);
        host.end().ends(137);
        until(
            || !all.iter().any(|mark| runs(mark)),
            || format!("{level}: something is left"),
        );
    }
}

// fast: nothing runs on
#[test]
fn a_team_that_closes_leaves_nothing_running() {
    for (nth, level) in levels(&World::with_model("none:none"))
        .into_iter()
        .enumerate()
    {
        let mark = format!("{}.{nth}9", 300_000 + std::process::id());
        let world = World::playing(&play([(
            "lead",
            vec![bash(&fugitive(&mark)), say("Done").otherwise()],
        )]));
        configure(&world, level);
        world.run("Go").ends(0);
        assert!(world.path(&format!("away-{mark}")).exists());
        assert!(!runs(&mark), "{level}");
    }
}

#[test]
fn a_command_forges_neither_mail_nor_journal_nor_trust() {
    if !levels(&World::with_model("none:none")).contains(&"namespace") {
        return;
    }
    let forge = "echo '{}' >> .team/inbox/lead.jsonl; cp /dev/null .team/journal.jsonl; mkdir -p ~/.local/state/teammate/trust/x; \
        echo 'allow = [\"bash\"]' > ~/.config/teammate/config.toml; echo through";
    let world = World::playing(&play([(
        "lead",
        vec![bash(forge), say("Done").otherwise()],
    )]));
    world.run("Go").ends(0);
    let said = world.outcomes("lead").join("\n");
    assert!(said.contains("through"), "{said}");
    for (made, text) in [
        ("../home/.config/teammate/config.toml", "allow"),
        (".team/inbox/lead.jsonl", "{}"),
        ("../home/.local/state/teammate/trust/x", ""),
    ] {
        let found = fs::read_to_string(world.path(made)).unwrap_or_default();
        assert!(!world.path("../home/.local/state/teammate/trust/x").exists());
        assert!(!found.contains(text) || text.is_empty(), "{made}: {said}");
    }
    assert!(world.file(".team/journal.jsonl").contains("created"));
}
