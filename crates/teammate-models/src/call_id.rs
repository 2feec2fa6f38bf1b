//! Ids of tool calls that the server did not give, or gave before.

use std::sync::Arc;

use teammate_core::model::{ChatMessage, Role};

use crate::json::quoted;

/// Makes ids that no other call of the conversation has: answers, and what follows from a call once and for ever,
/// are found by them.
pub(crate) struct CallIds<'a> {
    history: &'a [Arc<ChatMessage>],
    given: Vec<String>,
}

impl<'a> CallIds<'a> {
    /// For an answer to these messages.
    pub(crate) fn after(history: &'a [Arc<ChatMessage>]) -> Self {
        Self {
            history,
            given: Vec::new(),
        }
    }

    /// The server's id if it is new; otherwise one made of it that is. The same conversation gives the same ids.
    pub(crate) fn give(&mut self, wanted: &str) -> String {
        let base = if wanted.is_empty() { "call" } else { wanted };
        let mut id = wanted.to_owned();
        let mut number = self.history.len();
        while id.is_empty() || self.is_taken(&id) {
            id = format!("{base}_{number}");
            number += 1;
        }
        self.given.push(id.clone());
        id
    }

    fn is_taken(&self, id: &str) -> bool {
        let field = format!("\"id\":{}", quoted(id));
        self.given.iter().any(|given| given == id)
            || self
                .history
                .iter()
                .filter(|message| message.role == Role::Assistant)
                .flat_map(|message| &message.blocks)
                .any(|block| block.json().contains(&field))
    }
}

#[cfg(test)]
mod tests {
    use teammate_core::{
        block::Block,
        tool::{CallId, ToolCall, ToolInput},
    };

    use super::*;

    #[test]
    fn an_id_is_never_given_twice() {
        let call = Block::tool_use(&ToolCall {
            id: CallId::new("call_0".into()),
            name: "bash".into(),
            input: ToolInput::read("{}".into()),
        });
        let history = [Arc::new(ChatMessage::new(
            Role::Assistant,
            vec![call],
            None,
        ))];
        let mut ids = CallIds::after(&history);
        let given: Vec<String> = ["call_0", "abc", "abc", "", ""]
            .iter()
            .map(|wanted| ids.give(wanted))
            .collect();
        assert_eq!(given, ["call_0_1", "abc", "abc_1", "call_1", "call_2"]);
    }
}
