//! The bytes of a request. A request starts with the bytes of the one before, without its closing brackets.

use std::{fmt::Write as _, sync::Arc};

use teammate_core::{
    model::{ModelRequest, Wire},
    tool::ToolSpec,
};

use super::{
    Responses, is_native,
    items::{Readable, rendered, text_item},
};
use crate::{
    adapt::{self, Outgoing, Part},
    attachments::Takes,
    catalogue::{EffortLevel, ThinkingForm},
    json::quoted,
    openai::{message::joined, request::push_account},
    sampling::Sampling,
};

/// The whole request.
pub(super) fn outgoing(model: &Responses, request: &ModelRequest) -> Outgoing {
    let mut out = Outgoing {
        body: String::new(),
        beta: Vec::new(),
        parts: Vec::new(),
        takes: Takes::of(&model.settings, &model.learnt),
    };
    let preamble = &request.preamble;
    let tools = match model.learnt.refuses(Part::Tools) || model.settings.facts.tools == Some(false)
    {
        true => "".into(),
        false => {
            let is_strict = !model.learnt.refuses(Part::Strict);
            if is_strict {
                out.parts.push(Part::Strict);
            }
            let rendered = |specs: &[ToolSpec]| tools(specs, is_strict);
            adapt::rendered_tools(
                &model.learnt,
                request,
                (Wire::Responses, Some(Part::Strict)),
                rendered,
            )
        }
    };
    if !tools.is_empty() {
        out.parts.push(Part::Tools);
    }
    let messages = rendered_messages(model, request, out.takes);
    push_head(&mut out, model, request);
    let length: usize = messages.iter().map(|message| message.len() + 1).sum();
    out.body
        .reserve(length + tools.len() + preamble.system.len() * 2 + request.identity.len() * 2);
    out.body.push_str(&tools);
    out.body.push_str(r#","input":["#);
    let system = joined(&[&preamble.system, &request.identity]);
    let mut first = true;
    if !system.is_empty() {
        // `instructions` would be put behind the input and paid for anew each time (gpt-6.2).
        let role = match model.is_official() {
            true => "developer",
            false => "system",
        };
        out.body.push_str(&text_item(role, &system, None));
        first = false;
    }
    for message in &messages {
        if !std::mem::take(&mut first) {
            out.body.push(',');
        }
        out.body.push_str(message);
    }
    out.body.push_str("]}");
    out
}

/// Model, limits, and whatever is asked of the answer.
fn push_head(out: &mut Outgoing, model: &Responses, request: &ModelRequest) {
    // Writing to a string cannot fail.
    let _ = write!(
        out.body,
        r#"{{"model":{},"max_output_tokens":{},"stream":true"#,
        quoted(&model.model),
        request.max_tokens
    );
    if out.has(Part::Store, &model.learnt) {
        out.body.push_str(r#","store":false"#);
    }
    // A model that cannot think refuses to be asked for its reasoning (gpt-4.1).
    let may_think = model.settings.family.is_none() || model.settings.facts.thinking.is_some();
    if may_think && !model.learnt.refuses(Part::Encrypted) {
        out.parts.push(Part::Encrypted);
        out.body
            .push_str(r#","include":["reasoning.encrypted_content"]"#);
    }
    if !model.learnt.refuses(Part::Thinking)
        && let Some(fields) = reasoning(model, request)
    {
        out.parts.push(Part::Thinking);
        let _ = write!(out.body, r#","reasoning":{{{fields}}}"#);
    }
    if let Some(schema) = out.schema(&model.settings, &model.learnt, request) {
        let _ = write!(
            out.body,
            r#","text":{{"format":{{"type":"json_schema","name":"result","schema":{schema},"strict":false}}}}"#
        );
    }
    let sampling = Sampling::of(&model.settings, &model.learnt);
    out.parts.extend(sampling.part());
    sampling.push(&mut out.body);
    let wanted = &model.settings.request;
    push_account(
        out,
        wanted,
        (model.is_official(), &model.learnt),
        &request.conversation,
    );
}

/// The reasoning field of this request.
fn reasoning(model: &Responses, request: &ModelRequest) -> Option<String> {
    let level = model
        .settings
        .level(Wire::Responses, request.options.effort);
    let effort = level.and_then(|(thinking, level)| match (thinking.form, level) {
        (ThinkingForm::ReasoningEffort, EffortLevel::Word(word)) => {
            Some(format!(r#""effort":{}"#, quoted(word)))
        }
        _ => None,
    })?;
    Some(match request.options.shows_thinking {
        true => format!(r#"{effort},"summary":"auto""#),
        false => effort,
    })
}

/// All messages in their bytes.
fn rendered_messages(model: &Responses, request: &ModelRequest, takes: Takes) -> Vec<Arc<str>> {
    adapt::rendered_messages(
        &model.learnt,
        request,
        Wire::Responses,
        |message, is_read| {
            let readable = Readable {
                is_official: model.is_official(),
                items: is_read && is_native(message, &request.model),
                takes,
            };
            rendered(message, readable)
        },
    )
}

fn tools(tools: &[ToolSpec], says_strict: bool) -> String {
    let strict = match says_strict {
        true => r#","strict":false"#,
        false => "",
    };
    if tools.is_empty() {
        return String::new();
    }
    let tools: Vec<String> = tools
        .iter()
        .map(|tool| {
            format!(
                r#"{{"type":"function","name":{},"description":{},"parameters":{}{strict}}}"#,
                quoted(&tool.name),
                quoted(&tool.description),
                tool.schema.get(),
            )
        })
        .collect();
    format!(r#","tools":[{}]"#, tools.join(","))
}
