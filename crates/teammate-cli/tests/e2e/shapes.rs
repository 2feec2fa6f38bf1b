//! Repositories of the shapes that public ones have: each is built from its row in `shapes.toml`, and a team works in it. It reads
//! what is written down there, the lead uses its tools, and alice commits in a worktree, which the lead merges.
//!
//! `TEAMMATE_ROW=submodule` builds those with this in their names.

use std::{
    fs,
    panic::catch_unwind,
    process::Command,
    slice,
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

use serde::Deserialize;
use serde_json::{Value, json};

use crate::{
    play::{bash, calls, play, say},
    wires::{Vendor, anthropic_at},
    world::World,
};

/// So many at the same time: much of it is waiting.
const AT_ONCE: usize = 4;
/// The longest answer of a tool, in bytes: no shape floods a conversation.
const ANSWER_BYTES_MAX: usize = 64 << 10;

/// The words that rows are made of, for bash.
const WORDS: &str = r#"
set -eu
repo() {
    local last=.
    git init -q -b main "$@"
    for last; do true; done
    git -C "$last" config user.name Somebody
    git -C "$last" config user.email somebody@example.org
}
put() { mkdir -p "$(dirname -- "$1")" && cat > "$1"; }
commit() { git add -A && git commit -q --allow-empty -m "${1:-first}"; }
local_update() { git -c protocol.file.allow=always submodule --quiet "$@"; }
"#;

/// What alice does at her end.
const COMMIT: &str =
    "echo hers > hers.txt && git add hers.txt && git commit -q -m hers && git status --porcelain";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    shape: Vec<Shape>,
}

/// A row.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Shape {
    name: String,
    /// Makes it in the workspace, which is empty.
    make: String,
    /// Whether it stands elsewhere than below `/tmp`, of which commands see their own.
    #[serde(default)]
    outside_tmp: bool,
    /// What stands in the lead's briefing, once.
    #[serde(default)]
    briefing: Vec<String>,
    /// What the lead does.
    #[serde(default)]
    call: Vec<Call>,
    /// What alice runs first.
    #[serde(default = "nothing")]
    alice: String,
    /// What that prints.
    #[serde(default)]
    sees: Vec<String>,
    /// What the answer to her spawn says.
    #[serde(default = "own_worktree")]
    spawned: String,
    /// What the answer to her commit says.
    #[serde(default = "committed")]
    commits: String,
    /// What the answer to the merge says.
    #[serde(default = "merged")]
    merges: String,
    /// What the user reads is missing in her worktree.
    #[serde(default)]
    missing: Vec<String>,
}

/// A call of the lead's.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Call {
    tool: String,
    input: Value,
    #[serde(default)]
    says: Vec<String>,
    #[serde(default)]
    never: Vec<String>,
}

fn nothing() -> String {
    "true".to_owned()
}

fn own_worktree() -> String {
    "It works in its own worktree".to_owned()
}

fn committed() -> String {
    "exit status 0".to_owned()
}

fn merged() -> String {
    "Merged teammate/alice into ".to_owned()
}

impl Shape {
    fn play(&self) -> Value {
        let mut first = vec![("glob", json!({ "pattern": "**/*" }))];
        let own = self.call.iter();
        first.extend(own.map(|call| (&*call.tool, call.input.clone())));
        let spawn = json!({ "name": "alice", "prompt": "Work", "worktree": true });
        first.push(("spawn_teammate", spawn));
        let all = first.into_iter();
        let mut lead: Vec<Value> = all.map(|call| calls([call])).collect();
        lead.push(calls([("wait_for_team", json!({}))]));
        let merge = json!({ "name": "alice", "action": "merge" });
        lead.extend([calls([("finish_worktree", merge)]), say("done")]);
        let alice = vec![bash(&self.alice), bash(COMMIT), say("committed")];
        play([("lead", lead), ("alice", alice)])
    }

