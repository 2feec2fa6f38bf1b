//! The tools of a team's members: adapters of core's [`Tool`](teammate_core::port::Tool) port, one file each. A tool is data
//! (name, description, arguments, effect class), what a call would do, and doing it (`typed_tool.rs`).
//!
//! `workspace` holds the shell, files and search; [`team`] what touches the team only; `board` the task board's; `requests` asks
//! for shutdowns and plans and answers them; `background` is for jobs; [`web`] looks at pages; `worktrees` is for the
//! lead. [`ToolCatalogue`] builds them once for the whole team. Whether a call may run is not decided here: a tool says what it
//! would do, the runtime's permission gate decides.
//!
//! - **A tool does not decide whether it may run.** It says what a call would do (`Tool::read`);
//!   the gate decides.
//! - **A tool's failure is an `Outcome` that the model reads.**
//! - **It starts nothing itself**: `teammate-process` has it started.

mod aliases;
mod arguments;
mod background;
mod beneath;
mod board;
mod catalogue;
mod diff;
mod display;
mod filed;
mod held_back;
mod held_files;
mod hooks;
pub mod instructions;
pub mod media;
mod nested_instructions;
mod requests;
mod shared_outputs;
pub mod team;
mod typed_tool;
pub mod web;
mod workspace;
mod worktrees;

pub use aliases::{ARGUMENT_ALIASES, TOOL_ALIASES, TOOL_NAMES};
pub use arguments::{KnownArguments, names_read};
pub use beneath::TEAM_DIRS;
pub use catalogue::ToolCatalogue;
pub use filed::FiledOutputs;
pub use held_back::{HeldBack, HeldBackFile, HeldState};
pub use held_files::HeldFiles;
pub use hooks::{HookCommands, HookGuard, PlacedHook, ProgramsIn, TranscriptOf, WITHIN_HOOK};
