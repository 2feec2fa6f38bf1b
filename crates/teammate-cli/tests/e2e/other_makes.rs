//! Members that agents of other makes answer: the same mail, board, questions, gate and ends as everybody's.

mod gate;
mod kills;
mod life;

use std::{fs, path::PathBuf};

use serde_json::{Value, json};

use rustix::process::Pid;
use teammate_core::transcript::Entry;

use crate::{
    play::{Scene as _, calls, play, say},
    world::{World, files, until},
};

/// A world in which the user has configured an agent without a model, which does what its prompts say.
fn world(play: &Value) -> World {
    configured(play, ("", ""))
}

/// With more settings before and behind the agent's.
fn configured(play: &Value, (before, behind): (&str, &str)) -> World {
    // What is in the machine's own /tmp, no agent sees.
    let world = World::outside_tmp().replay(play);
    let config = world.path("../config.toml");
    let program = env!("CARGO_BIN_EXE_teammate");
    let text =
        format!("{before}[agent.bot]\ncommand = [{program:?}, \"agents\", \"play\"]\n{behind}");
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

/// The sessions to which bob's mail was handed over.
fn handovers(world: &World) -> Vec<String> {
    let entries = world.entries("bob").into_iter();
    entries
        .filter_map(|entry| match entry {
            Entry::HandedOver(handover) => Some(handover.session),
            _ => None,
        })
        .collect()
}

/// Processes with this in their command line.
fn processes(text: &str) -> Vec<Pid> {
    let all = fs::read_dir("/proc").unwrap().flatten();
    all.filter_map(|entry| {
        let number: i32 = entry.file_name().to_str()?.parse().ok()?;
        let words = fs::read(entry.path().join("cmdline")).ok()?;
        let line = String::from_utf8_lossy(&words).replace('\0', " ");
        line.contains(text).then(|| Pid::from_raw(number))?
    })
    .collect()
}

fn running(text: &str) -> usize {
    processes(text).len()
}

/// The agents of this world that run.
fn playing(world: &World) -> Vec<Pid> {
    let home = world.path("..").canonicalize().unwrap();
    let mut all = processes("agents play");
    all.retain(|process| {
        let environment = fs::read(format!("/proc/{}/environ", process.as_raw_nonzero()));
        let environment = environment.unwrap_or_default();
        String::from_utf8_lossy(&environment).contains(&home.display().to_string())
    });
    all
}
