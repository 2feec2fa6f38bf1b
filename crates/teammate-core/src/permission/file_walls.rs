//! Deny rules about files, for commands, which open files themselves: places that they do not see, or do not change. Which
//! files are there, and how commands are kept from them, is for others to know.

use std::path::Path;

use super::Rule;
use crate::permission::{FileWall, WallStart};

/// The deny rules about files.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FileWalls(Vec<(Rule, FileWall)>);

impl FileWalls {
    /// Those among these deny rules.
    pub fn of(deny: &[Rule]) -> Self {
        let walls = deny.iter();
        Self(
            walls
                .filter_map(|rule| Some((rule.clone(), rule.file_wall()?)))
                .collect(),
        )
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The rules.
    pub fn rules(&self) -> impl Iterator<Item = &Rule> {
        self.0.iter().map(|(rule, _)| rule)
    }

    /// Where to look for what they close, for a command that runs in `root`.
    pub fn starts(&self, root: &Path) -> Vec<WallStart> {
        let mut starts: Vec<WallStart> = self
            .rules()
            .filter_map(|rule| rule.wall_start(root))
            .collect();
        starts.sort();
        starts.dedup();
        starts
    }

    /// The part of this place that is closed, if any is: `full` is its absolute path, `within` the same from the directory in
    /// which somebody works. What is hidden cannot be changed either.
    pub fn at(&self, full: &Path, within: &Path) -> Option<FileWall> {
        let closing = self.0.iter().filter(|(rule, _)| rule.closes(full, within));
        closing.map(|(_, wall)| *wall).min()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::permission::RuleOrigin;

    fn walls(rules: &[&str]) -> FileWalls {
        let parse = |text: &&str| Rule::parse(text, RuleOrigin::User).unwrap();
        FileWalls::of(&rules.iter().map(parse).collect::<Vec<_>>())
    }

    fn at(rules: &[&str], path: &str) -> Option<FileWall> {
        walls(rules).at(&Path::new("/work").join(path), Path::new(path))
    }

    #[test]
    fn a_rule_for_readers_hides_and_one_for_writers_makes_read_only() {
        for rule in [
            "read_file(.env)",
            "read(.env)",
            "Read(.env)",
            "grep(.env)",
            "*(.env)",
        ] {
            assert_eq!(at(&[rule], ".env"), Some(FileWall::Hidden), "{rule}");
        }
        for rule in ["edit(.env)", "write_file(.env)", "edit_file(=.env)"] {
            assert_eq!(at(&[rule], ".env"), Some(FileWall::ReadOnly), "{rule}");
        }
        for rule in [
            "bash(cat .env)",
            "glob(.env)",
            "read_file",
            "net(env)",
            "mcp__a(.env)",
        ] {
            assert_eq!(at(&[rule], ".env"), None, "{rule}");
        }
        assert_eq!(
            at(&["edit(a/**)", "read(a/b)"], "a/b"),
            Some(FileWall::Hidden)
        );
        assert_eq!(
            at(&["edit(a/**)", "read(a/b)"], "a/c"),
            Some(FileWall::ReadOnly)
        );
    }

    #[test]
    fn what_is_closed_is_looked_for_no_further_than_it_can_be() {
        for (rule, path, depth) in [
            ("read(.env)", "/work/.env", Some(0)),
            ("read(=a/b)", "/work/a/b", Some(0)),
            ("read(secrets/**)", "/work/secrets", None),
            ("read(**/*.pem)", "/work", None),
            ("read(a/*.pem)", "/work/a", Some(1)),
            ("read(a/{b/c,d})", "/work/a", Some(2)),
            ("read(/etc/x*/y)", "/etc", Some(2)),
            ("edit(/srv/a)", "/srv/a", Some(0)),
        ] {
            let start = WallStart {
                path: path.into(),
                depth,
            };
            assert_eq!(walls(&[rule]).starts(Path::new("/work")), [start], "{rule}");
        }
    }
}
