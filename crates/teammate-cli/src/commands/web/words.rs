//! The words that the page's prompt offers: those of the other prompts, and files of the team's workspace alone.

use std::{
    path::{Component, Path, PathBuf},
    sync::Arc,
};

use teammate_view::Words;

use crate::commands::{CliContext, typed};

/// The words of a team in this workspace.
struct OfferedWords {
    workspace: PathBuf,
}

/// What the page offers where somebody types to the team in this place.
pub(super) fn words_of(place: &CliContext) -> Arc<dyn Words + Send + Sync> {
    let dir = &place.dir;
    let workspace = dir.canonicalize().unwrap_or_else(|_| dir.clone());
    Arc::new(OfferedWords { workspace })
}

impl Words for OfferedWords {
    fn commands(&self) -> Vec<(String, String)> {
        typed::offered_commands(&self.workspace)
    }

    fn members(&self) -> Vec<String> {
        Vec::new()
    }

    fn files(&self, begin: &str) -> Vec<String> {
        // Who comes by a page does not look around in the machine.
        let is_inside = |part| matches!(part, Component::Normal(_) | Component::CurDir);
        match Path::new(begin).components().all(is_inside) {
            true => typed::offered_files(&self.workspace, begin),
            false => Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_the_workspace_are_offered_and_no_others() {
        let dir = tempfile::tempdir().unwrap();
        let workspace = dir.path().join("work");
        std::fs::create_dir_all(workspace.join("src")).unwrap();
        std::fs::write(workspace.join("src/main.rs"), "").unwrap();
        std::fs::write(dir.path().join("secret"), "").unwrap();
        let words = OfferedWords { workspace };
        assert_eq!(words.files("s"), ["src/"]);
        assert_eq!(words.files("src/m"), ["src/main.rs"]);
        let outside = dir.path().join("s");
        for begin in ["../s", "src/../../s", outside.to_str().unwrap()] {
            assert!(words.files(begin).is_empty(), "{begin}");
        }
    }
}
