//! A member's work on its way between machines, where workers run the team: it is brought when its loop opens, saved each minute
//! of work, and delivered at the end of each turn. Where one process runs all members, nothing of this happens.

mod saver;

use std::sync::Arc;

use teammate_core::{
    MemberName, MessageKind, Sender,
    mail::Metadata,
    port::{
        Bringing, BroughtWork, TransferError, WorkOf, WorkThatCame, WorkTransfer, WorktreeError,
    },
    team::{Delivery, Holding, MessageCause},
};

pub(crate) use self::saver::WorkSaver;
use crate::{
    base::Base,
    mailer::{Draft, Mailer},
};

/// By what right a member's work is carried, and by what.
struct Carried {
    transfer: Arc<dyn WorkTransfer>,
    holding: Holding,
    delivered: Option<Delivery>,
}

impl Carried {
    /// Nothing where no worker holds the member.
    fn of(base: &Base, member: &MemberName) -> Option<Self> {
        let transfer = base.ports.transfer.clone()?;
        let team = base.ledger.team();
        let placement = team.places().placement(member)?;
        let holding = Holding {
            member: member.clone(),
            worker: placement.worker.clone()?,
            term: placement.term,
        };
        Some(Self {
            transfer,
            holding,
            delivered: placement.delivered.clone(),
        })
    }

    fn work(&self) -> WorkOf {
        WorkOf {
            member: self.holding.member.clone(),
            term: self.holding.term,
        }
    }
}

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

/// Tells the member, and who watches, what came and since when the rest is missing. Heard once for each term.
pub(crate) async fn tell(base: &Base, mailer: &Mailer, member: &MemberName, came: &WorkThatCame) {
    let Some(carried) = Carried::of(base, member) else {
        return;
    };
    let cause = MessageCause::WorkCame(member, carried.holding.term);
    let draft = Draft {
        id: base.ledger.team().message_id(cause),
        kind: MessageKind::Message,
        from: Sender::System,
        from_incarnation: None,
        to: member.clone(),
        content: came.to_string(),
        request: None,
        to_incarnation: None,
        wakes: false,
        metadata: Metadata::default(),
    };
    if let Err(error) = mailer.send(draft).await {
        let text = format!("the member was not told what came ({error}): {came}");
        base.feed.note(member, text);
    }
}
