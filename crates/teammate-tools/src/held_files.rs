//! Files of the workspace for programs of other makes that have ours read and write: no further than file tools go, and never what
//! decides what programs do later.

use std::{
    ffi::OsStr,
    io::Read as _,
    path::{Component, Path, PathBuf},
};

use teammate_core::port::{Workspace, WorkspaceAccess, WorkspaceFiles};
use teammate_sandbox::{PROTECTED, PROTECTED_IF_THERE};

use crate::beneath::{Intent, ResolvedPath, resolve};

/// The longest text that is read or written, in bytes.
const TEXT_MAX: u64 = 4 << 20;

/// Files beneath a workspace.
#[derive(Debug, Clone)]
pub struct HeldFiles {
    workspace: Workspace,
    access: WorkspaceAccess,
}

impl HeldFiles {
    /// Those of the workspace `root` of the team in `team_dir`; written only where the program itself may write.
    pub fn new((root, team_dir): (&Path, &Path), access: WorkspaceAccess) -> Self {
        Self {
            workspace: Workspace {
                root: root.to_owned(),
                team_dir: team_dir.to_owned(),
                outputs: team_dir.join("outputs"),
                tmp: None,
                unreadable: Vec::new(),
            },
            access,
        }
    }

    fn find(&self, path: &Path, intent: Intent) -> Result<ResolvedPath, String> {
        let text = path.to_str().ok_or("the path is no text")?;
        resolve(&self.workspace, text, intent).map_err(|error| error.to_string())
    }
}

impl WorkspaceFiles for HeldFiles {
    fn read(&self, path: &Path) -> Result<String, String> {
        let found = self.find(path, Intent::Look)?;
        let file = found.open().map_err(|error| error.to_string())?;
        let about = file.metadata().map_err(|error| error.to_string())?;
        if !about.is_file() {
            return Err("it is no file".to_owned());
        }
        let mut text = String::new();
        let mut file = file.take(TEXT_MAX + 1);
        file.read_to_string(&mut text)
            .map_err(|error| error.to_string())?;
        match text.len() as u64 > TEXT_MAX {
            true => Err(format!("it has more than {} MiB", TEXT_MAX >> 20)),
            false => Ok(text),
        }
    }

    fn write(&self, path: &Path, text: &str) -> Result<(), String> {
        if self.access == WorkspaceAccess::Reads {
            return Err("the workspace is read-only".to_owned());
        }
        if text.len() as u64 > TEXT_MAX {
            return Err(format!("it has more than {} MiB", TEXT_MAX >> 20));
        }
        let place = self.find(path, Intent::Change)?;
        if is_protected(place.display_path()) {
            return Err("it decides what programs do later; nobody writes there".to_owned());
        }
        let staged = place.stage(text.as_bytes());
        let written = staged.and_then(crate::beneath::Staged::commit);
        written.map_err(|error| error.to_string())
    }
}

/// Whether commands may not write there either.
fn is_protected(path: &Path) -> bool {
    let path: PathBuf = path
        .components()
        .filter_map(|part| match part {
            Component::Normal(name) => Some(name.to_ascii_lowercase()),
            Component::Prefix(_)
            | Component::RootDir
            | Component::CurDir
            | Component::ParentDir => None,
        })
        .collect();
    let names = PROTECTED.iter().chain(PROTECTED_IF_THERE);
    names
        .map(|name| OsStr::new(name).to_ascii_lowercase())
        .any(|name| path.starts_with(name))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn files_of_the_workspace_and_no_others() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap().join("work");
        let team = root.join(".team");
        fs::create_dir_all(&team).unwrap();
        fs::write(dir.path().join("secret"), "s").unwrap();
        std::os::unix::fs::symlink(dir.path().join("secret"), root.join("link")).unwrap();
        let files = HeldFiles::new((&root, &team), WorkspaceAccess::Writes);
        files.write(&root.join("a/b.txt"), "text").unwrap();
        assert_eq!(files.read(&root.join("a/b.txt")).unwrap(), "text");
        for outside in ["/etc/passwd", "../secret", "link", ".team/x", "a"] {
            files.read(Path::new(outside)).unwrap_err();
        }
        for kept in [
            "../x",
            "link",
            ".team/x",
            ".git/config",
            ".mcp.json",
            ".Claude/settings.json",
            ".github/workflows/x.yml",
            "/tmp/x",
        ] {
            files.write(Path::new(kept), "x").unwrap_err();
        }
        assert_eq!(fs::read_to_string(dir.path().join("secret")).unwrap(), "s");
        let looks = HeldFiles::new((&root, &team), WorkspaceAccess::Reads);
        assert_eq!(looks.read(Path::new("a/b.txt")).unwrap(), "text");
        looks.write(Path::new("a/b.txt"), "x").unwrap_err();
    }
}
