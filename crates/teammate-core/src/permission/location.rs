//! Paths as permission rules see them, and the places that a rule does not open.

use std::path::{Component, Path, PathBuf};

/// A file or directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Location {
    /// Every link followed, relative to the member's workspace; absolute outside of it.
    pub resolved: PathBuf,
    /// The same, absolute.
    pub full: PathBuf,
    /// As it was asked for.
    pub written: PathBuf,
}

/// Places that decide what programs do later, whoever starts them: files in them are not written without a question.
const DIRECTORIES: &[&str] = &[
    ".claude",
    ".codex",
    ".cursor",
    ".devcontainer",
    ".direnv",
    ".git",
    ".gnupg",
    ".husky",
    ".idea",
    ".ssh",
    ".teammate",
    ".vscode",
];

const FILES: &[&str] = &[
    ".bash_login",
    ".bash_logout",
    ".bash_profile",
    ".bashrc",
    ".cshrc",
    ".envrc",
    ".gitconfig",
    ".gitmodules",
    ".inputrc",
    ".kshrc",
    ".login",
    ".mcp.json",
    ".npmrc",
    ".pam_environment",
    ".profile",
    ".xinitrc",
    ".xprofile",
    ".xsession",
    ".yarnrc.yml",
    ".zlogin",
    ".zlogout",
    ".zprofile",
    ".zshenv",
    ".zshrc",
];

/// Directories of a home, as they would lie in a workspace that is one.
const AT_HOME: &[&str] = &[
    ".config",
    ".local/bin",
    ".local/share/systemd",
    ".local/state/teammate",
    ".cargo/bin",
    ".cargo/config.toml",
    "Library/LaunchAgents",
];

impl Location {
    /// Whether writing here is asked about whatever the rules say.
    pub fn is_protected(&self) -> bool {
        [&self.resolved, &self.full, &self.written]
            .into_iter()
            .any(|path| is_protected(path, &self.root()))
    }

    /// Whether an allow rule's pattern covers it. Only where it leads counts.
    pub(super) fn is_covered_by(&self, pattern: &str) -> bool {
        matches(pattern, self.for_pattern(pattern))
    }

    /// Whether a deny rule's pattern catches it: as written or where it leads, itself or a directory above.
    pub(super) fn is_caught_by(&self, pattern: &str) -> bool {
        let written = folded(&self.written);
        let whole = if written.is_absolute() {
            written.clone()
        } else {
            folded(&self.root().join(&written))
        };
        let within = whole.strip_prefix(self.root()).unwrap_or(&whole);
        let asked = if pattern.starts_with('/') {
            &whole
        } else {
            within
        };
        let is_plain = !pattern
            .rsplit('/')
            .next()
            .unwrap_or(pattern)
            .contains(['*', '?']);
        [self.for_pattern(pattern), asked].into_iter().any(|path| {
            matches(pattern, path)
                || (is_plain && path.ancestors().any(|above| matches(pattern, above)))
        })
    }

    /// Whether it is exactly this place.
    pub(super) fn is(&self, text: &str) -> bool {
        self.resolved.to_str() == Some(text)
    }

    fn for_pattern(&self, pattern: &str) -> &Path {
        if pattern.starts_with('/') {
            &self.full
        } else {
            &self.resolved
        }
    }

    /// The member's workspace.
    fn root(&self) -> PathBuf {
        let depth = self.resolved.components().count();
        if self.resolved.is_absolute() {
            return PathBuf::from("/");
        }
        self.full
            .ancestors()
            .nth(depth)
            .unwrap_or(&self.full)
            .to_owned()
    }
}

fn is_protected(path: &Path, root: &Path) -> bool {
    // Above the workspace, names are not the members' doing: a worktree lies in `.team`.
    let path = path.strip_prefix(root).unwrap_or(path);
    let parts: Vec<String> = path
        .components()
        .map(|part| part.as_os_str().to_string_lossy().to_ascii_lowercase())
        .collect();
    let at_home = AT_HOME.iter().any(|place| {
        let place: Vec<String> = place.split('/').map(str::to_ascii_lowercase).collect();
        parts.starts_with(&place)
    });
    let has = |names: &[&str], part: &String| names.contains(&part.as_str());
    at_home
        || parts.iter().any(|part| has(DIRECTORIES, part))
        || parts.last().is_some_and(|name| has(FILES, name))
}

/// Without `.` and `..`, as if there were no links.
fn folded(path: &Path) -> PathBuf {
    let mut folded = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                folded.pop();
            }
            Component::Normal(_) | Component::RootDir | Component::Prefix(_) => folded.push(part),
        }
    }
    folded
}

