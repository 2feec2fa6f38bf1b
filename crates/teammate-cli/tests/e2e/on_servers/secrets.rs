//! Secrets of a worker's machine: no server stores or carries one.

use std::fs;

use serde_json::json;

use super::camp::Camp;
use crate::{
    play::{Scene as _, bash, play, say, spawn},
    wires::Vendor,
    world::{World, files, until},
};

/// The key of a model server.
const KEY: &str = "canary-key-of-a-model";

/// What a hook logs in with somewhere.
const TOKEN: &str = "canary-token-of-a-hook";

/// What is no secret: the search finds it.
const KNOWN: &str = "the wick is trimmed";

fn world(vendor: &Vendor) -> World {
    let world = World::with_model("work:m").env("WORK_KEY", KEY);
    let home = world.path("../home/.config/teammate");
    fs::create_dir_all(&home).unwrap();
    let config = format!(
        "[providers.work]\nwire = \"anthropic\"\nbase_url = \"{}\"\nkey_env = \"WORK_KEY\"\n",
        vendor.url()
    );
    fs::write(home.join("config.toml"), config).unwrap();
    // It uses its secret, and says nothing of it. Its environment has none (docs/hooks.md).
    let used = format!("echo {TOKEN} >> hook-ran");
    let hook = json!({ "type": "command", "command": used });
    let hooks = json!({ "hooks": { "PreToolUse": [{ "matcher": "Bash", "hooks": [hook] }] } });
    fs::write(home.join("hooks.json"), hooks.to_string()).unwrap();
    world
}

#[test]
fn keys_of_models_and_secrets_of_hooks_are_in_nothing_that_servers_store_or_carry() {
    let reads = || {
        vec![
            bash("cat notes.txt").after("Read"),
            say(KNOWN).after("notes"),
            say("I wait.").otherwise(),
        ]
    };
    let lead = vec![
        spawn([("alice", "coder", "Read the notes")]).after("begin"),
        say("I wait.").otherwise(),
    ];
    let vendor = Vendor::playing("127.0.0.1:0", &play([("lead", lead), ("alice", reads())]));
    let Some(camp) = Camp::traced(world(&vendor)) else {
        return;
    };
    camp.make_team();
    for worker in ["w1", "w2"] {
        let notes = format!("notes: {KEY} opens the model\n");
        fs::write(camp.dir_of(worker).join("notes.txt"), notes).unwrap();
    }
    let workers = ["w1", "w2"].map(|name| camp.worker(name));
    camp.ann(&["send", "lead", "begin"]).ends(0);
    let log = || camp.ann(&["log"]).out;
    until(|| log().contains(KNOWN), log);
    drop(workers);
    assert!(
        vendor
            .server
            .seen()
            .iter()
            .all(|seen| seen.header("x-api-key") == Some(KEY))
    );
    let ran = files(camp.dir())
        .into_iter()
        .filter(|path| path.ends_with("hook-ran"));
    let ran: Vec<_> = ran.map(|path| fs::read_to_string(path).unwrap()).collect();
    assert!(
        ran.iter().any(|ran| ran.contains(TOKEN)),
        "the hook had its secret"
    );

    let mut looked_at = Vec::new();
    // Streams, and the server's own record of all that it was sent and has sent.
    for path in files(camp.servers()[0].store().parent().unwrap()) {
        looked_at.push((path.display().to_string(), fs::read(&path).unwrap()));
    }
    let finds = |word: &str| {
        let has = |bytes: &[u8]| {
            bytes
                .windows(word.len())
                .any(|there| there == word.as_bytes())
        };
        looked_at
            .iter()
            .filter(|(_, bytes)| has(bytes))
            .map(|(of, _)| of.as_str())
            .collect::<Vec<_>>()
    };
    let (known, is_of) = (finds(KNOWN), |end: &'static str| {
        move |of: &&str| of.ends_with(end)
    });
    assert!(known.iter().any(is_of(".blk")), "it is stored: {known:?}");
    assert!(known.iter().any(is_of("/log")), "it is carried: {known:?}");
    assert_eq!(finds("canary"), [""; 0]);
    let bytes: usize = looked_at.iter().map(|(_, bytes)| bytes.len()).sum();
    println!("{bytes} bytes in {} files: 0 canaries", looked_at.len());
}
