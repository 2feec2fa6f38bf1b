//! Agents of other makes as members of a team: mail, a task of the board, a question, a few kills, an interrupt, a closed plan gate.

use std::path::Path;

use super::Tried;
use crate::{
    doors::{Came, members},
    listed::{AgentRow, Fetching, Kind},
};

pub(super) fn tried(row: &AgentRow, teammate: &Path, fetching: Fetching) -> Tried {
    println!("── {}", row.name);
    let came = match row.package.fetched(&format!("acp-{}", row.name), fetching) {
        Err(why) => Came::Skipped(why),
        Ok(dir) => members::came(&row.name, &dir, teammate).map_or_else(Came::Not, Came::Through),
    };
    let result = match &came {
        Came::Through(what) => what.clone(),
        Came::Skipped(_) => String::new(),
        Came::Not(why) => why.lines().next().unwrap_or_default().to_owned(),
    };
    Tried {
        kind: Kind::Agents,
        name: row.name.clone(),
        cells: vec![
            format!("`{}` {}", row.package.name, row.package.version),
            result,
        ],
        came,
    }
}
