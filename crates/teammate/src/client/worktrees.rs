//! The members' worktrees, seen from another process.

use std::sync::Arc;

use teammate_core::{
    port::{WorktreeName, Worktrees},
    team::Member,
};

use super::TeamClient;
use crate::{
    carried_work::WorkCarrier,
    git_worktrees::{carried_worktrees, trusted_programs},
    sandbox::{SandboxRules, team_sandbox},
};

impl TeamClient {
    /// The same, where members' work may be on other machines: it is fetched before it is compared or merged.
    #[must_use]
    pub fn with_work_carried(self, by: WorkCarrier) -> Self {
        Self {
            carrier: Some(by),
            ..self
        }
    }

    /// The team's worktrees, with the programs that the user trusts.
    pub fn worktrees(&self) -> Arc<dyn Worktrees> {
        let root = &self.site.workspace;
        let rules = SandboxRules::default();
        let held = (
            team_sandbox(&self.user, rules, root),
            trusted_programs(root, &self.user),
        );
        carried_worktrees(&self.site, held, self.carrier.as_ref()).0
    }

    /// Whether a running team's member is in a turn in that worktree.
    pub fn is_worktree_in_use(&self, worktree: &WorktreeName) -> bool {
        let works_there =
            |member: &Member| member.name.as_str() == worktree.as_str() && member.phase.is_busy();
        self.holder.is_some() && self.team().members().any(works_there)
    }
}
