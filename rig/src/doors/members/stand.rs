//! A team with one member that an agent of another make answers, and what users do with it.

use std::{
    fs,
    path::Path,
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use super::{STEP, script};
use crate::doors::{
    acp::Agent,
    agents::processes,
    place::{Place, output, until},
};

/// The mode in which everything is allowed.
const EVERYTHING: &str = "bypass";

/// What runs while a turn is interrupted, but for what distinguishes it.
const ENDLESS: &str = "tail -f /dev/null";

/// The team's place.
pub(super) struct Stand<'a> {
    place: Place,
    teammate: &'a Path,
    path: String,
    mark: String,
}

impl<'a> Stand<'a> {
    pub(super) fn new(
        agent: &Agent,
        url: &str,
        dir: &Path,
        teammate: &'a Path,
    ) -> Result<Self, String> {
        let place = Place::new()?;
        let failed = |error: std::io::Error| error.to_string();
        for (path, text) in (agent.files)(url) {
            let path = place.home().join(path);
            if let Some(dir) = path.parent() {
                fs::create_dir_all(dir).map_err(failed)?;
            }
            fs::write(path, text).map_err(failed)?;
        }
        let programs = dir.join("node_modules/.bin");
        let entry = agent.entry(url, &programs);
        fs::write(place.home().join("teammate.toml"), entry).map_err(failed)?;
        let spawn = |name: &str, prompt: String, plan: bool| {
            json!({ "calls": [{ "tool": "spawn_teammate", "input": {
                "name": name, "role": "helper", "agent": agent.name, "prompt": prompt, "require_plan": plan,
            } }] })
        };
        let mut first = spawn("bob", script::message(1), false);
        first["when"] = json!({ "contains": "Go" });
        let mut gated = spawn("gil", script::command("touch gated-txt"), true);
        gated["when"] = json!({ "contains": "Gate" });
        let play =
            json!({ "members": { "lead": [first, gated, { "say": "I wait.", "repeat": true }] } });
        fs::write(place.home().join("play.json"), play.to_string()).map_err(failed)?;
        Ok(Self {
            path: format!("{}:/usr/local/bin:/usr/bin:/bin", programs.display()),
            mark: format!("no-file-{}", std::process::id()),
            place,
            teammate,
        })
    }

    pub(super) fn place(&self) -> &Place {
        &self.place
    }

    /// Gives the lead a job and waits until nobody works.
    pub(super) fn run(&self, job: &str) -> Result<(), String> {
        self.ends(&["run", "--continue", job], true)
    }

    pub(super) fn resume(&self) -> Result<(), String> {
        self.ends(&["resume"], true)
    }

    pub(super) fn send(&self, text: &str) -> Result<(), String> {
        self.ends(&["send", "bob", text], false)
    }

    /// Goes on, and kills the program that runs the team; then goes on to the end.
    pub(super) fn kill_host(&self, delay: Duration) -> Result<(), String> {
        let mut host = self.started(&["resume"])?;
        thread::sleep(delay);
        // It may have come to its end.
        let _ = host.kill();
        host.wait().map_err(|error| error.to_string())?;
        self.resume()
    }

    /// Goes on to the end, and kills one process of the agent on the way: the one that `choose` says of so many. `None` if none runs
    /// by then, else its program.
    pub(super) fn kill_of_agent(
        &self,
        delay: Duration,
        choose: impl FnOnce(u64) -> u64,
    ) -> Result<Option<String>, String> {
        let mut host = self.started(&["resume"])?;
        thread::sleep(delay);
        let host_id = i32::try_from(host.id()).ok().and_then(Pid::from_raw);
        let mut there = processes(&self.place);
        there.retain(|(pid, _)| Some(*pid) != host_id);
        let killed = match there.len() {
            0 => None,
            count => {
                let at = choose(u64::try_from(count).unwrap_or(u64::MAX));
                let (pid, command) = there.swap_remove(usize::try_from(at).unwrap_or_default());
                // It may have come to its end.
                let killed = kill_process(pid, Signal::KILL).is_ok();
                killed.then_some(command)
            }
        };
        until(
            STEP,
            "the team did not come to its end after a kill",
            || host.try_wait().is_ok_and(|ended| ended.is_some()),
        )?;
        Ok(killed)
    }

    /// Puts a task on the board, and has bob take it and complete it.
    pub(super) fn board(&self) -> Result<String, String> {
        self.ends(&["tasks", "add", "Count the rivers"], false)?;
        self.send(&script::task(1))?;
        self.resume()?;
        let board = output(self.command(&["tasks"]).arg("--json"))?;
        let board: Value = serde_json::from_str(&board).map_err(|error| error.to_string())?;
        let task = &board["tasks"][0];
        let seen = (&task["owner"], &task["status"], &task["result"]);
        match seen == (&json!("bob"), &json!("completed"), &json!(script::RESULT)) {
            true => Ok("a task of the board taken and completed".to_owned()),
            false => Err(format!("the task is not as bob was to leave it: {task}")),
        }
    }

