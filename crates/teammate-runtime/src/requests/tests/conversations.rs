//! A new job after a kill at a bad moment: what the killed job began stays its own.

use teammate_core::{
    MemberName, Message, MessageId, MessageKind, Sender, Timestamp,
    mail::Metadata,
    team::{ConversationChoice, ConversationId, TeamState},
    transcript::Entry,
};

use super::stage::Stage;

/// A message of the user to a member.
fn said(team: &TeamState, to: &str, content: &str) -> Message {
    Message {
        id: MessageId::derived(team.id(), content),
        kind: MessageKind::Message,
        from: Sender::User,
        from_incarnation: None,
        to: MemberName::parse(to).unwrap(),
        to_incarnation: None,
        content: content.to_owned(),
        sent_at: Timestamp(1),
        wakes: None,
        request_id: None,
        metadata: Metadata::default(),
    }
}

#[tokio::test(start_paused = true)]
async fn a_turn_that_only_the_transcript_knows_of_stays_with_its_conversation() {
    let mut stage = Stage::new();
    let host = stage.open().await;
    let one = said(&host.team(), "lead", "one");
    host.close().await;
    // Killed after the first job was heard, and before the journal recorded that the lead works.
    stage.record("lead", Entry::Heard(vec![one])).await;

    stage.conversation = ConversationChoice::Fresh;
    let host = stage.open().await;
    let team = host.team();
    assert_eq!(team.conversation().number(), 2);
    assert!(team.unfinished(ConversationId::FIRST).lead);
    host.send_as_user("lead", "two").await.unwrap();
    host.wait_idle().await;
    host.close().await;
    let answers = |entries: &[Entry]| {
        let is_answer = |entry: &&Entry| matches!(entry, Entry::Answered(_));
        entries.iter().filter(is_answer).count()
    };
    assert_eq!(
        answers(&stage.entries("lead").await),
        1,
        "the new job alone"
    );

    stage.conversation = ConversationChoice::Everything;
    let host = stage.open().await;
    assert_eq!(host.team().conversation(), ConversationId::FIRST);
    host.wait_idle().await;
    assert!(host.team().unfinished(ConversationId::FIRST).is_empty());
    host.close().await;
    assert_eq!(answers(&stage.entries("lead").await), 2);
}
