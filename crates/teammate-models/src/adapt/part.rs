//! The parts of a request that a server may refuse: the words by which refusals name them, and what is said of each then.

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

/// A sent part, and the words by which a refusal names it.
pub(super) const WORDS: &[(Part, &[&str])] = &[
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

impl Part {
    /// The sentence without what is done about it.
    pub(super) fn phrase(self) -> &'static str {
        let sentence = self.sentence();
        sentence.split("; ").next().unwrap_or(sentence)
    }

    /// The sentence for the user, when it is refused.
    pub(super) fn sentence(self) -> &'static str {
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
