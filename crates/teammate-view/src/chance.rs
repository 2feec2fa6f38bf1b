//! Chance for tests: small, repeatable, and it prints the seed that repeats a run.

use std::{
    env,
    hash::{BuildHasher as _, RandomState},
};

/// A generator of numbers (splitmix64).
pub(crate) struct Chance(u64);

/// Pieces of random text that editors and layouts get wrong.
const PIECES: &[&str] = &[
    "a",
    "bc",
    "Zoë",
    " ",
    "  ",
    "\n",
    "\t",
    "中",
    "文字",
    "e\u{301}",
    "\u{301}",
    "👨\u{200d}👩\u{200d}👧",
    "\u{200d}",
    "🇩🇪",
    "🇩",
    "…",
    "*",
    "**",
    "`",
    "```",
    "_",
    "~~",
    "|",
    "|-|",
    "\n| a | b |\n|:-|-:|\n",
    "# ",
    "> ",
    "- ",
    "1. ",
    "[",
    "](",
    ")",
    "<b>",
    "</b>",
    "&#27;",
    "&amp;",
    "\\",
    "\u{1b}[2J",
    "שלום",
    "क्ष",
    "---\n",
    "- [ ] ",
    "https://example.org/a",
    "word",
    "!",
    "\u{fe0f}",
    "0.5",
];

impl Chance {
    /// Chance for the test of this name; `SEED` in the environment repeats a run.
    pub(crate) fn new(test: &str) -> Self {
        let given = env::var("SEED").ok().and_then(|seed| seed.parse().ok());
        let seed = given.unwrap_or_else(|| RandomState::new().hash_one(test));
        println!("{test}: repeat with SEED={seed}");
        Self(seed)
    }

    /// Any number.
    pub(crate) fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `end`, which is not 0.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        (self.number() % end as u64) as usize
    }

    /// One of them.
    pub(crate) fn one<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len())]
    }

    /// Text of at most so many pieces, each of a sort that goes wrong.
    pub(crate) fn text(&mut self, pieces_max: usize) -> String {
        let count = self.below(pieces_max + 1);
        (0..count).map(|_| *self.one(PIECES)).collect()
    }
}
