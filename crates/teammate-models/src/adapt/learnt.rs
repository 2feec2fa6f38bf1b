//! The parts that one model at one server refuses.

use std::{
    collections::{BTreeSet, HashMap},
    sync::Mutex,
};

use teammate_core::{
    lock::Hold,
    model::{ModelProfile, ModelRequest},
};

use super::limit::{self, LowerLimit};

/// A part of a request that can be left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Part {
    /// The fields about thinking.
    Thinking,
    Tools,
    /// The schema of the answer.
    Schema,
    /// Temperature and the like.
    Sampling,
    Pictures,
    Documents,
    /// The wish for reasoning in a form that can be sent back.
    Encrypted,
    /// Reasoning of earlier answers, up to the newest message.
    Reasoning,
    /// The name of the field with the most tokens of an answer: there is another.
    LimitName,
    /// The wish for a count of tokens at the end of a stream.
    StreamOptions,
    /// The vendor's key of the prompt cache.
    CacheKey,
    /// Markers for the prompt cache.
    CacheMarkers,
    /// That the vendor keeps nothing.
    Store,
    /// That tools and schemas are not held to the letter.
    Strict,
    /// The class of service.
    Tier,
    /// The id of the end user.
    User,
    /// The texts at which an answer ends.
    Stop,
    /// A message of the role `system`.
    System,
    /// A user's message behind results of tools.
    UserAfterTool,
    /// No text, said as `null`, beside calls.
    NullContent,
    /// Ids of calls as other servers make them.
    CallIds,
}

/// The parts that one model at one server refuses.
#[derive(Debug, Default)]
pub(crate) struct Learnt(Mutex<Refused>);

#[derive(Debug, Default)]
struct Refused {
    parts: BTreeSet<Part>,
    /// By conversation: how many of its first messages go without their reasoning.
    reasoning: HashMap<String, usize>,
    context: Option<u64>,
    /// The most tokens of an answer.
    answer_tokens: Option<u32>,
    /// Tools whose schema is refused, by name.
    tools: BTreeSet<String>,
    /// Whether the server was asked for its context.
    was_asked: bool,
}

/// A sent part, and the words by which a refusal names it.
const WORDS: &[(Part, &[&str])] = &[
    (
        Part::Encrypted,
        &[
            "encrypted content is not supported",
            "reasoning.encrypted_content",
            "'include'",
        ],
    ),
    (
        Part::Reasoning,
        &[
            "invalid `signature`",
            "invalid signature",
            "encrypted content",
            "cannot be modified",
            "required following item",
            "required preceding item",
            // llama.cpp, of reasoning that another server gave.
            "item['content']",
            "reasoning_content",
        ],
    ),
    (
        Part::Thinking,
        &[
            "thinking",
            "reasoning_effort",
            "reasoning.effort",
            "reasoning.summary",
            "output_config.effort",
            "effort",
            "'reasoning'",
        ],
    ),
    (
        Part::Schema,
        &[
            "output_config.format",
            "response_format",
            "text.format",
            "json_schema",
            "output schema",
            "structured output",
            "schema is too complex",
        ],
    ),
    (Part::Sampling, &["temperature", "top_p"]),
    (
        Part::Tools,
        &[
            "does not support tools",
            "tools are not supported",
            "tool use is not supported",
            "tool calling is not supported",
            "--enable-auto-tool-choice",
            "that support tool use",
            "not support tool",
            "not support function",
            "not support the use of tools",
            "function calling is not",
            "tools is not supported",
            "tool choice is not supported",
            "param requires --jinja",
            "`tools`",
            "'tools'",
        ],
    ),
    (
        Part::Pictures,
        &[
            "does not support image",
            "image input is not supported",
            "image_url",
            "multimodal",
            "not a vision model",
            "mmproj",
            "not support vision",
            "that support image",
            "image(s)",
            "image content",
            "images are not supported",
            "not support images",
            "multi-modal",
        ],
    ),
    (
        Part::Documents,
        &["document", "pdf", "input_file", "'file'"],
    ),
    (
        Part::UserAfterTool,
        &[
            "'user' after role 'tool'",
            "user after tool",
            "invalid_request_message_order",
            "roles must alternate",
            "tool message must be followed by",
            "'assistant' message after 'tool'",
            "messages with role 'tool' must be followed",
            "two consecutive user",
            "user message cannot follow",
            "unexpected role",
        ],
    ),
    (
        Part::System,
        &[
            "system role not supported",
            "system role is not supported",
            "role 'system' is not",
            "role: system",
            "only user and assistant roles",
            "system message is not supported",
            "system instruction is not enabled",
            "developer instruction is not enabled",
            "unsupported role",
            "invalid role: system",
        ],
    ),
    (
        Part::CallIds,
        &[
            "tool call id",
            "tool_call_id must",
            "tool_call_id has to",
            "with a length of 9",
            "tool_calls[0].id",
        ],
    ),
    (
        Part::NullContent,
        &[
            "content must be a string",
            "content must not be null",
            "content cannot be null",
            "content is required",
            "content: invalid type: null",
            "content field is required",
            "got null",
            "got 'null'",
            "input should be a valid string",
            "none is not of type",
            "message content cannot be empty",
        ],
    ),
    (
        Part::LimitName,
        &[
            "use 'max_completion_tokens' instead",
            "use `max_completion_tokens` instead",
            "use 'max_tokens' instead",
            "use max_completion_tokens",
            "unsupported parameter: 'max_tokens'",
            "unknown parameter: max_completion_tokens",
        ],
    ),
    (Part::StreamOptions, &["stream_options", "include_usage"]),
    (Part::CacheKey, &["prompt_cache_key"]),
    (Part::CacheMarkers, &["cache_control", "prompt caching"]),
    (
        Part::Store,
        &["'store'", "`store`", "\"store\"", "store:", ": store"],
    ),
    (Part::Strict, &["strict"]),
    (Part::Tier, &["service_tier"]),
    (
        Part::User,
        &[
            "safety_identifier",
            "'user'",
            "\"user\"",
            "`user`",
            "metadata",
        ],
    ),
    (
        Part::Stop,
        &["stop_sequences", "'stop'", "\"stop\"", "`stop`"],
    ),
];

