//! Members with something left to do that only the mailboxes and transcripts show: after a kill the journal may not know of
//! it.

use teammate_core::{
    MemberName, Message, Sender,
    port::{Mailbox, TranscriptStore},
    team::{Member, MemberPhase, TeamState},
    transcript::{Conversation, Entry, ResumePoint, heard_ids, last_conversation},
};

/// The members with mail to answer or a turn to end in the current conversation, the lead first. Stopped and paused ones are left
/// out. What cannot be read here counts as empty; it is reported when the member begins.
pub async fn unfinished(
    team: &TeamState,
    mailbox: &dyn Mailbox,
    transcripts: &dyn TranscriptStore,
) -> Vec<MemberName> {
    let mut unfinished = Vec::new();
    for member in team.members() {
        let name = &member.name;
        if member.phase == MemberPhase::Stopped || team.paused_for(name).is_some() {
            continue;
        }
        let entries = transcripts.peek(name).await.unwrap_or_default();
        let mail = mailbox.peek(name).await.unwrap_or_default();
        if has_unheard(team, member, &mail, &entries) || is_in_turn(team, member, entries) {
            unfinished.push(name.clone());
        }
    }
    unfinished
}

/// Whether mail waits that asks for a turn in the current conversation. Mail of the user to a teammate belongs to
/// no conversation: the teammate hears it in whichever comes next.
fn has_unheard(team: &TeamState, member: &Member, mail: &[Message], entries: &[Entry]) -> bool {
    let heard = heard_ids(entries);
    let asks = |mail: &&Message| {
        let is_of_job = match mail.from {
            Sender::Unverified(_) => false,
            Sender::User => member.name.is_lead(),
            Sender::Member(_) | Sender::System => true,
        };
        let is_for_life = mail
            .to_incarnation
            .is_none_or(|life| life == member.incarnation);
        let is_there = !team.orders().is_recalled(&mail.id);
        is_of_job && is_for_life && is_there && mail.wakes() && team.is_for_current(mail)
    };
    let mut asking = mail.iter().filter(asks);
    asking.any(|mail| !heard.contains(&mail.id))
}

/// Whether the transcript ends in the middle of a turn of the current conversation. After a kill the journal may not know of it.
fn is_in_turn(team: &TeamState, member: &Member, entries: Vec<Entry>) -> bool {
    if member.name.is_lead() && last_conversation(&entries) != team.conversation() {
        return false;
    }
    match Conversation::of(entries).resume_point() {
        ResumePoint::CallModel | ResumePoint::OpenCalls(_) => true,
        ResumePoint::Idle | ResumePoint::Finished { .. } => false,
    }
}
