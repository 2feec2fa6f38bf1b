//! The person's wish for how much moves on a screen, and what that means for when it is drawn.

use std::time::Duration;

use serde::Deserialize;

/// How much moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Motion {
    /// Shown seconds count, and answers grow while they are written.
    #[default]
    Full,
    /// Nothing turns or counts by itself, and what members do comes in steps: for screen readers, for slow lines, and for eyes
    /// that movement distracts.
    Reduced,
}

impl Motion {
    /// At most so often a screen is drawn of what happens in the team. Keys are answered at once.
    pub fn redraw_every(self) -> Duration {
        match self {
            Self::Full => Duration::from_millis(33),
            Self::Reduced => Duration::from_secs(2),
        }
    }

    /// At most so often a screen is drawn because time has passed, and nothing else.
    pub fn tick(self) -> Duration {
        match self {
            Self::Full => Duration::from_secs(1),
            Self::Reduced => Duration::from_secs(30),
        }
    }
}
