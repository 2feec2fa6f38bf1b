//! The story of one member, in order: what it heard, said and did, and what it does now.

mod asked;
mod call;
mod doing;
mod item;
mod line;
mod question;
mod spans;
mod take;

use std::collections::VecDeque;

use serde::Serialize;
use teammate_core::{
    Timestamp,
    event::{ContextUse, Waits},
};

use crate::KeptEntries;

pub(crate) use self::take::OtherFacts;
pub use self::{
    asked::AskersWords,
    call::CallState,
    doing::{Doing, DoingKind},
    item::{Call, CallEnd, Item, ItemKind},
    question::{QuestionEnd, QuestionEndKind, StoryQuestion},
    spans::{SpanKind, StorySpan},
};

/// The most entries of a story that are kept; older ones are dropped, and counted. See [`KeptEntries`].
pub const ITEMS_MAX: usize = 2_000;

/// The most questions that belong to no call and are kept in mind: plans.
const QUESTIONS_MAX: usize = 100;

/// The story of a member.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Story {
    items: VecDeque<Item>,
    dropped: u64,
    #[serde(skip)]
    kept: KeptEntries,
    doing: Option<Doing>,
    writing: String,
    thinking: String,
    model: Option<String>,
    round: u32,
    last_event: Option<Timestamp>,
    context: Option<ContextUse>,
    waits: Option<Waits>,
    /// Questions to a person that no call of an entry asks: plans.
    questions: VecDeque<StoryQuestion>,
}

impl Story {
    pub(crate) fn keeping(kept: KeptEntries) -> Self {
        Self {
            kept,
            ..Self::default()
        }
    }

    /// The entries that are kept, oldest first.
    pub fn items(&self) -> &VecDeque<Item> {
        &self.items
    }

    /// The items, each with its number over the whole story.
    pub fn numbered(&self) -> impl DoubleEndedIterator<Item = (u64, &Item)> {
        let kept = self.items.iter().enumerate();
        kept.map(|(place, item)| (self.dropped + place as u64, item))
    }

    /// How many older entries were dropped.
    pub fn dropped(&self) -> u64 {
        self.dropped
    }

    /// The number of the entry behind the last one, over the whole story.
    pub fn end(&self) -> u64 {
        self.dropped + self.items.len() as u64
    }

    /// The present activity of the member; nothing between turns.
    pub fn doing(&self) -> Option<&Doing> {
        self.doing.as_ref()
    }

    /// The last thing that the member said, whole.
    pub fn last_said(&self) -> Option<&str> {
        let mut items = self.items.iter().rev();
        items.find_map(|item| match &item.what {
            ItemKind::Said { text } => Some(text.as_str()),
            _ => None,
        })
    }

    /// The text of the answer that is on its way.
    pub fn writing(&self) -> &str {
        &self.writing
    }

    /// The thinking that is on its way, if somebody asked to see it.
    pub fn thinking(&self) -> &str {
        &self.thinking
    }

    /// The model that was asked last, as `PROVIDER:NAME`.
    pub fn model(&self) -> Option<&str> {
        self.model.as_deref()
    }

    /// How often the model was asked in this turn.
    pub fn round(&self) -> u32 {
        self.round
    }

    /// How full its context was with the last answer, where that is known.
    pub fn context(&self) -> Option<ContextUse> {
        self.context
    }

    /// The reason why it waits, where that is known.
    pub fn waits(&self) -> Option<&Waits> {
        self.waits.as_ref()
    }

    /// When the member was last heard of.
    pub fn last_event(&self) -> Option<Timestamp> {
        self.last_event
    }

    /// A question that no entry's call asks.
    fn ask(&mut self, question: StoryQuestion) {
        self.questions.push_back(question);
        if self.questions.len() > QUESTIONS_MAX {
            self.questions.pop_front();
        }
    }

    fn push(&mut self, at: Timestamp, what: ItemKind) {
        self.items.push_back(Item { at, what });
        if self.kept.is_exceeded(self.items.len(), ITEMS_MAX) {
            self.items.pop_front();
            self.dropped += 1;
        }
    }

    /// The last entry that `is` holds for, among the latest: what ends was begun not long ago.
    fn last_where(&mut self, is: impl Fn(&ItemKind) -> bool) -> Option<&mut ItemKind> {
        let mut latest = self.items.iter_mut().rev();
        latest
            .find(|item| is(&item.what))
            .map(|item| &mut item.what)
    }
}

#[cfg(test)]
mod tests;
