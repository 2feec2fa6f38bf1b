//! Numbers of tasks.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use crate::fence::quoted;

/// A task's number: 1, 2, 3 and so on, never used twice in a team.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TaskId(u32);

impl TaskId {
    /// The task of that number.
    pub fn new(number: u32) -> Self {
        Self(number)
    }

    /// The number.
    pub fn number(self) -> u32 {
        self.0
    }
}

impl fmt::Display for TaskId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{}", self.0)
    }
}

/// Text that is not a task number.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("'{0}' is not a task id; ids are numbers, like 3")]
pub struct TaskIdError(String);

impl FromStr for TaskId {
    type Err = TaskIdError;

    /// `3`, `#3` or `task-3`.
    fn from_str(text: &str) -> Result<Self, TaskIdError> {
        let digits = text.trim();
        let digits = digits.strip_prefix("task-").unwrap_or(digits);
        let digits = digits.strip_prefix('#').unwrap_or(digits);
        match digits.parse() {
            Ok(number) if number > 0 && digits.bytes().all(|b| b.is_ascii_digit()) => {
                Ok(Self(number))
            }
            Ok(_) | Err(_) => Err(TaskIdError(quoted(text))),
        }
    }
}
