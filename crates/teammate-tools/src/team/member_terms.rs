//! Terms of a teammate as models write them, in our words and in those of other programs.

use serde::{Deserialize, Deserializer, de::Error as _};
use teammate_core::permission::Mode;

/// A permission mode. Other programs call it a mode that a plan is required.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ModeOrPlan {
    Mode(Mode),
    Plan,
}

impl ModeOrPlan {
    /// The mode, and whether a plan is required.
    pub(super) fn terms(given: Option<Self>) -> (Option<Mode>, bool) {
        match given {
            Some(Self::Mode(mode)) => (Some(mode), false),
            Some(Self::Plan) => (None, true),
            None => (None, false),
        }
    }
}

impl<'de> Deserialize<'de> for ModeOrPlan {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let word = String::deserialize(deserializer)?;
        match Mode::parse_with_others(&word) {
            Some(mode) => Ok(Self::Mode(mode)),
            None if word == "plan" => Ok(Self::Plan),
            None => Err(D::Error::custom(
                "the permission modes are ask, accept-edits and bypass; plan requires a plan first",
            )),
        }
    }
}

/// Where it works, by other programs' word: only a worktree is apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Isolation {
    Worktree,
    None,
}

impl Isolation {
    pub(super) fn is_worktree(given: Option<Self>) -> bool {
        match given {
            Some(Self::Worktree) => true,
            Some(Self::None) | None => false,
        }
    }
}

impl<'de> Deserialize<'de> for Isolation {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match String::deserialize(deserializer)?.as_str() {
            "worktree" => Ok(Self::Worktree),
            "none" => Ok(Self::None),
            _ => Err(D::Error::custom(
                "isolation can be worktree (a git worktree and a branch of its own) or none",
            )),
        }
    }
}
