//! All programs and examples of the repository, unoptimised.

use std::{
    env,
    path::{Path, PathBuf},
};

use crate::command::{Ended, cargo, run};

/// What cargo is asked for. Of the whole workspace and with examples, so that no package is built with other features than for the
/// tests.
pub const BUILD: [&str; 4] = ["build", "--workspace", "--bins", "--examples"];

/// Builds them, with these words more for cargo; returns where they are.
///
/// Errors: how the build ended, if it did not pass.
pub fn programs(root: &Path, more: &[&str]) -> Result<PathBuf, Ended> {
    match run(cargo(root, &BUILD).args(more)) {
        Ended::Passed(_) => {}
        ended @ (Ended::Failed(_) | Ended::Skipped(_)) => return Err(ended),
    }
    let target = env::var_os("CARGO_TARGET_DIR").map_or_else(|| "target".into(), PathBuf::from);
    Ok(root.join(target).join("debug"))
}