    /// Has bob run a command where he is to ask before, and answers his question from another terminal.
    pub(super) fn permission(&self) -> Result<String, String> {
        self.send(&script::command("touch asked-txt"))?;
        let mut host = self.hosting("ask", &["resume", "--answers", "wait"]);
        host.stdout(Stdio::null()).stderr(Stdio::null());
        let mut host = host.spawn().map_err(|error| error.to_string())?;
        let mut answered = 0;
        let ran = until(
            STEP,
            "a command that may be asked about did not run",
            || {
                answered += self.approved();
                self.has("asked-txt")
            },
        );
        let ended = ran.and_then(|()| {
            until(
                STEP,
                "the team did not come to its end after a question",
                || host.try_wait().is_ok_and(|ended| ended.is_some()),
            )
        });
        let _ = host.kill();
        let _ = host.wait();
        ended.map(|()| match answered {
            0 => "a command run without a question, within the walls".to_owned(),
            _ => "a command asked about in the one queue, and run after a yes".to_owned(),
        })
    }

    /// Says yes to what is asked now; how often.
    fn approved(&self) -> usize {
        let asked = output(self.command(&["requests"]).arg("--json")).unwrap_or_default();
        let asked: Value = serde_json::from_str(&asked).unwrap_or_default();
        let open = asked["requests"].as_array().into_iter().flatten();
        let ids = open.filter_map(|request| request["id"].as_str());
        ids.filter(|id| self.ends(&["approve", id], false).is_ok())
            .count()
    }

    /// Interrupts bob while a command of his runs.
    pub(super) fn interrupted(&self) -> Result<String, String> {
        let mut host = self.started(&["up"])?;
        let seen = self.interrupt();
        let stopped = self.ends(&["stop"], false);
        let _ = host.kill();
        let _ = host.wait();
        stopped.and(seen)
    }

    fn interrupt(&self) -> Result<String, String> {
        let line = format!("{ENDLESS} {}", self.mark);
        until(STEP, "the team is not open", || {
            self.ends(&["send", "bob", &script::command(&line)], false)
                .is_ok()
        })?;
        until(STEP, "no command ran", || self.running() > 0)?;
        self.ends(&["interrupt", "bob"], false)?;
        let begun = Instant::now();
        until(STEP, "the command ran on after the interrupt", || {
            self.running() == 0
        })?;
        let took = begun.elapsed().as_secs_f32();
        Ok(format!("its command gone {took:.1} s after an interrupt"))
    }

    pub(super) fn has(&self, file: &str) -> bool {
        self.place.work().join(file).exists()
    }

    /// What happened, for the reader of a failure.
    pub(super) fn log(&self) -> String {
        let log = self.command(&["log"]).output();
        log.map_or_else(
            |error| error.to_string(),
            |log| String::from_utf8_lossy(&log.stdout).into_owned(),
        )
    }

    fn running(&self) -> usize {
        let all = fs::read_dir("/proc").into_iter().flatten().flatten();
        let lines = all.filter_map(|entry| fs::read(entry.path().join("cmdline")).ok());
        let line = format!("{ENDLESS} {}", self.mark);
        lines
            .filter(|words| String::from_utf8_lossy(words).replace('\0', " ").trim() == line)
            .count()
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = self.place.command(self.teammate);
        command
            .args(arguments)
            .env("PATH", &self.path)
            .env("TEAMMATE_CONFIG", self.place.home().join("teammate.toml"));
        command
    }

    /// Runs the team in this mode.
    fn hosting(&self, mode: &str, arguments: &[&str]) -> Command {
        let play = format!("scripted:{}", self.place.home().join("play.json").display());
        let mut command = self.command(arguments);
        command.args([
            "--permission-mode",
            mode,
            "--network",
            "all",
            "--model",
            &play,
        ]);
        command
    }

    fn started(&self, arguments: &[&str]) -> Result<Child, String> {
        let mut command = self.hosting(EVERYTHING, arguments);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        command.spawn().map_err(|error| error.to_string())
    }

    fn ends(&self, arguments: &[&str], is_hosting: bool) -> Result<(), String> {
        let mut command = match is_hosting {
            true => self.hosting(EVERYTHING, arguments),
            false => self.command(arguments),
        };
        let ended = output(&mut command).map(drop);
        ended.map_err(|why| format!("teammate {}: {why}", arguments.join(" ")))
    }
}
