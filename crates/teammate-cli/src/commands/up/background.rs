//! `--detach`: the same program in the background, in a session of its own. The first line that it prints says that the team is
//! open; everything else goes to a log file.

use std::{
    fs::{self, DirBuilder, File, OpenOptions},
    io::{self, BufRead as _, BufReader, Read as _, Seek as _, SeekFrom},
    os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _},
    path::{Path, PathBuf},
    process::{Child, ExitCode, Stdio},
};

use anyhow::{Context as _, anyhow};
use teammate::TeamPlace;

use crate::{commands::CliContext, screen::write_clean, settings::user_dirs};

/// A log that is longer than this makes room for a new one when a team is opened.
const LOG_BYTES_MAX: u64 = 1 << 20;

/// The most characters of a log's name.
const NAME_CHARS_MAX: usize = 150;

/// A process that has opened its team.
pub(super) struct Background {
    pub(super) process: u32,
    /// What it said of the opening.
    pub(super) opened: String,
    pub(super) log: PathBuf,
}

/// Starts it, and waits until the team is open. If it cannot be opened, the reason was printed: the exit code says no more.
pub(super) async fn start(
    place: &CliContext,
    own: &[&str],
) -> anyhow::Result<Result<Background, ExitCode>> {
    let path = log_path(&place.team())?;
    let mut log = open_log(&path).with_context(|| format!("cannot write {}", path.display()))?;
    let begins = log.seek(SeekFrom::End(0))?;
    let mut child = spawn(log, place, own)?;
    let line =
        tokio::task::spawn_blocking(move || first_line(&mut child).map(|line| (line, child)));
    let (line, mut child) = line.await??;
    if line.is_empty() {
        let code = child
            .wait()?
            .code()
            .and_then(|code| u8::try_from(code).ok());
        let said = said_since(&path, begins).unwrap_or_default();
        write_clean(&mut io::stderr(), &said);
        let code = ExitCode::from(code.filter(|code| *code != 0).unwrap_or(1));
        return Ok(Err(code));
    }
    Ok(Ok(Background {
        process: child.id(),
        opened: line.trim_end().to_owned(),
        log: path,
    }))
}

/// `up` once more, as the process in the background.
fn spawn(log: File, place: &CliContext, own: &[&str]) -> anyhow::Result<Child> {
    let program = std::env::current_exe().context("cannot find this program")?;
    #[expect(
        clippy::disallowed_methods,
        reason = "this program itself, because the user wants it in the background"
    )]
    let mut command = std::process::Command::new(program);
    command
        .args(&place.given)
        .args(place.options.place_words())
        .arg("up")
        .args(own)
        .arg("--as-background")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(log);
    command
        .spawn()
        .context("cannot start the program once more")
}

/// The first line that it prints; empty, if it ends before.
fn first_line(child: &mut Child) -> io::Result<String> {
    let mut line = String::new();
    if let Some(out) = child.stdout.take() {
        BufReader::new(out).read_line(&mut line)?;
    }
    Ok(line)
}

/// Where the log of a team is: a file for each, readable by the user only.
fn log_path(place: &TeamPlace) -> anyhow::Result<PathBuf> {
    let state = user_dirs().state;
    let dir =
        state.ok_or_else(|| anyhow!("there is no directory for the log (HOME is not set)"))?;
    let workspace = place.workspace().canonicalize();
    let workspace =
        workspace.with_context(|| format!("cannot use {}", place.workspace().display()))?;
    let dir = dir.join("up");
    DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(&dir)
        .with_context(|| format!("cannot make {}", dir.display()))?;
    Ok(dir.join(log_name(&workspace, place.team_name())))
}

/// The end of the workspace's path and the team's name.
fn log_name(workspace: &Path, team: &str) -> String {
    let path = workspace.to_string_lossy();
    let plain = |c: char| match c {
        c if c.is_ascii_alphanumeric() || c == '.' || c == '_' => c,
        _ => '-',
    };
    let name: Vec<char> = format!("{path}.{team}").chars().map(plain).collect();
    let name: String = name[name.len().saturating_sub(NAME_CHARS_MAX)..]
        .iter()
        .collect();
    format!("{}.log", name.trim_start_matches(['-', '.']))
}

fn open_log(path: &Path) -> io::Result<File> {
    if fs::metadata(path).is_ok_and(|data| data.len() > LOG_BYTES_MAX) {
        fs::rename(path, path.with_extension("log.old"))?;
    }
    OpenOptions::new()
        .create(true)
        .append(true)
        .mode(0o600)
        .open(path)
}

fn said_since(path: &Path, begins: u64) -> io::Result<String> {
    let mut log = File::open(path)?;
    log.seek(SeekFrom::Start(begins))?;
    let mut said = Vec::new();
    log.take(LOG_BYTES_MAX).read_to_end(&mut said)?;
    Ok(String::from_utf8_lossy(&said).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_log_is_a_plain_file_name() {
        for (workspace, name) in [
            ("/home/me/shop", "home-me-shop.default.log"),
            ("/a b/../ü", "a-b-..--.default.log"),
        ] {
            assert_eq!(log_name(Path::new(workspace), "default"), name);
        }
        let long = log_name(Path::new(&"/x".repeat(3_000)), "default");
        assert!(long.len() < 200 && !long.contains('/'), "{long}");
    }
}
