//! The lead's tools for worktrees: it looks at them, and brings them to an end.

mod finish_worktree;
mod list_worktrees;

use std::{path::PathBuf, sync::Arc};

use teammate_core::{
    permission::Location,
    port::{Target, Tool, ToolContext, WorktreeError, WorktreeName, Worktrees},
    tool::Outcome,
};

use crate::{typed_tool::typed, workspace::KnownFiles};

/// Those of the lead, over these worktrees.
pub(crate) fn lead(worktrees: &Arc<dyn Worktrees>, known: &KnownFiles) -> Vec<Arc<dyn Tool>> {
    vec![
        typed(list_worktrees::ListWorktrees(worktrees.clone())),
        typed(finish_worktree::FinishWorktree::new(
            worktrees.clone(),
            known.clone(),
        )),
    ]
}

/// The worktree as permission rules see it: where it is in the workspace.
fn worktree_target(
    worktrees: &dyn Worktrees,
    name: &WorktreeName,
    context: &ToolContext,
) -> Target {
    let place = worktrees.path(name);
    let shown = place.strip_prefix(&context.workspace.root);
    let shown = shown.map_or_else(|_| place.clone(), PathBuf::from);
    Target::Path(Location {
        written: shown.clone(),
        resolved: shown,
        full: place,
    })
}

fn refused(error: &WorktreeError) -> Outcome {
    Outcome::error(format!("Error: {error}"))
}
