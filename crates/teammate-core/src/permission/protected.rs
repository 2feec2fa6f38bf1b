//! Places that decide what programs, shells or agents do later. Below `bypass`, the user is asked
//! before a write there, whatever the rules say.
//!
//! The places are in `tables.txt`. A help, not a wall: a build file or a test runs code as well, and a list is never whole.

use std::path::Path;

use super::tables::list;

/// Whether a path, relative to the workspace, is such a place. Upper and lower case are the same: to some disks they are.
pub(super) fn is_protected(path: &Path) -> bool {
    let parts: Vec<String> = path
        .components()
        .map(|part| part.as_os_str().to_string_lossy().to_ascii_lowercase())
        .collect();
    let begins = |parts: &[String], place: &str| {
        let mut parts = parts.iter();
        place
            .split('/')
            .all(|name| parts.next().is_some_and(|part| part == name))
    };
    let is_anywhere = |place: &&str| (0..parts.len()).any(|from| begins(&parts[from..], place));
    list("protected-anywhere").iter().any(is_anywhere)
        || list("protected-home")
            .iter()
            .any(|place| begins(&parts, place))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_that_steer_programs_are_protected() {
        for path in [
            ".git/hooks/pre-commit",
            "sub/.git/config",
            ".teammate/settings.toml",
            ".TEAMMATE/agents/x.md",
            ".claude/x",
            ".mcp.json",
            "sub/.mcp.json",
            ".bashrc",
            ".config/teammate/config.toml",
            ".ssh/authorized_keys",
            ".local/bin/git",
            ".zed/tasks.json",
            ".gemini/settings.json",
            ".windsurfrules",
            ".lefthook.yml",
            "lefthook.yml",
            ".husky/pre-commit",
            ".pre-commit-config.yaml",
            ".github/workflows/ci.yml",
            ".gitlab-ci.yml",
            ".circleci/config.yml",
            ".vimrc",
            ".exrc",
            ".emacs",
            "conftest.py",
            "tests/unit/conftest.py",
            "sitecustomize.py",
            ".yarnrc",
            ".yarn/releases/yarn.cjs",
            ".mise.toml",
            ".tool-versions",
            ".cargo/config",
            "src/.cargo/config.toml",
            "AGENTS.md",
            "crates/x/CLAUDE.md",
            "skills/review/SKILL.md",
        ] {
            assert!(is_protected(Path::new(path)), "{path}");
        }
        for path in [
            "",
            "src/a.rs",
            ".gitignore",
            ".git-blame-ignore-revs",
            ".github/CODEOWNERS",
            "workflows/ci.yml",
            "bashrc",
            "src/.config/x",
            ".cargo/x",
            "docs/agents.html",
            "Cargo.toml",
        ] {
            assert!(!is_protected(Path::new(path)), "{path}");
        }
    }

    #[test]
    fn the_list_is_in_small_letters() {
        let anywhere = list("protected-anywhere").iter();
        for place in anywhere.chain(list("protected-home")) {
            assert_eq!(*place, place.to_ascii_lowercase());
        }
    }
}
