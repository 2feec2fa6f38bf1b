//! The official SDKs as clients of `teammate mcp serve`, each with the same story (`rig/clients`), on standard input and output and
//! over HTTP.

use std::{
    io::{BufRead as _, BufReader},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
};

use super::{
    Came,
    install::{node, python},
    place::{Place, teammate},
};
use xtask::root;

const PYTHON_2: &str = "mcp==2.3.0";
const PYTHON_1: &str = "mcp==1.30.0";
const TYPESCRIPT: &str = "@modelcontextprotocol/sdk@1.32.2";

/// A client: how it is called, and what runs it.
struct Client {
    name: &'static str,
    /// The interpreter with the client's file; where it is run, if not in the workspace.
    program: Result<(Vec<PathBuf>, Option<PathBuf>), String>,
}

/// How a client comes to the server.
#[derive(Clone, Copy)]
enum Door {
    Stdio,
    Http,
}

impl Door {
    fn name(self) -> &'static str {
        match self {
            Self::Stdio => "stdio",
            Self::Http => "http",
        }
    }
}

fn clients() -> Vec<Client> {
    let file = |name: &str| root().join("rig/clients").join(name);
    let script = |name, program: PathBuf| (vec![program, file(name)], None);
    vec![
        Client {
            name: PYTHON_2,
            program: python("mcp-2", &[PYTHON_2]).map(|python| script("python-2.py", python)),
        },
        Client {
            name: PYTHON_1,
            program: python("mcp-1", &[PYTHON_1]).map(|python| script("python-1.py", python)),
        },
        Client {
            name: TYPESCRIPT,
            program: node("mcp-typescript", &[TYPESCRIPT])
                .map(|dir| (vec!["node".into(), file("typescript.mjs")], Some(dir))),
        },
    ]
}

pub(super) fn run() -> Result<Vec<(String, Came)>, String> {
    let teammate = teammate()?;
    let mut all = Vec::new();
    for client in clients() {
        for door in [Door::Stdio, Door::Http] {
            let came = match &client.program {
                Err(why) => Came::Skipped(why.clone()),
                Ok((program, dir)) => {
                    let dir = dir.as_deref();
                    match came(&teammate, door, program, dir) {
                        Ok(()) => Came::Through("the whole story".to_owned()),
                        Err(why) => Came::Not(why),
                    }
                }
            };
            all.push((format!("{} {}", client.name, door.name()), came));
        }
    }
    Ok(all)
}

fn came(
    teammate: &Path,
    door: Door,
    program: &[PathBuf],
    dir: Option<&Path>,
) -> Result<(), String> {
    let place = Place::new()?;
    let (mut client, served);
    client = ours(&place, &program[0]);
    client.args(&program[1..]).arg(door.name());
    match door {
        Door::Stdio => {
            client.arg(teammate);
            client.args(["mcp", "serve", "--dir"]).arg(place.work());
        }
        Door::Http => {
            served = Served::start(&place, teammate)?;
            client.args([&served.url, &served.key_file]);
        }
    }
    if let Some(dir) = dir {
        client.current_dir(dir);
    }
    let status = client.status().map_err(|error| error.to_string())?;
    match status.success() {
        true => Ok(()),
        false => Err(status.to_string()),
    }
}

/// A program with the play in place of a model.
fn ours(place: &Place, program: &Path) -> Command {
    let play = root().join("rig/clients/play.json");
    let mut command = place.command(program);
    command.env("TEAMMATE_MODEL", format!("scripted:{}", play.display()));
    command
}

/// A server over HTTP, until it is dropped.
struct Served {
    process: Child,
    url: String,
    key_file: String,
}

impl Served {
    fn start(place: &Place, teammate: &Path) -> Result<Self, String> {
        let mut command = ours(place, teammate);
        command
            .args(["mcp", "serve", "--http"])
            .stdout(Stdio::piped());
        let mut process = command.spawn().map_err(|error| error.to_string())?;
        let mut line = String::new();
        if let Some(out) = process.stdout.take() {
            let read = BufReader::new(out).read_line(&mut line);
            read.map_err(|error| error.to_string())?;
        }
        let mut served = Self {
            process,
            url: String::new(),
            key_file: String::new(),
        };
        let words: Vec<&str> = line.split_whitespace().collect();
        let url = words.iter().find(|word| word.starts_with("http://"));
        let (Some(url), Some(key)) = (url, words.last()) else {
            return Err(format!("it does not serve: {line}"));
        };
        served.url = url.trim_end_matches(',').to_owned();
        served.key_file = (*key).to_owned();
        Ok(served)
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
