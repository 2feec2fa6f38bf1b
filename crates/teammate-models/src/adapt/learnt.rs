//! The parts that one model at one server refuses.

use std::{
    collections::{BTreeSet, HashMap},
    sync::Mutex,
};

use teammate_core::{
    lock::Hold,
    model::{ModelProfile, ModelRequest},
};

use super::{
    limit::{self, LowerLimit},
    part::{Part, WORDS},
};

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
