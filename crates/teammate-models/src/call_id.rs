//! Unique ids for tool calls whose id is missing or repeated, and names and ids in the characters
//! that servers accept.

use std::{
    borrow::Cow,
    collections::{HashMap, HashSet},
    hash::{DefaultHasher, Hash, Hasher},
    sync::Arc,
};

use teammate_core::model::{ChatMessage, Role};

/// Makes call ids unique within a conversation: outcomes, and everything that may happen only once
/// for a call, are found by id.
pub(crate) struct CallIds<'a> {
    history: &'a [Arc<ChatMessage>],
    /// The ids of the history, collected at the first use, and those handed out since.
    taken: Option<HashSet<String>>,
    /// The next number to try, by base id: an answer may have thousands of calls with the same id.
    next: HashMap<String, usize>,
}

impl<'a> CallIds<'a> {
    /// Ids for the answer to `history`.
    pub(crate) fn after(history: &'a [Arc<ChatMessage>]) -> Self {
        Self {
            history,
            taken: None,
            next: HashMap::new(),
        }
    }

    /// The server's id if it is unused, otherwise a new one derived from it. Deterministic: the same
    /// conversation gives the same ids.
    pub(crate) fn unique(&mut self, wanted: &str) -> String {
        let history = self.history;
        let taken = self.taken.get_or_insert_with(|| ids_of(history));
        let base = if wanted.is_empty() { "call" } else { wanted };
        let mut id = wanted.to_owned();
        if id.is_empty() || taken.contains(&id) {
            let number = self.next.entry(base.to_owned()).or_insert(history.len());
            while id.is_empty() || taken.contains(&id) {
                id = format!("{base}_{number}");
                *number += 1;
            }
        }
        taken.insert(id.clone());
        id
    }
}

fn ids_of(history: &[Arc<ChatMessage>]) -> HashSet<String> {
    history
        .iter()
        .filter(|message| message.role == Role::Assistant)
        .flat_map(|message| message.call_ids())
        .map(|id| id.as_str().to_owned())
        .collect()
}

/// An id of nine letters and digits for this one, as some servers want it; always the same.
pub(crate) fn short_id(id: &str) -> String {
    const DIGITS: &[u8; 36] = b"0123456789abcdefghijklmnopqrstuvwxyz";
    let is_short = id.len() == 9 && id.bytes().all(|byte| byte.is_ascii_alphanumeric());
    if is_short {
        return id.to_owned();
    }
    let mut hasher = DefaultHasher::new();
    id.hash(&mut hasher);
    let mut rest = hasher.finish();
    let digits = (0..9).map(|_| {
        let digit = DIGITS[(rest % 36) as usize];
        rest /= 36;
        char::from(digit)
    });
    digits.collect()
}

/// A name or id reduced to the characters that every wire accepts. A model may call a tool by any
/// name, and another server may have made ids with other characters; sent back unchanged, they
/// would make a server refuse the whole history.
pub(crate) fn to_wire_id(text: &str) -> Cow<'_, str> {
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
        assert_eq!(to_wire_id("send_message"), "send_message");
        assert_eq!(to_wire_id("functions.bash:0"), "functions_bash_0");
        assert_eq!(to_wire_id(""), "unnamed");
        assert_eq!(to_wire_id(&"é".repeat(100)), "_".repeat(64));
    }

    #[test]
    fn an_id_is_never_given_twice() {
        let call = Block::tool_use(&ToolCall {
            id: CallId::new("call_0".into()),
            name: "bash".into(),
            input: ToolInput::from_json("{}".into()),
        });
        let history = [Arc::new(ChatMessage::new(
            Role::Assistant,
            vec![call],
            None,
        ))];
        let mut ids = CallIds::after(&history);
        let given: Vec<String> = ["call_0", "abc", "abc", "", ""]
            .iter()
            .map(|wanted| ids.unique(wanted))
            .collect();
        assert_eq!(given, ["call_0_1", "abc", "abc_1", "call_1", "call_2"]);
        // As many as one answer may hold, all with the same id or none.
        let many: HashSet<String> = (0..20_000)
            .map(|at| ids.unique(if at % 2 == 0 { "" } else { "abc" }))
            .collect();
        assert_eq!(many.len(), 20_000);
    }
}
