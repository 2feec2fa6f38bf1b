//! Why a wall could not be put up.

use std::{fmt, io, path::Path};

use serde::{Deserialize, Serialize};

/// A step on the way to a command that did not succeed. Nothing runs then.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
pub struct Failure {
    /// The step that failed, such as "hide /home/anna/.ssh".
    pub step: String,
    /// The system's number for the error, if it was the system's.
    pub errno: Option<i32>,
    /// The error in words.
    pub why: String,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.step, self.why)
    }
}

impl Failure {
    /// One of the host's own steps.
    pub fn of(step: impl Into<String>, error: &io::Error) -> Self {
        Self {
            step: step.into(),
            errno: error.raw_os_error(),
            why: error.to_string(),
        }
    }

    /// Whether all walls stood, but there is no such program.
    pub fn is_no_program(&self) -> bool {
        self.step.starts_with("run ") && self.errno == Some(libc::ENOENT)
    }

    /// A failure that is not the system's.
    pub(crate) fn new(step: impl Into<String>, why: impl Into<String>) -> Self {
        Self {
            step: step.into(),
            errno: None,
            why: why.into(),
        }
    }
}

/// Names the step that an error came from.
pub(crate) trait Step<T> {
    /// The step, made only if it failed.
    fn step(self, step: impl FnOnce() -> String) -> Result<T, Failure>;

    /// A step with a path.
    fn step_at(self, step: &str, path: &Path) -> Result<T, Failure>
    where
        Self: Sized,
    {
        self.step(|| format!("{step} {}", path.display()))
    }
}

impl<T, E: Into<io::Error>> Step<T> for Result<T, E> {
    fn step(self, step: impl FnOnce() -> String) -> Result<T, Failure> {
        self.map_err(|error| {
            let error: io::Error = error.into();
            Failure {
                step: step(),
                errno: error.raw_os_error(),
                why: error.to_string(),
            }
        })
    }
}
