//! Files of a new worktree besides those of its commit: the wish, and the result.

use std::fmt;

use super::error::file_list;

/// A wish: files of a new worktree besides those of its commit.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WorktreeSetup {
    /// Which files that git ignores are copied: paths from the workspace, or patterns of such.
    pub copy: Vec<String>,
    /// To which of them it gets links. Members' commands read what is behind one, and do not write there.
    pub link: Vec<String>,
    /// Commands that are run in it, one after the other, until one fails.
    pub run: Vec<String>,
}

impl WorktreeSetup {
    /// Adds another one's, each once.
    pub fn extend(&mut self, more: Self) {
        let parts = [
            (&mut self.copy, more.copy),
            (&mut self.link, more.link),
            (&mut self.run, more.run),
        ];
        for (own, more) in parts {
            for part in more {
                if !own.contains(&part) {
                    own.push(part);
                }
            }
        }
    }
}

/// The result of the wish in a worktree.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Furnished {
    /// Copied paths, from the workspace on; many files of a directory in one.
    pub copied: Vec<String>,
    /// Linked paths, from the workspace on.
    pub linked: Vec<String>,
    /// Sentences about what is missing in it, each with the command that brings it.
    pub missing: Vec<String>,
}

impl Furnished {
    /// Whether there is nothing to say about it.
    pub fn is_empty(&self) -> bool {
        self.copied.is_empty() && self.linked.is_empty() && self.missing.is_empty()
    }
}

/// In sentences, for a model and for the user.
impl fmt::Display for Furnished {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut sentences = Vec::new();
        if !self.copied.is_empty() {
            let names = file_list(&self.copied);
            sentences.push(format!(
                "Files that git ignores were copied from the workspace: {names}."
            ));
        }
        if !self.linked.is_empty() {
            let names = file_list(&self.linked);
            sentences.push(format!(
                "Links lead to the workspace's own, which commands here read and cannot change: {names}."
            ));
        }
        sentences.extend(self.missing.iter().cloned());
        f.write_str(&sentences.join(" "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_came_and_what_is_missing_is_said_in_sentences() {
        let list = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        let furnished = Furnished {
            copied: list(&[".env"]),
            linked: list(&["node_modules"]),
            missing: list(&["The submodule lib is empty."]),
        };
        assert_eq!(
            furnished.to_string(),
            "Files that git ignores were copied from the workspace: .env. Links lead to the workspace's own, which commands \
             here read and cannot change: node_modules. The submodule lib is empty."
        );
        assert!(Furnished::default().is_empty() && Furnished::default().to_string().is_empty());
    }

    #[test]
    fn settings_of_two_places_add_up() {
        let of = |copy: &str| WorktreeSetup {
            copy: vec![copy.to_owned()],
            ..WorktreeSetup::default()
        };
        let mut both = of(".env");
        both.extend(of(".env"));
        both.extend(of("b"));
        assert_eq!(both.copy, [".env", "b"]);
    }
}
