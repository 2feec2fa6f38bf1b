//! Git for a team: what a repository would have it run, worktrees of members, and work that is carried between machines.
//!
//! [`Programs`] are what a repository has git run, of which [`TrustedPrograms`] may; [`GitWorktrees`] is the adapter of the port
//! [`Worktrees`](teammate_core::port::Worktrees), [`transfer`] that of [`WorkTransfer`](teammate_core::port::WorkTransfer);
//! [`clone()`] brings a repository of somebody else here. Everything is done by the git program, held by `teammate-process`. Members' own
//! git is theirs: it runs in their commands.
//!
//! - **It starts nothing outside of the sandbox**, but for git that talks to the remote the user chose
//!   for the team's work (`transfer/remote.rs`), in a repository no member sees.

mod clone;
mod git;
pub mod locks;
mod programs;
pub mod transfer;
mod worktrees;

pub use clone::{CloneBy, clone};
pub use programs::{Program, Programs, ProgramsError, TrustedPrograms};
pub use worktrees::GitWorktrees;
