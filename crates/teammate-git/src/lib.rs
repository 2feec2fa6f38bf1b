//! Git for a team: what a repository would have it run, worktrees of members, and work that is carried between machines.
//!
//! [`Programs`] are what a repository has git run, of which [`TrustedPrograms`] may; [`GitWorktrees`] is the adapter of the port
//! [`Worktrees`](teammate_core::port::Worktrees), [`transfer`] that of [`WorkTransfer`](teammate_core::port::WorkTransfer);
//! [`clone()`] brings a repository of somebody else here; [`locks`] are what a killed git left. Members' own git is no part of it: that
//! runs in their commands.
//!
//! - **Everything is done by the git program, held as commands are**, without what the repository would have it run.
//! - **It starts nothing itself**, but for git that talks to the remote the user chose for the team's work (`transfer/remote.rs`),
//!   outside of the sandbox, in a repository no member sees.

mod clone;
mod git;
pub mod locks;
mod programs;
pub mod transfer;
mod worktrees;

pub use clone::{CloneBy, clone};
pub use programs::{Program, Programs, ProgramsError, TrustedPrograms};
pub use worktrees::GitWorktrees;
