//! Names of worktrees, parsed once at the edge.

use std::{fmt, sync::Arc};

use super::WorktreeError;
use crate::MemberName;

/// The beginning of names of worktrees for tasks; a member's never has it.
const TASK: &str = "task-";

/// The most bytes of a task's worktree's name: its id may be a UUID.
const NAME_BYTES_MAX: usize = 64;

/// The name of a worktree: a member's name, or `[a-z0-9][a-z0-9_-]{0,63}` as `task-<id>`. Safe in a path and in a branch.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WorktreeName(Arc<str>);

impl WorktreeName {
    /// Reads a name.
    pub fn parse(text: &str) -> Result<Self, WorktreeError> {
        let is_plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit();
        let is_members = MemberName::parse(text).is_ok();
        let is_tasks = text.len() <= NAME_BYTES_MAX
            && text.bytes().next().is_some_and(is_plain)
            && text.bytes().all(|b| is_plain(b) || b == b'_' || b == b'-');
        if is_members || is_tasks {
            Ok(Self(text.into()))
        } else {
            Err(WorktreeError::Name(crate::fence::quoted(text)))
        }
    }

    /// That of a member's worktree.
    pub fn of_member(member: &MemberName) -> Result<Self, WorktreeError> {
        if member.as_str().starts_with(TASK) {
            return Err(WorktreeError::TasksOwn(member.clone()));
        }
        Self::parse(member.as_str())
    }

    /// That of a task's worktree.
    pub fn of_task(id: &str) -> Result<Self, WorktreeError> {
        Self::parse(&format!("{TASK}{id}"))
    }

    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for WorktreeName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl fmt::Debug for WorktreeName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&*self.0, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_safe_in_paths_and_branches() {
        for bad in ["", "..", "a/b", "-d", "A", "a.lock", "a b", &"a".repeat(65)] {
            assert!(
                matches!(WorktreeName::parse(bad), Err(WorktreeError::Name(_))),
                "{bad:?}"
            );
        }
        assert_eq!(WorktreeName::of_task("7").unwrap().as_str(), "task-7");
    }

    #[test]
    fn a_member_of_any_script_has_a_worktree() {
        let name = WorktreeName::parse("前端").unwrap();
        assert_eq!(name.as_str(), "前端");
        assert!(WorktreeName::parse("前 端").is_err());
    }

    #[test]
    fn a_member_never_has_a_task_s_worktree() {
        let alice = MemberName::teammate("alice").unwrap();
        assert_eq!(WorktreeName::of_member(&alice).unwrap().as_str(), "alice");
        let task = MemberName::teammate("task-7").unwrap();
        assert!(matches!(
            WorktreeName::of_member(&task),
            Err(WorktreeError::TasksOwn(_))
        ));
    }
}
