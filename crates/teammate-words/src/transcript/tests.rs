//! What entries make of a conversation when it gets shorter.

use std::sync::Arc;

use super::*;
use crate::{
    MemberName, Message, MessageKind, Sender, Timestamp,
    block::{Block, BlockView},
    model::{ChatMessage, Reply, Role, StopReason, Usage, Wire},
    tool::{CallId, FULL_OUTPUT_IN, Outcome, OutcomePart, ToolCall, ToolInput},
};

pub(super) fn mail(id: &str, content: &str) -> Entry {
    Entry::Heard(vec![Message {
        id: MessageId::parse(id).unwrap(),
        kind: MessageKind::Message,
        from: Sender::User,
        from_incarnation: None,
        to: MemberName::lead(),
        to_incarnation: None,
        content: content.into(),
        sent_at: Timestamp(0),
        wakes: None,
        request_id: None,
        metadata: crate::mail::Metadata::default(),
    }])
}

/// An answer that cost nothing.
pub(super) fn said(blocks: Vec<Block>, stop: StopReason) -> Entry {
    Entry::Answered(Reply {
        blocks,
        stop,
        usage: Usage::default(),
        model: "m".into(),
        wire: Wire::Anthropic,
    })
}

fn answered(blocks: Vec<Block>, tokens: u64) -> Entry {
    Entry::Answered(Reply {
        blocks,
        stop: StopReason::EndTurn,
        usage: Usage {
            cache_read: tokens,
            ..Usage::default()
        },
        model: "m".into(),
        wire: Wire::Anthropic,
    })
}

fn calls(id: &str, tool: &str) -> Entry {
    let call = ToolCall {
        id: CallId::new(id.into()),
        name: tool.into(),
        input: ToolInput::from_json("{}".into()),
    };
    answered(vec![Block::tool_use(&call)], 0)
}

fn done(id: &str, text: &str) -> Entry {
    Entry::ToolOutcomes(vec![(CallId::new(id.into()), Outcome::ok(text))])
}

fn compacted(mail_bytes_max: u64) -> Entry {
    Entry::Compacted(Compacted {
        summary: "the gist".into(),
        recap: "You are 'bob'.".into(),
        mail_bytes_max,
        before: 100,
        model: "m".into(),
        usage: Usage::default(),
    })
}

/// Ten rounds with long outcomes.
fn long() -> Vec<Entry> {
    let mut entries = vec![mail("m", "build it")];
    for at in 0..10 {
        let id = format!("c{at}");
        entries.push(calls(&id, "bash"));
        entries.push(done(&id, &"long ".repeat(1_000)));
    }
    entries
}

fn texts(messages: &[Arc<ChatMessage>]) -> Vec<String> {
    let blocks = messages.iter().flat_map(|message| &message.blocks);
    blocks.map(|block| block.json().to_owned()).collect()
}

/// Roles alternate, and each call is answered in the next message.
fn assert_whole(messages: &[Arc<ChatMessage>]) {
    let mut open: Vec<String> = Vec::new();
    for (at, message) in messages.iter().enumerate() {
        let role = if at % 2 == 0 {
            Role::User
        } else {
            Role::Assistant
        };
        assert_eq!(message.role, role, "message {at}");
        for id in open.drain(..) {
            let result = format!("\"tool_use_id\":\"{id}\"");
            let blocks = &message.blocks;
            assert!(blocks.iter().any(|b| b.json().contains(&result)), "{id}");
        }
        open = message
            .blocks
            .iter()
            .filter_map(|block| match block.view() {
                BlockView::ToolUse(call) => Some(call.id.to_string()),
                _ => None,
            })
            .collect();
    }
    assert!(open.is_empty(), "{open:?}");
}

#[test]
fn all_but_the_newest_outcomes_can_be_shortened() {
    let mut conversation = Conversation::of(long());
    let plan = conversation.shortening().unwrap();
    let ids: Vec<&str> = plan.calls.iter().map(CallId::as_str).collect();
    assert_eq!(ids, ["c0", "c1", "c2", "c3"]);
    assert!(plan.bytes > 20_000, "{}", plan.bytes);
    let before = conversation.bytes();
    let shortened = Entry::Shortened {
        calls: plan.calls,
        mail: vec![],
        before: 0,
    };
    conversation.push(&shortened);
    let freed = before - conversation.bytes();
    assert!(freed > plan.bytes * 9 / 10, "{freed}");
    assert_eq!(conversation.shortening(), None);
    assert_whole(conversation.messages());
    assert_eq!(conversation.resume_point(), ResumePoint::CallModel);

    // A transcript that is read again gives the same bytes.
    let again = Conversation::of(long().into_iter().chain([shortened]));
    assert_eq!(texts(again.messages()), texts(conversation.messages()));
    assert_eq!(again.bytes(), conversation.bytes());
}

