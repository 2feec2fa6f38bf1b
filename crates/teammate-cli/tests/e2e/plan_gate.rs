//! The plan gate, told end to end: what leads and members do in its plays, and how it stands. The tests are in the modules.

mod jobs;
mod running;
mod user;

use serde_json::{Value, json};

use crate::{
    play::{Scene as _, bash, calls, play, say, send},
    world::{World, until},
};

fn spawn(name: &str, prompt: &str, plan: bool) -> (&'static str, Value) {
    let input = json!({ "name": name, "role": "coder", "prompt": prompt, "require_plan": plan });
    ("spawn_teammate", input)
}

fn write(path: &str) -> Value {
    calls([("write_file", json!({ "path": path, "content": "x\n" }))])
}

fn submit(plan: &str) -> Value {
    calls([("submit_plan", json!({ "plan": plan }))])
}

/// How a member's gate stands, as other programs see it.
fn gate(world: &World, name: &str) -> Value {
    let config = world.config();
    let mut members = config["members"].as_array().unwrap().iter();
    let member = members.find(|member| member["name"] == name).unwrap();
    member["plan"].clone()
}

/// The lead approves whatever plan comes.
fn approves() -> Value {
    let yes = json!({ "request_id": "{{request_id}}", "approve": true, "feedback": "go on" });
    calls([("review_plan", yes)])
        .after_mail_of("plan_approval_request")
        .again()
}

fn waits() -> Value {
    say("I wait.").otherwise()
}

fn outcome_with<'a>(outcomes: &'a [String], text: &str) -> &'a str {
    let found = outcomes.iter().find(|outcome| outcome.contains(text));
    found.unwrap_or_else(|| panic!("no outcome says '{text}': {outcomes:#?}"))
}
