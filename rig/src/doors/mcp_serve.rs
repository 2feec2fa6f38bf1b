//! The official SDKs as clients of `teammate mcp serve`, each with the same story (`rig/clients`), on standard input and output and
//! over HTTP.

use std::{
    io::{BufRead as _, BufReader},
    path::Path,
    process::{Child, Command, Stdio},
};

use xtask::root;

use super::{client::Client, place::Place};

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

/// Tells the story of `rig/clients/story.py` by both doors.
pub(crate) fn came(teammate: &Path, client: &Client) -> Result<(), String> {
    for door in [Door::Stdio, Door::Http] {
        came_by(teammate, door, client).map_err(|why| format!("{}: {why}", door.name()))?;
    }
    Ok(())
}

fn came_by(teammate: &Path, door: Door, client: &Client) -> Result<(), String> {
    let Client { words, dir } = client;
    let place = Place::new()?;
    let (program, words) = words.split_first().ok_or("nothing runs it")?;
    let (mut client, served);
    client = ours(&place, program);
    client.args(words).arg(door.name());
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
