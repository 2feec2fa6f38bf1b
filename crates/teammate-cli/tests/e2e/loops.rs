//! What would go on until a budget is spent, and is ended long before.

use serde_json::{Value, json};
use teammate_core::{
    block::Block,
    model::StopReason,
    tool::{CallId, ToolCall, ToolInput},
};
use teammate_testkit::{Answer, RecordedRequest, reply};

use crate::{
    play::play,
    wires::{Vendor, Wire, world_at},
    world::World,
};

/// An answer with these calls.
fn asks<const N: usize>(calls: [(&str, Value); N]) -> Answer {
    let calls = calls.into_iter().enumerate().map(|(at, (tool, input))| {
        Block::tool_use(&ToolCall {
            id: CallId::new(format!("c{at}")),
            name: tool.to_owned(),
            input: ToolInput::from_json(input.to_string()),
        })
    });
    Answer::reply(reply(calls.collect(), StopReason::ToolUse))
}

/// Who asks.
fn asker(seen: &RecordedRequest) -> &'static str {
    let body = seen.json();
    let system = body["system"].as_array().unwrap();
    let identity = system.last().unwrap()["text"].as_str().unwrap();
    ["alice", "bob"]
        .into_iter()
        .find(|name| identity.contains(&format!("You are '{name}'")))
        .unwrap_or("lead")
}

/// The last message that it got.
fn last_told(seen: &RecordedRequest) -> String {
    let body = seen.json();
    let last = body["messages"].as_array().unwrap().last().unwrap();
    last["content"].to_string()
}

/// The lead spawns both; whenever one of them is written to, it looks for that file, if one is named, and answers.
fn who_answer_each_other(file: Option<&'static str>, most: usize) -> Vendor {
    let mut sent = 0;
    Vendor::answering(move |seen| {
        let (asker, told) = (asker(seen), last_told(seen));
        let other = match asker {
            "alice" => "bob",
            "bob" => "alice",
            _ if told.contains("Go") => {
                let spawn = |name: &str, prompt: &str| {
                    (
                        "spawn_teammate",
                        json!({"name": name, "role": "friend", "prompt": prompt}),
                    )
                };
                return asks([
                    spawn("alice", "Thank bob."),
                    spawn("bob", "Wait for alice."),
                ]);
            }
            _ => return Answer::text("All is well."),
        };
        if (told.contains("Wait for alice.") && !told.contains("Thank you!")) || sent >= most {
            return Answer::text("I rest.");
        }
        let thanks = (
            "send_message",
            json!({"to": other, "content": "Thank you!"}),
        );
        // Mail may come with the outcome of the last call, and is answered like any other.
        let is_thanked = told.contains("Thank you!");
        match file {
            None if told.contains("tool_result") && !is_thanked => Answer::text("That was kind."),
            Some(_) if told.contains("Sent") && !is_thanked => Answer::text("That was kind."),
            Some(work) if !told.contains("worked-on") => asks([("bash", json!({"command": work}))]),
            None | Some(_) => {
                sent += 1;
                asks([thanks])
            }
        }
    })
}

#[test]
fn two_that_only_thank_each_other_end_and_the_lead_reads_it_once() {
    let vendor = who_answer_each_other(None, usize::MAX);
    let world = world_at(Wire::Anthropic, &vendor.url());
    let run = world.run("Go").ends(0);
    assert!(run.err.contains("only answer each other"), "{}", run.err);
    let told = world.heard("lead");
    let told = told
        .iter()
        .filter(|mail| mail.contains("only answer each other"));
    assert_eq!(told.count(), 1);
    let refused = |name: &str| {
        let outcomes = world.outcomes(name);
        outcomes
            .iter()
            .filter(|seen| seen.contains("only answered one another"))
            .count()
    };
    assert_eq!(refused("alice") + refused("bob"), 1);
    let sent = |name: &str| {
        let heard = world.heard(name);
        heard
            .iter()
            .filter(|mail| mail.contains("Thank you!"))
            .count()
    };
    assert_eq!(sent("alice") + sent("bob"), 50);
    assert!(vendor.server.totals().requests < 250);
    world.assert_at_rest();
}

#[test]
fn a_chain_of_a_hundred_messages_that_do_work_is_no_loop() {
    let vendor = who_answer_each_other(Some("echo worked-on"), 100);
    let world = world_at(Wire::Anthropic, &vendor.url());
    world.run("Go").ends(0);
    let heard = [world.heard("alice"), world.heard("bob")].concat();
    let thanks = heard.iter().filter(|mail| mail.contains("Thank you!"));
    assert_eq!(thanks.count(), 100);
    let told = world.heard("lead");
    assert!(
        !told
            .iter()
            .any(|mail| mail.contains("only answer each other"))
    );
}

#[test]
fn a_call_that_fails_again_and_again_ends_the_turn() {
    let endless = json!({"repeat": true, "calls": [{"tool": "bash", "input": {"command": "echo no; exit 3"}}]});
    let world = World::playing(&play([("lead", vec![endless])]));
    world.run("Go").ends(5).complains(
        "stopped because bash was called 10 times with the same arguments and the same outcome",
    );
    let outcomes = world.outcomes("lead");
    assert_eq!(outcomes.len(), 10);
    let warned = outcomes
        .iter()
        .filter(|seen| seen.contains("Stop repeating it"));
    assert_eq!(warned.count(), 6);
    world.assert_at_rest();
}

#[test]
fn spawns_beyond_the_limit_are_refused_and_0_lifts_it() {
    for (most, refused) in [("2", 1), ("0", 0)] {
        let names = ["a", "b", "c"];
        let calls: Vec<Value> = names
            .iter()
            .map(|name| json!({"tool": "spawn_teammate", "input": {"name": name, "role": "r", "prompt": "Rest."}}))
            .collect();
        let world = World::playing(&json!({"members": {
            "lead": [{"calls": calls}, {"say": "Done.", "when": {"otherwise": true}, "repeat": true}],
            "*": [{"say": "I rest.", "repeat": true}],
        }}));
        world.teammate(&[
            "run",
            "--permission-mode",
            "bypass",
            "--max-spawns",
            most,
            "Go",
        ]);
        let outcomes = world.outcomes("lead");
        let seen = outcomes
            .iter()
            .filter(|seen| seen.contains("within a minute"));
        assert_eq!(seen.count(), refused, "{outcomes:?}");
        assert_eq!(world.members().len(), 1 + names.len() - refused);
    }
}
