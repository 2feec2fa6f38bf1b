//! What a session has told, as an editor shows it.

use serde_json::Value;

/// Updates in their order.
#[derive(Debug, Default)]
pub(in crate::acp) struct Shown(Vec<Value>);

impl Shown {
    pub(super) fn take(&mut self, update: Value) {
        self.0.push(update);
    }

    fn of<'a>(&'a self, kind: &'a str) -> impl Iterator<Item = &'a Value> {
        let is_meant = move |update: &&Value| update["sessionUpdate"] == kind;
        self.0.iter().filter(is_meant)
    }

    fn text(&self, kind: &str) -> String {
        self.of(kind)
            .map(|update| update["content"]["text"].as_str().unwrap())
            .collect()
    }

    pub(in crate::acp) fn answer(&self) -> String {
        self.text("agent_message_chunk")
    }

    pub(in crate::acp) fn thoughts(&self) -> String {
        self.text("agent_thought_chunk")
    }

    pub(in crate::acp) fn user(&self) -> String {
        self.text("user_message_chunk")
    }

    pub(in crate::acp) fn withdrawn(&self) -> bool {
        self.of("withdrawn").next().is_some()
    }

    pub(in crate::acp) fn commands(&self) -> Vec<String> {
        let update = self.of("available_commands_update").last().unwrap();
        let commands = update["availableCommands"].as_array().unwrap().iter();
        commands
            .map(|command| command["name"].as_str().unwrap().to_owned())
            .collect()
    }

    /// The last plan, a line an entry.
    pub(in crate::acp) fn plan(&self) -> Vec<String> {
        let entries = self.of("plan").last().unwrap()["entries"].clone();
        let entries = entries.as_array().unwrap().iter();
        let words = |entry: &Value, key: &str| entry[key].as_str().unwrap().to_owned();
        entries
            .map(|entry| format!("{}: {}", words(entry, "status"), words(entry, "content")))
            .collect()
    }

    /// A call whose title begins so, with all that was shown of it.
    pub(in crate::acp) fn call(&self, title: &str) -> Value {
        let begins = |update: &&Value| update["title"].as_str().unwrap().starts_with(title);
        let mut call = self.of("tool_call").find(begins).unwrap().clone();
        for update in self.of("tool_call_update") {
            if update["toolCallId"] == call["toolCallId"] {
                for (key, value) in update.as_object().unwrap() {
                    call[key] = value.clone();
                }
            }
        }
        call
    }
}
