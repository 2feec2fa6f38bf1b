//! Calls of tools that stand in a model's text, as its template writes them for its server, which has not read them. Found
//! only where they are the end of the text, or all of it, so that an example that is quoted is none. Whether they run, and how
//! they are refused, is as with any other call.

use serde::{
    Deserialize,
    de::{DeserializeOwned, IgnoredAny},
};
use serde_json::value::RawValue;

use crate::tool::ToolInput;

/// How a model's template writes calls. Models of each kind may also write a call as a JSON object that is the whole answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CallTemplate {
    /// `<tool_call>{"name": "x", "arguments": {}}</tool_call>`: Hermes, Qwen and others.
    Hermes,
    /// `[TOOL_CALLS][{"name": "x", "arguments": {}}]`, in newer ones `[TOOL_CALLS]x[ARGS]{}`.
    Mistral,
    /// `<|python_tag|>{"name": "x", "parameters": {}}`.
    Llama,
}

/// The marks with which calls begin, by template.
pub const CALL_MARKS: [(CallTemplate, &str); 3] = [
    (CallTemplate::Hermes, "<tool_call>"),
    (CallTemplate::Mistral, "[TOOL_CALLS]"),
    (CallTemplate::Llama, "<|python_tag|>"),
];

const HERMES_END: &str = "</tool_call>";
const FENCE: &str = "```";

/// Calls at the end of a text.
#[derive(Debug, PartialEq)]
pub struct WrittenCalls {
    /// Where they begin, in bytes.
    pub at: usize,
    /// Names and arguments, at least one.
    pub calls: Vec<(String, ToolInput)>,
}

/// A call as templates write it; with anything else in it, it is none.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenCall {
    name: String,
    #[serde(alias = "parameters")]
    arguments: Box<RawValue>,
    #[serde(default, rename = "id")]
    _id: IgnoredAny,
    #[serde(default, rename = "type")]
    _kind: IgnoredAny,
}

/// The calls that the text of an answer ends with, in a model's template; all of them of tools that there are.
pub fn written_calls(
    text: &str,
    template: CallTemplate,
    is_tool: impl Fn(&str) -> bool,
) -> Option<WrittenCalls> {
    let text = text.trim_end();
    let marked = match template {
        CallTemplate::Hermes => hermes(text),
        CallTemplate::Mistral => mistral(text),
        CallTemplate::Llama => llama(text),
    };
    let (at, calls) = marked.or_else(|| Some((0, whole(text)?)))?;
    let are_calls =
        begins_there(text, at) && !calls.is_empty() && calls.iter().all(|call| is_tool(&call.name));
    are_calls.then(|| WrittenCalls {
        at,
        calls: calls
            .into_iter()
            .map(|call| {
                (
                    call.name,
                    ToolInput::from_json(call.arguments.get().to_owned()),
                )
            })
            .collect(),
    })
}

/// Whether the text of an answer seems to end with calls in any template, also broken ones, which nobody has run.
pub fn seems_to_call(text: &str, is_tool: impl Fn(&str) -> bool) -> bool {
    CALL_MARKS.iter().any(|(template, mark)| {
        let last = text.rfind(mark);
        let is_marked = last.is_some_and(|at| begins_there(text, at)) && {
            *template != CallTemplate::Hermes || text.trim_end().ends_with(HERMES_END)
        };
        is_marked || written_calls(text, *template, &is_tool).is_some()
    })
}

/// Whether something of its own can begin there: at the start of a line, and in no block of code.
fn begins_there(text: &str, at: usize) -> bool {
    let before = text[..at].trim_end_matches([' ', '\t']);
    (before.is_empty() || before.ends_with('\n')) && before.matches(FENCE).count().is_multiple_of(2)
}