#[test]
fn a_shortened_outcome_names_its_tool_and_the_file_with_the_whole() {
    let mut entries = vec![
        mail("m", "go"),
        calls("c", "bash"),
        done(
            "c",
            &format!(
                "{}[... 9 of 99 bytes left out here; {FULL_OUTPUT_IN}.team/outputs/a b.txt; read_file and grep read it ...]",
                "x".repeat(2_000)
            ),
        ),
        calls("d", "read_file"),
        Entry::ToolOutcomes(vec![(
            CallId::new("d".into()),
            Outcome::error("y".repeat(2_000)),
        )]),
    ];
    entries.push(Entry::Shortened {
        calls: vec![CallId::new("c".into()), CallId::new("d".into())],
        mail: vec![],
        before: 0,
    });
    let text = texts(Conversation::of(entries).messages()).join("\n");
    assert!(text.contains("[bash: 2"), "{text}");
    assert!(
        text.contains("the whole output is in .team/outputs/a b.txt; read it there"),
        "{text}"
    );
    assert!(
        text.contains("[read_file: 2") && text.contains("call it again"),
        "{text}"
    );
    assert!(text.contains("\"is_error\":true"), "{text}");
}

#[test]
fn a_count_goes_down_by_what_is_freed() {
    let mut entries = long();
    entries.push(answered(vec![Block::text("hm")], 40_000));
    let mut conversation = Conversation::of(entries);
    assert_eq!(conversation.tokens(), 40_000);
    let before = conversation.bytes();
    let calls = conversation.shortening().unwrap().calls;
    conversation.push(&Entry::Shortened {
        calls,
        mail: vec![],
        before: 0,
    });
    let freed = (before - conversation.bytes()) as u64 / 4;
    assert_eq!(conversation.tokens(), 40_000 - freed);
    conversation.push(&compacted(10));
    assert_eq!(conversation.tokens(), conversation.bytes() as u64 / 4);
}

#[test]
fn a_summary_takes_the_place_of_all_but_unanswered_mail() {
    let mut entries = long();
    entries.extend([mail("n", "and hurry"), compacted(1_000)]);
    let mut conversation = Conversation::of(entries);
    assert_eq!(conversation.length(), 23);
    assert!(conversation.has_heard(&MessageId::parse("m").unwrap()));
    assert!(!conversation.has_answers());
    assert_eq!(conversation.resume_point(), ResumePoint::CallModel);
    let text = texts(conversation.messages());
    assert_eq!(text.len(), 3, "{text:?}");
    assert!(
        text[0].contains("<summary>\\nthe gist\\n</summary>"),
        "{text:?}"
    );
    assert!(text[1].contains("You are 'bob'."), "{text:?}");
    assert!(text[2].contains("and hurry"), "{text:?}");

    // Nothing is answered by another summary.
    conversation.push(&compacted(1_000));
    assert_eq!(texts(conversation.messages()), text);
    // An answer is.
    conversation.push(&answered(vec![Block::text("yes")], 0));
    conversation.push(&compacted(1_000));
    assert_eq!(texts(conversation.messages()).len(), 2);
}

#[test]
fn mail_that_would_fill_the_context_by_itself_is_cut() {
    let mut conversation = Conversation::of([
        mail("a", &"é".repeat(50_000)),
        mail("b", "short"),
        compacted(1_000),
    ]);
    assert!(conversation.bytes() < 2_000, "{}", conversation.bytes());
    let text = texts(conversation.messages()).join("\n");
    assert!(
        text.contains("cut here") && text.contains("short"),
        "{text}"
    );
    conversation.push(&compacted(1_000));
    assert!(conversation.bytes() < 2_000);
}

#[test]
fn a_question_about_the_conversation_leaves_it_as_it_is() {
    let conversation = Conversation::of(long());
    let before = texts(conversation.messages());
    let asking = conversation.with_question("Sum it up.", None);
    assert_whole(&asking);
    let asked = texts(&asking);
    assert_eq!(asked[..before.len()], before);
    assert!(asked[before.len()].contains("Sum it up."));
    assert_eq!(asked.len(), before.len() + 1);
    assert_eq!(texts(conversation.messages()), before);
    // All but the last message are the same bytes, rendered once.
    let same = asking.iter().zip(conversation.messages());
    assert!(same.take(20).all(|(a, b)| Arc::ptr_eq(a, b)));
}