/// The least answer that is worth being asked for, in tokens.
const ANSWER_TOKENS_MIN: u32 = 256;
/// What is kept free for tokens that an estimate has missed, in parts of the estimate: one in so many.
const SLACK: u64 = 8;

impl Learnt {
    /// Whether the server refused this part before.
    pub(crate) fn refuses(&self, part: Part) -> bool {
        self.0.hold().parts.contains(&part)
    }

    /// Whether anything was refused that is in messages: what was rendered before does not fit any more.
    pub(crate) fn has_refused(&self) -> bool {
        let refused = self.0.hold();
        [
            Part::Pictures,
            Part::Documents,
            Part::UserAfterTool,
            Part::NullContent,
            Part::CallIds,
        ]
        .iter()
        .any(|part| refused.parts.contains(part))
    }

    /// Whether the server refused the schema of this tool.
    pub(crate) fn refuses_tool(&self, name: &str) -> bool {
        self.0.hold().tools.contains(name)
    }

    /// Whether the server refused the schema of any tool: tools that were rendered before do not fit any more.
    pub(crate) fn has_refused_tools(&self) -> bool {
        !self.0.hold().tools.is_empty()
    }

    /// The most tokens that the answer to a request can have: no more than the server gives, and than its context has room for.
    pub(crate) fn answer_limit(&self, request: &ModelRequest, context: Option<u64>) -> u32 {
        let refused = self.0.hold();
        let wanted = request.max_tokens;
        let wanted = refused
            .answer_tokens
            .map_or(wanted, |most| wanted.min(most));
        let Some(context) = refused.context.or(context) else {
            return wanted;
        };
        let prompt = request.estimated_tokens();
        let room = context.saturating_sub(prompt + prompt / SLACK);
        match u32::try_from(room) {
            Ok(room) => wanted.min(room.max(ANSWER_TOKENS_MIN)),
            Err(_) => wanted,
        }
    }

