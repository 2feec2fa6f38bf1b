//! The Responses API from the server's side, without state: what it refuses. `input` reads the conversation, `stream` is what it
//! streams.

mod input;
mod stream;

use std::collections::HashSet;

use serde_json::{Map, Value, json};

use crate::{
    fields::{Checked, list, object, only, plain, read, schema, text, top_level},
    media,
    parsed_request::ParsedRequest,
};
pub use stream::stream;

const TOP: [&str; 18] = [
    "model",
    "max_output_tokens",
    "stream",
    "store",
    "include",
    "reasoning",
    "text",
    "tools",
    "tool_choice",
    "parallel_tool_calls",
    "input",
    "temperature",
    "top_p",
    "service_tier",
    "safety_identifier",
    "user",
    "prompt_cache_key",
    "truncation",
];

/// Reads a request, or says what is wrong with it.
pub(crate) fn check(body: &str) -> Checked<ParsedRequest> {
    media::request(body)?;
    let body = read(body)?;
    let top = top_level(&body, &TOP)?;
    if top.get("store") != Some(&Value::Bool(false)) {
        return Err("store: this server keeps nothing".to_owned());
    }
    let include = top.get("include");
    if include.is_some_and(|include| *include != json!(["reasoning.encrypted_content"])) {
        return Err("include: nothing but reasoning.encrypted_content is known here".to_owned());
    }
    let limit = top.get("max_output_tokens").and_then(Value::as_u64);
    let limit = limit
        .filter(|&limit| limit > 0)
        .ok_or("max_output_tokens: required here")?;
    tools(top.get("tools"))?;
    if let Some(reasoning) = top.get("reasoning") {
        self::reasoning(object(reasoning, "reasoning")?)?;
    }
    if let Some(text) = top.get("text") {
        format(object(text, "text")?)?;
    }
    let (system, messages) = input::read(list(top.get("input"), "input")?)?;
    Ok(ParsedRequest {
        system,
        messages,
        max_tokens: u32::try_from(limit).unwrap_or(u32::MAX),
    })
}

fn tools(tools: Option<&Value>) -> Checked<()> {
    let mut names = HashSet::new();
    for tool in tools.map_or(Ok(&[][..]), |tools| list(Some(tools), "tools"))? {
        let tool = object(tool, "tools")?;
        let known = ["type", "name", "description", "parameters", "strict"];
        only(tool, &known, "tools")?;
        if tool.get("type") != Some(&"function".into()) {
            return Err("tools: only functions are known here".to_owned());
        }
        if !tool.get("strict").is_some_and(Value::is_boolean) {
            return Err("tools: strict: required".to_owned());
        }
        if !names.insert(plain(tool, "name", "tools")?) {
            return Err("tools: names must be unique".to_owned());
        }
        schema(tool.get("parameters"))?;
    }
    Ok(())
}

fn reasoning(reasoning: &Map<String, Value>) -> Checked<()> {
    only(reasoning, &["effort", "summary"], "reasoning")?;
    let one_of = |field: &str, words: &[&str]| match reasoning.contains_key(field) {
        true if !words.contains(&text(reasoning, field, "reasoning")?) => {
            Err(format!("reasoning.{field}: one of {words:?}"))
        }
        true | false => Ok(()),
    };
    let efforts = ["none", "minimal", "low", "medium", "high", "xhigh", "max"];
    one_of("effort", &efforts)?;
    one_of("summary", &["auto", "concise", "detailed"])
}

fn format(text_field: &Map<String, Value>) -> Checked<()> {
    only(text_field, &["format", "verbosity"], "text")?;
    let Some(format) = text_field.get("format") else {
        return Ok(());
    };
    let format = object(format, "text.format")?;
    only(format, &["type", "name", "schema", "strict"], "text.format")?;
    if format.get("type") != Some(&"json_schema".into()) {
        return Err("text.format.type: json_schema is required".to_owned());
    }
    plain(format, "name", "text.format")?;
    object(
        format.get("schema").unwrap_or(&Value::Null),
        "text.format.schema",
    )
    .map(|_| ())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn body(change: impl FnOnce(&mut Value)) -> String {
        let mut body = json!({
            "model": "m", "max_output_tokens": 9, "stream": true, "store": false,
            "include": ["reasoning.encrypted_content"],
            "input": [
                {"role": "developer", "content": "You are 'lead'."},
                {"role": "user", "content": [{"type": "input_text", "text": "hi"}]},
                {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "b64"},
                {"role": "assistant", "content": "Let me look.", "phase": "commentary"},
                {"type": "function_call", "call_id": "c1", "name": "look", "arguments": "{}"},
                {"type": "function_call_output", "call_id": "c1", "output": "seen"},
            ],
        });
        change(&mut body);
        body.to_string()
    }

    #[test]
    fn a_conversation_is_read_as_turns() {
        let read = check(&body(|_| {})).unwrap();
        assert_eq!(read.system, "You are 'lead'.");
        assert_eq!(read.messages.len(), 3);
        assert_eq!(read.messages[1].blocks.len(), 2);
        assert_eq!(read.messages[1].call_ids().len(), 1);
    }

    #[test]
    fn what_the_api_refuses_is_refused() {
        type Change = fn(&mut Value);
        let wrong: [(&str, Change); 14] = [
            ("store", |body| body["store"] = json!(true)),
            ("include", |body| body["include"] = json!([])),
            ("instructions", |body| body["instructions"] = json!("x")),
            ("limit", |body| body["max_output_tokens"] = json!(0)),
            ("effort", |body| {
                body["reasoning"] = json!({"effort": "off"});
            }),
            ("strict", |body| {
                let tool =
                    json!({"type": "function", "name": "a", "parameters": {"type": "object"}});
                body["tools"] = json!([tool]);
            }),
            ("format", |body| {
                body["text"] = json!({"format": {"type": "json"}});
            }),
            ("unknown item", |body| {
                body["input"][2] = json!({"type": "of_tomorrow?"});
            }),
            ("no blob", |body| {
                body["input"][2] = json!({"type": "reasoning", "id": "r", "summary": []});
            }),
            ("an id", |body| body["input"][4]["id"] = json!("fc_1")),
            ("arguments", |body| {
                body["input"][4]["arguments"] = json!("{");
            }),
            ("no call", |body| {
                body["input"][5]["call_id"] = json!("other");
            }),
            ("no output", |body| {
                body["input"].as_array_mut().unwrap().truncate(5);
            }),
            ("reasoning at the end", |body| {
                body["input"].as_array_mut().unwrap().truncate(3);
            }),
        ];
        for (what, change) in wrong {
            assert!(check(&body(change)).is_err(), "{what}");
        }
    }
}
