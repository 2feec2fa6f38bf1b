//! A workspace and a home of its own, and the program that is tried.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
    thread,
    time::{Duration, Instant},
};

use tempfile::TempDir;

use xtask::{
    command::{Ended, command, run},
    root,
};

/// Where one program of other people is tried.
pub(super) struct Place {
    dir: TempDir,
}

impl Place {
    pub(super) fn new() -> Result<Self, String> {
        let place = Self {
            dir: tempfile::tempdir().map_err(|error| error.to_string())?,
        };
        for dir in [place.work(), place.home()] {
            std::fs::create_dir(&dir).map_err(|error| format!("{}: {error}", dir.display()))?;
        }
        Ok(place)
    }

    pub(super) fn work(&self) -> PathBuf {
        self.dir.path().join("work")
    }

    pub(super) fn home(&self) -> PathBuf {
        self.dir.path().join("home")
    }

    /// A program in the workspace, with nothing of our environment but the path.
    pub(super) fn command(&self, program: impl AsRef<Path>) -> Command {
        let mut command = Command::new(program.as_ref());
        command
            .current_dir(self.work())
            .env_clear()
            .env("PATH", env::var_os("PATH").unwrap_or_default())
            .env("HOME", self.home())
            .env("LANG", "C.UTF-8")
            .env("PYTHONDONTWRITEBYTECODE", "1");
        command
    }
}

impl Place {
    /// Whether mail of bob's with this text has reached the lead of the team there.
    pub(super) fn lead_heard(&self, text: &str) -> bool {
        let transcript = self.work().join(".team/agents/lead/transcript.jsonl");
        let transcript = fs::read_to_string(transcript).unwrap_or_default();
        let mut heard = transcript
            .lines()
            .filter(|line| line.contains("\"entry\":\"heard\""));
        heard.any(|line| line.contains("\"from\":\"bob\"") && line.contains(text))
    }
}

/// What a command prints, if it succeeds; all that it says, if it does not.
pub(super) fn output(command: &mut Command) -> Result<String, String> {
    let output = command.output().map_err(|error| error.to_string())?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    match output.status.success() {
        true => Ok(text(&output.stdout)),
        false => Err(text(&[output.stdout, output.stderr].concat())),
    }
}

/// Waits until it holds, for so long at most.
///
/// Errors: what did not come.
pub(super) fn until(
    limit: Duration,
    otherwise: &str,
    mut holds: impl FnMut() -> bool,
) -> Result<(), String> {
    let begun = Instant::now();
    while !holds() {
        if begun.elapsed() > limit {
            return Err(otherwise.to_owned());
        }
        thread::sleep(Duration::from_millis(50));
    }
    Ok(())
}

/// Builds the program, and says where it is.
pub(super) fn teammate() -> Result<PathBuf, String> {
    let root = root();
    let args = ["build", "--quiet", "-p", "teammate-cli"];
    match run(&mut command(&root, "cargo", &args)) {
        Ended::Passed(_) => {}
        Ended::Skipped(why) | Ended::Failed(why) => return Err(format!("cargo build: {why}")),
    }
    let target = env::var_os("CARGO_TARGET_DIR").map_or_else(|| "target".into(), PathBuf::from);
    Ok(root.join(target).join("debug/teammate"))
}
