//! Chance, from a seed.

use std::{cell::Cell, rc::Rc};

/// A generator. Clones draw from the same.
#[derive(Clone)]
pub(crate) struct Chance(Rc<Cell<u64>>);

impl Chance {
    pub(crate) fn new(seed: u64) -> Self {
        Self(Rc::new(Cell::new(seed)))
    }

    /// SplitMix64: short, and good enough.
    pub(crate) fn below(&self, bound: usize) -> usize {
        let state = self.0.get().wrapping_add(0x9e37_79b9_7f4a_7c15);
        self.0.set(state);
        let x = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((x ^ (x >> 31)) % bound as u64).unwrap()
    }

    /// True once in so many times.
    pub(crate) fn one_in(&self, times: usize) -> bool {
        self.below(times) == 0
    }
}
