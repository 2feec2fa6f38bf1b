//! Starts this program in the background, in a session of its own: for `--detach`, and for programs that the team is served
//! to. The first line that it prints says that the team is open; everything else goes to a log file.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, BufRead as _, BufReader, Read as _, Seek as _, SeekFrom, Write as _},
    os::unix::fs::OpenOptionsExt as _,
    path::{Path, PathBuf},
    process::{Child, ExitCode, Stdio},
};

use anyhow::Context as _;

use crate::{
    commands::{CliContext, CliResult, print_line, team_file::team_file},
    screen::{clean, write_clean},
};

/// A log that is longer than this makes room for a new one when a team is opened.
const LOG_BYTES_MAX: u64 = 1 << 20;

/// Why a team on servers is not run by a process in the background.
const ON_SERVERS: &str = "a team on servers goes on in the background where workers run it: start one with `teammate worker --join URL`\n";

/// A process that has opened its team.
pub(in crate::commands) struct Background {
    pub(in crate::commands) process: u32,
    /// The worker's words about the opening.
    pub(super) opened: String,
    pub(super) log: PathBuf,
}

/// One that could not, with the reason.
pub(in crate::commands) struct NotOpened {
    code: u8,
    pub(in crate::commands) said: String,
}

impl NotOpened {
    /// Prints the reason; the exit code says no more.
    pub(super) fn print(&self) -> ExitCode {
        write_clean(&mut io::stderr(), &self.said);
        ExitCode::from(self.code)
    }
}

/// This program's file. A process that runs for long asks for it at its start: once another version is installed, the system no longer
/// knows where the file was.
pub(in crate::commands) fn program() -> anyhow::Result<PathBuf> {
    std::env::current_exe().context("cannot find this program")
}

/// Starts it with these words and this on its standard input, and waits until the team is open.
pub(in crate::commands) async fn start(
    program: &Path,
    place: &CliContext,
    own: &[&str],
    input: Option<String>,
) -> anyhow::Result<Result<Background, NotOpened>> {
    if place.team().store().is_some() {
        let said = ON_SERVERS.to_owned();
        return Ok(Err(NotOpened { code: 1, said }));
    }
    let path = team_file(&place.team(), "up", "log")?;
    let mut log = open_log(&path).with_context(|| format!("cannot write {}", path.display()))?;
    let begins = log.seek(SeekFrom::End(0))?;
    let mut child = spawn(program, log, place, own, input.is_some())?;
    let line = tokio::task::spawn_blocking(move || {
        give(&mut child, input)?;
        first_line(&mut child).map(|line| (line, child))
    });
    let (line, mut child) = line.await??;
    if line.is_empty() {
        let code = child
            .wait()?
            .code()
            .and_then(|code| u8::try_from(code).ok());
        return Ok(Err(NotOpened {
            code: code.filter(|code| *code != 0).unwrap_or(1),
            said: said_since(&path, begins).unwrap_or_default(),
        }));
    }
    let process = child.id();
    // Its end is taken note of, should it come first: it would stay in the table of processes.
    std::thread::spawn(move || child.wait());
    Ok(Ok(Background {
        process,
        opened: line.trim_end().to_owned(),
        log: path,
    }))
}

/// `up` once more, as the process in the background.
fn spawn(
    program: &Path,
    log: File,
    place: &CliContext,
    own: &[&str],
    has_input: bool,
) -> anyhow::Result<Child> {
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
        .stdin(match has_input {
            true => Stdio::piped(),
            false => Stdio::null(),
        })
        .stdout(Stdio::piped())
        .stderr(log);
    command
        .spawn()
        .context("cannot start the program once more")
}

/// Gives it its whole input. One that has ended before says why itself.
fn give(child: &mut Child, input: Option<String>) -> io::Result<()> {
    if let (Some(mut pipe), Some(input)) = (child.stdin.take(), input) {
        match pipe.write_all(input.as_bytes()) {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => return Err(error),
            Ok(()) | Err(_) => {}
        }
    }
    Ok(())
}

/// The first line that it prints; empty, if it ends before.
fn first_line(child: &mut Child) -> io::Result<String> {
    let mut line = String::new();
    if let Some(out) = child.stdout.take() {
        BufReader::new(out).read_line(&mut line)?;
    }
    Ok(line)
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

/// Lets a team that this process has just closed go on in the background, with the settings of this command line.
pub(in crate::commands) async fn hand_over(place: &CliContext) -> CliResult {
    let begun = match start(&program()?, place, &["--resume"], None).await? {
        Ok(begun) => begun,
        Err(refused) => return Ok(refused.print()),
    };
    let flags = place.options.place_flags();
    print_line(clean(&format!(
        "The team goes on in the background, in process {}.\n`teammate{flags}` comes back to it, `teammate{flags} stop` pauses \
         it.\nIts log: {}",
        begun.process,
        begun.log.display()
    )));
    Ok(ExitCode::SUCCESS)
}
