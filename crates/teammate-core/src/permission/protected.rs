//! Places that decide what programs, shells or agents do later. Below `bypass`, the user is asked
//! before a write there, whatever the rules say.
//!
//! A help, not a wall: a build file or a test runs code as well, and a list is never whole.

use std::path::Path;

/// Names, or a few in a row, wherever they stand in a path, in small letters. What lies below them is meant, too.
const ANYWHERE: &[(&str, &[&str])] = &[
    (
        "version control: hooks, filters and helpers are named there",
        &[".git", ".gitconfig", ".gitmodules", ".hg"],
    ),
    (
        "hook runners: they run commands at the next commit or push",
        &[
            ".githooks",
            ".husky",
            ".lefthook.toml",
            ".lefthook.yaml",
            ".lefthook.yml",
            ".lintstagedrc",
            ".lintstagedrc.json",
            ".overcommit.yml",
            ".pre-commit-config.yaml",
            ".pre-commit-hooks.yaml",
            "lefthook-local.yml",
            "lefthook.toml",
            "lefthook.yaml",
            "lefthook.yml",
        ],
    ),
    (
        "continuous integration: it runs with the project's secrets",
        &[
            ".appveyor.yml",
            ".buildkite",
            ".circleci",
            ".drone.yml",
            ".forgejo/workflows",
            ".gitea/workflows",
            ".github/actions",
            ".github/workflows",
            ".gitlab-ci.yml",
            ".travis.yml",
            ".woodpecker",
            ".woodpecker.yml",
            "appveyor.yml",
            "azure-pipelines.yml",
            "bitbucket-pipelines.yml",
            "jenkinsfile",
        ],
    ),
    (
        "coding agents: told to every later session, or what their tools start",
        &[
            ".agents",
            ".aider.conf.yml",
            ".amazonq",
            ".claude",
            ".clinerules",
            ".codex",
            ".continue",
            ".cursor",
            ".cursorrules",
            ".gemini",
            ".github/copilot-instructions.md",
            ".github/instructions",
            ".github/prompts",
            ".junie",
            ".kiro",
            ".mcp.json",
            ".opencode",
            ".roo",
            ".roorules",
            ".teammate",
            ".windsurf",
            ".windsurfrules",
            "agents.md",
            "agents.override.md",
            "claude.local.md",
            "claude.md",
            "gemini.md",
            "skill.md",
        ],
    ),
    (
        "editors: tasks, plugins and start files that run when a folder is opened",
        &[
            ".devcontainer",
            ".devcontainer.json",
            ".dir-locals.el",
            ".emacs",
            ".emacs.d",
            ".exrc",
            ".fleet",
            ".gvimrc",
            ".idea",
            ".nvim.lua",
            ".nvimrc",
            ".vim",
            ".vimrc",
            ".vscode",
            ".zed",
        ],
    ),
    (
        "start files of shells and sessions",
        &[
            ".bash_login",
            ".bash_logout",
            ".bash_profile",
            ".bashrc",
            ".cshrc",
            ".direnv",
            ".envrc",
            ".inputrc",
            ".kshrc",
            ".login",
            ".pam_environment",
            ".profile",
            ".tcshrc",
            ".xinitrc",
            ".xprofile",
            ".xsession",
            ".zlogin",
            ".zlogout",
            ".zprofile",
            ".zshenv",
            ".zshrc",
        ],
    ),
    (
        "tool chains and package managers: they name the programs that a build starts",
        &[
            ".bazelrc",
            ".cargo/config",
            ".cargo/config.toml",
            ".mise",
            ".mise.toml",
            ".mvn",
            ".npmrc",
            ".pnpmfile.cjs",
            ".tool-versions",
            ".yarn/plugins",
            ".yarn/releases",
            ".yarnrc",
            ".yarnrc.yml",
            "mise.toml",
            "rust-toolchain",
            "rust-toolchain.toml",
        ],
    ),
    (
        "loaded by interpreters and debuggers without being asked for",
        &[
            ".gdbinit",
            ".irbrc",
            ".lldbinit",
            ".pdbrc",
            ".pryrc",
            ".rprofile",
            "conftest.py",
            "sitecustomize.py",
            "usercustomize.py",
        ],
    ),
    ("keys", &[".gnupg", ".ssh"]),
];

/// Directories of a home, as they would lie in a workspace that is one.
const HOME_FILES: &[&str] = &[
    ".aws",
    ".cargo/bin",
    ".config",
    ".docker",
    ".kube",
    ".local/bin",
    ".local/share/systemd",
    ".local/state/teammate",
    "library/launchagents",
];

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
    ANYWHERE
        .iter()
        .any(|(_, places)| places.iter().any(is_anywhere))
        || HOME_FILES.iter().any(|place| begins(&parts, place))
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
        let anywhere = ANYWHERE.iter().flat_map(|(_, places)| *places);
        for place in anywhere.chain(HOME_FILES) {
            assert_eq!(*place, place.to_ascii_lowercase());
        }
    }
}
