//! The words in which servers say what is wrong, as `tests/wires/refusals.toml` has them in full, and what they mean where none of
//! these words is used.

/// A conversation that is too long. In lower case, and each in no other refusal.
const TOO_LONG: [&str; 39] = [
    "prompt is too long",
    "prompt too long",
    "input is too long",
    "input too long",
    "exceed context limit",
    "exceeds context limit",
    "maximum context length",
    "maximum context window",
    "context length exceeded",
    "context_length_exceeded",
    "context window",
    "context size",
    "context limit",
    "model's context length",
    "max context length",
    "maximum model length",
    "max_model_len",
    "max_seq_len",
    "context length of only",
    "max_prompt_tokens_exceeded",
    "reduce the length of the messages",
    "reduce your message size",
    "reduce the length of the prompt",
    "input token count",
    "input tokens exceed",
    "maximum prompt length",
    "exceeded model token limit",
    "prompt token count of",
    "range of input length",
    "`inputs` tokens + `max_new_tokens`",
    "`inputs` must have less",
    "too many tokens",
    "total number of tokens",
    "exceed_context_size",
    "prompt exceeds max length",
    "tokens to keep from the initial prompt",
    "最大上下文",
    "上下文长度",
    "输入长度超",
];

/// What a request has, and a limit of it: both in one refusal mean, in any words, that it is too long.
const MEASURED: [&str; 6] = [
    "token",
    "context",
    "length",
    "prompt",
    "too long",
    "too large",
];
const LIMITED: [&str; 12] = [
    "exceed",
    "maximum",
    "too long",
    "too large",
    "too many",
    "longer than",
    "less than",
    "not enough",
    "limit",
    "reduce",
    "at most",
    "not fit",
];
/// What such a refusal is about if not the conversation.
const OTHERWISE: [&str; 11] = [
    "max_tokens",
    "max_completion_tokens",
    "max_output_tokens",
    "budget_tokens",
    "api key",
    "schema",
    "credit",
    "image",
    "tool_call",
    "tool call",
    "tools.",
];

/// Whether a known phrase says that the conversation is too long. `message` is in lower case.
pub(super) fn are_too_long(message: &str) -> bool {
    TOO_LONG.iter().any(|phrase| message.contains(phrase))
}

/// Whether words that nobody knows seem to say so.
pub(super) fn seem_too_long(message: &str) -> bool {
    let has = |words: &[&str]| words.iter().any(|word| message.contains(word));
    has(&MEASURED) && has(&LIMITED) && !has(&OTHERWISE)
}
