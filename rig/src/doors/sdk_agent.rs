//! An agent on the official Rust SDK of the Agent Client Protocol (`rig/clients/rust`) as a member of a team, with a play in the place
//! of the lead's model: it answers mail once, asks a question, is killed with its host and goes on in its session, and is
//! interrupted.

use std::{
    fs,
    io::{self, BufRead as _, BufReader},
    path::Path,
    process::{Child, Command, Stdio},
    thread,
    time::Duration,
};

use serde_json::json;

use super::{
    Came,
    agents::behind,
    place::{Place, output, teammate, until},
};
use crate::listed::install::rust;

const NAME: &str = "agent-client-protocol 5.0.0 (Rust)";

/// How long one step may take.
const STEP: Duration = Duration::from_secs(60);

pub(super) fn run() -> Result<Vec<(String, Came)>, String> {
    let teammate = teammate()?;
    let came = match rust("rig/clients/rust") {
        Err(why) => Came::Skipped(why),
        Ok(programs) => Stand::new(&programs.join("acp-sdk"), &teammate)
            .and_then(|stand| {
                story(&stand)
                    .map_err(|why| format!("{why}\n{}", stand.output(&["log"]).unwrap_or_default()))
            })
            .map_or_else(Came::Not, Came::Through),
    };
    Ok(vec![(NAME.to_owned(), came)])
}

fn story(stand: &Stand<'_>) -> Result<String, String> {
    stand.output(&["run", "Go"])?;
    stand.require("I am here")?;

    let host = stand.host()?;
    stand.output(&["send", "bob", "ASK whether to go on"])?;
    until(STEP, "its question is not asked", || {
        let asked = stand.output(&["requests"]);
        asked.is_ok_and(|asked| asked.contains("whether to go on"))
    })?;
    stand.output(&["approve", "req_000001"])?;
    until(STEP, "its question is not answered", || {
        stand.place.lead_heard("answered yes")
    })?;

    stand.output(&["send", "bob", "STAY a while"])?;
    until(STEP, "it has not begun", || {
        stand.prompts().contains("STAY")
    })?;
    stand.output(&["interrupt", "bob"])?;
    stand.output(&["send", "bob", "SAY I was interrupted"])?;
    until(STEP, "it does not go on after an interrupt", || {
        stand.place.lead_heard("I was interrupted")
    })?;

    stand.output(&["send", "bob", "STAY and be killed"])?;
    until(STEP, "it has not begun again", || {
        stand.prompts().contains("and be killed")
    })?;
    kill(host)?;
    let host = stand.host()?;
    stand.output(&["send", "bob", "SAY I came back"])?;
    stand.output(&["interrupt", "bob"])?;
    until(STEP, "it does not go on after a kill", || {
        stand.place.lead_heard("I came back")
    })?;
    stand.output(&["stop"])?;
    kill(host)?;

    let left = behind(&stand.place);
    if !left.is_empty() {
        return Err(format!("left running: {}", left.join("; ")));
    }
    let prompts = stand.prompts();
    for text in [
        "ASK whether to go on",
        "STAY a while",
        "SAY I was interrupted",
        "STAY and be killed",
        "SAY I came back",
    ] {
        let copies = prompts.matches(text).count();
        if copies != 1 {
            return Err(format!("'{text}' is {copies} times in its prompts"));
        }
    }
    Ok("mail once, a question, an interrupt, a kill, nothing left".to_owned())
}

fn kill(mut host: Child) -> Result<(), String> {
    // It may have come to its end.
    let _ = host.kill();
    host.wait().map(drop).map_err(|error| error.to_string())
}

/// A team whose lead spawns bob, whom the agent answers.
struct Stand<'a> {
    place: Place,
    teammate: &'a Path,
}

impl<'a> Stand<'a> {
    fn new(agent: &Path, teammate: &'a Path) -> Result<Self, String> {
        let place = Place::new()?;
        let entry = format!("[agent.sdk]\ncommand = [{agent:?}, \"agent\"]\n");
        let bob =
            json!({ "name": "bob", "role": "helper", "agent": "sdk", "prompt": "SAY I am here" });
        let spawn = json!({ "when": { "contains": "Go" }, "calls": [{ "tool": "spawn_teammate", "input": bob }] });
        let play = json!({ "members": { "lead": [spawn, { "say": "I wait.", "repeat": true }] } });
        for (name, text) in [("teammate.toml", entry), ("play.json", play.to_string())] {
            let path = place.home().join(name);
            fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
        }
        Ok(Self { place, teammate })
    }

    fn command(&self, words: &[&str]) -> Command {
        let home = self.place.home();
        let play = format!("scripted:{}", home.join("play.json").display());
        let mut command = self.place.command(self.teammate);
        command
            .args(words)
            .env("TEAMMATE_CONFIG", home.join("teammate.toml"))
            .env("TEAMMATE_MODEL", play);
        command
    }

    /// What a command says.
    fn output(&self, words: &[&str]) -> Result<String, String> {
        let ended = output(&mut self.command(words));
        ended.map_err(|why| format!("teammate {}: {why}", words.join(" ")))
    }

    /// A process that runs the team, once it takes orders.
    fn host(&self) -> Result<Child, String> {
        let mut command = self.command(&["up"]);
        command.stdout(Stdio::piped()).stderr(Stdio::null());
        let mut host = command.spawn().map_err(|error| error.to_string())?;
        let mut lines = BufReader::new(host.stdout.take().ok_or("no output")?).lines();
        let is_open = |line: io::Result<String>| line.is_ok_and(|line| line.contains("is open in"));
        if !lines.any(is_open) {
            return Err("the team is not open".to_owned());
        }
        // What it says later nobody reads, but it must be able to say it.
        thread::spawn(move || lines.for_each(drop));
        Ok(host)
    }

    fn require(&self, text: &str) -> Result<(), String> {
        match self.place.lead_heard(text) {
            true => Ok(()),
            false => Err(format!("the lead did not hear '{text}' from bob")),
        }
    }

    /// All prompts that the agent has had.
    fn prompts(&self) -> String {
        let homes = self.place.home().join(".local/state/teammate/agents");
        let teams = fs::read_dir(homes).into_iter().flatten().flatten();
        let agents = teams.flat_map(|team| fs::read_dir(team.path()).into_iter().flatten());
        let files = agents.flatten().map(|agent| agent.path().join("prompts"));
        files
            .filter_map(|file| fs::read_to_string(file).ok())
            .collect()
    }
}
