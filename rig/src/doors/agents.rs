//! Five agents of other makes as clients of `teammate mcp serve`, each started as its users start it, without an account: a local
//! server takes the place of its model, and has it give the team a job, wait, send mail, wait again and read a result. That proves
//! how the programs work together, not what a real model makes of it.

mod claude;
mod codex;
mod gemini;
mod left;
mod opencode;
mod qwen;
mod steps;

use std::{
    fs::File,
    os::unix::process::CommandExt as _,
    path::{Path, PathBuf},
    process::{Child, Command, ExitStatus, Stdio},
    time::{Duration, Instant},
};

use rustix::process::{Pid, Signal, kill_process_group};

use super::{
    Came, chosen,
    model::{Asked, Model},
    place::{Place, teammate},
};
use crate::listed::install::node;
pub(super) use left::{behind, processes};
use steps::FINAL_WORDS;
use xtask::root;

/// Newer than what some of the machines have: the agents' newest versions ask for it.
pub(super) const NODE: &str = "node@22.23.3";

/// What each agent is asked.
const PROMPT: &str = "Have a haiku written by the team";

/// How long an agent may take, besides the time that the team takes.
const RUN_TIMEOUT: Duration = Duration::from_secs(240);

/// How long one of the agent's waits is, of a team that takes minutes: the longest that the server takes.
const LONG_WAIT_SECONDS: u64 = 240;
const WAIT_SECONDS: u64 = 40;

/// An agent: its package with its version, and how it is started.
struct Agent {
    name: &'static str,
    package: &'static str,
    start: fn(&Scene) -> Result<Command, String>,
}

const AGENTS: [Agent; 5] = [
    Agent {
        name: "claude",
        package: "@anthropic-ai/claude-code@2.1.330",
        start: claude::start,
    },
    Agent {
        name: "codex",
        package: "@openai/codex@0.169.0",
        start: codex::start,
    },
    Agent {
        name: "gemini",
        package: "@google/gemini-cli@0.61.0",
        start: gemini::start,
    },
    Agent {
        name: "qwen",
        package: "@qwen-code/qwen-code@0.24.4",
        start: qwen::start,
    },
    Agent {
        name: "opencode",
        package: "opencode-ai@1.18.33",
        start: opencode::start,
    },
];

/// What an agent is started with.
struct Scene<'a> {
    place: &'a Place,
    /// Where programs of packages are.
    programs: PathBuf,
    teammate: &'a Path,
    /// The play of the team.
    play: String,
    /// The model server.
    url: String,
}

impl Scene<'_> {
    /// An agent's program, with the newer Node before the machine's.
    fn command(&self, program: &str) -> Command {
        let mut command = self.place.command(self.programs.join(program));
        let path = format!("{}:/usr/local/bin:/usr/bin:/bin", self.programs.display());
        command.env("PATH", path);
        command
    }

    /// Writes a file of the agent's configuration, below its home.
    fn configure(&self, below: &str, text: &str) -> Result<PathBuf, String> {
        let path = self.place.home().join(below);
        let dir = path.parent().unwrap_or(&path);
        let written = std::fs::create_dir_all(dir).and_then(|()| std::fs::write(&path, text));
        written.map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(path)
    }
}

/// Tries the agents that are named, or all. With `--minutes N` the team takes so long, and they wait for it.
pub(super) fn run(words: &[&str]) -> Result<Vec<(String, Came)>, String> {
    let (minutes, names) = match words {
        ["--minutes", minutes, names @ ..] => {
            let minutes = minutes
                .parse()
                .map_err(|_| "--minutes needs a number".to_owned())?;
            (minutes, names)
        }
        names => (0, names),
    };
    let agents = chosen(&AGENTS, names, |agent| agent.name)?;
    let teammate = teammate()?;
    let runtime = tokio::runtime::Runtime::new().map_err(|error| error.to_string())?;
    let _in_runtime = runtime.enter();
    let tried = agents.into_iter().map(|agent| {
        let came = match node(agent.name, &[NODE, agent.package]) {
            Err(why) => Came::Skipped(why),
            Ok(dir) => {
                let wait_seconds = match minutes {
                    0 => WAIT_SECONDS,
                    _ => LONG_WAIT_SECONDS,
                };
                let decide = move |asked: &Asked| steps::next(asked, wait_seconds);
                let model = runtime.block_on(Model::start(decide));
                let came = model.and_then(|model| came(agent, &model, &dir, &teammate, minutes));
                came.map_or_else(Came::Not, Came::Through)
            }
        };
        (agent.package.to_owned(), came)
    });
    Ok(tried.collect())
}

