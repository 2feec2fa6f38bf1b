//! Counters of one turn. The phases of a turn hold them, so they end with it.

use super::repeats::Repeats;

/// How often in a row an answer may be cut at its token limit before the turn ends.
pub(super) const TRUNCATIONS_MAX: u32 = 3;

/// A turn that has begun.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Turn {
    /// Model calls.
    pub(super) round: u32,
    /// Answers in a row that were cut.
    pub(super) truncations: u32,
    /// The server reported that the context is full.
    pub(super) is_overflowing: bool,
    /// The reason to wait, if the turn ends after this round.
    pub(super) pause: Option<String>,
    pub(super) repeats: Repeats,
    /// How often it was to end and went on.
    pub(super) held_back: u32,
    /// Whether the model has read that a call in its text is none.
    pub(super) told_of_text: bool,
}
