//! The lead's answer, as it streams or at once.

use super::{News, NewsFold};
use crate::clean::clean;

/// The last piece of an answer that is on its way.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum StreamedAnswer {
    /// Not known: who began to look in the middle of an answer shows it whole when it is there.
    #[default]
    Unknown,
    Nothing,
    Thinking,
    Text,
}

impl NewsFold {
    /// An answer is on its way from its beginning on.
    pub(super) fn lead_asks(&mut self) {
        if self.streamed == StreamedAnswer::Unknown {
            self.streamed = StreamedAnswer::Nothing;
        }
    }

    pub(super) fn lead_writes(&mut self, delta: &str) -> Vec<News> {
        if self.streamed == StreamedAnswer::Unknown {
            return Vec::new();
        }
        let mut text = clean(delta).into_owned();
        if std::mem::replace(&mut self.streamed, StreamedAnswer::Text) == StreamedAnswer::Thinking {
            text.insert_str(0, "\n\n");
        }
        vec![News::Answer(text)]
    }

    pub(super) fn lead_thinks(&mut self, delta: &str) -> Vec<News> {
        if self.streamed == StreamedAnswer::Unknown {
            return Vec::new();
        }
        self.streamed = StreamedAnswer::Thinking;
        vec![News::Thinking(clean(delta).into_owned())]
    }

    /// The answer is there, whole: it is news if it has not streamed.
    pub(super) fn lead_answered(&mut self, text: &str) -> Vec<News> {
        match (std::mem::take(&mut self.streamed), text.is_empty()) {
            (StreamedAnswer::Text | StreamedAnswer::Thinking, _) => vec![News::AnswerEnd],
            (StreamedAnswer::Unknown | StreamedAnswer::Nothing, true) => Vec::new(),
            (StreamedAnswer::Unknown | StreamedAnswer::Nothing, false) => {
                vec![News::Answer(clean(text).into_owned()), News::AnswerEnd]
            }
        }
    }

    /// The lead's turn ended. A streamed answer that was cut has no end of its own.
    pub(super) fn lead_rests(&mut self) -> Option<News> {
        match std::mem::take(&mut self.streamed) {
            StreamedAnswer::Unknown | StreamedAnswer::Nothing => None,
            StreamedAnswer::Thinking | StreamedAnswer::Text => Some(News::AnswerEnd),
        }
    }
}
