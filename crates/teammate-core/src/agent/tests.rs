//! The agent's loop as transcripts: inputs on the left, effects on the right. Here is what all of them
//! share; the tests are in the modules.

mod compacting;
mod crashes;
mod ending;
mod ends;
mod interrupts;
mod repeats;
mod surplus;
mod turns;

use std::fmt::Write as _;

use super::*;
use crate::{
    MemberName, Message, MessageId, MessageKind, Sender, Timestamp,
    block::Block,
    model::{ModelFailure, Remedy, Reply, StopReason, Usage, Wire},
    tool::{CallId, EffectClass, Outcome, ToolCall, ToolInput},
    transcript::ResumePoint,
};

fn classes() -> Arc<ToolClasses> {
    let tools = [
        ("bash", EffectClass::Executes),
        ("read_file", EffectClass::Reads),
        ("send_message", EffectClass::Team),
        ("task", EffectClass::Delegates),
    ];
    Arc::new(ToolClasses::new(
        tools,
        crate::tool::ToolNames {
            aliases: vec![
                ("SendMessage", "send_message"),
                ("Task", "task"),
                ("X", "x"),
            ],
            arguments: Vec::new(),
            are_shown: false,
        },
    ))
}

fn agent(entries: Vec<Entry>) -> Agent {
    let limits = Limits {
        rounds_max: 4,
        ..Limits::default()
    };
    Agent::new(Incarnation(2), classes(), limits, Conversation::of(entries))
}

fn begin(assignment: Option<SpawnPrompt>) -> Input {
    Input::Begin {
        assignment,
        unfinished: Unfinished::TakeUp {
            untouched: Vec::new(),
        },
    }
}

fn begun() -> Agent {
    let mut agent = agent(vec![]);
    agent.step(begin(None));
    agent.step(Input::Heard(vec![]));
    agent.step(Input::TaskFound(None));
    assert!(agent.is_idle());
    agent
}

/// Mail comes, and is heard; what follows.
fn hears(agent: &mut Agent, id: &str) -> String {
    assert_eq!(brief(&agent.step(Input::Rang)), "listen");
    brief(&agent.step(Input::Heard(vec![mail(id)])))
}

/// In a turn that began with the mail `m1`; the model is called.
fn asked() -> Agent {
    let mut agent = begun();
    assert_eq!(hears(&mut agent, "m1"), "heard(m1) settle model#1");
    agent
}

fn mail(id: &str) -> Message {
    Message {
        id: MessageId::parse(id).unwrap(),
        kind: MessageKind::Message,
        from: Sender::Member(MemberName::lead()),
        from_incarnation: None,
        to: MemberName::teammate("alice").unwrap(),
        to_incarnation: None,
        content: id.into(),
        sent_at: Timestamp(0),
        wakes: None,
        request_id: None,
        metadata: crate::mail::Metadata::default(),
    }
}

fn call(id: &str, name: &str) -> ToolCall {
    ToolCall {
        id: CallId::new(id.into()),
        name: name.into(),
        input: ToolInput::from_json("{}".into()),
    }
}

fn reply(text: &str, calls: &[ToolCall], stop: StopReason) -> Reply {
    let mut blocks: Vec<Block> = calls.iter().map(Block::tool_use).collect();
    if !text.is_empty() {
        blocks.insert(0, Block::text(text));
    }
    Reply {
        blocks,
        stop,
        usage: Usage::default(),
        model: "m".into(),
        wire: Wire::Anthropic,
    }
}

fn says(text: &str) -> Input {
    Input::Answered(reply(text, &[], StopReason::EndTurn))
}

fn wants(calls: &[ToolCall]) -> Input {
    Input::Answered(reply("", calls, StopReason::ToolUse))
}

fn no_key() -> Input {
    Input::ModelFailed(ModelFailure {
        what: "no key".into(),
        remedy: Remedy::Never,
    })
}

fn done(id: &str) -> Input {
    Input::ToolDone(CallId::new(id.into()), Outcome::ok("fine"))
}

