//! Files that went away or hold something else than they should: what is kept twice goes on, what is damaged is named with the way
//! out, one member's file costs that member, and nothing hangs.

mod matrix;

use std::fs;

use serde_json::json;

use crate::{
    play::{Scene as _, calls, play, say},
    world::World,
};

/// A lead with alice and bob, who have heard their assignments, and a task.
fn three() -> World {
    let spawn = |name: &str| json!({ "name": name, "role": "coder", "prompt": "Begin" });
    let world = World::playing(&play([
        (
            "lead",
            vec![
                calls([
                    ("spawn_teammate", spawn("alice")),
                    ("spawn_teammate", spawn("bob")),
                ])
                .after("The job"),
                say("I wait.").otherwise(),
            ],
        ),
        ("alice", vec![say("I am here.").otherwise()]),
        ("bob", vec![say("Me too.").otherwise()]),
    ]));
    world.run("The job").ends(0);
    world
        .teammate(&["tasks", "add", "Paint it", "--requires", "role:painter"])
        .ends(0);
    world
}

/// The files of this ending in the user's record of teams.
fn of_teams(world: &World, ending: &str) -> std::path::PathBuf {
    let teams = world.path("../home/.local/state/teammate/teams");
    let found = fs::read_dir(teams)
        .unwrap()
        .map(|file| file.unwrap().path());
    let mut found = found.filter(|path| path.extension().is_some_and(|end| end == ending));
    found.next().unwrap()
}

// fast: the verb recover
#[test]
fn a_journal_that_is_gone_is_put_back_from_its_copy() {
    for harm in [
        None,
        Some(""),
        Some("garbage\nand more\n"),
        Some("{\"n\":0,\"at\":17"),
    ] {
        let world = three();
        let journal = world.path(".team/journal.jsonl");
        let whole = fs::read_to_string(&journal).unwrap();
        match harm {
            None => fs::remove_file(&journal).unwrap(),
            Some(harm) => fs::write(&journal, harm).unwrap(),
        }
        let team = world.teammate(&["team"]).ends(0);
        let team = team.says("alice").says("bob").says("Tasks: 0 of 1");
        team.complains("it was put back from its copy");
        assert_eq!(fs::read_to_string(&journal).unwrap(), whole);
        let kept = fs::read_to_string(world.path(".team/journal.jsonl.damaged"));
        assert_eq!(kept.ok().as_deref(), harm.filter(|harm| !harm.is_empty()));
        world.teammate(&["tasks"]).ends(0).says("Paint it");
        let again = world.resume().ends(0);
        assert!(!again.err.contains("put back"), "{}", again.err);
        world.assert_at_rest();
    }
}

#[test]
fn without_a_copy_a_lost_journal_is_named_with_what_is_there_and_nothing_begins_over_it() {
    let world = three();
    fs::remove_file(of_teams(&world, "journal")).unwrap();
    fs::write(world.path(".team/journal.jsonl"), "").unwrap();
    for words in [&["team"][..], &["resume"], &["run", "Hello"], &["tasks"]] {
        let refused = world.teammate(words).ends(1);
        refused
            .complains("journal.jsonl was empty, and your state directory has no copy of it")
            .complains("alice, bob, lead")
            .complains("teammate recover");
    }
    world
        .teammate(&["doctor", "--offline"])
        .ends(1)
        .says("journal.jsonl was empty");
}

#[test]
fn a_team_that_was_removed_whole_is_not_put_back() {
    let world = three();
    fs::remove_dir_all(world.path(".team")).unwrap();
    world
        .teammate(&["team"])
        .ends(1)
        .complains("there is no team");
    let run = world.run("Hello").ends(0);
    assert!(
        !run.out.contains("alice") && !run.err.contains("put back"),
        "{}",
        run.err
    );
}

#[test]
fn the_record_of_teams_and_the_key_are_read_from_the_copy_that_is_whole() {
    for harm in ["", "garbage"] {
        let world = three();
        fs::write(of_teams(&world, "json"), harm).unwrap();
        world.teammate(&["team"]).ends(0).says("alice");
        let key = world.path("../home/.local/state/teammate/mail.key");
        fs::write(&key, harm).unwrap();
        let doctor = world.teammate(&["doctor", "--offline"]);
        assert!(
            doctor.out.contains("mail.key") || doctor.err.contains("mail.key"),
            "{}",
            doctor.out
        );
        world.resume().ends(0).complains("its copy is used");
        world.assert_at_rest();
    }
}

