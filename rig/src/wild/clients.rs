//! Programs that drive ours, on the official SDKs: clients of `teammate mcp serve`, and editors of `teammate acp`.

use std::path::Path;

use xtask::root;

use super::Tried;
use crate::{
    doors::{Came, client::Client, editors, mcp_serve},
    listed::{ClientRow, Fetching, Kind, Registry},
};

pub(super) fn tried(kind: Kind, row: &ClientRow, teammate: &Path, fetching: Fetching) -> Tried {
    println!("── {}", row.name);
    let came = match client(row, fetching) {
        Err(why) => Came::Skipped(why),
        Ok(client) => {
            let came = match kind {
                Kind::Editors => editors::came(teammate, &client),
                Kind::Clients | Kind::Servers | Kind::Agents => mcp_serve::came(teammate, &client),
            };
            came.map_or_else(Came::Not, |()| Came::Through("the whole story".to_owned()))
        }
    };
    let result = match &came {
        Came::Through(_) | Came::Skipped(_) => "came through".to_owned(),
        Came::Not(why) => why.lines().next().unwrap_or_default().to_owned(),
    };
    Tried {
        kind,
        name: row.name.clone(),
        cells: vec![
            format!("`{}` {}", row.package.name, row.package.version),
            result,
        ],
        came,
    }
}

fn client(row: &ClientRow, fetching: Fetching) -> Result<Client, String> {
    let dir = row.package.fetched(&row.name, fetching)?;
    let script = root().join("rig/clients").join(&row.script);
    Ok(match &row.package.from {
        Registry::Npm => Client {
            words: vec!["node".into(), script],
            dir: Some(dir),
        },
        Registry::Pip => Client {
            words: vec![dir.join("bin/python"), script],
            dir: None,
        },
        Registry::Cargo(_) => Client {
            words: vec![dir.join("acp-sdk"), row.script.clone().into()],
            dir: None,
        },
    })
}
