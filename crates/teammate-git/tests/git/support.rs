//! What commands of git are held by.

use std::path::Path;

use teammate_process::TeamSandbox;
use teammate_sandbox::{SandboxRules, helper_is};

/// Commands can be held.
pub(crate) fn knows_helper() {
    helper_is(env!("CARGO_BIN_EXE_teammate-git-helper").into());
}

/// The sandbox of a team in this workspace.
pub(crate) fn sandbox_in(root: &Path, rules: SandboxRules) -> TeamSandbox {
    TeamSandbox::new(rules, [root.join(".team"), root.join(".teams")])
}