/// The play of the team, in which the poet takes so long.
fn play(place: &Place, minutes: u64) -> Result<PathBuf, String> {
    let failed = |error: std::io::Error| error.to_string();
    let path = place.home().join("play.json");
    let play = std::fs::read_to_string(root().join("rig/clients/play.json")).map_err(failed)?;
    let pause = format!("\"pause_ms\": {}", 1_500 + 60_000 * minutes);
    let play = play.replace("\"pause_ms\": 1500", &pause);
    std::fs::write(&path, play).map_err(failed)?;
    Ok(path)
}

/// Runs an agent to its end, and looks at what it did and left.
fn came(
    agent: &Agent,
    model: &Model,
    dir: &Path,
    teammate: &Path,
    minutes: u64,
) -> Result<String, String> {
    let place = Place::new()?;
    let play = play(&place, minutes)?;
    let scene = Scene {
        place: &place,
        programs: dir.join("node_modules/.bin"),
        teammate,
        play: format!("scripted:{}", play.display()),
        url: model.url(),
    };
    println!("\n── {}", agent.package);
    let mut command = (agent.start)(&scene)?;
    let (said, status) = to_its_end(
        &mut command,
        &place,
        RUN_TIMEOUT + Duration::from_secs(60 * minutes),
    )?;
    let calls = model.calls();
    println!("{}", calls.join(", "));
    let left = left::behind(&place);
    let wrong = match status {
        None => Some("it did not end in time".to_owned()),
        Some(status) if !status.success() => Some(status.to_string()),
        Some(_) if !said.contains(FINAL_WORDS) => Some("it did not say the result".to_owned()),
        Some(_) if !left.is_empty() => Some(format!("it left {}", left.join(", "))),
        Some(_) => None,
    };
    match wrong {
        None => Ok(format!("{} calls", calls.len())),
        Some(why) => {
            let end: Vec<&str> = said.lines().rev().take(15).collect();
            for line in end.iter().rev() {
                println!("  {}", line.chars().take(300).collect::<String>());
            }
            Err(format!("{why}; its calls: {}", calls.join(", ")))
        }
    }
}

/// What it prints, and how it ends; nothing, if it had to be ended.
fn to_its_end(
    command: &mut Command,
    place: &Place,
    timeout: Duration,
) -> Result<(String, Option<ExitStatus>), String> {
    let failed = |error: std::io::Error| error.to_string();
    let path = place.home().join("said.txt");
    let out = File::create(&path).map_err(failed)?;
    let err = out.try_clone().map_err(failed)?;
    // A group of its own: what it starts ends with it, if it has to be ended.
    command.stdin(Stdio::null()).stdout(out).stderr(err);
    let mut child = command.process_group(0).spawn().map_err(failed)?;
    let status = within(timeout, &mut child);
    if status.is_none() {
        if let Some(group) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) {
            let _ = kill_process_group(group, Signal::KILL);
        }
        let _ = child.wait();
    }
    let said = std::fs::read(&path).map_err(failed)?;
    Ok((String::from_utf8_lossy(&said).into_owned(), status))
}

fn within(time: Duration, child: &mut Child) -> Option<ExitStatus> {
    let begun = Instant::now();
    while begun.elapsed() < time {
        if let Ok(Some(status)) = child.try_wait() {
            return Some(status);
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    None
}
