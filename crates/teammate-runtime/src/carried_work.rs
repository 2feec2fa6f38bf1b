//! A member's work on its way between machines, where workers run the team: it is brought when its loop opens, saved each minute
//! of work, and delivered at the end of each turn. Where one process runs all members, nothing of this happens.

mod carried;
mod saver;

use teammate_core::{
    MemberName,
    port::{Bringing, BroughtWork, TransferError, WorkThatCame, WorktreeError},
};

use self::carried::Carried;
pub(crate) use self::saver::WorkSaver;
use crate::base::Base;

/// Whether a member's work leaves this machine.
pub(crate) fn is_carried(base: &Base, member: &MemberName) -> bool {
    Carried::of(base, member).is_some()
}

/// Makes what the member did elsewhere the work in its place here.
pub(crate) async fn bring(
    base: &Base,
    member: &MemberName,
) -> Result<Option<WorkThatCame>, WorktreeError> {
    let Some(carried) = Carried::of(base, member) else {
        return Ok(None);
    };
    let why = Bringing::ToWork {
        delivered: carried.delivered.as_ref(),
    };
    match carried.transfer.bring(&carried.work(), why).await {
        Ok(BroughtWork::Came(came)) => Ok(Some(came)),
        Ok(BroughtWork::Here | BroughtWork::Nothing) => Ok(None),
        Err(TransferError::Worktree(error)) => Err(error),
        Err(error) => Err(WorktreeError::Failed {
            what: format!("bring the work of '{member}' to this machine"),
            why: error.to_string(),
        }),
    }
}

#[cfg(test)]
mod tests;
