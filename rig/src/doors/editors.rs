//! Clients of other people that drive `teammate acp` as editors do: the official SDKs of the Agent Client Protocol, each with the same
//! story (`rig/clients`), and the command line client `acpx`.

use std::path::{Path, PathBuf};

use super::{
    Came,
    install::{node, python, rust},
    place::{Place, teammate},
};
use xtask::root;

const PYTHON: &str = "agent-client-protocol==0.12.1";
const TYPESCRIPT: &str = "@agentclientprotocol/sdk@2.4.0";
const RUST: &str = "agent-client-protocol 5.0.0 (Rust)";
const ACPX: &str = "acpx@0.19.1";

/// A client: what runs it, with its first words, and where, if not in the workspace.
struct Editor {
    program: PathBuf,
    words: Vec<PathBuf>,
    dir: Option<PathBuf>,
}

fn in_node(name: &str, package: &str, script: &str) -> Result<Editor, String> {
    Ok(Editor {
        dir: Some(node(name, &[package])?),
        program: "node".into(),
        words: vec![clients().join(script)],
    })
}

fn clients() -> PathBuf {
    root().join("rig/clients")
}

pub(super) fn run() -> Result<Vec<(String, Came)>, String> {
    let teammate = teammate()?;
    let editors = [
        (
            PYTHON,
            python("editor-python", &[PYTHON]).map(|program| Editor {
                program,
                words: vec![clients().join("editor.py")],
                dir: None,
            }),
        ),
        (
            TYPESCRIPT,
            in_node("editor-typescript", TYPESCRIPT, "editor.mjs"),
        ),
        (
            RUST,
            rust().map(|program| Editor {
                program,
                words: vec!["editor".into()],
                dir: None,
            }),
        ),
        (ACPX, in_node("editor-acpx", ACPX, "acpx.mjs")),
    ];
    let tried = editors.into_iter().map(|(name, editor)| {
        let came = match editor {
            Err(why) => Came::Skipped(why),
            Ok(editor) => match came(&teammate, &editor) {
                Ok(()) => Came::Through("the whole story".to_owned()),
                Err(why) => Came::Not(why),
            },
        };
        (name.to_owned(), came)
    });
    Ok(tried.collect())
}

fn came(teammate: &Path, editor: &Editor) -> Result<(), String> {
    let place = Place::new()?;
    let play = clients().join("editor-play.json");
    let mut command = place.command(&editor.program);
    command
        .env("TEAMMATE_MODEL", format!("scripted:{}", play.display()))
        .args(&editor.words)
        .arg(teammate)
        .arg(place.work());
    if let Some(dir) = &editor.dir {
        command.current_dir(dir);
    }
    let status = command.status().map_err(|error| error.to_string())?;
    match status.success() {
        true => Ok(()),
        false => Err(status.to_string()),
    }
}
