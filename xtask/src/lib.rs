//! What the developer's commands share, here and in the package `rig`: the checkout, programs built and run in it, and tools that are
//! installed below its `target`; and the imports of a crate's files.

#![expect(
    clippy::print_stderr,
    clippy::print_stdout,
    reason = "a person reads it"
)]

pub mod built;
pub mod command;
pub mod imports;
pub mod tools;

use std::path::{Path, PathBuf};

/// The repository's root.
pub fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_owned()
}