/// Shell-like globs over path components: `*` and `?` within one, `**` for any number.
fn matches(pattern: &str, path: &Path) -> bool {
    let parts: Vec<String> = path
        .components()
        .filter(|part| !matches!(part, Component::RootDir))
        .map(|part| part.as_os_str().to_string_lossy().into_owned())
        .collect();
    let pattern = pattern.trim_start_matches("./").trim_start_matches('/');
    let wanted: Vec<&str> = pattern.trim_end_matches('/').split('/').collect();
    glob(
        &wanted,
        &parts,
        |wanted| *wanted == "**",
        |wanted, part| {
            let (wanted, part): (Vec<char>, Vec<char>) =
                (wanted.chars().collect(), part.chars().collect());
            glob(
                &wanted,
                &part,
                |c| *c == '*',
                |wanted, c| *wanted == '?' || wanted == c,
            )
        },
    )
}

/// Whether `given` is what `wanted` says, where some of it stands for any number. Takes no more than the product of
/// both lengths.
fn glob<W, G>(
    wanted: &[W],
    given: &[G],
    is_any: impl Fn(&W) -> bool,
    fits: impl Fn(&W, &G) -> bool,
) -> bool {
    let (mut at, mut seen) = (0, 0);
    // Behind the last that stands for any number, and how far it has been taken to reach.
    let mut again = None;
    while seen < given.len() {
        if wanted.get(at).is_some_and(&is_any) {
            at += 1;
            again = Some((at, seen));
        } else if wanted
            .get(at)
            .is_some_and(|wanted| fits(wanted, &given[seen]))
        {
            at += 1;
            seen += 1;
        } else if let Some((behind, reach)) = again {
            again = Some((behind, reach + 1));
            (at, seen) = (behind, reach + 1);
        } else {
            return false;
        }
    }
    wanted[at..].iter().all(is_any)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(resolved: &str, written: &str) -> Location {
        Location {
            resolved: resolved.into(),
            full: Path::new("/home/me/work").join(resolved),
            written: written.into(),
        }
    }

    #[test]
    fn paths_match_by_component() {
        let place = at("src/a/b.rs", "src/a/b.rs");
        for pattern in [
            "src/**",
            "./src/**",
            "**",
            "**/b.rs",
            "src/*/b.rs",
            "src/**/b.rs",
            "src/a/?.rs",
            "s*c/**/*.rs",
            "/home/me/work/src/**",
            "src/**/**/b.rs",
        ] {
            assert!(place.is_covered_by(pattern), "{pattern}");
        }
        for pattern in [
            "src/*",
            "src",
            "srcs/**",
            "*.rs",
            "/src/**",
            "a/b.rs",
            "src/a/b",
            "/home/me/work/srcs/**",
        ] {
            assert!(!place.is_covered_by(pattern), "{pattern}");
        }
        assert!(!at("srcs/a.rs", "srcs/a.rs").is_covered_by("src/**"));
    }

    #[test]
    fn a_link_is_allowed_by_where_it_leads_and_denied_by_either() {
        let place = at("other/x", "src/link/x");
        assert!(!place.is_covered_by("src/**"));
        assert!(place.is_covered_by("other/**"));
        for pattern in [
            "src/**",
            "other/**",
            "src/link",
            "other",
            "/home/me/work/src/**",
            "**/x",
        ] {
            assert!(place.is_caught_by(pattern), "{pattern}");
        }
        assert!(at("other/x", "/home/me/work/a/../src/link/x").is_caught_by("src/link"));
        assert!(!place.is_caught_by("src/link/y"));
        assert!(!at("docs/a/x", "docs/a/x").is_caught_by("docs/*"));
    }

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
        ] {
            assert!(at(path, path).is_protected(), "{path}");
            assert!(at("a", path).is_protected(), "written {path}");
        }
        for path in [
            "src/a.rs",
            ".gitignore",
            ".github/workflows/ci.yml",
            "bashrc",
            "src/.config/x",
            ".cargo/x",
        ] {
            assert!(!at(path, path).is_protected(), "{path}");
        }
        let worktree = Location {
            resolved: "a".into(),
            full: "/w/.team/worktrees/alice/a".into(),
            written: "/w/.team/worktrees/alice/a".into(),
        };
        assert!(!worktree.is_protected());
    }

    #[test]
    fn many_stars_take_no_time() {
        let name = "a".repeat(4_000);
        assert!(
            !at(&name, &name).is_covered_by(
                &"a*"
                    .repeat(60)
                    .replace("a*a*", "a*aa*")
                    .replacen('a', "b", 1)
            )
        );
        assert!(!at(&name, &name).is_covered_by(&format!("{}b", "a*".repeat(60))));
    }
}
