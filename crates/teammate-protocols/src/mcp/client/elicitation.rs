//! A server's question to the user, as one of the team's: shown whole, and the words of the answer read by the fields that the
//! server wants.

use rmcp::model::{ElicitRequestParams, ElicitResult, ElicitationAction, ElicitationSchema};
use serde_json::{Map, Value};
use teammate_core::{
    fence::escaped,
    port::{UserAnswer, UserQuestion},
};

use crate::mcp::client::{
    listing::short,
    name::{PREFIX, ServerName},
};

/// The longest question, in bytes.
const QUESTION_MAX: usize = 4_000;

/// The server's question, as the user is asked.
pub(crate) fn question(server: &ServerName, params: &ElicitRequestParams) -> UserQuestion {
    let (message, more) = match params {
        ElicitRequestParams::FormElicitationParams {
            message,
            requested_schema,
            ..
        } => (message, how_to_answer(requested_schema)),
        ElicitRequestParams::UrlElicitationParams { message, url, .. } => (
            message,
            format!("It asks you to open {url} yourself, and to approve when you are done there."),
        ),
        // What a later protocol has is shown as it came.
        other => {
            let text = serde_json::to_string(other).unwrap_or_default();
            return UserQuestion {
                by: format!("{PREFIX}{server}"),
                summary: format!("{server} asks something"),
                text: cut(&escaped(&text)),
            };
        }
    };
    let text = format!(
        "The MCP server {server} asks: {}\n{}",
        escaped(message),
        escaped(&more)
    );
    UserQuestion {
        by: format!("{PREFIX}{server}"),
        summary: format!("{server} asks: {}", short(message)),
        text: cut(text.trim_end()),
    }
}

fn cut(text: &str) -> String {
    text[..text.floor_char_boundary(QUESTION_MAX)].to_owned()
}

fn fields(schema: &ElicitationSchema) -> Map<String, Value> {
    match serde_json::to_value(schema) {
        Ok(Value::Object(mut schema)) => match schema.remove("properties") {
            Some(Value::Object(fields)) => fields,
            Some(_) | None => Map::new(),
        },
        Ok(_) | Err(_) => Map::new(),
    }
}

fn required(schema: &ElicitationSchema) -> Vec<String> {
    let schema = serde_json::to_value(schema).unwrap_or_default();
    let names = schema["required"].as_array().cloned().unwrap_or_default();
    let names = names.iter().filter_map(Value::as_str);
    names.map(str::to_owned).collect()
}

fn how_to_answer(schema: &ElicitationSchema) -> String {
    let (fields, required) = (fields(schema), required(schema));
    if fields.is_empty() {
        return "Approve or deny it.".to_owned();
    }
    let mut lines =
        vec![match fields.len() {
        1 => "Approve it with the answer as your words, or deny it:".to_owned(),
        _ => "Approve it with your words as NAME=VALUE, a line or a comma between them, or deny it:"
            .to_owned(),
    }];
    for (name, field) in &fields {
        let text = |key: &str| field[key].as_str().unwrap_or_default().to_owned();
        let choices = choices(field).join(" | ");
        let kind = if choices.is_empty() {
            text("type")
        } else {
            choices
        };
        let need = match &field["default"] {
            Value::Null if required.contains(name) => String::new(),
            Value::Null => ", may be left out".to_owned(),
            default => format!(", {} if left out", short(&default.to_string())),
        };
        let about = text("description");
        let about = if about.is_empty() {
            text("title")
        } else {
            about
        };
        lines.push(
            format!("  {name} ({kind}{need}) {about}")
                .trim_end()
                .to_owned(),
        );
    }
    lines.join("\n")
}

fn choices(field: &Value) -> Vec<String> {
    let words = field["enum"].as_array().into_iter().flatten();
    let named = ["oneOf", "anyOf"].into_iter();
    let named = named.flat_map(|key| field[key].as_array().into_iter().flatten());
    let named = named.filter_map(|choice| choice["const"].as_str());
    words
        .filter_map(Value::as_str)
        .chain(named)
        .map(str::to_owned)
        .collect()
}

/// The server's answer.
pub(crate) fn result(params: &ElicitRequestParams, answer: UserAnswer) -> ElicitResult {
    let words = match answer {
        UserAnswer::Yes(words) => words,
        UserAnswer::No(_) => return ElicitResult::new(ElicitationAction::Decline),
        UserAnswer::Unanswered => return ElicitResult::new(ElicitationAction::Cancel),
    };
    match params {
        ElicitRequestParams::FormElicitationParams {
            requested_schema, ..
        } => match content(requested_schema, &words) {
            Some(content) => ElicitResult::new(ElicitationAction::Accept).with_content(content),
            None => ElicitResult::new(ElicitationAction::Cancel),
        },
        ElicitRequestParams::UrlElicitationParams { .. } => {
            ElicitResult::new(ElicitationAction::Accept)
        }
        _ => ElicitResult::new(ElicitationAction::Decline),
    }
}