    /// What is wrong with it.
    fn faults(&self) -> Vec<String> {
        let vendor = Vendor::playing("127.0.0.1:0", &self.play());
        let world = match self.outside_tmp {
            true => World::outside_tmp()
                .env("TEAMMATE_MODEL", "anthropic:m")
                .env("ANTHROPIC_API_KEY", "key")
                .env("ANTHROPIC_BASE_URL", &vendor.url()),
            false => anthropic_at(&vendor),
        };
        if let Err(why) = in_bash(&world, &self.make) {
            return vec![format!("it could not be made: {why}")];
        }
        let status = || in_bash(&world, "git status --porcelain").unwrap_or_default();
        let before = status();
        let run = world.run("Go");
        let mut faults = Faults(Vec::new());
        let ended = format!("{}\n{}\n{}", run.code, run.out, run.err);
        faults.unless(run.code == 0, "the run", &ended);
        faults.unless(status() == before, "the workspace's files", &status());

        let body = vendor.bodies().first().map(ToString::to_string);
        let body = body.unwrap_or_default();
        for text in &self.briefing {
            let count = body.matches(text).count();
            faults.unless(
                count == 1,
                &format!("the briefing, {count} times '{text}',"),
                &body,
            );
        }
        let lead = world.outcomes("lead");
        let tail = ["spawn", "wait", "merge"];
        faults.unless(
            lead.len() == 1 + self.call.len() + tail.len(),
            "its calls",
            &lead.join("\n"),
        );
        for outcome in &lead {
            faults.unless(outcome.len() <= ANSWER_BYTES_MAX, "a long answer", outcome);
        }
        for (call, outcome) in self.call.iter().zip(&lead[1..]) {
            let what = format!("{} {}", call.tool, call.input);
            faults.unless_says(&call.says, &what, outcome);
            let has = call.never.iter().any(|text| outcome.contains(text));
            faults.unless(!has, &what, outcome);
        }
        let mut ends = lead.iter().skip(1 + self.call.len());
        let mut next = || ends.next().cloned().unwrap_or_default();
        let spawned = next();
        faults.unless_says(slice::from_ref(&self.spawned), "the spawn", &spawned);
        next();
        if spawned.contains(&own_worktree()) {
            let alice = world.outcomes("alice");
            let [did, committed] = &alice[..] else {
                faults.0.push(format!("alice: {alice:?}"));
                return faults.0;
            };
            faults.unless_says(&self.sees, "alice", did);
            faults.unless_says(slice::from_ref(&self.commits), "alice's commit", committed);
            faults.unless_says(slice::from_ref(&self.merges), "the merge", &next());
            let has_come = world.path("hers.txt").exists();
            let what = "what the merge brought";
            faults.unless(has_come == self.merges.starts_with("Merged"), what, "");
        }
        let list = world.teammate(&["worktrees"]).ends(0).out;
        faults.unless_says(&self.missing, "teammate worktrees", &list);
        faults.0
    }
}

struct Faults(Vec<String>);

impl Faults {
    fn unless(&mut self, holds: bool, what: &str, found: &str) {
        if !holds {
            let found: String = found.chars().take(3_000).collect();
            self.0.push(format!("{what} is wrong: {found}"));
        }
    }

    fn unless_says(&mut self, texts: &[String], what: &str, found: &str) {
        for text in texts {
            let what = format!("{what}, without '{text}',");
            self.unless(found.contains(text), &what, found);
        }
    }
}

/// Runs a script in the workspace, as somebody with no settings of git.
fn in_bash(world: &World, script: &str) -> Result<String, String> {
    let done = Command::new("bash")
        .args(["-c", &format!("{WORDS}\n{script}")])
        .current_dir(world.work())
        .env_clear()
        .env("PATH", std::env::var("PATH").unwrap())
        .env("HOME", "/nowhere")
        .env("LC_ALL", "C.UTF-8")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&done.stdout).into_owned();
    match done.status.success() {
        true => Ok(said),
        false => Err(said + &String::from_utf8_lossy(&done.stderr)),
    }
}

#[test]
fn a_team_works_in_repositories_as_they_are() {
    let table = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/e2e/shapes.toml");
    let table: Table = toml::from_str(&fs::read_to_string(table).unwrap()).unwrap();
    assert!(table.shape.len() >= 40);
    let only = std::env::var("TEAMMATE_ROW").unwrap_or_default();
    let shapes = table.shape.iter().filter(|row| row.name.contains(&only));
    let (shapes, wrong) = (Mutex::new(shapes), AtomicUsize::new(0));
    thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                loop {
                    let next = shapes.lock().unwrap().next();
                    let Some(shape) = next else { break };
                    let faults = catch_unwind(|| shape.faults());
                    let faults = faults.unwrap_or_else(|_| vec!["it panicked".to_owned()]);
                    for fault in &faults {
                        eprintln!("=== {}: {fault}\n", shape.name);
                    }
                    wrong.fetch_add(usize::from(!faults.is_empty()), Ordering::Relaxed);
                }
            });
        }
    });
    assert_eq!(wrong.into_inner(), 0, "so many shapes went wrong, above");
}
