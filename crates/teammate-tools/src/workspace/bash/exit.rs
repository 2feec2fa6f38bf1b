//! How a command ended, in the words the model reads.

use std::{fmt, os::unix::process::ExitStatusExt as _, time::Duration};

use teammate_core::tool::{Outcome, Ran};
use teammate_sandbox::{Ended, Limit};

use super::{output::CommandOutput, terminal};

/// How a command ended.
#[derive(Debug)]
pub(super) enum CommandExit {
    Exited(i32),
    Signalled(i32),
    TimedOut {
        limit: Duration,
        /// The waits of its processes, as lines.
        waited: String,
    },
    /// It waited for input that never comes.
    WaitedInVain {
        /// Which of its processes, as lines.
        waited: String,
    },
    Stopped,
    /// It used too much.
    Limit(Limit),
    /// All of it was killed from outside.
    Killed,
}

impl CommandExit {
    pub(super) fn of(ended: Ended) -> Self {
        match ended {
            Ended::Program(status) => match (status.code(), status.signal()) {
                (Some(code), _) => Self::Exited(code),
                (None, Some(signal)) => Self::Signalled(signal),
                (None, None) => Self::Killed,
            },
            Ended::Limit(limit) => Self::Limit(limit),
            Ended::Killed => Self::Killed,
        }
    }

    /// Whether it came to another end than that of success.
    pub(super) fn has_failed(&self) -> bool {
        !matches!(self, Self::Exited(0) | Self::Stopped)
    }

    /// The remark for the member about questions in the command's output.
    pub(super) fn asked(&self, printed: &CommandOutput, script: &str) -> String {
        match self {
            Self::Exited(code) => terminal::asked(&printed.text, *code != 0, script),
            Self::Signalled(_)
            | Self::TimedOut { .. }
            | Self::WaitedInVain { .. }
            | Self::Stopped
            | Self::Limit(_)
            | Self::Killed => String::new(),
        }
    }

    /// The outcome of a command that printed this, with a remark of our own.
    pub(super) fn outcome(&self, printed: CommandOutput, remark: &str) -> Outcome {
        let mut text = if printed.text.is_empty() {
            "(no output)".to_owned()
        } else {
            printed.text
        };
        if !text.ends_with('\n') {
            text.push('\n');
        }
        text.push_str(remark);
        let ending = self.to_string();
        text.push_str(&ending);
        let (exit, outcome) = match self {
            Self::Exited(0) => (Some(0), Outcome::ok(text)),
            Self::Exited(code) => (Some(*code), Outcome::error(text)),
            Self::Signalled(_)
            | Self::TimedOut { .. }
            | Self::WaitedInVain { .. }
            | Self::Stopped
            | Self::Limit(_)
            | Self::Killed => (None, Outcome::error(text)),
        };
        let ran = Ran {
            exit,
            bytes: printed.bytes,
            lines: printed.lines,
            file: printed.file,
            ending,
        };
        Outcome {
            ran: Some(Box::new(ran)),
            ..outcome
        }
    }
}

impl fmt::Display for CommandExit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exited(code) => write!(f, "exit status {code}"),
            Self::Signalled(signal) => write!(f, "killed by signal {signal}"),
            Self::WaitedInVain { .. } => f.write_str(
                "killed with all it started, because it waited for a person at a terminal, and there is none",
            ),
            Self::TimedOut { limit, .. } => write!(
                f,
                "timed out after {} s and was killed with all it started; what it had printed is above. \
                 Give timeout_seconds for more time.",
                limit.as_secs()
            ),
            Self::Limit(limit) => write!(f, "killed because {limit}"),
            Self::Stopped => write!(f, "stopped with all it had started"),
            Self::Killed => write!(f, "killed with all it had started, from outside"),
        }
    }
}
