//! Room in the context, step by step. The model of these tests takes 1,000 tokens; room is made at 800.

mod cold;
mod failures;
mod media;
mod room;
mod summaries;
mod wishes;

use super::*;
use crate::{model::Role, transcript::Compacted};

fn small(entries: Vec<Entry>) -> Agent {
    let limits = Limits {
        rounds_max: 50,
        context: ContextWindow::new(1_000, 0.8),
        ..Limits::default()
    };
    let mut agent = Agent::new(Incarnation(2), classes(), limits, Conversation::of(entries));
    agent.step(begin(None));
    agent
}

/// Idle, with nothing before it.
fn rested() -> Agent {
    let mut agent = small(vec![]);
    agent.step(Input::Heard(vec![]));
    agent.step(Input::TaskFound(None));
    assert!(agent.is_idle());
    agent
}

/// The same answer, for whose input the server counts so many tokens.
fn counting(tokens: u64, input: Input) -> Input {
    let Input::Answered(mut reply) = input else {
        panic!("not an answer")
    };
    reply.usage.input = tokens;
    Input::Answered(reply)
}

fn summary(text: &str, stop: StopReason) -> Input {
    Input::Summarized(reply(text, &[], stop), "the state".to_owned())
}

fn sums_up(text: &str) -> Input {
    summary(text, StopReason::EndTurn)
}

fn printed(id: &str, bytes: usize) -> Input {
    Input::ToolDone(CallId::new(id.into()), Outcome::ok("x".repeat(bytes)))
}

fn texts(agent: &Agent) -> String {
    let blocks = agent
        .conversation()
        .messages()
        .iter()
        .flat_map(|m| &m.blocks);
    blocks.map(Block::json).collect::<Vec<_>>().join("\n")
}

/// A round with one call; what follows it.
fn round(agent: &mut Agent, tokens: u64, call_id: &str, outcome: Input) -> String {
    agent.step(counting(tokens, wants(&[call(call_id, "bash")])));
    agent.step(outcome);
    brief(&agent.step(Input::Heard(vec![])))
}

/// A turn that has just filled the context and waits for the outcome of `c1`.
fn full() -> Agent {
    let mut agent = rested();
    hears(&mut agent, "m1");
    check(
        &mut agent,
        vec![(
            counting(900, wants(&[call("c1", "bash")])),
            "answered run(c1)",
        )],
    );
    agent
}

/// The same, with the summary asked for.
fn summing() -> Agent {
    let mut agent = full();
    check(
        &mut agent,
        vec![
            (done("c1"), "done(c1) listen"),
            (Input::Heard(vec![mail("m2")]), "heard(m2) settle summarize"),
        ],
    );
    agent
}
