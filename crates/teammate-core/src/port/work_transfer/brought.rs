//! Work that came with a member that works on another machine now, in sentences for the member and for people.

use std::fmt;

use super::{LeftOut, LeftOutWhy};
use crate::worker::CommitId;

/// How many files a sentence names.
const NAMED_MAX: usize = 10;

/// The steps that were taken to have a member's work here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BroughtWork {
    /// Nothing was ever saved elsewhere.
    Nothing,
    /// The newest was here already.
    Here,
    /// It came from where it was saved.
    Came(WorkThatCame),
}

/// Work that came from another machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkThatCame {
    /// The last commit in it.
    pub commit: CommitId,
    /// When it was saved, by the clock of the machine that did, for people.
    pub saved_at: String,
    /// How many files have changes that are not committed.
    pub uncommitted: usize,
    /// Files that had been changed and were not saved.
    pub left_out: Vec<LeftOut>,
    /// The delivered commit in the journal that is not in it.
    pub missing: Option<CommitId>,
    /// Where what was here before is kept: a name for git.
    pub aside: Option<String>,
}

impl fmt::Display for WorkThatCame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let commit = self.commit.short();
        let files = match self.uncommitted {
            0 => "nothing uncommitted".to_owned(),
            1 => "1 file with uncommitted changes".to_owned(),
            count => format!("{count} files with uncommitted changes"),
        };
        let at = &self.saved_at;
        write!(
            f,
            "The work here came from another machine, as it was saved at {at}: commit {commit} and {files}. What was changed \
             after that is missing, and so are ignored files (builds, downloads)."
        )?;
        if !self.left_out.is_empty() {
            write!(f, " Not saved: {}.", LeftOut::list(&self.left_out))?;
        }
        if let Some(missing) = &self.missing {
            let missing = missing.short();
            write!(f, " The delivered commit {missing} is not in it.")?;
        }
        if let Some(aside) = &self.aside {
            write!(
                f,
                " Changes that were here before are kept as {aside} (git show, git diff)."
            )?;
        }
        Ok(())
    }
}

impl fmt::Display for LeftOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = crate::fence::escaped_line(&self.path);
        match self.why {
            LeftOutWhy::TooLarge(bytes) => write!(f, "{path} ({} MiB)", bytes >> 20),
            LeftOutWhy::NoRoom => write!(f, "{path} (no room beside the others)"),
            LeftOutWhy::NotAFile => write!(f, "{path} (neither file nor link)"),
        }
    }
}

impl LeftOut {
    /// Some of them for a sentence.
    pub fn list(left_out: &[Self]) -> String {
        let named = left_out.iter().take(NAMED_MAX).map(ToString::to_string);
        let text = named.collect::<Vec<_>>().join(", ");
        match left_out.len().saturating_sub(NAMED_MAX) {
            0 => text,
            more => format!("{text} and {more} more"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_member_reads_what_came_and_since_when_the_rest_is_missing() {
        let came = WorkThatCame {
            commit: CommitId::parse(&"ab".repeat(20)).unwrap(),
            saved_at: "2026-01-02 03:04:05 UTC".to_owned(),
            uncommitted: 1,
            left_out: vec![LeftOut {
                path: "big.bin".to_owned(),
                why: LeftOutWhy::TooLarge(20 << 20),
            }],
            missing: None,
            aside: None,
        };
        assert_eq!(
            came.to_string(),
            "The work here came from another machine, as it was saved at 2026-01-02 03:04:05 UTC: commit ababababa and 1 file \
             with uncommitted changes. What was changed after that is missing, and so are ignored files (builds, downloads). Not \
             saved: big.bin (20 MiB)."
        );
    }
}
