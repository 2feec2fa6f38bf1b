//! How a screen ends, and what comes after it.

/// How the user left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScreenEnd {
    /// They want to leave.
    Asked(After),
    /// They want to leave, and the team to go on in the background.
    HandOver(After),
    /// There were no more facts: the team was closed from elsewhere.
    Ended,
}

/// The step after the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum After {
    /// Nothing: the user has done.
    Nothing,
    /// The subject of the last [`VerbAnswer::GoesOn`](teammate_view::VerbAnswer::GoesOn).
    GoesOn,
}
