//! What a team would have written in months.

use serde_json::{Value, json};
use teammate_core::{
    Incarnation, MemberName, Message, MessageId, MessageKind, Sender, Timestamp,
    block::Block,
    board::{TaskEvent, TaskId},
    cause::Cause,
    mail::Metadata,
    model::{Reply, StopReason, Usage, Wire},
    team::TeamEvent,
    tool::{CallId, Outcome, ToolCall, ToolInput},
    transcript::{Compacted, EndReason, Entry},
};

const MODEL: &str = "scripted:play";

/// So many records of turns of the lead.
pub(super) fn turns(records: usize) -> impl Iterator<Item = TeamEvent> {
    let (member, incarnation) = (MemberName::lead(), Incarnation::FIRST);
    (0..records).map(move |at| match at % 3 {
        0 => TeamEvent::Working {
            member: member.clone(),
            incarnation,
        },
        1 => TeamEvent::Spent {
            member: member.clone(),
            incarnation,
            model: MODEL.to_owned(),
            requests: 1,
            usage: usage(),
            upto: None,
            worked_ms: 800,
            team_ms: 800,
        },
        _ => TeamEvent::TurnEnded {
            member: member.clone(),
            incarnation,
            why: EndReason::Done,
            turn: None,
            result: "The parser is fine.".to_owned(),
        },
    })
}

/// So many open tasks.
pub(super) fn tasks(tasks: usize) -> impl Iterator<Item = TeamEvent> {
    (1..).take(tasks).map(|number| TeamEvent::Task {
        task: TaskId::new(number),
        change: TaskEvent::Created {
            by: Sender::User,
            call: Cause::from(format!("create {number}")),
            subject: format!("Read part {number} of the parser and say what is wrong with it"),
            description: "Look at its errors, too.".to_owned(),
            active_form: String::new(),
            blocked_by: Default::default(),
            requires: None,
            check: None,
            worktree: false,
            team: None,
            assigned: None,
        },
    })
}

/// So many rounds of a call and its outcome of so many bytes, two entries each, after mail of the user; each `summarized` rounds
/// a summary takes the place of what was before.
pub(super) fn rounds(
    rounds: usize,
    bytes: usize,
    summarized: Option<usize>,
) -> impl Iterator<Item = Entry> {
    let output = "The parser is fine. ".repeat(bytes.div_ceil(20));
    let heard = Entry::Heard(vec![message()]);
    let work = (0..rounds).flat_map(move |round| {
        let summary = summarized
            .is_some_and(|every| round % every == every - 1)
            .then(summary);
        let call = ToolCall {
            id: CallId::new(format!("call-{round}")),
            name: "bash".to_owned(),
            input: ToolInput::from_json(format!(r#"{{"command":"cat src/part{round}.rs"}}"#)),
        };
        let outcome = (call.id.clone(), Outcome::ok(output.clone()));
        [
            Some(answer(Block::tool_use(&call), StopReason::ToolUse)),
            Some(Entry::ToolOutcomes(vec![outcome])),
            summary,
        ]
        .into_iter()
        .flatten()
    });
    let done = answer(Block::text("Done."), StopReason::EndTurn);
    std::iter::once(heard).chain(work).chain([done])
}

/// So many lines of mail that no seal proves, of about so many bytes.
pub(super) fn mail(lines: usize, bytes: usize) -> impl Iterator<Item = Value> {
    let rest = bytes.saturating_sub(45);
    (0..lines)
        .map(move |number| json!({"from": "bob", "content": format!("{number:>0$}", rest.max(8))}))
}

fn answer(block: Block, stop: StopReason) -> Entry {
    Entry::Answered(Reply {
        blocks: vec![block],
        stop,
        usage: usage(),
        model: MODEL.to_owned(),
        wire: Wire::Anthropic,
    })
}

fn summary() -> Entry {
    Entry::Compacted(Compacted {
        summary: "The parser was read, part by part.".to_owned(),
        recap: "You are the lead.".to_owned(),
        mail_bytes_max: 10_000,
        before: 100_000,
        model: MODEL.to_owned(),
        usage: usage(),
    })
}

fn message() -> Message {
    Message {
        id: MessageId::derived(Default::default(), "read the parser"),
        kind: MessageKind::Message,
        from: Sender::User,
        from_incarnation: None,
        to: MemberName::lead(),
        to_incarnation: None,
        content: "Read the parser.".to_owned(),
        sent_at: Timestamp(0),
        wakes: None,
        request_id: None,
        metadata: Metadata::default(),
    }
}

fn usage() -> Usage {
    Usage {
        input: 10,
        output: 100,
        cache_read: 1_000,
        cache_write: 10,
        ..Usage::default()
    }
}