/// The fields of the answer; `None` if one is missing or does not fit.
fn content(schema: &ElicitationSchema, words: &str) -> Option<Value> {
    let (fields, required) = (fields(schema), required(schema));
    let said: Map<String, Value> = match serde_json::from_str(words) {
        Ok(Value::Object(said)) => said,
        Ok(_) | Err(_) => read_words(&fields, words),
    };
    let mut content = Map::new();
    for (name, field) in &fields {
        let value = said.get(name).or_else(|| field.get("default"));
        match value {
            Some(value) => drop(content.insert(name.clone(), fitting(field, value)?)),
            None if required.contains(name) => return None,
            None => {}
        }
    }
    Some(Value::Object(content))
}

fn read_words(fields: &Map<String, Value>, words: &str) -> Map<String, Value> {
    let pairs = words.split(['\n', ',']).filter_map(|part| {
        let (name, value) = part.split_once('=')?;
        let name = name.trim();
        fields
            .contains_key(name)
            .then(|| (name.to_owned(), Value::from(value.trim())))
    });
    let said: Map<String, Value> = pairs.collect();
    match fields.keys().next() {
        Some(only) if fields.len() == 1 && said.is_empty() && !words.trim().is_empty() => {
            [(only.clone(), Value::from(words.trim()))]
                .into_iter()
                .collect()
        }
        Some(_) | None => said,
    }
}

/// The value in the field's type; `None` if it does not fit.
fn fitting(field: &Value, value: &Value) -> Option<Value> {
    let Some(text) = value.as_str() else {
        return Some(value.clone());
    };
    match field["type"].as_str() {
        Some("boolean") => match text.to_lowercase().as_str() {
            "true" | "yes" | "y" | "1" => Some(Value::Bool(true)),
            "false" | "no" | "n" | "0" => Some(Value::Bool(false)),
            _ => None,
        },
        Some("integer") => text.parse::<i64>().ok().map(Value::from),
        Some("number") => text.parse::<f64>().ok().map(Value::from),
        Some("array") => Some(Value::from(
            text.split(' ').map(str::to_owned).collect::<Vec<_>>(),
        )),
        Some(_) | None => {
            let choices = choices(field);
            let is_choice = choices.is_empty() || choices.iter().any(|choice| choice == text);
            is_choice.then(|| value.clone())
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn form(properties: &Value, required: &[&str]) -> ElicitRequestParams {
        serde_json::from_value(json!({
            "message": "Which branch?",
            "requestedSchema": { "type": "object", "properties": properties, "required": required },
        }))
        .unwrap()
    }

    fn answered(params: &ElicitRequestParams, words: &str) -> Value {
        let result = result(params, UserAnswer::Yes(words.to_owned()));
        let content = result.content.unwrap_or_default();
        json!([result.action, content])
    }

    #[test]
    fn the_user_is_asked_whole_and_told_how_to_answer() {
        let server = ServerName::parse("git").unwrap();
        let form = form(
            &json!({
                "branch": { "type": "string", "description": "Where to <system>" },
                "force": { "type": "boolean" },
                "count": { "type": "integer", "default": 3 },
            }),
            &["branch"],
        );
        let asked = question(&server, &form);
        assert_eq!(asked.by, "mcp__git");
        assert_eq!(asked.summary, "git asks: Which branch?");
        assert!(
            asked
                .text
                .starts_with("The MCP server git asks: Which branch?\n")
        );
        assert!(
            asked
                .text
                .contains("  branch (string) Where to &lt;system>"),
            "{}",
            asked.text
        );
        assert!(asked.text.contains("  force (boolean, may be left out)"));
        assert!(asked.text.contains("  count (integer, 3 if left out)"));
    }

    #[test]
    fn the_words_of_a_yes_become_the_fields() {
        let one = form(&json!({ "branch": { "type": "string" } }), &["branch"]);
        assert_eq!(
            answered(&one, "main"),
            json!(["accept", { "branch": "main" }])
        );
        assert_eq!(
            answered(&one, "branch=main"),
            json!(["accept", { "branch": "main" }])
        );
        assert_eq!(answered(&one, ""), json!(["cancel", null]));
        let two = form(
            &json!({
                "count": { "type": "integer", "default": 3 },
                "really": { "type": "boolean" },
                "how": { "type": "string", "enum": ["fast", "slow"] },
            }),
            &["really"],
        );
        assert_eq!(
            answered(&two, "really = yes, how=fast"),
            json!(["accept", { "count": 3, "really": true, "how": "fast" }])
        );
        assert_eq!(
            answered(&two, r#"{"really": false, "count": 7}"#),
            json!(["accept", { "count": 7, "really": false }])
        );
        for wrong in [
            "how=fast",
            "really=perhaps",
            "really=yes,how=other",
            "really=yes,count=x",
        ] {
            assert_eq!(answered(&two, wrong), json!(["cancel", null]), "{wrong}");
        }
    }

    #[test]
    fn no_and_silence_are_told_apart() {
        let form = form(&json!({}), &[]);
        let of = |answer| result(&form, answer).action;
        assert_eq!(
            of(UserAnswer::No(String::new())),
            ElicitationAction::Decline
        );
        assert_eq!(of(UserAnswer::Unanswered), ElicitationAction::Cancel);
        assert_eq!(
            of(UserAnswer::Yes(String::new())),
            ElicitationAction::Accept
        );
    }
}
