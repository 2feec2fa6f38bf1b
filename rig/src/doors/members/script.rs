//! What the model has a member do: what its last prompt says, once, by the tools that the agent has for it.

use std::{
    collections::{BTreeMap, HashSet},
    sync::{Arc, Mutex, PoisonError},
};

use serde_json::json;

use crate::doors::{
    acp::shell,
    model::{Asked, Next},
};

/// The words before the number of a message.
const SENT: &str = "with the text MESSAGE-";
/// The words before a command.
const COMMAND: &str = "then say done: ";
/// How tools that are not listed at first are found by name.
const FOUND: &str = "select:mcp__team__send_message";

/// The prompt to send a message.
pub(super) fn message(number: u32) -> String {
    format!("Call the tool send_message of the MCP server team, to lead, {SENT}{number}.")
}

/// The prompt for a command.
pub(super) fn command(line: &str) -> String {
    format!("Run exactly this shell command, {COMMAND}{line}")
}

/// How often the prompt with each number is in a request. The number ends with the sentence.
fn prompts(text: &str) -> BTreeMap<u32, usize> {
    let mut copies = BTreeMap::new();
    for rest in text.split(SENT).skip(1) {
        let number = rest
            .split_once('.')
            .and_then(|(number, _)| number.parse().ok());
        if let Some(number) = number {
            *copies.entry(number).or_default() += 1;
        }
    }
    copies
}

/// What was done, and what was seen of prompts.
#[derive(Clone, Default)]
pub(super) struct Script(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    done: HashSet<String>,
    /// How often each of these prompts was in a request, at most.
    copies: BTreeMap<u32, usize>,
}

impl Script {
    /// What comes next in this conversation.
    pub(super) fn next(&self, asked: &Asked) -> Next {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for (number, copies) in prompts(&asked.text) {
            let known = state.copies.entry(number).or_default();
            *known = copies.max(*known);
        }
        let message = asked.text.rfind(SENT);
        let command = asked.text.rfind(COMMAND);
        let (at, is_message) = match (message, command) {
            (Some(message), Some(command)) if message > command => (message + SENT.len(), true),
            (_, Some(command)) => (command + COMMAND.len(), false),
            (Some(message), None) => (message + SENT.len(), true),
            (None, None) => return Next::Says("ok"),
        };
        let rest = &asked.text[at..];
        let what = &rest[..rest.find(['"', '\\', '\n', '.']).unwrap_or(rest.len())];
        // An agent that was stopped may have been so before the tool ran.
        let stops = asked.text.matches("You were stopped in the middle").count();
        let key = format!("{is_message} {what} {stops}");
        // An agent that was killed may not have kept what it called: then a model would call it again.
        let is_known = match is_message {
            true => rest.contains(&format!("MESSAGE-{what}")),
            false => rest[what.len()..].contains(what),
        };
        if is_known && state.done.contains(&key) {
            return Next::Says("done");
        }
        let call = match is_message {
            false => shell(asked, what),
            true => {
                let input = json!({ "to": "lead", "content": format!("MESSAGE-{what}") });
                let finds = asked.offered("ToolSearch").or(asked.offered("tool_search"));
                match (asked.offered("send_message"), finds) {
                    (Some(tool), _) => Some((tool, input)),
                    // A new conversation does not know what an earlier one has found.
                    (None, Some(finds)) if !asked.text.contains(FOUND) => {
                        let query = json!({ "query": FOUND, "max_results": 3 });
                        return Next::Calls(finds, query);
                    }
                    (None, _) => asked.offered("tool_call").map(|tool| {
                        let name = "mcp__team__send_message";
                        (tool, json!({ "name": name, "arguments": input }))
                    }),
                }
            }
        };
        match call {
            Some((tool, input)) => {
                state.done.insert(key);
                Next::Calls(tool, input)
            }
            None => Next::Says("ok"),
        }
    }

    /// How often such a prompt was in the agent's conversation.
    pub(super) fn copies(&self, number: u32) -> usize {
        let state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.copies.get(&number).copied().unwrap_or_default()
    }
}
