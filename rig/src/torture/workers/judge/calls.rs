//! The calls of a team, by its transcripts: under which term each began, what came of it, and whether its command ran there, and once.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use teammate_core::{
    port::Record,
    team::{PlaceEvent, TeamEvent, Term},
    tool::{CallId, ToolCall, ToolInput},
    transcript::Entry,
};

use super::super::{
    load::Ack,
    play,
    stock::{Line, Stock},
};

/// A command that was called.
pub(super) struct Command {
    member: String,
    word: String,
    /// Who held the member under the term in which it began.
    worker: Option<String>,
    ack: Ack,
}

/// A message from one member to another.
pub(super) struct Sent {
    pub(super) to: String,
    pub(super) text: String,
    pub(super) ack: Ack,
}

/// All of them.
pub(super) struct Calls {
    pub(super) commands: Vec<Command>,
    pub(super) messages: Vec<Sent>,
}

impl Calls {
    pub(super) fn of(stock: &Stock) -> Self {
        let holders = holders(&stock.records);
        let mut calls = Self {
            commands: Vec::new(),
            messages: Vec::new(),
        };
        for (member, entries) in &stock.transcripts {
            let well = went_well(entries);
            let mut term = Term::NONE;
            for entry in entries {
                match entry {
                    Entry::Taken { term: taken } => term = *taken,
                    Entry::Answered(reply) => {
                        let worker = holders.get(&(member.clone(), term)).cloned();
                        for call in reply.calls() {
                            let ack = match well.contains(&call.id) {
                                true => Ack::Given,
                                false => Ack::Unknown,
                            };
                            calls.add(member, worker.as_ref(), &call, ack);
                        }
                    }
                    _ => {}
                }
            }
        }
        calls
    }

    fn add(&mut self, member: &str, worker: Option<&String>, call: &ToolCall, ack: Ack) {
        let ToolInput::Json(input) = &call.input else {
            return;
        };
        let input: Value = serde_json::from_str(input.get()).unwrap_or_default();
        let text = |name: &str| input[name].as_str().unwrap_or_default().to_owned();
        match call.name.as_str() {
            "send_message" => self.messages.push(Sent {
                to: text("to"),
                text: text("content"),
                ack,
            }),
            "bash" => {
                let command = text("command");
                let mut words = command.split([' ', '"']);
                if let Some(word) = words.find(|word| word.starts_with(play::WORD)) {
                    self.commands.push(Command {
                        member: member.to_owned(),
                        word: word.to_owned(),
                        worker: worker.cloned(),
                        ack,
                    });
                }
            }
            _ => {}
        }
    }

    /// Commands that ran twice, elsewhere than where their member was, or never though they ended well.
    pub(super) fn wrong(&self, lines: &[Line]) -> Vec<String> {
        let mut wrong = Vec::new();
        let mut ran: BTreeMap<(&str, &str), Vec<&str>> = BTreeMap::new();
        for line in lines {
            let at = ran.entry((&line.member, &line.word)).or_default();
            at.push(&line.worker);
        }
        for command in &self.commands {
            let what = format!("{}'s command for {}", command.member, command.word);
            let key = (command.member.as_str(), command.word.as_str());
            match (ran.remove(&key).as_deref(), command.ack) {
                (None, Ack::Unknown) => {}
                (None, Ack::Given) => wrong.push(format!("never ran: {what}")),
                (Some([at]), _) if Some(*at) == command.worker.as_deref() => {}
                (Some([at]), _) => wrong.push(format!(
                    "{what} began under a term of {:?} and ran at {at}",
                    command.worker
                )),
                (Some(at), _) => wrong.push(format!("{what} ran {} times: {at:?}", at.len())),
            }
        }
        wrong
            .extend(ran.keys().map(|(member, word)| {
                format!("{member}'s command for {word} is in no transcript")
            }));
        wrong
    }
}

/// Who held each member under each term.
fn holders(records: &[Record]) -> BTreeMap<(String, Term), String> {
    let events = records.iter().flat_map(|record| &record.events);
    let held = events.filter_map(|event| match event {
        TeamEvent::Place(
            PlaceEvent::Placed {
                member,
                worker,
                term,
            }
            | PlaceEvent::Moved {
                member,
                worker,
                term,
                ..
            },
        ) => Some(((member.to_string(), *term), worker.to_string())),
        _ => None,
    });
    held.collect()
}

/// The calls whose outcomes say that they went well.
fn went_well(entries: &[Entry]) -> BTreeSet<CallId> {
    let outcomes = entries.iter().filter_map(|entry| match entry {
        Entry::ToolOutcomes(outcomes) => Some(outcomes),
        _ => None,
    });
    let well = outcomes.flatten().filter(|(_, outcome)| !outcome.is_error);
    well.map(|(id, _)| id.clone()).collect()
}
