//! A workspace and a home of its own, and the program that is tried.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
    thread,
    time::{Duration, Instant},
};

use tempfile::TempDir;

/// Where one program of other people is tried.
pub(crate) struct Place {
    dir: TempDir,
}

impl Place {
    pub(crate) fn new() -> Result<Self, String> {
        let place = Self {
            dir: tempfile::tempdir().map_err(|error| error.to_string())?,
        };
        for dir in [place.work(), place.home()] {
            std::fs::create_dir(&dir).map_err(|error| format!("{}: {error}", dir.display()))?;
        }
        Ok(place)
    }

    pub(crate) fn work(&self) -> PathBuf {
        self.dir.path().join("work")
    }

    pub(crate) fn home(&self) -> PathBuf {
        self.dir.path().join("home")
    }

    /// A program in the workspace, with nothing of our environment but the path.
    pub(crate) fn command(&self, program: impl AsRef<Path>) -> Command {
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
    pub(crate) fn lead_heard(&self, text: &str) -> bool {
        let transcript = self.work().join(".team/agents/lead/transcript.jsonl");
        let transcript = fs::read_to_string(transcript).unwrap_or_default();
        let mut heard = transcript
            .lines()
            .filter(|line| line.contains("\"entry\":\"heard\""));
        heard.any(|line| line.contains("\"from\":\"bob\"") && line.contains(text))
    }
}

/// What a command prints, if it succeeds; all that it says, if it does not.
pub(crate) fn output(command: &mut Command) -> Result<String, String> {
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
pub(crate) fn until(
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

/// The program, which was built with this one.
pub(crate) fn teammate() -> Result<PathBuf, String> {
    let rig = env::current_exe().map_err(|error| error.to_string())?;
    let teammate = rig.with_file_name("teammate");
    match teammate.exists() {
        true => Ok(teammate),
        false => Err(format!("there is no {}", teammate.display())),
    }
}
