//! The message that tells a member what came with it from another machine.

use teammate_core::{MemberName, MessageKind, port::WorkThatCame, team::MessageCause};

use crate::{
    base::Base,
    mailer::{MailDraft, Mailer},
};

/// Tells the member, and who watches, what came and since when the rest is missing. Heard once for each term.
pub(crate) async fn send_notice(
    base: &Base,
    mailer: &Mailer,
    member: &MemberName,
    came: &WorkThatCame,
) {
    let team = base.ledger.team();
    let Some(placement) = team.places().placement(member) else {
        return;
    };
    let cause = MessageCause::WorkCame(member, placement.term);
    let draft = MailDraft {
        kind: MessageKind::Message,
        ..MailDraft::notice(team.message_id(cause), member, came.to_string())
    };
    if let Err(error) = mailer.send(draft).await {
        let text = format!("the member was not told what came ({error}): {came}");
        base.feed.note(member, text);
    }
}
