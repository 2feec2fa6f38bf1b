//! An agent's own files: a home of its own, with copies of what the user lists. It never sees the user's.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use teammate_protocols::acp::AgentSettings;

/// Directories that programs look for below the home directory, unless these variables say otherwise.
const BASES: [(&str, &str); 4] = [
    ("XDG_CONFIG_HOME", ".config"),
    ("XDG_DATA_HOME", ".local/share"),
    ("XDG_STATE_HOME", ".local/state"),
    ("XDG_CACHE_HOME", ".cache"),
];

/// A file that an agent cannot get a copy of.
#[derive(Debug, thiserror::Error)]
#[error("{} cannot be copied for the agent: {error}", path.display())]
pub struct CopyError {
    /// Which, below the user's home directory.
    pub path: PathBuf,
    /// Why.
    pub error: io::Error,
}

/// Makes the home of an agent in the directory `own`, which is there, and says by which variables it finds it.
pub(super) fn furnish(
    own: &Path,
    settings: &AgentSettings,
    user_home: Option<&Path>,
) -> Result<Vec<(String, String)>, CopyError> {
    for path in &settings.login.copied {
        let copied = match user_home {
            Some(home) => copy(&home.join(path), &own.join(path)),
            None => Err(io::Error::other("you have no home directory")),
        };
        copied.map_err(|error| CopyError {
            path: path.into(),
            error,
        })?;
    }
    let variables = settings.login.variables.iter().copied();
    let below = variables.chain(BASES);
    let mut variables = vec![("HOME".to_owned(), own.display().to_string())];
    for (variable, path) in below {
        let dir = own.join(path);
        fs::create_dir_all(&dir).map_err(|error| CopyError {
            path: path.into(),
            error,
        })?;
        variables.push((variable.to_owned(), dir.display().to_string()));
    }
    Ok(variables)
}

fn copy(from: &Path, to: &Path) -> io::Result<()> {
    if !fs::metadata(from)?.is_file() {
        return Err(io::Error::other("it is no file"));
    }
    if let Some(dir) = to.parent() {
        fs::create_dir_all(dir)?;
    }
    // What the agent has renewed since stays.
    let changed = |path: &Path| fs::metadata(path)?.modified();
    if changed(to).is_ok_and(|copied| changed(from).is_ok_and(|at| at <= copied)) {
        return Ok(());
    }
    // With the rights that it has.
    fs::copy(from, to).map(drop)
}

#[cfg(test)]
mod tests {
    use teammate_core::variables::Variables;
    use teammate_protocols::acp::AgentTable;

    use super::*;

    #[test]
    fn only_what_is_listed_is_copied() {
        let dir = tempfile::tempdir().unwrap();
        let (home, own) = (dir.path().join("home"), dir.path().join("own"));
        fs::create_dir_all(home.join(".codex")).unwrap();
        fs::create_dir_all(&own).unwrap();
        fs::write(home.join(".codex/auth.json"), "key").unwrap();
        fs::write(home.join(".codex/config.toml"), "other").unwrap();
        let settings = |copy: &[&str]| {
            let table = AgentTable {
                copy: copy.iter().map(ToString::to_string).collect(),
                ..AgentTable::default()
            };
            table.settings("codex", &Variables::default()).unwrap()
        };
        let variables = furnish(&own, &settings(&[".codex/auth.json"]), Some(&home)).unwrap();
        assert_eq!(
            fs::read_to_string(own.join(".codex/auth.json")).unwrap(),
            "key"
        );
        assert!(!own.join(".codex/config.toml").exists());
        let codex = own.join(".codex").display().to_string();
        assert!(
            variables.contains(&("CODEX_HOME".to_owned(), codex)),
            "{variables:?}"
        );
        assert_eq!(variables[0], ("HOME".to_owned(), own.display().to_string()));
        for missing in [".codex", ".codex/none"] {
            furnish(&own, &settings(&[missing]), Some(&home)).unwrap_err();
        }
    }
}
