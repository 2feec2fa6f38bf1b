//! Mail of the user that can be taken back: it waits in a mailbox, and no member has heard it.

use teammate_core::{
    MemberName, Message, MessageId, Sender,
    port::{Mailbox, Refusal, TranscriptStore},
    team::TeamState,
    transcript::heard_ids,
};

/// The mail of the user with this id, or the last one that nobody has heard. What it says may be over a moment later: only the
/// member itself knows for sure (`UserOrder::Recall`).
///
/// Errors: there is none; who has heard it, where that is known.
pub async fn unheard_words(
    team: &TeamState,
    mailbox: &dyn Mailbox,
    transcripts: &dyn TranscriptStore,
    wanted: Option<&MessageId>,
) -> Result<Message, Refusal> {
    let mut last: Option<Message> = None;
    for member in team.members() {
        let mail = mailbox.peek(&member.name).await?;
        let is_meant = |mail: &Message| {
            mail.from == Sender::User
                && wanted.is_none_or(|wanted| *wanted == mail.id)
                && !team.orders().is_recalled(&mail.id)
        };
        let mut meant: Vec<Message> = mail.into_iter().filter(is_meant).collect();
        if meant.is_empty() {
            continue;
        }
        // A batch may wait to be removed that the transcript holds already.
        let entries = transcripts.peek(&member.name).await.unwrap_or_default();
        let heard = heard_ids(&entries);
        meant.retain(|mail| !heard.contains(&mail.id));
        last = last
            .into_iter()
            .chain(meant)
            .max_by_key(|mail| mail.sent_at);
    }
    match (last, wanted) {
        (Some(mail), _) => Ok(mail),
        (None, None) => Err(Refusal::Rule(
            "nothing can be taken back: all that you said was heard".to_owned(),
        )),
        (None, Some(wanted)) => Err(not_there(team, transcripts, wanted).await),
    }
}

async fn not_there(
    team: &TeamState,
    transcripts: &dyn TranscriptStore,
    mail: &MessageId,
) -> Refusal {
    if team.orders().is_recalled(mail) {
        return Refusal::Rule(format!("mail {mail} was taken back before"));
    }
    for member in team.members() {
        let entries = transcripts.peek(&member.name).await.unwrap_or_default();
        if heard_ids(&entries).contains(mail) {
            return heard_by(mail, &member.name);
        }
    }
    Refusal::Rule(format!(
        "no mail of yours with the id {mail} waits for a member"
    ))
}

/// It is too late.
pub(crate) fn heard_by(mail: &MessageId, name: &MemberName) -> Refusal {
    Refusal::Rule(format!(
        "mail {mail} cannot be taken back: {name} has heard it. Say what you want instead"
    ))
}
