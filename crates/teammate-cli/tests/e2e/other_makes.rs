//! Members that agents of other makes answer: the same mail, board, questions, gate and ends as everybody's.

mod kills;
mod life;

use std::{fs, path::PathBuf};

use serde_json::{Value, json};

use crate::{
    play::{Scene as _, calls, play, say},
    world::{World, files},
};

/// A world in which the user has configured an agent without a model, which does what its prompts say.
fn world(play: &Value) -> World {
    configured(play, "")
}

fn configured(play: &Value, more: &str) -> World {
    // What is in the machine's own /tmp, no agent sees.
    let world = World::outside_tmp().replay(play);
    let config = world.path("../config.toml");
    let program = env!("CARGO_BIN_EXE_teammate");
    let text = format!("[agent.bot]\ncommand = [{program:?}, \"agents\", \"play\"]\n{more}");
    fs::write(&config, text).unwrap();
    world.env("TEAMMATE_CONFIG", config.to_str().unwrap())
}

/// The lead spawns bob, an agent of another make.
fn spawn_bob(prompt: &str) -> Value {
    spawn_with(prompt, &json!({}))
}

fn spawn_with(prompt: &str, more: &Value) -> Value {
    let mut input = json!({ "name": "bob", "role": "helper", "agent": "bot", "prompt": prompt });
    for (name, value) in more.as_object().unwrap() {
        input[name] = value.clone();
    }
    calls([("spawn_teammate", input)])
}

/// The lead spawns bob and says how that went.
fn with_bob(prompt: &str) -> Value {
    play([(
        "lead",
        vec![spawn_bob(prompt), say("All done.").otherwise()],
    )])
}

/// All that the agent's own records hold, of all its sessions.
fn records(world: &World) -> String {
    let home = world.path("../home/.local/state/teammate/agents");
    let sessions = files(&home).into_iter();
    let sessions =
        sessions.filter(|path: &PathBuf| path.extension().is_some_and(|it| it == "jsonl"));
    sessions
        .map(|path| fs::read_to_string(path).unwrap())
        .collect()
}
