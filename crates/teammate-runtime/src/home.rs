//! Where a member works: in the shared workspace, or in a worktree of its own. Whoever has a worktree never works in the shared
//! workspace instead, whatever happened to it.

use std::sync::Arc;

use teammate_core::{
    MemberName,
    port::{Prepared, Removal, Workspace, Worktree, WorktreeError, WorktreeName, Worktrees},
    team::Member,
};

use crate::host::Shared;

/// A member's place.
pub(crate) struct Home {
    pub(crate) workspace: Arc<Workspace>,
    pub(crate) worktree: Option<Worktree>,
}

impl Shared {
    /// Where the member works; an error if that is a worktree that is not there.
    pub(crate) async fn home(&self, member: &Member) -> Result<Home, WorktreeError> {
        if !member.terms.worktree {
            return Ok(Home {
                workspace: self.workspace.clone(),
                worktree: None,
            });
        }
        let name = WorktreeName::of_member(&member.name)?;
        let worktree = self.worktrees()?.find(&name).await?;
        let workspace = Workspace {
            root: worktree.path.clone(),
            ..(*self.workspace).clone()
        };
        Ok(Home {
            workspace: Arc::new(workspace),
            worktree: Some(worktree),
        })
    }

    /// Makes the worktree of somebody who shall be spawned, or takes the one that is there.
    pub(crate) async fn prepare_home(&self, name: &MemberName) -> Result<Prepared, WorktreeError> {
        let name = WorktreeName::of_member(name)?;
        self.worktrees()?.create(&name).await
    }

    /// Nobody was spawned by the call for which this was made: it goes, unless another call was quicker and uses it.
    pub(crate) async fn abandon_home(&self, member: &MemberName, prepared: &Prepared) {
        let is_used = {
            let team = self.ledger.team();
            team.member(member).is_some_and(|m| m.terms.worktree)
        };
        let name = &prepared.worktree.name;
        if !is_used
            && let Ok(worktrees) = self.worktrees()
            && let Err(error) = worktrees.remove(name, Removal::CleaningUp).await
        {
            self.feed.notice(&MemberName::lead(), error.to_string());
        }
    }

    pub(crate) fn worktrees(&self) -> Result<&dyn Worktrees, WorktreeError> {
        self.world
            .worktrees
            .as_deref()
            .ok_or(WorktreeError::Unsupported)
    }
}
