//! What git would run because a repository says so: programs in its configuration, and its hooks.
//!
//! The configuration of a repository is not the user's: it comes with an archive, and any command can write it. What the
//! *user's* configuration names (scope `global` and `system`, and what the environment gives) is the user's choice and is
//! left alone. Everything else is the repository's: scope `local` and `worktree`, and every file that these include,
//! wherever it is.

mod clone;
mod environment;
mod hooks;
mod programs;
mod reader;
mod settings;
mod submodules;
mod trusted;

pub use clone::{CloneBy, clone};
pub(crate) use environment::{Environment, for_members, inherited, with_settings};
pub use programs::{Program, Programs, ProgramsError};
pub(crate) use reader::Reader;
pub use trusted::TrustedPrograms;
