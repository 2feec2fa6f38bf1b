//! The numbers in a refusal: how large the context is, and how long an answer may be.

/// A lower limit for answers that a refusal names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LowerLimit {
    /// For all answers.
    Always(u32),
    /// For all answers as long as this program runs: it hangs on the credit of the account, or is a guess.
    Meanwhile(u32),
    /// For this answer: so much room is left by the conversation.
    Now(u32),
}

impl LowerLimit {
    /// How many tokens.
    pub(crate) fn tokens(self) -> u32 {
        match self {
            Self::Always(tokens) | Self::Meanwhile(tokens) | Self::Now(tokens) => tokens,
        }
    }
}

/// How a refusal names the limit of answers, in lower case.
const ABOUT_LIMIT: [&str; 10] = [
    "max_tokens",
    "max tokens must be",
    "max_completion_tokens",
    "max_output_tokens",
    "max_new_tokens",
    "maxoutputtokens",
    "output tokens",
    "completion tokens",
    "can only afford",
    "maximum tokens you requested",
];
/// How it says that the one which was sent is too large.
const TOO_LARGE: [&str; 14] = [
    "too large",
    "at most",
    "maximum",
    "range",
    "<=",
    "less than",
    "exceed",
    "must be between",
    "can only afford",
    "greater than",
    "above",
    "limit",
    "> ",
    "取值范围",
];

/// The number of tokens that a refusal names as the most: `prompt is too long: 210000 tokens > 200000 maximum`, `maximum context
/// length is 8192 tokens`, `"n_ctx":4096`, `available context size (4096 tokens)`.
pub(super) fn context_in(message: &str) -> Option<u64> {
    let message = message.to_ascii_lowercase();
    let after = |mark: &str| numbers(&message[message.find(mark)? + mark.len()..]).next();
    let marks = [
        "tokens > ",
        "exceed context limit: ",
        "maximum context length is ",
        "maximum prompt length is ",
        "maximum number of tokens allowed (",
        "model token limit: ",
        "exceeds the limit of ",
        "model's context length (",
        "maximum model length of ",
        "model length of ",
        "\"n_ctx\":",
        "context size (",
        "context size of ",
        "context window of ",
        "context window limit (",
        "context limit of ",
        "max_new_tokens` must be <= ",
        "context length of ",
    ];
    let found = marks.iter().find_map(|mark| match *mark {
        // `190000 + 16000 > 200000`.
        "exceed context limit: " => {
            let rest = &message[message.find(mark)? + mark.len()..];
            numbers(rest).nth(2)
        }
        mark => after(mark),
    });
    found.filter(|tokens| *tokens >= 256)
}

/// The limit below `sent` that a refusal names; `None` if it is about something else.
pub(super) fn lower_limit(message: &str, sent: u32) -> Option<LowerLimit> {
    let lower = message.to_ascii_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| lower.contains(word));
    if let Some(context) = context_in(&lower) {
        return room(&lower, context, sent).map(LowerLimit::Now);
    }
    if !has(&ABOUT_LIMIT) || !has(&TOO_LARGE) {
        return None;
    }
    // The name of a model, and what is allowed at least, are small numbers.
    let named = numbers(&lower).filter_map(|number| u32::try_from(number).ok());
    let most = named.filter(|number| *number < sent && *number >= 64).max();
    let most = most.map(|most| most - u32::from(lower.contains("(exclusive)")));
    Some(match most {
        Some(most) if lower.contains("afford") => LowerLimit::Meanwhile(most),
        Some(most) => LowerLimit::Always(most),
        // A refusal without a number: a quarter.
        None => LowerLimit::Meanwhile(sent / 4),
    })
}

/// The room that a refusal leaves, which names the context, the answer that was asked for, and the prompt.
fn room(message: &str, context: u64, sent: u32) -> Option<u32> {
    let sent = u64::from(sent);
    // Servers that count both apart: what they say of the answer may be another number than was sent.
    if let Some((before, after)) = message.split_once(" in the messages")
        && after.contains("in the completion")
        && let Some(prompt) = numbers(before).last()
    {
        let left = context.checked_sub(prompt)?;
        return u32::try_from(left)
            .ok()
            .filter(|left| u64::from(*left) < sent);
    }
    if !numbers(message).any(|number| number == sent) {
        return None;
    }
    // The sum, or else the prompt itself; other numbers, such as a status, are smaller.
    let sum = numbers(message).find(|number| *number > context.max(sent));
    let direct = numbers(message)
        .filter(|number| *number < context && *number != sent && number + sent > context);
    let prompt = sum.map(|sum| sum - sent).or_else(|| direct.max())?;
    u32::try_from(context.checked_sub(prompt)?).ok()
}

/// The numbers of a text in their order. `200,000` is one.
fn numbers(text: &str) -> impl Iterator<Item = u64> {
    let mut found = Vec::new();
    let mut digits = String::new();
    let mut chars = text.chars().chain([' ']).peekable();
    while let Some(c) = chars.next() {
        match c {
            '0'..='9' => digits.push(c),
            ',' | '_' if !digits.is_empty() && chars.peek().is_some_and(char::is_ascii_digit) => {}
            _ => found.extend(std::mem::take(&mut digits).parse::<u64>().ok()),
        }
    }
    found.into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lower_limit_is_read_from_the_refusal() {
        use LowerLimit::{Always, Meanwhile, Now};
        for (message, limit) in [
            (
                "max_tokens is too large: 16000. This model supports at most 4096 completion tokens, whereas you provided 16000.",
                Some(Always(4096)),
            ),
            (
                "Invalid max_tokens value, the valid range of max_tokens is [1, 8192]",
                Some(Always(8192)),
            ),
            (
                "`max_tokens` must be less than or equal to `8192`",
                Some(Always(8192)),
            ),
            (
                "You requested up to 16000 tokens, but can only afford 3820",
                Some(Meanwhile(3820)),
            ),
            ("max_tokens exceeds the limit", Some(Meanwhile(4000))),
            (
                "This model's maximum context length is 16384 tokens. However, you requested 20000 tokens (4000 in the messages, 16000 in the completion).",
                Some(Now(12_384)),
            ),
            (
                "This model's maximum context length is 16384 tokens. However, you requested 24000 tokens (4000 in the messages, 20000 in the completion).",
                Some(Now(12_384)),
            ),
            (
                "input length and `max_tokens` exceed context limit: 190000 + 16000 > 200000, decrease",
                Some(Now(10_000)),
            ),
            (
                "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.",
                None,
            ),
            ("temperature must be at most 2", None),
        ] {
            assert_eq!(lower_limit(message, 16_000), limit, "{message}");
        }
    }
}
