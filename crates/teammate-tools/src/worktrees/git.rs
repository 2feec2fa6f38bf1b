//! Runs git without surprises: no hooks, no questions, no pager, no upkeep in the background, English words, a time limit.

use std::{path::Path, path::PathBuf, process::Stdio, time::Duration};

use teammate_core::port::WorktreeError;
use tokio::{process::Command, time::timeout};

/// How long one command may take; a check-out of a large repository takes a while.
const LIMIT: Duration = Duration::from_secs(300);

/// How much of git's complaint is passed on.
const WHY_CHARS_MAX: usize = 600;

const SETTINGS: [&str; 8] = [
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "core.quotePath=false",
    "color.ui=false",
    "gc.auto=0",
    "maintenance.auto=false",
    "submodule.recurse=false",
    "advice.detachedHead=false",
];

const VARIABLES: [(&str, &str); 7] = [
    ("LC_ALL", "C"),
    ("GIT_TERMINAL_PROMPT", "0"),
    ("GIT_ASKPASS", "false"),
    ("GIT_EDITOR", "true"),
    ("GIT_PAGER", "cat"),
    // Looking must not be in the way of a member who commits.
    ("GIT_OPTIONAL_LOCKS", "0"),
    ("GIT_MERGE_AUTOEDIT", "no"),
];

/// The git program.
pub(super) struct Git {
    environment: Vec<(String, String)>,
    /// Nothing below is taken for a part of the repository above it.
    ceiling: PathBuf,
}

/// What git said.
pub(super) struct Said {
    pub(super) is_ok: bool,
    pub(super) out: String,
    pub(super) err: String,
}

impl Git {
    pub(super) fn new(environment: Vec<(String, String)>, ceiling: PathBuf) -> Self {
        Self {
            environment,
            ceiling,
        }
    }

    /// Runs git in a directory, to whatever end.
    pub(super) async fn run(&self, dir: &Path, args: &[&str]) -> Result<Said, WorktreeError> {
        let mut command = Command::new("git");
        for setting in SETTINGS {
            command.args(["-c", setting]);
        }
        command
            .args(args)
            .current_dir(dir)
            .env_clear()
            .envs(self.environment.iter().map(|(name, value)| (name, value)))
            .envs(VARIABLES)
            .env("GIT_CEILING_DIRECTORIES", &self.ceiling)
            .stdin(Stdio::null())
            // A Ctrl-C at the terminal is not for it.
            .process_group(0)
            .kill_on_drop(true);
        let done = match timeout(LIMIT, command.output()).await {
            Ok(Ok(done)) => done,
            Ok(Err(error)) if dir.is_dir() => return Err(WorktreeError::NoGit(error.to_string())),
            Ok(Err(error)) => {
                return Err(failed(&format!("work in {}", dir.display()), error));
            }
            Err(_) => {
                let why = format!("it took longer than {} seconds", LIMIT.as_secs());
                return Err(failed(args.first().unwrap_or(&"run"), why));
            }
        };
        Ok(Said {
            is_ok: done.status.success(),
            out: String::from_utf8_lossy(&done.stdout).into_owned(),
            err: String::from_utf8_lossy(&done.stderr).into_owned(),
        })
    }

    /// Runs git and returns what it prints; `what` says what could not be done if it fails.
    pub(super) async fn must(
        &self,
        what: &str,
        dir: &Path,
        args: &[&str],
    ) -> Result<String, WorktreeError> {
        let said = self.run(dir, args).await?;
        if said.is_ok {
            Ok(said.out)
        } else {
            Err(said.refused(what))
        }
    }

    /// Runs git and returns the one line that it prints, if it succeeds.
    pub(super) async fn ask(
        &self,
        dir: &Path,
        args: &[&str],
    ) -> Result<Option<String>, WorktreeError> {
        let said = self.run(dir, args).await?;
        Ok(said.is_ok.then(|| said.out.trim_end().to_owned()))
    }
}

impl Said {
    /// It did not work.
    pub(super) fn refused(&self, what: &str) -> WorktreeError {
        let why = if self.err.trim().is_empty() {
            &self.out
        } else {
            &self.err
        };
        let lines: Vec<&str> = why
            .lines()
            .map(str::trim)
            .filter(|line| !line.is_empty() && !line.starts_with("hint:"))
            .collect();
        let why: String = lines.join("; ").chars().take(WHY_CHARS_MAX).collect();
        failed(what, why)
    }
}

pub(super) fn failed(what: &str, why: impl std::fmt::Display) -> WorktreeError {
    WorktreeError::Failed {
        what: what.to_owned(),
        why: why.to_string(),
    }
}
