//! How much of something long is shown: all of it, or the beginning until the user opens it.

/// Whether something long is shown whole. "All" is a word of its own: a number that stands for it would be counted with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// All of it.
    Whole,
    /// At most so many lines.
    To(usize),
}

impl Extent {
    /// How many of so many lines are shown.
    pub fn lines_of(self, all: usize) -> usize {
        match self {
            Self::Whole => all,
            Self::To(most) => most.min(all),
        }
    }
}