    /// Learns from a refusal of `sent` tokens for the answer how many there can be. `Some` if fewer are worth a try.
    pub(crate) fn learn_limit(&self, message: &str, sent: u32) -> Option<LowerLimit> {
        let found = limit::lower_limit(message, sent)?;
        let tokens = match found {
            LowerLimit::Always(tokens) | LowerLimit::Now(tokens) => tokens,
        };
        if tokens < ANSWER_TOKENS_MIN || tokens >= sent {
            return None;
        }
        if let LowerLimit::Always(tokens) = found {
            self.0.hold().answer_tokens = Some(tokens);
        }
        Some(found)
    }

    /// Learns that the server does not take the schema of one of these tools. The sentence for the user, if it is news.
    pub(crate) fn learn_tool<'a>(
        &self,
        message: &str,
        tools: impl Iterator<Item = &'a str>,
    ) -> Option<String> {
        let lower = message.to_ascii_lowercase();
        let is_about_schema = [
            "schema",
            "function_parameters",
            "input_schema",
            "parameters",
        ];
        if !is_about_schema.iter().any(|word| lower.contains(word)) {
            return None;
        }
        let is_named = |name: &&str| {
            ["'", "\"", "`"]
                .iter()
                .any(|quote| message.contains(&format!("{quote}{name}{quote}")))
                || message.contains(&format!("\\\"{name}\\\""))
        };
        let name = tools.filter(is_named).max_by_key(|name| name.len())?;
        if !self.0.hold().tools.insert(name.to_owned()) {
            return None;
        }
        Some(format!(
            "does not take the schema of the tool {name}; from now on it is asked without that tool"
        ))
    }

    /// How many of the first messages of a conversation go without their reasoning.
    pub(crate) fn without_reasoning(&self, conversation: &str) -> usize {
        let refused = self.0.hold();
        refused.reasoning.get(conversation).copied().unwrap_or(0)
    }

    /// Learns from a refusal with this message. `sent`: the parts that the refused request had. The sentence for the user says
    /// what is left out from now on; `None` if nothing was learnt, so that asking again would give the same answer.
    pub(crate) fn learn(
        &self,
        message: &str,
        sent: &[Part],
        (conversation, messages): (&str, usize),
    ) -> Option<String> {
        let message = message.to_ascii_lowercase();
        let is_named = |words: &[&str]| words.iter().any(|word| message.contains(word));
        let part = WORDS
            .iter()
            .filter(|(part, _)| sent.contains(part))
            .find(|(_, words)| is_named(words))
            .map(|(part, _)| *part)?;
        let mut refused = self.0.hold();
        if part == Part::Reasoning {
            let known = refused.reasoning.get(conversation).copied().unwrap_or(0);
            if known >= messages {
                return None;
            }
            refused.reasoning.insert(conversation.to_owned(), messages);
        } else if !refused.parts.insert(part) {
            return None;
        }
        Some(part.sentence().to_owned())
    }

    /// Learns the context that a refusal names. The sentence for the user, if it is news.
    pub(crate) fn learn_context(&self, message: &str) -> Option<String> {
        let tokens = limit::context_in(message)?;
        let mut refused = self.0.hold();
        if refused.context.is_some_and(|known| known <= tokens) {
            return None;
        }
        refused.context = Some(tokens);
        Some(format!(
            "takes only {tokens} tokens at once; conversations are made shorter for that from now on"
        ))
    }

    /// A profile less what its server has refused.
    pub(crate) fn fit(&self, profile: ModelProfile) -> ModelProfile {
        let refused = self.0.hold();
        let thinking = profile.thinking;
        ModelProfile {
            context_tokens: refused.context.or(profile.context_tokens),
            answer_tokens: refused.answer_tokens.or(profile.answer_tokens),
            thinking: thinking.filter(|_| !refused.parts.contains(&Part::Thinking)),
            ..profile
        }
    }

    /// Learns the context that the server tells, if it was not asked before.
    pub(crate) async fn ask_context_once<Answer: Future<Output = Option<u64>>>(
        &self,
        ask: impl FnOnce() -> Answer,
    ) {
        let was_asked = std::mem::replace(&mut self.0.hold().was_asked, true);
        if was_asked {
            return;
        }
        // While it is asked other requests go on with what is known.
        if let Some(tokens) = ask().await {
            self.0.hold().context.get_or_insert(tokens);
        }
    }
}

