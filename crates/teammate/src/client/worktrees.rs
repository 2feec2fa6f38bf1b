//! The members' worktrees, seen from another process.

use std::sync::Arc;

use teammate_core::{
    port::{WorktreeName, Worktrees},
    team::Member,
};

use teammate_git::GitWorktrees;

use super::TeamClient;
use crate::{
    carried_work::WorkCarrier,
    git_worktrees::{carried_worktrees, own_worktrees, trusted_programs},
    sandbox::{SandboxRules, team_sandbox},
};

impl TeamClient {
    /// The team's worktrees here, with the programs that the user trusts.
    pub fn worktrees(&self) -> Arc<dyn Worktrees> {
        Arc::new(self.worktrees_here())
    }

    /// The worktrees, where members' work may be on other machines: it is fetched `by` this before it is compared or merged.
    pub fn worktrees_fetched(&self, by: &WorkCarrier) -> Arc<dyn Worktrees> {
        carried_worktrees(self.worktrees_here(), Some(by)).0
    }

    pub(super) fn worktrees_here(&self) -> GitWorktrees {
        let root = &self.site.workspace;
        let sandbox = team_sandbox(&self.user, SandboxRules::default(), root);
        own_worktrees(&self.site, sandbox, trusted_programs(root, &self.user))
    }

    /// Whether a running team's member is in a turn in that worktree.
    pub fn is_worktree_in_use(&self, worktree: &WorktreeName) -> bool {
        let works_there =
            |member: &Member| member.name.as_str() == worktree.as_str() && member.phase.is_busy();
        self.holder.is_some() && self.team().members().any(works_there)
    }
}