#[test]
fn a_record_that_is_damaged_twice_is_named_and_the_team_is_adopted_after_a_yes() {
    let world = three();
    fs::write(of_teams(&world, "json"), "").unwrap();
    fs::write(of_teams(&world, "copy"), "{").unwrap();
    let refused = world.teammate(&["team"]).ends(1);
    refused
        .complains(".json is damaged: it is empty, so nothing proves that this team is yours")
        .complains("teammate trust --team");
    world
        .teammate(&["trust", "--team", "--yes"])
        .ends(0)
        .says("alice");
    world.teammate(&["team"]).ends(0).says("bob");

    let world = three();
    let key = world.path("../home/.local/state/teammate/mail.key");
    fs::write(&key, "").unwrap();
    fs::remove_file(key.with_extension("key.copy")).unwrap();
    world
        .teammate(&["team"])
        .ends(1)
        .complains("mail.key cannot be read: it is no key (0 bytes instead of 32)");
    // With a key that the next process does not have nothing is sealed.
    world.teammate(&["trust", "--team", "--yes"]).ends(1);
    fs::remove_file(&key).unwrap();
    world.teammate(&["trust", "--team", "--yes"]).ends(0);
    world.teammate(&["team"]).ends(0).says("bob");
}

#[test]
fn one_members_file_costs_that_member_until_it_is_good_again() {
    for file in ["transcript.jsonl", "owner.lock"] {
        let world = three();
        let path = world.path(".team/agents/alice").join(file);
        let kept = path.with_extension("kept");
        fs::rename(&path, &kept).unwrap();
        fs::create_dir(&path).unwrap();
        world.teammate(&["send", "bob", "go on"]).ends(0);
        let resumed = world.resume();
        assert!(resumed.err.contains(file), "{}", resumed.err);
        let bob = world.heard("bob");
        assert!(bob.iter().any(|mail| mail.contains("go on")), "{bob:?}");
        world
            .teammate(&["team"])
            .ends(0)
            .says("alice")
            .says("failed");
        world
            .teammate(&["doctor", "--offline"])
            .says("alice cannot be opened");
        fs::remove_dir(&path).unwrap();
        fs::rename(&kept, &path).unwrap();
        world.teammate(&["send", "alice", "are you back"]).ends(0);
        world.resume().ends(0);
        let alice = world.heard("alice");
        assert!(
            alice.iter().any(|mail| mail.contains("are you back")),
            "{alice:?}"
        );
    }
}

#[test]
fn a_team_without_any_journal_is_put_together_from_what_is_there() {
    let world = three();
    fs::remove_file(of_teams(&world, "journal")).unwrap();
    fs::write(world.path(".team/journal.jsonl"), "garbage\n").unwrap();
    let shown = world.teammate(&["recover"]).ends(1);
    shown
        .says("alice (coder)")
        .says("bob (coder)")
        .says("#1 Paint it")
        .complains("teammate recover --yes");
    world.teammate(&["team"]).ends(1);
    world
        .teammate(&["recover", "--yes"])
        .ends(0)
        .says("there again");
    world
        .teammate(&["team"])
        .ends(0)
        .says("alice")
        .says("bob")
        .says("Tasks: 0 of 1");
    assert_eq!(world.file(".team/journal.jsonl.lost"), "garbage\n");
    world
        .teammate(&["recover"])
        .ends(0)
        .says("nothing to recover");
    // They remember, and go on.
    world.teammate(&["send", "alice", "are you back"]).ends(0);
    let resumed = world.resume();
    assert!(
        !resumed.err.contains("missing at the end"),
        "{}",
        resumed.err
    );
    let heard = world.heard("alice");
    for text in ["Begin", "are you back"] {
        assert!(heard.iter().any(|mail| mail.contains(text)), "{heard:?}");
    }
}

#[test]
fn a_directory_that_came_from_elsewhere_is_not_recovered() {
    let world = three();
    fs::write(world.path(".team/journal.jsonl"), "").unwrap();
    let state = world.path("../other-state").display().to_string();
    let other = world.again().env("XDG_STATE_HOME", &state);
    other
        .teammate(&["recover", "--yes"])
        .ends(1)
        .complains("there is no team");
    assert_eq!(world.file(".team/journal.jsonl"), "");
}
