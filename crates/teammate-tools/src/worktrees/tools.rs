//! What the lead does with worktrees: looks at them, and brings them to an end.

mod finish_worktree;
mod worktrees;

pub use finish_worktree::FinishWorktree;
pub use worktrees::ListWorktrees;

use std::path::PathBuf;

use teammate_core::{
    permission::Location,
    port::{Target, ToolContext, WorktreeError, WorktreeName, Worktrees},
    tool::Outcome,
};

/// The worktree as permission rules see it: where it is in the workspace.
fn target(worktrees: &dyn Worktrees, name: &WorktreeName, context: &ToolContext) -> Target {
    let place = worktrees.place(name);
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