#[test]
fn an_excerpt_keeps_the_first_message_and_the_newest_whole_rounds() {
    let mut entries = long();
    entries.push(answered(vec![Block::text("that was all")], 0));
    let rested = Conversation::of(entries);
    for conversation in [&Conversation::of(long()), &rested] {
        let mut shorter = conversation.bytes();
        for _ in 0..8 {
            shorter /= 2;
            let asking = conversation.with_question("Sum it up.", Some(shorter));
            assert_whole(&asking);
            let text = texts(&asking);
            assert!(text[0].contains("build it"), "{text:?}");
            assert!(text[1].contains("messages are left out here"), "{text:?}");
            assert!(text.last().unwrap().contains("Sum it up."));
            let bytes: usize = text.iter().map(String::len).sum();
            assert!(bytes <= shorter + 300, "{bytes} > {shorter}");
        }
    }
}

#[test]
fn a_first_message_that_is_too_long_is_cut_as_well() {
    let conversation = Conversation::of([mail("m", &"word ".repeat(20_000))]);
    let asking = conversation.with_question("Sum it up.", Some(1_000));
    let bytes: usize = texts(&asking).iter().map(String::len).sum();
    assert!(bytes < 1_500, "{bytes}");
    assert_whole(&asking);
}

#[test]
fn an_estimate_is_no_count_of_the_conversation() {
    let mut conversation = Conversation::default();
    conversation.push(&mail("m1", "do it"));
    let Entry::Answered(mut reply) = answered(vec![Block::text("well")], 50_000) else {
        panic!("an answer");
    };
    conversation.push(&Entry::Answered(reply.clone()));
    assert_eq!(conversation.tokens(), 50_000);
    reply.usage.estimated = 50_000;
    conversation.push(&Entry::Answered(reply));
    assert!(conversation.tokens() < 1_000, "{}", conversation.tokens());
}

#[test]
fn a_member_s_spending_follows_from_its_entries() {
    let usage = Usage {
        output: 7,
        ..Usage::default()
    };
    assert_eq!(answered(vec![], 9).usage().unwrap().1.cache_read, 9);
    assert_eq!(compacted(1).usage(), Some(("m", Usage::default())));
    let model = "m".to_owned();
    let wasted = Entry::SummaryFailed { model, usage };
    assert_eq!(wasted.usage(), Some(("m", usage)));
    assert_eq!(Entry::MemoryReset.usage(), None);
}

#[test]
fn a_picture_does_not_fill_the_context() {
    let parts = vec![OutcomePart::Image {
        media_type: "image/png",
        base64: "A".repeat(2_000_000),
    }];
    let seen = Outcome {
        parts,
        is_error: false,
        ran: None,
        change: None,
        merge: None,
        refused: None,
    };
    let conversation = Conversation::of([
        mail("m", "look"),
        calls("c", "read_file"),
        Entry::ToolOutcomes(vec![(CallId::new("c".into()), seen)]),
    ]);
    assert!(conversation.tokens() < 3_000, "{}", conversation.tokens());
}

#[test]
fn quiet_mail_begins_no_turn_in_a_conversation_without_answers() {
    let quiet = |wakes| match mail("m1", "by the way") {
        Entry::Heard(mail) => Entry::Heard(
            mail.into_iter()
                .map(|mail| Message {
                    kind: MessageKind::TaskNotification,
                    wakes: Some(wakes),
                    ..mail
                })
                .collect(),
        ),
        other => other,
    };
    let stands = |entry| Conversation::of([entry]).resume_point();
    assert_eq!(stands(quiet(false)), ResumePoint::Idle);
    assert_eq!(stands(quiet(true)), ResumePoint::CallModel);
}

#[test]
fn a_transcript_folds_to_the_conversation_in_which_it_ends() {
    let id = |number| crate::id::ConversationId::from_number(number).unwrap();
    let first = long();
    let (one, two) = (id(1), id(2));
    let words = |conversation: &Conversation| texts(conversation.messages()).join("\n");
    let alone = Conversation::of(first.clone());
    // A new one begins with nothing, knows all mail, and numbers its entries on.
    let mut entries = first.clone();
    entries.push(Entry::Conversation(two));
    let empty = Conversation::of(entries.clone());
    assert_eq!(empty.messages().len(), 0);
    assert_eq!(empty.resume_point(), ResumePoint::Idle);
    assert_eq!(empty.length(), first.len() as u64 + 1);
    for entry in &first {
        if let Entry::Heard(mail) = entry {
            assert!(mail.iter().all(|mail| empty.has_heard(&mail.id)));
        }
    }
    // The first one continues as if nothing had happened in between.
    entries.push(Entry::Prompted("something else".into()));
    entries.push(Entry::Conversation(one));
    let again = Conversation::of(entries.clone());
    assert_eq!(words(&again), words(&alone));
    assert_eq!(last_conversation(&entries), one);
}
