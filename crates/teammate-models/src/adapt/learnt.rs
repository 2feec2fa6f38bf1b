//! The parts that one model at one server refuses.

use std::{
    collections::{BTreeSet, HashMap},
    sync::Mutex,
};

use teammate_core::{lock::Hold, model::ModelProfile};

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
    /// Whether the server was asked for its context.
    was_asked: bool,
}

/// A sent part, and the words by which a refusal names it.
const WORDS: [(Part, &[&str]); 8] = [
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
        ],
    ),
    (
        Part::Documents,
        &["document", "pdf", "input_file", "'file'"],
    ),
];

impl Learnt {
    /// Whether the server refused this part before.
    pub(crate) fn refuses(&self, part: Part) -> bool {
        self.0.hold().parts.contains(&part)
    }

    /// Whether anything was refused that is in messages: what was rendered before does not fit any more.
    pub(crate) fn has_refused(&self) -> bool {
        let refused = self.0.hold();
        [Part::Pictures, Part::Documents]
            .iter()
            .any(|part| refused.parts.contains(part))
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
        let tokens = context_in(message)?;
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
        }
    }
}

/// The number of tokens that a refusal names as the most: `prompt is too long: 210000 tokens > 200000 maximum`, `maximum context
/// length is 8192 tokens`, `"n_ctx":4096`, `available context size (4096 tokens)`.
fn context_in(message: &str) -> Option<u64> {
    let message = message.to_ascii_lowercase();
    let after = |mark: &str| {
        let at = message.find(mark)? + mark.len();
        let digits: String = message[at..]
            .chars()
            .skip_while(|c| !c.is_ascii_digit())
            .take_while(char::is_ascii_digit)
            .collect();
        digits.parse::<u64>().ok()
    };
    let marks = [
        "tokens > ",
        "maximum context length is ",
        "\"n_ctx\":",
        "context size (",
        "context size of ",
        "context window of ",
    ];
    marks
        .iter()
        .find_map(|mark| after(mark))
        .filter(|tokens| *tokens >= 256)
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
            assert_eq!(context_in(message), Some(tokens), "{message}");
        }
        assert_eq!(context_in("the prompt is too long"), None);
        let learnt = Learnt::default();
        let message = "maximum context length is 8192 tokens";
        assert!(learnt.learn_context(message).is_some());
        assert_eq!(learnt.learn_context(message), None);
        let profile = learnt.fit(ModelProfile::default());
        assert_eq!(profile.context_tokens, Some(8_192));
    }
}
