//! Journals, mailboxes and transcripts in files that survive kills and power cuts.
//!
//! Every adapter here implements one of core's ports. [`files`] reaches the world through core's
//! `Disk` only, so the same code runs on the real disk ([`disk`]) and on simulated ones that fail and
//! lose power. The format of lines is a crate below ([`wire`], [`seal`]). Nothing here decides anything about a team.
//!
//! `files` are the adapters, `seal` proves who wrote a line, `wire` is how lines look, `disk` is
//! the real disk, `view_files` writes `config.json` and its like, `foreign_roster` reads rosters of
//! other programs.
//!
//! - **Never**: truncate after reading, rewrite an inbox, lock by the existence or age of a file,
//!   unlink a lock file, sync again after a failed sync.

pub mod clock;
pub mod disk;
pub mod files;
pub mod foreign_roster;
pub mod view_files;

pub use teammate_wire::{self as wire, seal};
