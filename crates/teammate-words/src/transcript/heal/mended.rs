//! The mending of a transcript, in a sentence for the user.

use std::fmt;

/// How often something had to be mended in a conversation. Nothing, in nearly all.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Mended {
    pub lost_outcomes: usize,
    pub lost_calls: usize,
    /// Answers that must have followed a message that is lost.
    pub lost_words: usize,
    /// Answers, outcomes and messages that came again.
    pub doubled: usize,
    /// Answers that cannot be sent, because two of their calls have one id.
    pub ambiguous: usize,
    /// Places before which all is left out.
    pub beginnings: usize,
}

impl Mended {
    /// Whether everything was as it should be.
    pub fn is_nothing(&self) -> bool {
        *self == Self::default()
    }
}

/// The parts of a sentence: "1 call has no outcome".
impl fmt::Display for Mended {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [
            (self.lost_outcomes, "tool calls lost their outcomes"),
            (self.lost_calls, "outcomes lost their tool calls"),
            (self.lost_words, "answers lost what they answered"),
            (self.doubled, "doubled entries count once"),
            (self.ambiguous, "ambiguous answers are left out"),
            (self.beginnings, "lost beginnings were left out"),
        ];
        let parts = parts.iter().filter(|(count, _)| *count > 0);
        let parts: Vec<String> = parts
            .map(|(count, what)| format!("{what}: {count}"))
            .collect();
        f.write_str(&parts.join("; "))
    }
}
