//! The rules of directories that the briefing has, as [`RuleDir`] understands them, from files that may have been planted.

use std::path::Path;

use teammate_tools::instructions::RuleDir;

use super::source_dir::SourceDir;

/// One file.
pub(super) struct RuleFile {
    /// Its path below the directory that has the rules.
    pub(super) below: String,
    pub(super) text: String,
}

/// The files of this kind in `dir`, in order.
pub(super) fn read(
    kind: RuleDir,
    dir: &Path,
    max: usize,
    notices: &mut Vec<String>,
) -> Vec<RuleFile> {
    let folder = match SourceDir::of_workspace(dir, kind.path) {
        Ok(Some(folder)) => folder,
        Ok(None) => return Vec::new(),
        Err(notice) => {
            notices.push(notice);
            return Vec::new();
        }
    };
    let mut rules = Vec::new();
    for name in kind.files(dir) {
        match rule(kind, &folder, &name, max) {
            Ok(Some(text)) => rules.push(RuleFile {
                below: folder.shown(&name),
                text,
            }),
            Ok(None) => {}
            Err(notice) => notices.push(notice),
        }
    }
    rules
}

/// The text of one; nothing if it is empty.
fn rule(
    kind: RuleDir,
    folder: &SourceDir,
    name: &str,
    max: usize,
) -> Result<Option<String>, String> {
    let wrong = |why: String| format!("{} {why}; members do not get it", folder.shown(name));
    match folder.read(name, max)? {
        None => Ok(None),
        Some(bytes) if bytes.len() > max => Err(wrong(format!("is longer than {max} bytes"))),
        Some(bytes) => kind.text(&bytes).map_err(wrong),
    }
}
