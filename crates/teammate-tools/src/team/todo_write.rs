//! `todo_write`: the caller's own list of steps, written as a whole.

use serde::Deserialize;
use serde_json::Value;
use teammate_core::{
    port::{Action, BoxFuture, Tool, ToolContext},
    team::{Todo, TodoList},
    tool::{EffectClass, Outcome, ToolCall, ToolSpec},
};

use super::{action, refused};
use crate::spec::{one_line, spec};

/// The tool.
pub struct TodoWrite {
    spec: ToolSpec,
}

#[derive(Deserialize)]
struct Input {
    #[serde(alias = "todos")]
    items: Vec<Value>,
}

impl Input {
    fn list(self) -> Result<TodoList, Outcome> {
        let items = (1..).zip(self.items).map(|(number, item)| {
            serde_json::from_value::<Todo>(item)
                .map_err(|error| wrong(&format!("item {number}: {error}")))
        });
        let items = items.collect::<Result<_, _>>()?;
        TodoList::new(items).map_err(|error| wrong(&error.to_string()))
    }
}

fn wrong(what: &str) -> Outcome {
    Outcome::error(format!("Error: {what}. The list is as it was."))
}

impl TodoWrite {
    /// The tool; the lists are the team's.
    pub fn new() -> Self {
        Self {
            spec: spec!("todo_write", EffectClass::Team),
        }
    }
}

impl Default for TodoWrite {
    fn default() -> Self {
        Self::new()
    }
}

impl Tool for TodoWrite {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn action(&self, call: &ToolCall, _context: &ToolContext) -> Result<Action, Outcome> {
        let list = call.input.parse::<Input>()?.list()?;
        let shows = list.to_string();
        let count = shows.lines().last().unwrap_or_default();
        let summary = match list.doing() {
            Some(doing) => format!("{} {count}", one_line(doing, 60)),
            None => count.to_owned(),
        };
        Ok(action(shows, summary))
    }

    fn run<'a>(&'a self, call: &'a ToolCall, context: &'a ToolContext) -> BoxFuture<'a, Outcome> {
        Box::pin(async move {
            let list = match call.input.parse().and_then(Input::list) {
                Ok(list) => list,
                Err(outcome) => return outcome,
            };
            let shown = list.to_string();
            match context.office.write_todos(&context.caller, list).await {
                Ok(()) => Outcome::ok(shown),
                Err(refusal) => refused(&refusal),
            }
        })
    }
}
