//! Where a member works: in the shared workspace, or in its own worktree. A member with a
//! worktree never falls back to the shared workspace.

use std::sync::Arc;

use teammate_core::{
    MemberName,
    next_step::NextStep,
    port::{
        Furnished, PreparedWorktree, RemovalReason, WorkThatCame, Workspace, Worktree,
        WorktreeError, WorktreeName, Worktrees,
    },
    team::Member,
};

use crate::{base::Base, carried_work};

/// A member's place.
pub(crate) struct Workdir {
    pub(crate) workspace: Arc<Workspace>,
    pub(crate) worktree: Option<Worktree>,
    /// The work here that was done on another machine.
    pub(crate) came: Option<WorkThatCame>,
    /// What the worktree got, if it is still to be set up: its member begins here by the journal, and it is new on this machine.
    pub(crate) to_set_up: Option<Furnished>,
}

impl Workdir {
    /// Where the member works; an error if that is a worktree that is not there. Where members begin by the journal it is made
    /// here, else at the call that spawned the member.
    pub(crate) async fn of(base: &Base, member: &Member) -> Result<Self, WorktreeError> {
        let mut workspace = own_workspace(base, &member.name);
        // What leaves a machine is a member's own: where there are several, everybody has a worktree but the lead, who merges them.
        let is_apart = member.options.worktree
            || (carried_work::is_carried(base, &member.name) && !member.name.is_lead());
        let mut to_set_up = None;
        if is_apart && base.deployment.begins_by_journal() {
            let mut prepared = Self::prepare(base, &member.name).await?;
            to_set_up = prepared.furnished().map(std::mem::take);
        }
        let came = carried_work::bring(base, &member.name).await?;
        if !is_apart {
            return Ok(Self {
                workspace: Arc::new(workspace),
                worktree: None,
                came,
                to_set_up: None,
            });
        }
        let name = WorktreeName::of_member(&member.name)?;
        let worktree = worktrees(base)?.find(&name).await?;
        workspace.root.clone_from(&worktree.path);
        // What the commands made on the other machine, or for what was here before, does not fit what came.
        let comes = came.as_ref().map(|_| Furnished::default());
        Ok(Self {
            workspace: Arc::new(workspace),
            worktree: Some(worktree),
            came,
            to_set_up: to_set_up.or(comes),
        })
    }

    /// The place of a member that works in this worktree.
    pub(crate) fn place_of(
        base: &Base,
        member: &MemberName,
        worktree: &Worktree,
    ) -> Arc<Workspace> {
        Arc::new(Workspace {
            root: worktree.path.clone(),
            ..own_workspace(base, member)
        })
    }

    /// Makes the worktree for a spawn, or finds the existing one.
    pub(crate) async fn prepare(
        base: &Base,
        name: &MemberName,
    ) -> Result<PreparedWorktree, WorktreeError> {
        let name = WorktreeName::of_member(name)?;
        worktrees(base)?.create(&name).await
    }

    /// Nobody was spawned by the call for which this was made: it goes, unless another call was quicker and uses it.
    pub(crate) async fn abandon(base: &Base, member: &MemberName, prepared: &PreparedWorktree) {
        let team = base.ledger.team();
        let is_used = team.member(member).is_some_and(|m| m.options.worktree);
        let name = &prepared.worktree.name;
        if !is_used
            && let Ok(worktrees) = worktrees(base)
            && let Err(error) = worktrees.remove(name, RemovalReason::CleaningUp).await
        {
            base.feed.note(&MemberName::lead(), error.to_string());
        }
    }
}

/// The workspace with the member's own `/tmp`.
fn own_workspace(base: &Base, member: &MemberName) -> Workspace {
    let mut workspace = (*base.workspace).clone();
    workspace.tmp = workspace.tmp.map(|all| all.join(member.as_str()));
    workspace
}

/// The error in words, with what the user can do about it.
pub(crate) fn explained(base: &Base, error: &WorktreeError) -> String {
    if let WorktreeError::Untrusted(_) = error {
        let step = base.setup.config.wording.words(&NextStep::TrustProject);
        return format!("{error}. The user can {step}; then it can be tried again");
    }
    error.to_string()
}

/// Git's worktrees, where there can be any.
pub(crate) fn worktrees(base: &Base) -> Result<&dyn Worktrees, WorktreeError> {
    let worktrees = base.ports.worktrees.as_deref();
    worktrees.ok_or(WorktreeError::Unsupported)
}
