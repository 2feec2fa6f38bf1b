//! The message that tells a member what came with it from another machine.

use teammate_core::{
    MemberName, MessageKind, Sender, mail::Metadata, port::WorkThatCame, team::MessageCause,
};

use crate::{
    base::Base,
    mailer::{Draft, Mailer},
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
    let draft = Draft {
        id: team.message_id(cause),
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
