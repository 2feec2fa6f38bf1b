//! Kinds of members that the caller defines, as the text of a definition. It is the user's program, so that they need no yes as those
//! of a repository do.

use std::fmt::Write as _;

use serde_json::{Map, Value};

/// Reads them. What would be passed over is refused.
pub(crate) fn read(agents: &Map<String, Value>) -> Result<Vec<String>, String> {
    agents
        .iter()
        .map(|(name, agent)| definition(name, agent))
        .collect()
}

fn definition(name: &str, agent: &Value) -> Result<String, String> {
    let wrong = |why: &str| Err(format!("the agent {}: {why}", teammate::visible(name)));
    let is_word = |word: &str| {
        let mut letters = word.chars();
        !word.is_empty() && letters.all(|c| c.is_ascii_alphanumeric() || "_-*:./".contains(c))
    };
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    let is_name = !name.is_empty() && name.chars().all(is_plain);
    let (Value::Object(fields), true) = (agent, is_name) else {
        return wrong("its name has letters, digits, - and _, and it is an object");
    };
    let mut head = format!("---\nname: {name}\n");
    let mut prompt = "";
    for (field, value) in fields {
        match (field.as_str(), value) {
            (_, Value::Null) => {}
            ("prompt", Value::String(text)) => prompt = text,
            ("description", Value::String(text)) => {
                head.push_str("description: |\n");
                for line in text.lines() {
                    let _ = writeln!(head, "  {line}");
                }
            }
            ("model", Value::String(word)) if is_word(word) => {
                let _ = writeln!(head, "model: {word}");
            }
            ("tools" | "disallowedTools", Value::Array(all)) => {
                let words: Vec<&str> = all.iter().filter_map(Value::as_str).collect();
                if words.len() < all.len() || !words.iter().all(|word| is_word(word)) {
                    return wrong("its tools are names, without patterns");
                }
                let _ = writeln!(head, "{field}: {}", words.join(", "));
            }
            _ => {
                let what = format!("its {} is not used here", teammate::visible(field));
                return wrong(&what);
            }
        }
    }
    match head.contains("\ndescription: ") {
        true => Ok(format!("{head}---\n{prompt}")),
        false => wrong("it has no description"),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn one(agent: &Value) -> Result<Vec<String>, String> {
        read(json!({ "critic": agent }).as_object().unwrap())
    }

    #[test]
    fn an_agent_is_a_definition() {
        let agent = json!({ "description": "Reads code.\n---\nTwice.", "maxTurns": null, "model": "inherit",
            "prompt": "Look.", "tools": ["Read", "Grep"] });
        let text = "---\nname: critic\ndescription: |\n  Reads code.\n  ---\n  Twice.\nmodel: inherit\ntools: Read, Grep\n---\nLook.";
        assert_eq!(one(&agent), Ok(vec![text.to_owned()]));
    }

    #[test]
    fn what_would_be_passed_over_is_refused() {
        for (agent, why) in [
            (json!({ "prompt": "x" }), "it has no description"),
            (
                json!({ "description": "x", "tools": ["Bash(git:*)"] }),
                "without patterns",
            ),
            (
                json!({ "description": "x", "maxTurns": 3 }),
                "its maxTurns is not used here",
            ),
            (json!("x"), "it is an object"),
        ] {
            let refused = one(&agent).unwrap_err();
            assert!(
                refused.starts_with("the agent critic: ") && refused.contains(why),
                "{refused}"
            );
        }
    }
}
