//! All programs and examples of the repository, unoptimised.

use std::{
    env,
    path::{Path, PathBuf},
};

use crate::command::{Ended, cargo, run};

/// What cargo is asked for to have all of them. Of the whole workspace, so that no package is built with other features than for the
/// tests.
pub const ALL: [&str; 4] = ["build", "--workspace", "--bins", "--examples"];

/// The package of benchmarks, torture and doors, which is built when it is called.
pub const BUILT_WHEN_CALLED: &str = "rig";

/// The same without what no test of a crate starts: most examples, and the benchmarks with what is beside them.
pub const FOR_TESTS: [&str; 9] = [
    "build",
    "--workspace",
    "--exclude",
    BUILT_WHEN_CALLED,
    "--bins",
    "--example",
    "hostile_server",
    "--example",
    "test_agent",
];

/// Builds all, with these words more for cargo; returns where they are.
///
/// Errors: how the build ended, if it did not pass.
pub fn programs(root: &Path, more: &[&str]) -> Result<PathBuf, Ended> {
    match run(cargo(root, &ALL).args(more)) {
        Ended::Passed(_) => {}
        ended @ (Ended::Failed(_) | Ended::Skipped(_)) => return Err(ended),
    }
    let target = env::var_os("CARGO_TARGET_DIR").map_or_else(|| "target".into(), PathBuf::from);
    Ok(root.join(target).join("debug"))
}
