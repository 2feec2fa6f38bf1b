//! Words to write plays with.

use serde_json::{Value, json};

/// A play: each member's scenes.
pub(crate) fn play<const N: usize>(members: [(&str, Vec<Value>); N]) -> Value {
    let members: serde_json::Map<String, Value> = members
        .into_iter()
        .map(|(name, scenes)| (name.to_owned(), scenes.into()))
        .collect();
    json!({ "members": members })
}

/// The member says this, and its turn ends.
pub(crate) fn say(text: &str) -> Value {
    json!({ "say": text })
}

/// The member calls these tools.
pub(crate) fn calls<const N: usize>(calls: [(&str, Value); N]) -> Value {
    let calls: Vec<Value> = calls
        .into_iter()
        .map(|(tool, input)| json!({ "tool": tool, "input": input }))
        .collect();
    json!({ "calls": calls })
}

/// The member spawns these: name, role, prompt.
pub(crate) fn spawn<const N: usize>(who: [(&str, &str, &str); N]) -> Value {
    calls(who.map(|(name, role, prompt)| {
        let input = json!({ "name": name, "role": role, "prompt": prompt });
        ("spawn_teammate", input)
    }))
}

/// The member sends mail.
pub(crate) fn send(to: &str, content: &str) -> Value {
    calls([("send_message", json!({ "to": to, "content": content }))])
}

/// The member runs a command.
pub(crate) fn bash(command: &str) -> Value {
    calls([("bash", json!({ "command": command }))])
}

/// What a scene is refined with.
pub(crate) trait Scene {
    /// Only after this was heard.
    fn after(self, heard: &str) -> Value;
    /// Only after mail that says this; `{{mail}}` is that mail.
    fn after_mail(self, text: &str) -> Value;
    /// Only after mail from this member.
    fn after_mail_from(self, name: &str) -> Value;
    /// Only after mail of this kind.
    fn after_mail_of(self, kind: &str) -> Value;
    /// Not once only, but as often as it fits.
    fn again(self) -> Value;
    /// Only if nothing else fits, and as often as that is.
    fn otherwise(self) -> Value;
    /// After thinking for so long.
    fn slowly(self, millis: u64) -> Value;
}

impl Scene for Value {
    fn after(self, heard: &str) -> Value {
        with(self, "when", json!({ "contains": heard }))
    }

    fn after_mail(self, text: &str) -> Value {
        with(self, "when", json!({ "mail_contains": text }))
    }

    fn after_mail_from(self, name: &str) -> Value {
        with(self, "when", json!({ "mail_from": name }))
    }

    fn after_mail_of(self, kind: &str) -> Value {
        with(self, "when", json!({ "mail_type": kind }))
    }

    fn again(self) -> Value {
        with(self, "repeat", json!(true))
    }

    fn otherwise(self) -> Value {
        with(self, "when", json!({ "otherwise": true })).again()
    }

    fn slowly(self, millis: u64) -> Value {
        with(self, "pause_ms", json!(millis))
    }
}

fn with(mut scene: Value, key: &str, value: Value) -> Value {
    scene[key] = value;
    scene
}
