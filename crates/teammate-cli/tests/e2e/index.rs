//! The teams that the user has opened, wherever they are.

use std::{fs, os::unix::fs::MetadataExt as _};

use serde_json::{Value, json};

use crate::{
    play::{Scene as _, bash, play, say},
    world::{World, files, until},
};

fn teams(world: &World) -> Vec<Value> {
    let run = world.teammate(&["teams", "--json"]).ends(0);
    let value: Value = serde_json::from_str(&run.out).unwrap();
    value["teams"].as_array().unwrap().clone()
}

// fast: the verb teams
#[test]
fn teams_are_listed_with_what_waits_until_their_directories_are_gone() {
    let world = World::playing(&play([(
        "lead",
        vec![
            bash("touch made").after("make it"),
            say("Done.").otherwise(),
        ],
    )]));
    world
        .teammate(&["teams"])
        .ends(0)
        .says("You have opened no team yet");
    fs::create_dir(world.path("../other")).unwrap();
    world.run("Go").ends(0);
    world.teammate(&["run", "--team", "review", "Go"]).ends(0);
    world.teammate(&["run", "--ephemeral", "Go"]).ends(0);
    let up = world.start(&["up", "--dir", "../other"]);
    up.until("is open in process");
    let other = ["--dir", "../other"];
    world
        .teammate(&[&["send", "lead", "make it"][..], &other].concat())
        .ends(0);
    until(|| teams(&world)[0]["needs"] == 1, || up.err());
    let all = teams(&world);
    let fields = |team: &Value| (team["team_name"].clone(), team["state"].clone());
    assert_eq!(
        all.iter().map(fields).collect::<Vec<_>>(),
        [
            (json!("default"), json!("running")),
            (json!("review"), json!("not_running")),
            (json!("default"), json!("not_running")),
        ]
    );
    assert!(all[0]["dir"].as_str().unwrap().ends_with("/other"));
    world
        .teammate(&["teams"])
        .ends(0)
        .says("/other  default  running in process ")
        .says(", 1 needs you  (opened ");
    world
        .teammate(&[&["stop", "--now"][..], &other].concat())
        .ends(0);
    up.end().ends(0);
    assert_eq!(teams(&world)[0]["state"], "paused");

    fs::remove_dir_all(world.path("../other")).unwrap();
    assert_eq!(teams(&world).len(), 2);
    let index = files(&world.path("../home/.local/state/teammate/index"));
    assert_eq!(index.len(), 2);
    for file in index {
        assert_eq!(fs::metadata(&file).unwrap().mode() & 0o777, 0o600);
        let line: Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
        let fields: Vec<&String> = line.as_object().unwrap().keys().collect();
        assert_eq!(fields, ["workspace", "team", "key", "opened"]);
    }
}
