//! What a team's members can do: adapters of core's [`Tool`](teammate_core::port::Tool) port, one file each, with the
//! description the model reads beside it.
//!
//! [`world`] holds the shell, files and search; [`team`] what goes through the office; [`board`] the task board's;
//! [`requests`] asks for shutdowns and plans and answers them; [`background`] looks after what the shell was told to run on; [`worktrees`] is git's adapter of that port with its tools.
//! [`Catalogue`] builds them once
//! for the whole team. Whether a call may run is not decided here: a tool says what it would do
//! ([`Tool::action`](teammate_core::port::Tool::action)), the runtime's permission gate decides.

mod aliases;
pub mod background;
mod beneath;
mod blocking;
pub mod board;
mod catalogue;
pub mod environment;
pub mod git;
mod process;
pub mod requests;
mod shown;
mod spec;
pub mod team;
pub mod worktrees;
pub mod world;

pub use aliases::ALIASES;
pub use beneath::TEAM_DIRS;
pub use catalogue::Catalogue;
pub use process::{
    Confines, Containment, Leftovers, Level, is_within_team, keep_if_asked, keepers_are, utc_offset,
};
