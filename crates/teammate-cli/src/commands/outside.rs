//! Where programs of the user's own begin that the workspace has no part in: what is found in a workspace would be found before
//! their own files.

use std::{
    env, fs,
    path::{Path, PathBuf},
};

/// The user's home directory, unless members work there.
pub(super) fn outside_of(workspace: &Path) -> PathBuf {
    let real = |path: &Path| fs::canonicalize(path).ok();
    let home = env::var_os("HOME").and_then(|home| real(Path::new(&home)));
    let workspace = real(workspace);
    let is_outside = |home: &PathBuf| workspace.is_none_or(|place| !home.starts_with(place));
    home.filter(|home| home.is_dir())
        .filter(is_outside)
        .unwrap_or_else(|| "/".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_not_where_members_work() {
        let home = fs::canonicalize(env::var_os("HOME").unwrap()).unwrap();
        assert_eq!(outside_of(&home), Path::new("/"));
        assert_eq!(outside_of(Path::new("/")), Path::new("/"));
        let other = tempfile::tempdir().unwrap();
        assert_eq!(outside_of(other.path()), home);
    }
}
