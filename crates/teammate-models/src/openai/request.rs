//! The bytes of a request to chat completions. A request starts with the bytes of the one before, without its closing
//! brackets.

use std::{
    fmt::Write as _,
    hash::{DefaultHasher, Hash, Hasher},
    sync::Arc,
};

use teammate_core::{
    model::{ModelRequest, Wire},
    tool::ToolSpec,
};

use super::{
    OpenAi, is_native,
    message::{Readable, joined, rendered},
    thinking,
};
use crate::{
    adapt::{self, Learnt, Outgoing, Part},
    attachments::Takes,
    json::quoted,
    sampling::Sampling,
    settings::RequestSettings,
};

/// The longest `prompt_cache_key` that is sent unchanged.
const CACHE_KEY_BYTES_MAX: usize = 64;

/// The whole request.
pub(super) fn outgoing(model: &OpenAi, request: &ModelRequest) -> Outgoing {
    let mut out = Outgoing {
        body: String::new(),
        beta: Vec::new(),
        parts: Vec::new(),
        takes: Takes::of(&model.settings, &model.learnt),
    };
    let tools = match model.learnt.refuses(Part::Tools) || model.settings.facts.tools == Some(false)
    {
        true => "".into(),
        false => adapt::rendered_tools(&model.learnt, request, (Wire::OpenAi, None), tools),
    };
    if !tools.is_empty() {
        out.parts.push(Part::Tools);
    }
    out.parts
        .extend([Part::UserAfterTool, Part::NullContent, Part::CallIds]);
    let messages = rendered_messages(model, request, out.takes);
    push_head(&mut out, model, request);
    let preamble = &request.preamble;
    let length: usize = messages.iter().map(|message| message.len() + 1).sum();
    out.body
        .reserve(length + tools.len() + preamble.system.len() * 2 + request.identity.len() * 2);
    out.body.push_str(&tools);
    out.body.push_str(r#","messages":["#);
    let system = joined(&[&preamble.system, &request.identity]);
    let mut first = true;
    if !system.is_empty() {
        let system = quoted(&system);
        // Writing to a string cannot fail.
        let _ = match out.has(Part::System, &model.learnt) {
            true => write!(out.body, r#"{{"role":"system","content":{system}}}"#),
            false => write!(
                out.body,
                r#"{{"role":"user","content":{system}}},{{"role":"assistant","content":"Understood."}}"#
            ),
        };
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
fn push_head(out: &mut Outgoing, model: &OpenAi, request: &ModelRequest) {
    let limit = match model.is_official() != model.learnt.refuses(Part::LimitName) {
        true => "max_completion_tokens",
        false => "max_tokens",
    };
    let _ = write!(
        out.body,
        r#"{{"model":{},"{limit}":{},"stream":true"#,
        quoted(&model.model),
        request.max_tokens
    );
    out.parts.push(Part::LimitName);
    if out.has(Part::StreamOptions, &model.learnt) {
        out.body
            .push_str(r#","stream_options":{"include_usage":true}"#);
    }
    if !model.learnt.refuses(Part::Thinking)
        && thinking::push(&mut out.body, &model.settings, request)
    {
        out.parts.push(Part::Thinking);
    }
    if let Some(schema) = out.schema(&model.settings, &model.learnt, request) {
        let _ = write!(
            out.body,
            r#","response_format":{{"type":"json_schema","json_schema":{{"name":"result","schema":{schema}}}}}"#
        );
    }
    let sampling = Sampling::of(&model.settings, &model.learnt);
    out.parts.extend(sampling.part());
    sampling.push(&mut out.body);
    let wanted = &model.settings.request;
    if !wanted.stop.is_empty() && out.has(Part::Stop, &model.learnt) {
        let texts: Vec<String> = wanted.stop.iter().map(|text| quoted(text)).collect();
        let _ = write!(out.body, r#","stop":[{}]"#, texts.join(","));
    }
    push_account(
        out,
        wanted,
        (model.is_official(), &model.learnt),
        &request.conversation,
    );
}

/// The tier, who asks, and the vendor's key of the prompt cache: the same in both of OpenAI's forms.
pub(crate) fn push_account(
    out: &mut Outgoing,
    wanted: &RequestSettings,
    (is_official, learnt): (bool, &Learnt),
    conversation: &str,
) {
    // Writing to a string cannot fail.
    if let Some(tier) = &wanted.service_tier
        && out.has(Part::Tier, learnt)
    {
        let _ = write!(out.body, r#","service_tier":{}"#, quoted(tier));
    }
    if let Some(id) = &wanted.user_id
        && out.has(Part::User, learnt)
    {
        let field = match is_official {
            true => "safety_identifier",
            false => "user",
        };
        let _ = write!(out.body, r#","{field}":{}"#, quoted(id));
    }
    if is_official && out.has(Part::CacheKey, learnt) {
        let key = cache_key(conversation);
        let _ = write!(out.body, r#","prompt_cache_key":{}"#, quoted(&key));
    }
}

/// All messages in their bytes.
fn rendered_messages(model: &OpenAi, request: &ModelRequest, takes: Takes) -> Vec<Arc<str>> {
    let thinking = model.settings.thinking(Wire::OpenAi);
    let echo = thinking.is_some_and(|thinking| thinking.echo);
    adapt::rendered_messages(&model.learnt, request, Wire::OpenAi, |message, is_read| {
        let readable = Readable {
            reasoning: is_read && !model.is_official() && is_native(message, &request.model),
            takes,
            echo,
            joins_mail: model.learnt.refuses(Part::UserAfterTool),
            null: match model.learnt.refuses(Part::NullContent) {
                true => r#""""#,
                false => "null",
            },
            short_ids: model.learnt.refuses(Part::CallIds),
        };
        rendered(message, readable)
    })
}

/// The key by which the vendor finds the cache of a conversation.
fn cache_key(conversation: &str) -> String {
    if conversation.len() <= CACHE_KEY_BYTES_MAX {
        return conversation.to_owned();
    }
    let mut hasher = DefaultHasher::new();
    conversation.hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

fn tools(tools: &[ToolSpec]) -> String {
    if tools.is_empty() {
        return String::new();
    }
    let tools: Vec<String> = tools
        .iter()
        .map(|tool| {
            format!(
                r#"{{"type":"function","function":{{"name":{},"description":{},"parameters":{}}}}}"#,
                quoted(&tool.name),
                quoted(&tool.description),
                tool.schema.get(),
            )
        })
        .collect();
    format!(r#","tools":[{}]"#, tools.join(","))
}

#[cfg(test)]
mod tests {
    use teammate_core::{
        block::Block,
        model::{AnswerOptions, ChatMessage, Origin, Preamble, Role},
    };

    use super::*;
    use crate::{Endpoint, Http};

    #[test]
    fn openai_itself_is_asked_in_its_own_words() {
        let message = |role, blocks, origin| Arc::new(ChatMessage::new(role, blocks, origin));
        let reasoning = r#"{"type":"reasoning","text":"hm","field":"reasoning_content"}"#;
        let reasoning = Block::from_json(reasoning.to_owned()).unwrap();
        let said = vec![reasoning, Block::text("yes")];
        let request = || ModelRequest {
            preamble: Arc::new(Preamble::new(Vec::new(), String::new())),
            identity: "".into(),
            messages: vec![
                message(Role::User, vec![Block::text("so?")], None),
                message(
                    Role::Assistant,
                    said.clone(),
                    Some(Origin::new(Wire::OpenAi, "p:m")),
                ),
                message(Role::User, vec![Block::text("ok")], None),
            ],
            cached: 0,
            max_tokens: 9,
            conversation: "team/lead".into(),
            asker: "lead".into(),
            model: "p:m".into(),
            options: AnswerOptions::default(),
        };
        let asked = |url| {
            let endpoint = Endpoint::at("p", url);
            OpenAi::new(&endpoint, "m", Http::new())
                .unwrap()
                .body(&request())
        };
        let tail = r#"},{"role":"user","content":"ok"}]}"#;
        let middle =
            r#""messages":[{"role":"user","content":"so?"},{"role":"assistant","content":"yes""#;
        let head =
            r#"{"model":"m","max_tokens":9,"stream":true,"stream_options":{"include_usage":true},"#;
        let added = r#","reasoning_content":"hm""#;
        let compatible = asked("http://localhost:1");
        assert_eq!(compatible, format!("{head}{middle}{added}{tail}"));
        let head = r#"{"model":"m","max_completion_tokens":9,"stream":true,"stream_options":{"include_usage":true},"prompt_cache_key":"team/lead","#;
        let official = asked("https://api.openai.com/v1");
        // OpenAI itself refuses fields of other vendors.
        assert_eq!(official, format!("{head}{middle}{tail}"));
    }

    #[test]
    fn a_long_cache_key_is_shortened() {
        let long = "x".repeat(65);
        assert_eq!(cache_key(&long).len(), 16);
        assert_ne!(cache_key(&long), cache_key(&(long.clone() + "y")));
    }
}