fn hermes(text: &str) -> Option<(usize, Vec<WrittenCall>)> {
    let mark = "<tool_call>";
    let mut calls = Vec::new();
    let mut rest = text;
    while let Some(inside) = rest.trim_end().strip_suffix(HERMES_END) {
        let at = inside.rfind(mark)?;
        calls.push(json(&inside[at + mark.len()..])?);
        rest = &inside[..at];
    }
    calls.reverse();
    (!calls.is_empty()).then_some((rest.len(), calls))
}

fn mistral(text: &str) -> Option<(usize, Vec<WrittenCall>)> {
    let mark = "[TOOL_CALLS]";
    let mut marks = text.match_indices(mark).map(|(at, _)| at);
    let at = marks.find(|at| begins_there(text, *at))?;
    let inside = &text[at + mark.len()..];
    if inside.trim_start().starts_with('[') {
        return Some((at, json(inside)?));
    }
    let named = |call: &str| {
        let (name, arguments) = call.split_once("[ARGS]")?;
        Some(WrittenCall {
            name: name.trim().to_owned(),
            arguments: json(arguments)?,
            _id: IgnoredAny,
            _kind: IgnoredAny,
        })
    };
    Some((at, inside.split(mark).map(named).collect::<Option<_>>()?))
}

fn llama(text: &str) -> Option<(usize, Vec<WrittenCall>)> {
    let mark = "<|python_tag|>";
    let at = text.rfind(mark)?;
    let inside = text[at + mark.len()..].trim();
    let ends = ["<|eom_id|>", "<|eot_id|>"];
    let inside = ends
        .iter()
        .find_map(|end| inside.strip_suffix(end))
        .unwrap_or(inside);
    // Several calls are separated by semicolons.
    let mut calls = Vec::new();
    let mut rest = inside.trim_start();
    while !rest.is_empty() {
        let mut values = serde_json::Deserializer::from_str(rest).into_iter::<WrittenCall>();
        calls.push(values.next()?.ok()?);
        rest = rest[values.byte_offset()..].trim_start();
        rest = rest.strip_prefix(';').unwrap_or(rest).trim_start();
    }
    Some((at, calls))
}

/// The whole answer is a call, or a list of them, in a block of code or not.
fn whole(text: &str) -> Option<Vec<WrittenCall>> {
    let text = text.trim();
    let code = text.strip_prefix(FENCE).and_then(|code| {
        let code = code.strip_suffix(FENCE)?;
        Some(code.strip_prefix("json").unwrap_or(code))
    });
    let text = code.unwrap_or(text).trim();
    match text.starts_with('[') {
        true => json(text),
        false => json(text).map(|call| vec![call]),
    }
}

fn json<T: DeserializeOwned>(text: &str) -> Option<T> {
    serde_json::from_str(text).ok()
}

#[cfg(test)]
mod tests {
    use super::{CallTemplate::*, *};

    fn is_tool(name: &str) -> bool {
        ["look", "run"].contains(&name)
    }

    /// The text before the calls, and the calls, each in a line.
    fn found(template: CallTemplate, text: &str) -> Option<(String, Vec<String>)> {
        let found = written_calls(text, template, is_tool)?;
        let calls = found.calls.iter();
        let calls = calls.map(|(name, input)| match input {
            ToolInput::Json(raw) => format!("{name} {}", raw.get()),
            ToolInput::Damaged(text) => format!("{name} damaged {text}"),
        });
        Some((text[..found.at].to_owned(), calls.collect()))
    }

