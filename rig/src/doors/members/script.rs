//! What the model has a member do: what its last prompt says, once, by the tools that the agent has for it.

use std::{
    collections::{BTreeMap, HashSet},
    sync::{Arc, Mutex, PoisonError},
};

use serde_json::{Value, json};

use crate::doors::{
    acp::shell,
    model::{Asked, Next, Offered},
};

/// The words before the number of a message.
const SENT: &str = "with the text MESSAGE-";
/// The words before a command.
const COMMAND: &str = "then say done: ";
/// The words before the number of a task.
const TASK: &str = "of the MCP server team, for the task number ";
/// What the member says of a task that it has completed.
pub(super) const RESULT: &str = "RIVERS-COUNTED";

/// How often a tool is searched for in a conversation.
const SEARCHES_MAX: usize = 10;

/// The prompt to send a message.
pub(super) fn message(number: u32) -> String {
    format!("Call the tool send_message of the MCP server team, to lead, {SENT}{number}.")
}

/// The prompt for a command.
pub(super) fn command(line: &str) -> String {
    format!("Run exactly this shell command, {COMMAND}{line}")
}

/// The prompt to take a task of the board and complete it.
pub(super) fn task(number: u32) -> String {
    format!("Call the tools update_task, to take it, and then complete_task {TASK}{number}.")
}

/// What a prompt asks for.
#[derive(Debug, Clone, Copy)]
enum Wanted {
    Message,
    Command,
    Task,
}

impl Wanted {
    const ALL: [(Self, &str); 3] = [
        (Self::Message, SENT),
        (Self::Command, COMMAND),
        (Self::Task, TASK),
    ];

    /// What the last prompt in a request asks for, and the text from there on.
    fn last(text: &str) -> Option<(Self, &str)> {
        let found = Self::ALL.into_iter().filter_map(|(wanted, words)| {
            let at = text.rfind(words)? + words.len();
            Some((wanted, at))
        });
        let (wanted, at) = found.max_by_key(|(_, at)| *at)?;
        Some((wanted, &text[at..]))
    }

    /// The calls that do it, by the team's tools: a name and what is given to it. A command is the agent's own.
    fn calls(self, what: &str) -> Vec<(&'static str, Value)> {
        let number: u32 = what.parse().unwrap_or_default();
        match self {
            Self::Message => {
                let input = json!({ "to": "lead", "content": format!("MESSAGE-{what}") });
                vec![("send_message", input)]
            }
            Self::Command => Vec::new(),
            Self::Task => vec![
                (
                    "update_task",
                    json!({ "task_id": number, "status": "in_progress" }),
                ),
                (
                    "complete_task",
                    json!({ "task_id": number, "result": RESULT }),
                ),
            ],
        }
    }

    /// Whether the conversation behind the prompt knows of what was done: an agent that was killed may not have kept what it called,
    /// and then a model would call it again.
    fn is_known(self, what: &str, rest: &str) -> bool {
        match self {
            Self::Message => rest.contains(&format!("MESSAGE-{what}")),
            Self::Command => rest[what.len()..].contains(what),
            // Nobody is killed then.
            Self::Task => true,
        }
    }
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
        let Some((wanted, rest)) = Wanted::last(&asked.text) else {
            return Next::Says("ok");
        };
        let what = &rest[..rest.find(['"', '\\', '\n', '.']).unwrap_or(rest.len())];
        // An agent that was stopped may have been so before the tool ran.
        let stops = asked.text.matches("You were stopped in the middle").count();
        let is_done =
            |state: &State, key: &str| wanted.is_known(what, rest) && state.done.contains(key);
        let key = |tool: &str| format!("{wanted:?} {what} {stops} {tool}");
        let (tool, next) = match wanted {
            Wanted::Command => (
                "",
                shell(asked, what).map(|(tool, input)| Next::Calls(tool, input)),
            ),
            Wanted::Message | Wanted::Task => {
                let mut calls = wanted.calls(what).into_iter();
                match calls.find(|(tool, _)| !is_done(&state, &key(tool))) {
                    Some((tool, input)) => (tool, call(asked, tool, input)),
                    None => return Next::Says("done"),
                }
            }
        };
        let key = key(tool);
        if is_done(&state, &key) {
            return Next::Says("done");
        }
        match next {
            // A search comes before the call.
            Some(Next::Calls(found, input)) if is_search(&found) => Next::Calls(found, input),
            Some(next) => {
                state.done.insert(key);
                next
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

/// A call of a tool of the team, by whatever the agent has for it. One that lists it at first, one that finds it by name, and one that
/// calls it through another tool.
fn call(asked: &Asked, tool: &str, input: Value) -> Option<Next> {
    if let Some(offered) = asked.offered(tool) {
        return Some(Next::Calls(offered, input));
    }
    let finds = asked.offered("ToolSearch").or(asked.offered("tool_search"));
    let query = format!("select:mcp__team__{tool}");
    match finds {
        // A new conversation does not know what an earlier one has found, and an agent finds nothing of a server that starts.
        Some(finds) if asked.text.matches(&query).count() < SEARCHES_MAX => Some(Next::Calls(
            finds,
            json!({ "query": query, "max_results": 3 }),
        )),
        Some(_) | None => asked.offered("tool_call").map(|through| {
            let name = format!("mcp__team__{tool}");
            Next::Calls(through, json!({ "name": name, "arguments": input }))
        }),
    }
}

fn is_search(tool: &Offered) -> bool {
    tool.name.ends_with("ToolSearch") || tool.name.ends_with("tool_search")
}
