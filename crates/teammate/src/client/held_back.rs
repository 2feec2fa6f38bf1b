//! Files that commands wrote at guarded names and that are held, seen from another process.

use teammate_tools::HeldBack;

use super::TeamClient;
use crate::sandbox::{SandboxRules, team_sandbox};

impl TeamClient {
    /// The files that are held for the team on this machine.
    pub fn held_back(&self) -> HeldBack {
        let root = &self.site.workspace;
        let sandbox = team_sandbox(&self.user, SandboxRules::default(), root);
        HeldBack::new(sandbox, (root, &self.site.dir))
    }
}
