//! Git as a team uses it, in real repositories.

#![expect(clippy::unwrap_used, reason = "a test fails where it unwraps")]
#![expect(
    clippy::disallowed_methods,
    reason = "tests start programs, and see to it that the rule holds elsewhere"
)]

mod extras;
mod hostile_git;
mod locks;
mod partial_clones;
mod repo;
mod submodules;
mod support;
mod transfer;
mod trusted_filter;
mod worktree_ends;
mod worktrees;
