//! Which keys count as an answer. A key that was meant for something else must answer nothing: a question that has just come,
//! has not been seen to its end, or stands there while somebody types, takes no answer yet; and one that was the first letter of a
//! word is taken back. Time comes in as milliseconds of any clock that does not go back; the machine reads none.

use crate::keys::{KeyAction, KeyContext};

/// So long all of a question must have been on the screen, in milliseconds.
pub const SEEN_MS: u64 = 400;

/// So long no key may have been pressed before an answer, in milliseconds.
pub const QUIET_MS: u64 = 250;

/// So long after an answer it is taken back by another letter, in milliseconds: that was a word. It is carried out after that time.
pub const TAKEN_BACK_MS: u64 = 300;

/// The result of a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeyVerdict {
    /// It answers the question with this digest: what stood on the screen.
    Answers { digest: String },
    /// It would answer, and does not count.
    TooEarly(TooEarly),
    /// It answers nothing, here or at all; whatever else it does, it may do.
    NoAnswer,
}

/// Why an answer does not count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TooEarly {
    /// No question is on the screen, or this one has its answer.
    NoQuestion,
    /// Its end has not been on the screen: scroll.
    NotSeenWhole,
    /// Its end has only just been.
    JustSeen,
    /// A key was pressed just before.
    Typing,
}

/// The question on the screen.
#[derive(Debug, Clone)]
struct WatchedQuestion {
    digest: String,
    /// Since when all of it has been seen.
    whole_since: Option<u64>,
    is_answered: bool,
}

/// Watches questions and keys.
#[derive(Debug, Clone, Default)]
pub struct AnswerKeys {
    question: Option<WatchedQuestion>,
    last_key: Option<u64>,
    /// When the last answer was given.
    last_answer: Option<u64>,
}

impl AnswerKeys {
    /// A question is on the screen; `whole_since` is when its last line was, if all of it fits. May be said again for each
    /// drawing: the first time counts. Another digest is another question.
    pub fn shown(&mut self, digest: &str, whole_since: Option<u64>) {
        match &mut self.question {
            Some(question) if question.digest == digest => {
                question.whole_since = question.whole_since.or(whole_since);
            }
            Some(_) | None => {
                self.question = Some(WatchedQuestion {
                    digest: digest.to_owned(),
                    whole_since,
                    is_answered: false,
                });
            }
        }
    }

    /// The last line of the question that is shown has come onto the screen.
    pub fn scrolled_to_end(&mut self, now_ms: u64) {
        if let Some(question) = &mut self.question {
            question.whole_since.get_or_insert(now_ms);
        }
    }

    /// No question is on the screen any more. When one comes back, its time begins anew.
    pub fn hidden(&mut self) {
        self.question = None;
    }

    /// A character is typed, or a text is pasted: true if it takes the last answer back, which was the beginning of a word then. The
    /// question can be answered again, and the character does nothing else.
    pub fn takes_back(&mut self, now_ms: u64) -> bool {
        let is_word = |at: u64| now_ms.saturating_sub(at) < TAKEN_BACK_MS;
        if !self.last_answer.take().is_some_and(is_word) {
            return false;
        }
        self.last_key = Some(now_ms);
        if let Some(question) = &mut self.question {
            question.is_answered = false;
        }
        true
    }

    /// A key, or anything else that was typed or pasted, with what it does if it does something. Every one is to be said here,
    /// wherever it went: that is how typing is seen. One answer is taken of a question.
    pub fn key(
        &mut self,
        context: KeyContext,
        action: Option<KeyAction>,
        now_ms: u64,
    ) -> KeyVerdict {
        let last_key = self.last_key.replace(now_ms);
        let is_answer = action.is_some_and(KeyAction::is_answer);
        if context != KeyContext::Needs || !is_answer {
            return KeyVerdict::NoAnswer;
        }
        let Some(question) = &mut self.question else {
            return KeyVerdict::TooEarly(TooEarly::NoQuestion);
        };
        match refused(question, last_key, now_ms) {
            Some(why) => KeyVerdict::TooEarly(why),
            None => {
                question.is_answered = true;
                self.last_answer = Some(now_ms);
                KeyVerdict::Answers {
                    digest: question.digest.clone(),
                }
            }
        }
    }
}

fn refused(question: &WatchedQuestion, last_key: Option<u64>, now_ms: u64) -> Option<TooEarly> {
    if question.is_answered {
        return Some(TooEarly::NoQuestion);
    }
    let Some(whole_since) = question.whole_since else {
        return Some(TooEarly::NotSeenWhole);
    };
    if now_ms.saturating_sub(whole_since) < SEEN_MS {
        return Some(TooEarly::JustSeen);
    }
    let is_typing = last_key.is_some_and(|last| now_ms.saturating_sub(last) < QUIET_MS);
    is_typing.then_some(TooEarly::Typing)
}

#[cfg(test)]
mod tests;
