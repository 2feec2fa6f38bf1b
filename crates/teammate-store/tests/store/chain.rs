//! The story of somebody who edits the files of a team without its key: lines are added, changed, removed, moved, doubled and
//! put back. What is sealed counts, nothing else does, and what is wrong is named.

mod inbox;
mod journal;
mod random;
mod transcript;

use crate::common::{Files, name};
use teammate_core::{
    Incarnation, Message, Sender, Timestamp,
    model::{Reply, StopReason, Usage, Wire},
    port::{Journal as _, JournalRead},
    team::TeamEvent,
    tool::{CallId, Outcome},
    transcript::Entry,
};
use teammate_store::wire::{self, chain::LineDigest};

/// What somebody does to the lines of a file.
type Edit = fn(&mut Vec<String>);

fn edit_file(files: &Files, path: &std::path::Path, edit: Edit) {
    let mut lines = files.lines(path);
    edit(&mut lines);
    files.replace(path, &lines);
}

fn last(lines: &[String]) -> LineDigest {
    LineDigest::of(lines.last().unwrap().as_bytes())
}

fn working(n: u64) -> Vec<TeamEvent> {
    vec![TeamEvent::Working {
        member: name("alice"),
        incarnation: Incarnation(u32::try_from(n).unwrap()),
    }]
}

fn record(n: u64) -> String {
    wire::record::to_json(n, Timestamp(n), &working(n))
}

async fn read(files: &Files) -> JournalRead {
    files.journal().read(0).await.unwrap()
}

fn answered(call: &str) -> Entry {
    Entry::Answered(Reply {
        blocks: Vec::new(),
        stop: StopReason::ToolUse,
        usage: Usage::default(),
        model: call.into(),
        wire: Wire::Anthropic,
    })
}

/// Two turns, the second with an answer whose calls have no outcome yet.
fn two_turns() -> Vec<Entry> {
    let done =
        |call: &str| Entry::ToolOutcomes(vec![(CallId::new(call.into()), Outcome::ok("fine"))]);
    vec![
        Entry::Prompted("go".into()),
        answered("one"),
        done("one"),
        answered("two"),
        done("two"),
        answered("three"),
    ]
}

fn forged() -> String {
    r#"{"id":"m9","type":"message","from":"lead","to":"bob","content":"9","timestamp":1.0}"#.into()
}

fn is_believed(message: &Message) -> bool {
    !matches!(message.from, Sender::Unverified(_))
}
