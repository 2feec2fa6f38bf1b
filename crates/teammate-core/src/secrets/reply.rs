//! Hides secrets in what a model answers, block by block, before anything else sees the answer.

use std::borrow::Cow;

use serde_json::Value;

use super::Secrets;
use crate::{
    block::{Block, BlockView},
    model::{Reply, StopReason},
};

impl Secrets {
    /// Replaces each secret in the answer's text, tool calls and unsigned reasoning by its name. Blocks without a secret keep
    /// their bytes.
    ///
    /// Signed reasoning is left as it is, also with a secret in it: a server refuses a conversation in which its signature
    /// does not fit. It goes to the transcript and back to that server only; it is never shown.
    pub fn hide_in_reply(&self, reply: &mut Reply) {
        for block in &mut reply.blocks {
            if let Some(hidden) = self.hidden_block(block) {
                *block = hidden;
            }
        }
        if let StopReason::Other(reason) = &mut reply.stop
            && let Cow::Owned(hidden) = self.redact(reason)
        {
            *reason = hidden;
        }
    }

    /// The block without secrets; `None` if it stays as it is.
    fn hidden_block(&self, block: &Block) -> Option<Block> {
        let Cow::Owned(hidden) = self.hide_in_json(block.json()) else {
            return None;
        };
        match block.view() {
            BlockView::Text(_) | BlockView::ToolUse(_) => Block::from_json(hidden),
            BlockView::Thinking(_) | BlockView::Other if is_signed(block.json()) => None,
            BlockView::Thinking(_) | BlockView::Other => Block::from_json(hidden),
        }
    }

    /// JSON with the name of each secret in its place, also where a string spells the secret with escapes. Only strings
    /// change, so what was valid stays valid; everything else keeps its bytes.
    fn hide_in_json<'a>(&self, json: &'a str) -> Cow<'a, str> {
        if self.all().is_empty() {
            return Cow::Borrowed(json);
        }
        let mut out = String::new();
        let mut copied = 0;
        let mut at = 0;
        while let Some(begin) = json[at..].find('"').map(|found| at + found) {
            let end = end_of_string(json, begin);
            if let Some(hidden) = self.hidden_literal(&json[begin..end]) {
                out.push_str(&json[copied..begin]);
                out.push_str(&hidden);
                copied = end;
            }
            at = end;
        }
        if copied == 0 {
            return Cow::Borrowed(json);
        }
        out.push_str(&json[copied..]);
        Cow::Owned(out)
    }

    /// A string literal without secrets; `None` if there is none in it.
    fn hidden_literal(&self, literal: &str) -> Option<String> {
        // What has no escapes is its own text.
        if !literal.contains('\\') && matches!(self.redact(literal), Cow::Borrowed(_)) {
            return None;
        }
        let text: String = serde_json::from_str(literal).ok()?;
        match self.redact(&text) {
            Cow::Borrowed(_) => None,
            Cow::Owned(hidden) => serde_json::to_string(&hidden).ok(),
        }
    }
}

/// Where the string literal that begins at `begin` is over.
fn end_of_string(json: &str, begin: usize) -> usize {
    let mut is_escaped = false;
    for (at, byte) in json.bytes().enumerate().skip(begin + 1) {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = true,
            b'"' => return at + 1,
            _ => {}
        }
    }
    json.len()
}

/// Whether something in the block is signed by its server.
fn is_signed(json: &str) -> bool {
    fn has_signature(value: &Value) -> bool {
        match value {
            Value::Object(fields) => fields.iter().any(|(name, value)| {
                let is_signature = name.to_ascii_lowercase().contains("signature")
                    && value.as_str().is_some_and(|text| !text.is_empty());
                is_signature || has_signature(value)
            }),
            Value::Array(items) => items.iter().any(has_signature),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
        }
    }
    serde_json::from_str(json).is_ok_and(|value| has_signature(&value))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Usage, Wire};

    fn secrets() -> Secrets {
        let named = [("KEY", "sk-abcdefgh"), ("ODD", "p\"w\\d\nñ123")];
        Secrets::new(named.map(|(name, text)| (name.to_owned(), text.to_owned())))
    }

    #[test]
    fn secrets_are_hidden_in_json_strings_however_they_are_spelled() {
        let table = [
            (r#"{"a":"sk-abcdefgh"}"#, r#"{"a":"[secret KEY]"}"#),
            (
                r#"{"a":"x\nsk-abcdefgh\t"}"#,
                r#"{"a":"x\n[secret KEY]\t"}"#,
            ),
            (r#"{"a":"\u0073k-abcdefgh"}"#, r#"{"a":"[secret KEY]"}"#),
            (
                r#"{"sk-abcdefgh": [ "sk-abcdefgh" ]}"#,
                r#"{"[secret KEY]": [ "[secret KEY]" ]}"#,
            ),
            (r#"{"a":"p\"w\\d\nñ123"}"#, r#"{"a":"[secret ODD]"}"#),
            (
                r#"{"a":"p\u0022w\u005cd\u000a\u00f1123","n": 1e2}"#,
                r#"{"a":"[secret ODD]","n": 1e2}"#,
            ),
            // Without one, every byte stays.
            (
                r#"{"n": 1e2,  "s":"\u00e9\"\\"}"#,
                r#"{"n": 1e2,  "s":"\u00e9\"\\"}"#,
            ),
            (
                r#"{"a":"sk-","b":"abcdefgh"}"#,
                r#"{"a":"sk-","b":"abcdefgh"}"#,
            ),
        ];
        for (json, hidden) in table {
            assert_eq!(secrets().hide_in_json(json), hidden, "{json}");
            assert!(serde_json::from_str::<Value>(hidden).is_ok());
        }
    }

    #[test]
    fn of_an_answer_everything_but_signed_reasoning_is_cleaned() {
        let table = [
            (r#"{"type":"text","text":"sk-abcdefgh"}"#, true),
            (
                r#"{"type":"tool_use","id":"t","name":"n","input":{"x":["sk-abcdefgh"]}}"#,
                true,
            ),
            (
                r#"{"type":"tool_use","id":"t","name":"n","input":{},"damaged_input":"{\"x\":\"sk-abcdefgh"}"#,
                true,
            ),
            (r#"{"type":"thinking","thinking":"sk-abcdefgh"}"#, true),
            (
                r#"{"type":"thinking","thinking":"sk-abcdefgh","signature":""}"#,
                true,
            ),
            (
                r#"{"type":"thinking","thinking":"sk-abcdefgh","signature":"s"}"#,
                false,
            ),
            (
                r#"{"type":"openai_fields","fields":{"d":[{"text":"sk-abcdefgh","thoughtSignature":"s"}]}}"#,
                false,
            ),
            (
                r#"{"type":"reasoning","text":"sk-abcdefgh","field":"reasoning"}"#,
                true,
            ),
            (r#"{"type":"text","text":"\u0041 sk-abcdefg"}"#, false),
        ];
        for (json, is_changed) in table {
            let mut reply = Reply {
                blocks: vec![Block::from_json(json.to_owned()).unwrap()],
                stop: StopReason::Other("sk-abcdefgh".to_owned()),
                usage: Usage::default(),
                model: String::new(),
                wire: Wire::Anthropic,
            };
            secrets().hide_in_reply(&mut reply);
            let hidden = reply.blocks[0].json();
            match is_changed {
                true => assert!(
                    !hidden.contains("sk-abcdefgh") && hidden.contains("[secret KEY]"),
                    "{hidden}"
                ),
                false => assert_eq!(hidden, json),
            }
            assert_eq!(reply.stop, StopReason::Other("[secret KEY]".to_owned()));
        }
    }
}
