//! The official SDKs of the Agent Client Protocol as editors that drive `teammate acp`, each with the same story (`xtask/clients`).

use std::path::{Path, PathBuf};

use super::{
    Came,
    install::{node, python},
    place::{Place, teammate},
};
use crate::test::root;

const PYTHON: &str = "agent-client-protocol==0.12.1";
const TYPESCRIPT: &str = "@agentclientprotocol/sdk@2.4.0";

/// An editor: what runs it, and where, if not in the workspace.
type Editor = (PathBuf, &'static str, Option<PathBuf>);

pub(super) fn run() -> Result<Vec<(String, Came)>, String> {
    let teammate = teammate()?;
    let editors: [(&str, Result<Editor, String>); 2] = [
        (
            PYTHON,
            python("editor-python", &[PYTHON]).map(|python| (python, "editor.py", None)),
        ),
        (
            TYPESCRIPT,
            node("editor-typescript", &[TYPESCRIPT])
                .map(|dir| ("node".into(), "editor.mjs", Some(dir))),
        ),
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

fn came(teammate: &Path, (program, file, dir): &Editor) -> Result<(), String> {
    let place = Place::new()?;
    let clients = root().join("xtask/clients");
    let play = clients.join("editor-play.json");
    let mut editor = place.command(program);
    editor
        .env("TEAMMATE_MODEL", format!("scripted:{}", play.display()))
        .arg(clients.join(file))
        .arg(teammate)
        .arg(place.work());
    if let Some(dir) = dir {
        editor.current_dir(dir);
    }
    let status = editor.status().map_err(|error| error.to_string())?;
    match status.success() {
        true => Ok(()),
        false => Err(status.to_string()),
    }
}
