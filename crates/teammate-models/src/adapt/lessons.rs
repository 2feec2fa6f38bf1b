//! What a program learnt of a model at a server that the next one should know, too. Where it is kept is the caller's.
//!
//! Only the form of requests is kept. What another start of the server may bring (tools, pictures, documents) and what is of
//! one conversation, schema or tool is learnt anew by each program: that costs a refused request, not days without tools.

use std::{collections::BTreeSet, fmt};

use serde::{Deserialize, Serialize};

use super::part::Part;

/// The parts that are kept, with their words in a file. The words never change.
const KEPT: [(Part, &str); 16] = [
    (Part::Thinking, "thinking"),
    (Part::Sampling, "sampling"),
    (Part::Encrypted, "encrypted_reasoning"),
    (Part::LimitName, "limit_name"),
    (Part::StreamOptions, "stream_options"),
    (Part::CacheKey, "cache_key"),
    (Part::CacheMarkers, "cache_markers"),
    (Part::Store, "store"),
    (Part::Strict, "strict"),
    (Part::Tier, "service_tier"),
    (Part::User, "user"),
    (Part::Stop, "stop"),
    (Part::System, "system_message"),
    (Part::UserAfterTool, "user_after_tool"),
    (Part::NullContent, "null_content"),
    (Part::CallIds, "call_ids"),
];

/// What a server has come to refuse in requests to one of its models.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Lessons {
    /// What is left out or said in another way, each by a word. Unknown ones, of later versions, have no effect.
    pub refused: BTreeSet<String>,
    /// The context that a refusal named, in tokens.
    pub context_tokens: Option<u64>,
    /// The most tokens of an answer that a refusal named.
    pub answer_tokens: Option<u32>,
}

/// Where the lessons about one model at one server are kept.
pub trait LessonStore: fmt::Debug + Send + Sync {
    /// What is kept; nothing if it cannot be read.
    fn known(&self) -> Lessons;

    /// Adds these to what is kept, also by others. What cannot be kept is learnt anew.
    fn keep(&self, lessons: &Lessons);

    /// Keeps only these: what was kept does not hold any more.
    fn replace(&self, lessons: &Lessons);
}

impl Lessons {
    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Adds what was learnt later, which goes first.
    pub fn add(&mut self, later: &Self) {
        self.refused.extend(later.refused.iter().cloned());
        self.context_tokens = later.context_tokens.or(self.context_tokens);
        self.answer_tokens = later.answer_tokens.or(self.answer_tokens);
    }

    /// What a server does, said for people: `takes no stream_options`.
    pub fn phrases(&self) -> Vec<String> {
        let parts = self.parts();
        let parts = parts.iter().map(|part| part.phrase().to_owned());
        let context = self.context_tokens;
        let context = context.map(|tokens| format!("takes only {tokens} tokens at once"));
        let answer = self.answer_tokens;
        let answer = answer.map(|tokens| format!("gives at most {tokens} tokens in an answer"));
        parts.chain(context).chain(answer).collect()
    }

    pub(super) fn new(
        parts: &BTreeSet<Part>,
        context_tokens: Option<u64>,
        answer_tokens: Option<u32>,
    ) -> Self {
        let kept = KEPT.iter().filter(|(part, _)| parts.contains(part));
        Self {
            refused: kept.map(|(_, word)| (*word).to_owned()).collect(),
            context_tokens,
            answer_tokens,
        }
    }

    pub(super) fn parts(&self) -> BTreeSet<Part> {
        let kept = KEPT.iter().filter(|(_, word)| self.refused.contains(*word));
        kept.map(|(part, _)| *part).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lessons_are_words_that_later_versions_may_add_to() {
        let parts = [Part::StreamOptions, Part::UserAfterTool, Part::Tools].into();
        let lessons = Lessons::new(&parts, Some(8_192), None);
        let kept = serde_json::to_string(&lessons).unwrap();
        assert_eq!(
            kept,
            r#"{"refused":["stream_options","user_after_tool"],"context_tokens":8192,"answer_tokens":null}"#
        );
        assert_eq!(
            lessons.phrases(),
            [
                "takes no stream_options",
                "takes no message behind results of tools",
                "takes only 8192 tokens at once"
            ]
        );
        let later = r#"{"refused":["stream_options","telepathy"],"mood":"bad"}"#;
        let later: Lessons = serde_json::from_str(later).unwrap();
        assert_eq!(later.parts(), [Part::StreamOptions].into());
    }
}