/// The entry of such an answer.
fn answered(input: Input) -> Entry {
    let Input::Answered(reply) = input else {
        panic!("not an answer")
    };
    Entry::Answered(reply)
}

/// Effects in a line, short enough to read.
fn brief(effects: &[Effect]) -> String {
    let mut line = String::new();
    for effect in effects {
        let _ = match effect {
            Effect::Record(Entry::Heard(mail)) => {
                let ids: Vec<_> = mail.iter().map(|m| m.id.as_str()).collect();
                write!(line, "heard({}) ", ids.join(","))
            }
            Effect::Record(Entry::HandedOver(_)) => write!(line, "handed over "),
            Effect::Record(Entry::ToolOutcomes(outcomes)) => {
                let ids: Vec<_> = outcomes
                    .iter()
                    .map(|(id, o)| format!("{id}{}", if o.is_error { "!" } else { "" }))
                    .collect();
                write!(line, "done({}) ", ids.join(","))
            }
            Effect::Record(Entry::Answered(_)) => write!(line, "answered "),
            Effect::Record(Entry::MemoryReset) => write!(line, "fresh "),
            Effect::Record(Entry::Conversation(id)) => write!(line, "conversation {id} "),
            Effect::Record(Entry::Prompted(_)) => write!(line, "prompted "),
            Effect::Record(Entry::TurnEnded(_)) => write!(line, "rested "),
            Effect::TakeMail => write!(line, "listen "),
            Effect::FindTask => write!(line, "seek "),
            Effect::AckMail => write!(line, "settle "),
            Effect::CallModel { round } => write!(line, "model#{round} "),
            Effect::Record(Entry::Shortened { calls, mail, .. }) => {
                let ids = mail.iter().map(|id| format!("+{id}"));
                write!(
                    line,
                    "shortened({}{}) ",
                    calls.len(),
                    ids.collect::<String>()
                )
            }
            Effect::Record(Entry::Compacted(compacted)) => {
                write!(line, "compacted[{}] ", compacted.summary)
            }
            Effect::Record(Entry::Taken { term }) => write!(line, "taken:{term} "),
            Effect::Record(Entry::SummaryFailed { .. }) => write!(line, "wasted "),
            Effect::Summarize {
                focus,
                bytes_max,
                in_turn,
                is_needed: _,
            } => {
                let how = if *in_turn { "" } else { "-at-rest" };
                let part = bytes_max.map_or("", |_| "-of-a-part");
                let focus = focus.as_deref().map(|focus| format!("[{focus}]"));
                write!(line, "summarize{how}{part}{} ", focus.unwrap_or_default())
            }
            Effect::CancelModel => write!(line, "cancel-model "),
            Effect::RunTools(calls) => {
                let ids: Vec<_> = calls.iter().map(|c| c.id.as_str()).collect();
                write!(line, "run({}) ", ids.join(","))
            }
            Effect::CancelTools => write!(line, "cancel-tools "),
            Effect::AskToEnd { result, held_back } => {
                write!(line, "may-end[{result}]#{held_back} ")
            }
            Effect::CancelAskToEnd => write!(line, "cancel-may-end "),
            Effect::EndTurn(TurnEnd::Done { result, .. }) => write!(line, "REST[{result}] "),
            Effect::EndTurn(TurnEnd::Ended { why, .. }) => write!(line, "REST[{why:?}] "),
            Effect::Note(_) => write!(line, "note "),
            Effect::EndTurn(TurnEnd::OutOfBudget { .. }) => write!(line, "pause "),
            Effect::Exit => write!(line, "retire "),
        };
    }
    line.trim_end().to_owned()
}

#[track_caller]
fn check(agent: &mut Agent, script: Vec<(Input, &str)>) {
    for (at, (input, expected)) in script.into_iter().enumerate() {
        let got = brief(&agent.step(input.clone()));
        assert_eq!(got, expected, "step {at}: {input:?}");
    }
}