    #[test]
    fn calls_are_found_in_the_form_of_each_template() {
        for (template, text, before, calls) in [
            (
                Hermes,
                "<tool_call>\n{\"name\": \"look\", \"arguments\": {\"at\": 1}}\n</tool_call>\n",
                "",
                &[r#"look {"at": 1}"#][..],
            ),
            (
                Hermes,
                "I look.\n<tool_call>{\"name\":\"look\",\"arguments\":{}}</tool_call>\n<tool_call>{\"name\":\"run\",\"arguments\":{}}</tool_call>",
                "I look.\n",
                &["look {}", "run {}"],
            ),
            (
                Mistral,
                r#"[TOOL_CALLS] [{"name": "look", "arguments": {"at": 1}, "id": "abc"}]"#,
                "",
                &[r#"look {"at": 1}"#],
            ),
            (
                Mistral,
                "So.\n[TOOL_CALLS]look[ARGS]{\"at\": 1}[TOOL_CALLS]run[ARGS]{}",
                "So.\n",
                &[r#"look {"at": 1}"#, "run {}"],
            ),
            (
                Llama,
                r#"<|python_tag|>{"type": "function", "name": "look", "parameters": {"at": 1}}<|eom_id|>"#,
                "",
                &[r#"look {"at": 1}"#],
            ),
            (
                Llama,
                r#"<|python_tag|>{"name": "look", "parameters": {}}; {"name": "run", "parameters": {}}"#,
                "",
                &["look {}", "run {}"],
            ),
            (
                Llama,
                r#"{"name": "look", "parameters": {"at": 1}}"#,
                "",
                &[r#"look {"at": 1}"#],
            ),
            (
                Hermes,
                "```json\n{\"name\": \"look\", \"arguments\": {\"at\": 1}}\n```",
                "",
                &[r#"look {"at": 1}"#],
            ),
        ] {
            let calls = calls.iter().map(|call| (*call).to_owned()).collect();
            let wanted = Some((before.to_owned(), calls));
            assert_eq!(found(template, text), wanted, "{text}");
            assert!(seems_to_call(text, is_tool), "{text}");
        }
    }

    #[test]
    fn what_is_quoted_or_broken_is_no_call() {
        let call = r#"{"name": "look", "arguments": {}}"#;
        let tagged = format!("<tool_call>{call}</tool_call>");
        for (template, text) in [
            (Hermes, format!("Write `{tagged}`")),
            (Hermes, format!("Write {tagged}")),
            (Hermes, format!("Such as:\n```\n{tagged}\n```")),
            (Hermes, format!("Such as:\n```\n{tagged}")),
            (Hermes, format!("> {tagged}")),
            (Hermes, format!("{tagged}\nThat is how it is done.")),
            (Hermes, format!("It is\n{call}")),
            (Hermes, format!("```json\n{call}\n```\nThat is it.")),
            (Hermes, r#"{"name": "fly", "arguments": {}}"#.to_owned()),
            (
                Hermes,
                r#"{"name": "look", "arguments": {}, "why": 1}"#.to_owned(),
            ),
            (Hermes, r#"{"name": "look"}"#.to_owned()),
            (Hermes, "look".to_owned()),
            (Llama, tagged.clone()),
            (Mistral, format!("Say [TOOL_CALLS][{call}]")),
            (Mistral, format!("[TOOL_CALLS][{call}] and so on")),
            (Llama, format!("<|python_tag|>{call} and so on")),
            (Llama, "<|python_tag|>print(1)".to_owned()),
            (Hermes, String::new()),
        ] {
            assert_eq!(found(template, &text), None, "{text}");
        }
    }

    #[test]
    fn a_broken_call_seems_to_be_one_and_a_quoted_one_does_not() {
        for text in [
            "<tool_call>\n{\"name\": \"look\", \"arguments\": {\n</tool_call>",
            "<tool_call><function=look></function></tool_call>",
            "[TOOL_CALLS]look{}",
            "<|python_tag|>look.call(1)",
        ] {
            assert!(seems_to_call(text, is_tool), "{text}");
        }
        for text in [
            "Use `<tool_call>{}</tool_call>`",
            "```\n<tool_call>{}</tool_call>\n```",
            "See <|python_tag|>.",
            r#"{"name": "Ada", "arguments": {}}"#,
            "All is done.",
        ] {
            assert!(!seems_to_call(text, is_tool), "{text}");
        }
    }
}
