//! Chance in what a power cut leaves.

/// What the power cut leaves: nothing, everything, or by chance.
pub(super) struct SimRng {
    seed: u64,
    state: u64,
}

impl SimRng {
    pub(super) fn new(seed: u64) -> Self {
        Self { seed, state: seed }
    }

    /// SplitMix64.
    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub(super) fn keeps(&mut self) -> bool {
        match self.seed {
            0 => false,
            1 => true,
            _ => self.next().is_multiple_of(2),
        }
    }

    pub(super) fn tears(&mut self) -> bool {
        self.seed > 1 && self.next().is_multiple_of(3)
    }

    /// A number from 0 to `most`.
    pub(super) fn up_to(&mut self, most: usize) -> usize {
        match self.seed {
            0 => 0,
            1 => most,
            _ => usize::try_from(self.next() % (most as u64 + 1)).unwrap_or_default(),
        }
    }
}
