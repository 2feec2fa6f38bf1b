//! Transcripts that were damaged between two runs: the program goes on, and a strict server refuses nothing.

use std::fs;

use serde_json::json;
use teammate_core::{
    block::Block,
    model::StopReason,
    tool::{CallId, ToolCall, ToolInput},
};
use teammate_testkit::{Answer, reply};

use crate::wires::{Vendor, WIRES, world_at};

/// Calls `bash` twice in each turn, then says a word.
fn vendor() -> Vendor {
    let mut calls = 0;
    Vendor::answering(move |seen| {
        let body = seen.json();
        let last = [&body["messages"], &body["input"]]
            .into_iter()
            .find_map(|list| list.as_array())
            .unwrap()
            .last()
            .unwrap()
            .to_string();
        let results = ["tool_result", "tool_call_id", "function_call_output"];
        if results.iter().any(|result| last.contains(result)) {
            return Answer::text("Done.");
        }
        let call = |at: usize| {
            Block::tool_use(&ToolCall {
                id: CallId::new(format!("call_{at}")),
                name: "bash".to_owned(),
                input: ToolInput::from_json(json!({"command": format!("echo {at}")}).to_string()),
            })
        };
        calls += 2;
        Answer::reply(reply(
            vec![call(calls), call(calls + 1)],
            StopReason::ToolUse,
        ))
    })
}

type Harm = fn(&mut Vec<String>, usize);

/// What is done to a line, and whether the user reads of it.
const HARMS: [(&str, Harm); 5] = [
    ("changed", |lines, at| {
        lines[at] = lines[at].replacen("\"entry\"", "\"entrx\"", 1);
    }),
    ("missing", |lines, at| drop(lines.remove(at))),
    ("doubled", |lines, at| lines.insert(at, lines[at].clone())),
    ("swapped with the next", |lines, at| lines.swap(at, at + 1)),
    ("halved", |lines, at| {
        let half = lines[at].len() / 2;
        lines[at].truncate(half);
    }),
];

// fast: damaged transcripts
#[test]
fn a_damaged_transcript_goes_on_over_all_wires() {
    for wire in WIRES {
        let vendor = vendor();
        let world = world_at(wire, &vendor.url());
        world.run("Begin").ends(0);
        world.run("More").ends(0);
        let sound = world.file(".team/agents/lead/transcript.jsonl");
        let path = world.path(".team/agents/lead/transcript.jsonl");
        let count = sound.lines().count();
        assert!(count > 8, "{sound}");
        for (what, harm) in HARMS {
            // The first line says what the file is; the last one has none to be swapped with.
            for at in [1, 2, 3, count / 2, count - 2] {
                let mut lines: Vec<String> = sound.lines().map(str::to_owned).collect();
                harm(&mut lines, at);
                fs::write(&path, lines.join("\n") + "\n").unwrap();
                let run = world.run("Again").ends(0);
                assert!(run.out.contains("Done."), "line {at} {what}: {}", run.out);
                let notices = run.err.matches("transcript.jsonl").count();
                assert!(notices > 0, "line {at} {what}: nobody is told: {}", run.err);
                vendor.assert_content();
            }
        }
    }
}
