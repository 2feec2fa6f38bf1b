//! The tools as a member uses them: a call in, an outcome out.

#![expect(clippy::unwrap_used, reason = "a test fails where it unwraps")]

mod background;
mod bash;
mod board;
mod catalogue;
#[cfg(target_os = "linux")]
mod connections;
mod contain;
mod fake_team;
mod files;
mod git_locks;
mod hostile_git;
mod member_git;
mod paths;
mod rules;
mod search;
mod support;
mod team;
mod worktree_ends;
mod worktree_tools;
mod worktrees;
