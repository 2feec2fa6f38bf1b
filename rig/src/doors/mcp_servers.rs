//! Servers of tools of other people: those of the protocol's authors, and small ones written with the official SDKs. Each is added,
//! tried, and called by a lead whose model is a play.

use std::{
    fs,
    path::{Path, PathBuf},
};

use serde_json::{Value, json};

use super::{
    Came,
    install::{node, python},
    place::{Place, teammate},
};
use xtask::root;

const PYTHON_2: &str = "mcp==2.3.0";
const PYTHON_1: &str = "mcp==1.30.0";
const TYPESCRIPT: &str = "@modelcontextprotocol/sdk@1.32.2";
const FILESYSTEM: &str = "@modelcontextprotocol/server-filesystem@2026.8.31";
const EVERYTHING: &str = "@modelcontextprotocol/server-everything@2026.8.31";
const MEMORY: &str = "@modelcontextprotocol/server-memory@2026.8.31";
const FETCH: &str = "mcp-server-fetch==2026.10.24";
const GIT: &str = "mcp-server-git==2026.10.19";

/// A server: what starts it in a workspace, one call of it, and what its answer must hold.
struct Server {
    name: &'static str,
    words: Result<Vec<String>, String>,
    call: (&'static str, Value),
    answers: &'static str,
}

fn servers(work: &Path) -> Vec<Server> {
    let file = |name: &str| root().join("rig/servers").join(name);
    let words = |words: &[&Path]| {
        let words = words.iter().map(|word| word.display().to_string());
        words.collect::<Vec<_>>()
    };
    let of_npm = |set: &str, package: &'static str, program: &str, more: &[&Path]| {
        let dir = node(set, &[package])?;
        let program = dir.join("node_modules/.bin").join(program);
        Ok(words(&[&[program.as_path()], more].concat()))
    };
    let of_pip = |set: &str, package: &'static str, program: &str, more: &[&Path]| {
        let python = python(set, &[package])?;
        let program = python.with_file_name(program);
        Ok(words(&[&[program.as_path()], more].concat()))
    };
    let script = |set: &str, package: &'static str, name: &str| {
        let python = python(set, &[package])?;
        Ok(words(&[&python, &file(name)]))
    };
    let add = || ("add", json!({ "a": 19, "b": 23 }));
    let note = work.join("note.txt").display().to_string();
    vec![
        Server {
            name: FILESYSTEM,
            words: of_npm(
                "server-filesystem",
                FILESYSTEM,
                "mcp-server-filesystem",
                &[work],
            ),
            call: ("read_text_file", json!({ "path": note })),
            answers: "Buy milk.",
        },
        Server {
            name: EVERYTHING,
            words: of_npm(
                "server-everything",
                EVERYTHING,
                "mcp-server-everything",
                &[],
            ),
            call: ("echo", json!({ "message": "through the door" })),
            answers: "Echo: through the door",
        },
        Server {
            name: MEMORY,
            words: of_npm("server-memory", MEMORY, "mcp-server-memory", &[]),
            call: ("search_nodes", json!({ "query": "nobody" })),
            answers: "entities",
        },
        Server {
            name: FETCH,
            words: of_pip(
                "server-fetch",
                FETCH,
                "mcp-server-fetch",
                &[Path::new("--allow-private-ips")],
            ),
            // Names have private addresses in its network, and it connects nowhere: its entry lists no host.
            call: ("fetch", json!({ "url": "http://example.org/" })),
            answers: "example.org",
        },
        Server {
            name: GIT,
            words: of_pip(
                "server-git",
                GIT,
                "mcp-server-git",
                &[Path::new("--repository"), work],
            ),
            call: (
                "git_status",
                json!({ "repo_path": work.display().to_string() }),
            ),
            answers: "note.txt",
        },
        Server {
            name: PYTHON_2,
            words: script("mcp-2", PYTHON_2, "python-2.py"),
            call: add(),
            answers: "42",
        },
        Server {
            name: PYTHON_1,
            words: script("mcp-1", PYTHON_1, "python-1.py"),
            call: add(),
            answers: "42",
        },
        Server {
            name: TYPESCRIPT,
            words: node("mcp-typescript", &[TYPESCRIPT])
                .map(|dir| words(&[Path::new("node"), &file("typescript.mjs"), &dir])),
            call: add(),
            answers: "42",
        },
    ]
}

pub(super) fn run() -> Result<Vec<(String, Came)>, String> {
    let teammate = teammate()?;
    let place = Place::new()?;
    let files = |error: std::io::Error| error.to_string();
    fs::write(place.work().join("note.txt"), "Buy milk.\n").map_err(files)?;
    let mut git = place.command("git");
    let made = git.args(["init", "--quiet"]).status().map_err(files)?;
    if !made.success() {
        return Err(format!("git init: {made}"));
    }
    let servers = servers(&place.work()).into_iter();
    let come = servers.map(|server| {
        let came = match &server.words {
            Err(why) => Came::Skipped(why.clone()),
            Ok(words) => match came(&teammate, &place, &server, words) {
                Ok(what) => Came::Through(what),
                Err(why) => Came::Not(why),
            },
        };
        (server.name.to_owned(), came)
    });
    Ok(come.collect())
}

/// Adds it, tries it and has it called.
fn came(
    teammate: &Path,
    place: &Place,
    server: &Server,
    words: &[String],
) -> Result<String, String> {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    said(
        teammate,
        place,
        &[&["mcp", "add", "tried", "--"], &*words].concat(),
        &[],
    )?;
    let tried = said(teammate, place, &["mcp", "test", "tried", "--json"], &[])?;
    let tried: Value = serde_json::from_str(&tried).map_err(|error| format!("{error}: {tried}"))?;
    let (tool, input) = &server.call;
    let call = json!({ "tool": format!("mcp__tried__{tool}"), "input": input });
    let scenes = json!([
        { "calls": [call] },
        { "when": { "otherwise": true }, "say": "Done.", "repeat": true },
    ]);
    let play = place.home().join("play.json");
    let text = json!({ "members": { "lead": scenes } }).to_string();
    fs::write(&play, text).map_err(|error| error.to_string())?;
    let model = format!("scripted:{}", play.display());
    let model = [("TEAMMATE_MODEL", model.as_str())];
    said(
        teammate,
        place,
        &["run", "--allow", "mcp__tried", "Go"],
        &model,
    )?;
    let log = said(teammate, place, &["log", "--json"], &[])?;
    said(teammate, place, &["mcp", "remove", "tried"], &[])?;
    let mut ended = log.lines().rev();
    let last = ended.find(|line| line.contains("tool_finished"));
    match last {
        Some(line) if line.contains(server.answers) => Ok(format!(
            "{} tools, {} tokens, {} ms",
            tried["tools"].as_array().map_or(0, Vec::len),
            tried["tokens"],
            tried["milliseconds"]
        )),
        found => Err(format!("it answered: {}", found.unwrap_or("nothing"))),
    }
}

/// What the program says.
fn said(
    teammate: &Path,
    place: &Place,
    arguments: &[&str],
    environment: &[(&str, &str)],
) -> Result<String, String> {
    let program: PathBuf = teammate.to_owned();
    let mut command = place.command(&program);
    command.args(arguments).envs(environment.iter().copied());
    let ended = command.output().map_err(|error| error.to_string())?;
    let (out, err) = (
        String::from_utf8_lossy(&ended.stdout),
        String::from_utf8_lossy(&ended.stderr),
    );
    match ended.status.success() {
        true => Ok(out.into_owned()),
        false => Err(format!(
            "{}: {} {out} {err}",
            arguments.join(" "),
            ended.status
        )),
    }
}
