//! The bytes of a request. Messages that were sent before are copied, so the work of a turn grows
//! with the new messages only; and a request starts with the bytes of the one before, without its
//! cache markers and closing brackets.

use std::{fmt::Write as _, sync::Arc};

use teammate_core::{
    model::{CacheLifetime, ModelRequest, Preamble, Role, Wire},
    tool::ToolSpec,
};

use super::{
    Anthropic, is_native,
    message::{Readable, can_carry_cache_control, rendered},
    thinking::ThinkingFields,
};
use crate::{
    adapt::{self, Outgoing, Part},
    attachments::Takes,
    json::quoted,
    sampling::Sampling,
};

/// The whole request.
pub(super) fn outgoing(model: &Anthropic, request: &ModelRequest) -> Outgoing {
    let mut out = Outgoing {
        body: String::new(),
        beta: model.settings.request.beta.clone(),
        parts: Vec::new(),
        takes: Takes::of(&model.settings, &model.learnt),
    };
    let lifetime = request.options.cache_lifetime;
    let preamble = &request.preamble;
    let tools = match model.learnt.refuses(Part::Tools) || model.settings.facts.tools == Some(false)
    {
        true => &[][..],
        false => &preamble.tools,
    };
    let marker = match out.has(Part::CacheMarkers, &model.learnt) {
        true => marker(lifetime),
        false => "",
    };
    let shared = match tools.is_empty() {
        true => shared_prefix(tools, preamble, marker).into(),
        false => {
            out.parts.push(Part::Tools);
            let rendered = |tools: &[ToolSpec]| shared_prefix(tools, preamble, marker);
            let wire = (Wire::Anthropic, Some(Part::CacheMarkers));
            adapt::rendered_tools(&model.learnt, request, wire, rendered)
        }
    };
    let messages = rendered_messages(model, request, out.takes);
    let length: usize = messages.iter().map(|message| message.len() + 1).sum();
    out.body
        .reserve(length + shared.len() + request.identity.len() + 1024);
    push_head(&mut out, model, request);
    out.body.push_str(&shared);
    push_identity(&mut out.body, preamble, &request.identity);
    push_messages(&mut out.body, request, &messages, marker);
    out.body.push('}');
    out
}

/// Model, limits, and whatever is asked of the answer.
fn push_head(out: &mut Outgoing, model: &Anthropic, request: &ModelRequest) {
    let name = quoted(&model.model);
    let limit = request.max_tokens;
    // Writing to a string cannot fail.
    let _ = write!(
        out.body,
        r#"{{"model":{name},"max_tokens":{limit},"stream":true"#
    );
    let thinking = match model.learnt.refuses(Part::Thinking) {
        true => ThinkingFields::default(),
        false => ThinkingFields::of(&model.settings, request),
    };
    if !thinking.is_empty() {
        out.parts.push(Part::Thinking);
    }
    if let Some(fields) = &thinking.thinking {
        let _ = write!(out.body, r#","thinking":{fields}"#);
    }
    out.beta.extend(thinking.beta.map(str::to_owned));
    let mut config = Vec::new();
    config.extend(thinking.effort.map(|word| format!(r#""effort":{word}"#)));
    if let Some(schema) = out.schema(&model.settings, &model.learnt, request) {
        config.push(format!(
            r#""format":{{"type":"json_schema","schema":{schema}}}"#
        ));
    }
    if !config.is_empty() {
        let _ = write!(out.body, r#","output_config":{{{}}}"#, config.join(","));
    }
    let sampling = Sampling::of(&model.settings, &model.learnt);
    out.parts.extend(sampling.part());
    sampling.push(&mut out.body);
    let wanted = &model.settings.request;
    if !wanted.stop.is_empty() && out.has(Part::Stop, &model.learnt) {
        let texts: Vec<String> = wanted.stop.iter().map(|text| quoted(text)).collect();
        let _ = write!(out.body, r#","stop_sequences":[{}]"#, texts.join(","));
    }
    if let Some(tier) = &wanted.service_tier
        && out.has(Part::Tier, &model.learnt)
    {
        let _ = write!(out.body, r#","service_tier":{}"#, quoted(tier));
    }
    if let Some(id) = &wanted.user_id
        && out.has(Part::User, &model.learnt)
    {
        let _ = write!(out.body, r#","metadata":{{"user_id":{}}}"#, quoted(id));
    }
}

/// All messages in their bytes.
fn rendered_messages(model: &Anthropic, request: &ModelRequest, takes: Takes) -> Vec<Arc<str>> {
    adapt::rendered_messages(
        &model.learnt,
        request,
        Wire::Anthropic,
        |message, is_read| {
            let readable = Readable {
                thinking: is_read && is_native(message, &request.model),
                takes,
            };
            rendered(message, readable)
        },
    )
}

fn push_messages(out: &mut String, request: &ModelRequest, messages: &[Arc<str>], marker: &str) {
    out.push_str(r#","messages":["#);
    for (at, (message, bytes)) in request.messages.iter().zip(messages).enumerate() {
        if at > 0 {
            out.push(',');
        }
        // The marker on the last block writes the cache; the one where the previous request ended reads it.
        let is_last = at + 1 == messages.len();
        let was_last = at + 1 == request.cached && message.role == Role::User;
        match bytes.strip_suffix("}]}") {
            Some(start) if (is_last || was_last) && can_carry_cache_control(message) => {
                out.push_str(start);
                out.push_str(marker);
                out.push_str("}]}");
            }
            Some(_) | None => out.push_str(bytes),
        }
    }
    out.push(']');
}

/// A cache marker, which makes the server keep everything before it.
fn marker(lifetime: CacheLifetime) -> &'static str {
    match lifetime {
        CacheLifetime::Short => r#","cache_control":{"type":"ephemeral"}"#,
        CacheLifetime::Long => r#","cache_control":{"type":"ephemeral","ttl":"1h"}"#,
    }
}

/// Tools and shared instructions, with a cache marker behind the tools that members of every kind begin with, and one behind
/// all.
fn shared_prefix(tools: &[ToolSpec], preamble: &Preamble, marker: &str) -> String {
    let has_system = !preamble.system.trim().is_empty();
    let mut out = String::new();
    if !tools.is_empty() {
        let tools: Vec<String> = tools
            .iter()
            .enumerate()
            .map(|(at, tool)| {
                let is_end = at + 1 == tools.len() && !has_system;
                let is_marked = is_end || at + 1 == preamble.common_tools;
                format!(
                    r#"{{"name":{},"description":{},"input_schema":{}{}}}"#,
                    quoted(&tool.name),
                    quoted(&tool.description),
                    tool.schema.get(),
                    if is_marked { marker } else { "" },
                )
            })
            .collect();
        out.push_str(&format!(r#","tools":[{}]"#, tools.join(",")));
    }
    if has_system {
        out.push_str(&format!(
            r#","system":[{{"type":"text","text":{}{marker}}}"#,
            quoted(&preamble.system)
        ));
    }
    out
}

fn push_identity(out: &mut String, preamble: &Preamble, identity: &str) {
    let has_system = !preamble.system.trim().is_empty();
    if !identity.trim().is_empty() {
        out.push_str(if has_system { "," } else { r#","system":["# });
        out.push_str(&format!(r#"{{"type":"text","text":{}}}"#, quoted(identity)));
    }
    if has_system || !identity.trim().is_empty() {
        out.push(']');
    }
}
