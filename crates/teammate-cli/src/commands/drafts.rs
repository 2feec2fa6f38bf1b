//! Drafts that were typed and not sent: a file for each team in the user's state directory. Both prompts take it up.

use std::{
    collections::BTreeMap,
    fs::{self, OpenOptions},
    io::Write as _,
    os::unix::fs::OpenOptionsExt as _,
    path::{Path, PathBuf},
};

use teammate::{Secrets, TeamState, platform::read_regular_text};

use crate::settings::user_dirs;

/// Only the user may read what they type.
const MODE: u32 = 0o600;

/// The file of a team's drafts; nothing without a state directory.
pub(super) fn drafts_file(team: &TeamState) -> Option<PathBuf> {
    let state = user_dirs().state?;
    Some(state.join("drafts").join(format!("{}.json", team.id())))
}

/// A team's drafts, by recipient.
pub(super) fn read_drafts(path: &Path) -> BTreeMap<String, String> {
    let text = read_regular_text(path).unwrap_or_default();
    serde_json::from_str(&text).unwrap_or_default()
}

/// Replaces the drafts at once, with these secrets hidden in them: a crash leaves the ones before.
pub(super) fn write_drafts(
    path: &Path,
    drafts: &BTreeMap<String, String>,
    secrets: &Secrets,
) -> std::io::Result<()> {
    if drafts.is_empty() {
        return match fs::remove_file(path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error),
            Err(_) | Ok(()) => Ok(()),
        };
    }
    if let Some(dir) = path.parent() {
        fs::create_dir_all(dir)?;
    }
    let new = path.with_extension("new");
    let mut file = OpenOptions::new()
        .create(true)
        .write(true)
        .truncate(true)
        .mode(MODE)
        .open(&new)?;
    let hidden = |(to, text): (&String, &String)| (to.clone(), secrets.redact(text).into_owned());
    let drafts: BTreeMap<String, String> = drafts.iter().map(hidden).collect();
    file.write_all(serde_json::to_string(&drafts)?.as_bytes())?;
    fs::rename(new, path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drafts_come_back_as_they_were_typed() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("deep/drafts.json");
        let drafts = |text: &str| BTreeMap::from([("lead".to_owned(), text.to_owned())]);
        let secrets = Secrets::new([("KEY".to_owned(), "sk-abcdefgh".to_owned())]);
        write_drafts(&path, &drafts("two\nlines"), &secrets).unwrap();
        assert_eq!(read_drafts(&path), drafts("two\nlines"));
        write_drafts(&path, &drafts("use sk-abcdefgh"), &secrets).unwrap();
        assert_eq!(read_drafts(&path), drafts("use [secret KEY]"));
        write_drafts(&path, &BTreeMap::new(), &secrets).unwrap();
        assert!(read_drafts(&path).is_empty() && !path.exists());
    }
}
