//! The updates of a session for its editor, in the protocol's words. Texts come clean.

use serde_json::{Value, json};

use crate::acp::{mode::EditorMode, program::EditorCommand};

/// A text as content.
pub(crate) fn text(text: &str) -> Value {
    json!({ "type": "text", "text": text })
}

/// Some more of the lead's answer.
pub(crate) fn answer(words: &str) -> Value {
    json!({ "sessionUpdate": "agent_message_chunk", "content": text(words) })
}

/// Some more of what the lead thinks, or of what the team does besides.
pub(crate) fn thought(words: &str) -> Value {
    json!({ "sessionUpdate": "agent_thought_chunk", "content": text(words) })
}

/// The update for words of the user.
pub(crate) fn user(words: &str) -> Value {
    json!({ "sessionUpdate": "user_message_chunk", "content": text(words) })
}

/// The commands that may be typed.
pub(crate) fn commands(commands: &[EditorCommand]) -> Value {
    let commands = commands.iter().map(|command| {
        let mut shown = json!({ "name": command.name, "description": command.about });
        if !command.hint.is_empty() {
            shown["input"] = json!({ "hint": command.hint });
        }
        shown
    });
    let commands: Vec<Value> = commands.collect();
    json!({ "sessionUpdate": "available_commands_update", "availableCommands": commands })
}

/// Another mode holds.
pub(crate) fn mode(mode: EditorMode) -> Value {
    json!({ "sessionUpdate": "current_mode_update", "currentModeId": mode.id() })
}

/// A text that is shown as it is written, whatever Markdown makes of such a text: within a fence that it does not close.
pub(crate) fn verbatim(words: &str) -> Value {
    let longest = words
        .split(|c| c != '`')
        .map(str::len)
        .max()
        .unwrap_or_default();
    let fence = "`".repeat(longest.max(2) + 1);
    text(&format!(
        "{fence}\n{}\n{fence}",
        words.trim_end_matches('\n')
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shown_text_does_not_leave_its_fence() {
        assert_eq!(verbatim("touch a\n")["text"], "```\ntouch a\n```");
        let sly = verbatim("```\n<!-- rm -rf / -->\n````");
        assert_eq!(sly["text"], "`````\n```\n<!-- rm -rf / -->\n````\n`````");
    }
}
