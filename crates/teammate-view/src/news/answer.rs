//! The lead's answer, as it streams or at once.

use super::{News, NewsFold};
use crate::clean::clean;

/// What came last of an answer that is on its way.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Streamed {
    #[default]
    Nothing,
    Thinking,
    Text,
}

impl NewsFold {
    pub(super) fn lead_writes(&mut self, delta: &str) -> Vec<News> {
        let mut text = clean(delta).into_owned();
        if std::mem::replace(&mut self.streamed, Streamed::Text) == Streamed::Thinking {
            text.insert_str(0, "\n\n");
        }
        vec![News::Answer(text)]
    }

    pub(super) fn lead_thinks(&mut self, delta: &str) -> Vec<News> {
        self.streamed = Streamed::Thinking;
        vec![News::Thinking(clean(delta).into_owned())]
    }

    /// The answer is there, whole: it is news if it has not streamed.
    pub(super) fn lead_answered(&mut self, text: &str) -> Vec<News> {
        match (std::mem::take(&mut self.streamed), text.is_empty()) {
            (Streamed::Text | Streamed::Thinking, _) => vec![News::AnswerEnd],
            (Streamed::Nothing, true) => Vec::new(),
            (Streamed::Nothing, false) => {
                vec![News::Answer(clean(text).into_owned()), News::AnswerEnd]
            }
        }
    }

    /// The lead's turn ended. A streamed answer that was cut has no end of its own.
    pub(super) fn lead_rests(&mut self) -> Option<News> {
        let streamed = std::mem::take(&mut self.streamed);
        (streamed != Streamed::Nothing).then_some(News::AnswerEnd)
    }
}
