//! Ids of tool calls that the server did not give or gave before, and names and ids in the letters that wires take.

use std::{borrow::Cow, sync::Arc};

use teammate_core::model::{ChatMessage, Role};

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
        self.given.iter().any(|given| given == id)
            || self
                .history
                .iter()
                .filter(|message| message.role == Role::Assistant)
                .flat_map(|message| message.call_ids())
                .any(|known| known.as_str() == id)
    }
}

/// A name or id in the letters that every wire takes. A model may call a tool by any name, and another server may
/// have made ids of other letters; sent back as they are, they would make a server refuse the whole history.
pub(crate) fn plain(text: &str) -> Cow<'_, str> {
    const LENGTH_MAX: usize = 64;
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    if !text.is_empty() && text.len() <= LENGTH_MAX && text.chars().all(is_plain) {
        return Cow::Borrowed(text);
    }
    let plain: String = text
        .chars()
        .map(|c| if is_plain(c) { c } else { '_' })
        .take(LENGTH_MAX)
        .collect();
    Cow::Owned(if plain.is_empty() {
        "unnamed".to_owned()
    } else {
        plain
    })
}

#[cfg(test)]
mod tests {
    use teammate_core::{
        block::Block,
        tool::{CallId, ToolCall, ToolInput},
    };

    use super::*;

    #[test]
    fn names_are_made_plain() {
        assert_eq!(plain("send_message"), "send_message");
        assert_eq!(plain("functions.bash:0"), "functions_bash_0");
        assert_eq!(plain(""), "unnamed");
        assert_eq!(plain(&"é".repeat(100)), "_".repeat(64));
    }

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
