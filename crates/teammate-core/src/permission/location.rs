//! Paths as permission rules see them.

use std::path::{Component, Path, PathBuf};

use super::{path_pattern::PathPattern, protected};

/// A file or directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Location {
    /// Every link followed, relative to the member's workspace; absolute outside of it.
    pub resolved: PathBuf,
    /// The absolute path.
    pub full: PathBuf,
    /// As it was asked for.
    pub written: PathBuf,
}

impl Location {
    /// Whether writing here is asked about whatever the rules say.
    pub(crate) fn is_protected(&self) -> bool {
        let root = self.root();
        [&self.resolved, &self.full, &self.written]
            .into_iter()
            // Above the workspace, names are not the members' doing: a worktree lies in `.team`.
            .any(|path| protected::is_protected(path.strip_prefix(root).unwrap_or(path)))
    }

    /// Whether an allow rule's pattern covers it. Only where it leads counts.
    pub(super) fn is_allowed_by(&self, pattern: &PathPattern) -> bool {
        pattern.matches(self.resolved_for(pattern.is_absolute()))
    }

    /// Whether a deny rule's pattern catches it: as written or where it leads, itself or a directory above.
    pub(super) fn is_denied_by(&self, pattern: &PathPattern) -> bool {
        let is_absolute = pattern.is_absolute();
        pattern.closes(self.resolved_for(is_absolute))
            || pattern.closes(&self.written_for(is_absolute))
    }

    /// Whether a deny rule for exactly this text catches it: itself or a directory above.
    pub(super) fn is_at_or_below(&self, text: &str) -> bool {
        let is_absolute = text.starts_with('/');
        self.resolved_for(is_absolute).starts_with(text)
            || self.written_for(is_absolute).starts_with(text)
    }

    /// Whether it is exactly this place.
    pub(super) fn is_exactly(&self, text: &str) -> bool {
        self.resolved.to_str() == Some(text)
    }

    fn resolved_for(&self, is_absolute: bool) -> &Path {
        if is_absolute {
            &self.full
        } else {
            &self.resolved
        }
    }

    /// As it was asked for, whole or from the workspace.
    fn written_for(&self, is_absolute: bool) -> PathBuf {
        let root = self.root();
        let whole = case_folded(&root.join(&self.written));
        match whole.strip_prefix(root) {
            Ok(within) if !is_absolute => within.to_owned(),
            Ok(_) | Err(_) => whole,
        }
    }

    /// The member's workspace.
    fn root(&self) -> &Path {
        if self.resolved.is_absolute() {
            return Path::new("/");
        }
        let depth = self.resolved.components().count();
        self.full.ancestors().nth(depth).unwrap_or(&self.full)
    }
}

/// Without `.` and `..`, as if there were no links.
fn case_folded(path: &Path) -> PathBuf {
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

    fn covers(pattern: &str, place: &Location) -> bool {
        place.is_allowed_by(&PathPattern::parse(pattern).unwrap())
    }

    fn catches(pattern: &str, place: &Location) -> bool {
        place.is_denied_by(&PathPattern::parse(pattern).unwrap())
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
            "src/a/[a-c].rs",
            "src/a/[!x].rs",
            "src/a/*.{rs,toml}",
            "{src,tests}/**",
            "{src/**,docs}",
            "s*c/**/*.rs",
            "/home/me/work/src/**",
            "src/**/**/b.rs",
        ] {
            assert!(covers(pattern, &place), "{pattern}");
        }
        for pattern in [
            "src/*",
            "src",
            "srcs/**",
            "*.rs",
            "/src/**",
            "a/b.rs",
            "src/a/b",
            "src/a/[x].rs",
            "src/{b,c}/b.rs",
            "/home/me/work/srcs/**",
        ] {
            assert!(!covers(pattern, &place), "{pattern}");
        }
        assert!(!covers("src/**", &at("srcs/a.rs", "srcs/a.rs")));
    }

    #[test]
    fn a_link_is_allowed_by_where_it_leads_and_denied_by_either() {
        let place = at("other/x", "src/link/x");
        assert!(!covers("src/**", &place));
        assert!(covers("other/**", &place));
        for pattern in [
            "src/**",
            "other/**",
            "src/link",
            "other",
            "/home/me/work/src/**",
            "**/x",
            "{other,another}",
        ] {
            assert!(catches(pattern, &place), "{pattern}");
        }
        assert!(catches(
            "src/link",
            &at("other/x", "/home/me/work/a/../src/link/x")
        ));
        assert!(!catches("src/link/y", &place));
        assert!(!catches("docs/*", &at("docs/a/x", "docs/a/x")));
    }

    #[test]
    fn above_the_workspace_names_protect_nothing() {
        let worktree = Location {
            resolved: "a".into(),
            full: "/w/.git/worktrees/alice/a".into(),
            written: "/w/.git/worktrees/alice/a".into(),
        };
        assert!(!worktree.is_protected());
        assert!(at("a", ".bashrc").is_protected(), "as it was asked for");
        assert!(at(".bashrc", "a").is_protected(), "where it leads");
    }

    #[test]
    fn many_stars_take_no_time() {
        let name = "a".repeat(2_000);
        assert!(!covers(&format!("{}b", "a*".repeat(60)), &at(&name, &name)));
    }
}