impl Part {
    fn sentence(self) -> &'static str {
        match self {
            Self::Thinking => "takes no effort in this form; from now on it is asked without one",
            Self::Tools => {
                "takes no tools; from now on it is asked without them, so it can only talk"
            }
            Self::Schema => {
                "does not take this schema; the result is checked here instead, and asked for again if it does not fit"
            }
            Self::Sampling => "takes no temperature or top_p; from now on they are left out",
            Self::Pictures => "takes no pictures; from now on it reads a line in place of each",
            Self::Documents => "takes no documents; from now on it reads a line in place of each",
            Self::Encrypted => {
                "gives no reasoning that could be sent back; from now on it is not asked for"
            }
            Self::Reasoning => {
                "cannot read the reasoning of earlier answers any more; they are sent without it"
            }
            Self::LimitName => {
                "has another name for the most tokens of an answer; it is used from now on"
            }
            Self::StreamOptions => "takes no stream_options; from now on they are left out",
            Self::CacheKey => "takes no prompt_cache_key; from now on it is left out",
            Self::CacheMarkers => "takes no cache_control; from now on it is left out",
            Self::Store => "takes no store; from now on it is left out",
            Self::Strict => "takes no strict; from now on it is left out",
            Self::Tier => "takes no service_tier; from now on it is left out",
            Self::User => "takes no id of a user; from now on it is left out",
            Self::Stop => "takes no texts that end an answer; from now on they are left out",
            Self::System => {
                "takes no system message; from now on the user's first message says that"
            }
            Self::UserAfterTool => {
                "takes no message behind results of tools; from now on it stands in the last result"
            }
            Self::NullContent => "takes no null for no text; from now on it is empty text",
            Self::CallIds => {
                "takes only its own form of the ids of calls; from now on they are sent in that"
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refused_part_is_left_out_once_and_for_all() {
        let learnt = Learnt::default();
        let refusal = "400: Unsupported parameter: 'reasoning_effort' is not supported";
        let told = learnt.learn(refusal, &[Part::Thinking, Part::Tools], ("c", 1));
        assert!(told.unwrap().contains("no effort"));
        assert!(learnt.refuses(Part::Thinking) && !learnt.refuses(Part::Tools));
        // Said again, it has another reason.
        assert_eq!(learnt.learn(refusal, &[Part::Thinking], ("c", 1)), None);
        // What was not sent cannot be left out.
        assert_eq!(learnt.learn("temperature", &[Part::Tools], ("c", 1)), None);
        assert_eq!(learnt.learn("overloaded", &[Part::Tools], ("c", 1)), None);
    }

    #[test]
    fn unreadable_reasoning_is_left_out_of_that_conversation_only() {
        let learnt = Learnt::default();
        let refusal = "messages.3.content.0: Invalid `signature` in `thinking` block";
        let sent = [Part::Thinking, Part::Reasoning];
        assert!(learnt.learn(refusal, &sent, ("one", 4)).is_some());
        assert_eq!(learnt.without_reasoning("one"), 4);
        assert_eq!(learnt.without_reasoning("two"), 0);
        assert!(!learnt.refuses(Part::Thinking));
        assert_eq!(learnt.learn(refusal, &sent, ("one", 4)), None);
        assert!(learnt.learn(refusal, &sent, ("one", 8)).is_some());
    }

    #[test]
    fn a_smaller_context_is_read_from_the_refusal() {
        for (message, tokens) in [
            (
                "prompt is too long: 210000 tokens > 200000 maximum",
                200_000,
            ),
            ("This model's maximum context length is 8192 tokens.", 8_192),
            (r#"{"error":{"n_prompt_tokens":9000,"n_ctx":4096}}"#, 4_096),
            (
                "exceeds the available context size (4096 tokens), try",
                4_096,
            ),
        ] {
            assert_eq!(limit::context_in(message), Some(tokens), "{message}");
        }
        assert_eq!(limit::context_in("the prompt is too long"), None);
        let learnt = Learnt::default();
        let message = "maximum context length is 8192 tokens";
        assert!(learnt.learn_context(message).is_some());
        assert_eq!(learnt.learn_context(message), None);
        let profile = learnt.fit(ModelProfile::default());
        assert_eq!(profile.context_tokens, Some(8_192));
    }
}
