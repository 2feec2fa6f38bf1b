//! The tools as a member uses them: a call in, an outcome out.

#![expect(clippy::unwrap_used, reason = "a test fails where it unwraps")]
#![expect(
    clippy::disallowed_methods,
    reason = "tests start programs, and see to it that the rule holds elsewhere"
)]

mod background;
mod bash;
mod board;
mod catalogue;
#[cfg(target_os = "linux")]
mod connections;
mod contain;
mod fake_team;
mod files;
mod foreign_arguments;
mod guarded;
mod home_as_workspace;
mod hooks;
mod letters;
mod lost_changes;
mod member_git;
mod memory;
mod nested_instructions;
mod ordinary_tools;
mod paths;
mod private_tmp;
mod programs;
#[path = "../../../teammate-git/tests/git/repo.rs"]
mod repo;
mod repositories;
mod rules;
mod schedules;
mod search;
mod shared_outputs;
mod submodules;
mod support;
mod team;
mod terminal;
mod web;
mod worktree_tools;
