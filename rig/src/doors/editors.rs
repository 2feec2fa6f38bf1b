//! Clients of other people that drive `teammate acp` as editors do: the libraries of the Agent Client Protocol, each with the same
//! story (`rig/clients`), and the command line client `acpx`.

use std::path::Path;

use xtask::root;

use super::{client::Client, place::Place};

/// Has it tell its story.
pub(crate) fn came(teammate: &Path, editor: &Client) -> Result<(), String> {
    let place = Place::new()?;
    let play = root().join("rig/clients/editor-play.json");
    let (program, words) = editor.words.split_first().ok_or("nothing runs it")?;
    let mut command = place.command(program);
    command
        .env("TEAMMATE_MODEL", format!("scripted:{}", play.display()))
        .args(words)
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
