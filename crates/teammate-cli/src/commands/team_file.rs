//! Files about a team in the user's state directory: a file for each team, readable by the user only.

use std::{
    fs::DirBuilder,
    os::unix::fs::DirBuilderExt as _,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, anyhow};
use teammate::TeamPlace;

use crate::settings::user_dirs;

/// The most characters of a file's name, without its ending.
const NAME_CHARS_MAX: usize = 150;

/// Where such a file is; its directory is made. `kind` names the directory.
pub(super) fn team_file(place: &TeamPlace, kind: &str, ending: &str) -> anyhow::Result<PathBuf> {
    let state = user_dirs().state;
    let state = state.ok_or_else(|| {
        anyhow!("there is no directory to keep a file about the team in (HOME is not set)")
    })?;
    let workspace = place.workspace().canonicalize();
    let workspace =
        workspace.with_context(|| format!("cannot use {}", place.workspace().display()))?;
    let dir = state.join(kind);
    DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(&dir)
        .with_context(|| format!("cannot make {}", dir.display()))?;
    let name = file_name(&workspace, place.team_name());
    Ok(dir.join(format!("{name}.{ending}")))
}

/// The end of the workspace's path and the team's name.
fn file_name(workspace: &Path, team: &str) -> String {
    let path = workspace.to_string_lossy();
    let plain = |c: char| match c {
        c if c.is_ascii_alphanumeric() || c == '.' || c == '_' => c,
        _ => '-',
    };
    let name: Vec<char> = format!("{path}.{team}").chars().map(plain).collect();
    let name: String = name[name.len().saturating_sub(NAME_CHARS_MAX)..]
        .iter()
        .collect();
    name.trim_start_matches(['-', '.']).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_file_is_a_plain_file_name() {
        for (workspace, name) in [
            ("/home/me/shop", "home-me-shop.default"),
            ("/a b/../ü", "a-b-..--.default"),
        ] {
            assert_eq!(file_name(Path::new(workspace), "default"), name);
        }
        let long = file_name(Path::new(&"/x".repeat(3_000)), "default");
        assert!(long.len() < 200 && !long.contains('/'), "{long}");
    }
}
