//! `todo_write`: the caller's own list of steps, written as a whole.

use schemars::JsonSchema;
use serde::{Deserialize, de::IgnoredAny};
use serde_json::Value;
use teammate_core::{
    port::{Action, ToolContext},
    team::{Todo, TodoList, TodoStatus},
    tool::{EffectClass, Outcome},
};

use crate::{
    display::one_line,
    typed_tool::{Reply, TypedTool, done, team_action},
};

pub(super) struct TodoWrite;

#[derive(Deserialize, JsonSchema)]
pub(super) struct Input {
    // Each is read by itself, so that an error can name it.
    #[serde(alias = "todos")]
    #[schemars(with = "Vec<Item>")]
    items: Vec<Value>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Item {
    content: String,
    status: Status,
    #[serde(default, rename = "activeForm", alias = "active_form")]
    #[schemars(skip)]
    active_form: Option<String>,
    // Other programs number and rank them; here their order does both.
    #[serde(default, rename = "id")]
    #[schemars(skip)]
    _id: IgnoredAny,
    #[serde(default, rename = "priority")]
    #[schemars(skip)]
    _priority: IgnoredAny,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Status {
    Pending,
    InProgress,
    Completed,
}

impl Input {
    fn list(&self) -> Result<TodoList, Outcome> {
        let items = (1..).zip(&self.items).map(|(number, item)| {
            let item = Item::deserialize(item);
            let item = item.map_err(|error| wrong(&format!("item {number}: {error}")));
            item.map(Todo::from)
        });
        let items = items.collect::<Result<_, _>>()?;
        TodoList::new(items).map_err(|error| wrong(&error.to_string()))
    }
}

impl From<Item> for Todo {
    fn from(item: Item) -> Self {
        Self {
            content: item.content,
            status: match item.status {
                Status::Pending => TodoStatus::Pending,
                Status::InProgress => TodoStatus::InProgress,
                Status::Completed => TodoStatus::Completed,
            },
            active_form: item.active_form,
        }
    }
}

fn wrong(what: &str) -> Outcome {
    Outcome::error(format!("Error: {what}. The list was not changed."))
}

impl TypedTool for TodoWrite {
    type Input = Input;
    const NAME: &'static str = "todo_write";
    const DESCRIPTION: &'static str = "Replace your todo list, for work of 3 or more steps: at most 20 items, one \
        in_progress.";
    const CLASS: EffectClass = EffectClass::Team;

    fn action(&self, input: &Input, _: &ToolContext) -> Result<Action, Outcome> {
        let list = input.list()?;
        let shows = list.to_string();
        let count = shows.lines().last().unwrap_or_default();
        let summary = match list.doing() {
            Some(doing) => format!("{} {count}", one_line(doing, 60)),
            None => count.to_owned(),
        };
        Ok(team_action(shows, summary))
    }

    async fn run(&self, input: Input, context: &ToolContext) -> Reply {
        let list = input.list()?;
        let shown = list.to_string();
        context.team.write_todos(list).await?;
        done(shown)
    }
}
