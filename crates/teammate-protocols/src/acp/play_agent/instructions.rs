//! Instructions of a prompt for a scripted agent: lines that begin with `DO` or `SAY`, and what measurements ask for.

use serde_json::{Value, json};

/// One thing to do.
#[derive(Debug, PartialEq)]
pub(super) enum Instruction {
    /// `DO run COMMAND`.
    Run(String),
    /// `DO write PATH TEXT`.
    Write(String, String),
    /// `DO call TOOL JSON`: a tool of its server.
    Call(String, Value),
    /// `SAY WORDS`.
    Say(String),
}

/// In their order.
pub(super) fn instructions(prompt: &str) -> Vec<Instruction> {
    match measurement(prompt) {
        Some(one) => vec![one],
        None => prompt
            .lines()
            .filter_map(|line| read(line.trim()))
            .collect(),
    }
}

fn read(line: &str) -> Option<Instruction> {
    if let Some(words) = line.strip_prefix("SAY ") {
        return Some(Instruction::Say(words.to_owned()));
    }
    let (act, rest) = line.strip_prefix("DO ")?.split_once(' ')?;
    let halves = || rest.split_once(' ').unwrap_or((rest, ""));
    match act {
        "run" => Some(Instruction::Run(rest.to_owned())),
        "write" => {
            let (path, text) = halves();
            Some(Instruction::Write(path.to_owned(), text.to_owned()))
        }
        "call" => {
            let (tool, input) = halves();
            let input = serde_json::from_str(input).unwrap_or_else(|_| json!({}));
            Some(Instruction::Call(tool.to_owned(), input))
        }
        _ => None,
    }
}

/// The instruction that a measurement asks for.
fn measurement(prompt: &str) -> Option<Instruction> {
    if let Some((_, line)) = prompt.split_once("then say done: ") {
        return Some(Instruction::Run(line.to_owned()));
    }
    if let Some((_, rest)) = prompt.split_once("write the file ") {
        let (path, content) = rest.split_once(" with the content: ")?;
        return Some(Instruction::Write(path.to_owned(), content.to_owned()));
    }
    let (_, rest) = prompt.split_once("Call the tool ")?;
    let (tool, _) = rest.split_once(' ')?;
    Some(Instruction::Call(tool.to_owned(), json!({})))
}

impl Instruction {
    /// As it is asked about: a title, the kind of tool, and what it is called with.
    pub(super) fn shown(&self) -> (String, &'static str, Value) {
        match self {
            Self::Run(line) => (line.clone(), "execute", json!({ "command": line })),
            Self::Write(path, text) => {
                let input = json!({ "path": path, "content": text });
                (format!("Write {path}"), "edit", input)
            }
            Self::Call(tool, input) => (format!("mcp__team__{tool}"), "other", input.clone()),
            Self::Say(words) => (words.clone(), "think", Value::Null),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_done_in_their_order() {
        let prompt = "Your work:\n  DO run ls -l\nDO call send_message {\"to\":\"lead\"}\nDO write a b c\nSAY hi\nDO dance";
        assert_eq!(
            instructions(prompt),
            [
                Instruction::Run("ls -l".into()),
                Instruction::Call("send_message".into(), json!({ "to": "lead" })),
                Instruction::Write("a".into(), "b c".into()),
                Instruction::Say("hi".into()),
            ]
        );
    }
}
