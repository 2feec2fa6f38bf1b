//! One git command as a process: held like a member's command, in the same walls, and gone with all it started when it ends
//! or nobody waits for it any more.

use std::{io, path::Path, time::Duration};

use teammate_process::{
    CommandProcesses, Errors, HeldCommand, Leftovers, Mark, Owner, TeamSandbox,
    environment::Environment, fed,
};
use teammate_sandbox::{Ended, Failure as WallFailure};
use tokio::{
    io::AsyncReadExt as _,
    net::unix::pipe,
    time::{Instant, timeout, timeout_at},
};

use super::GitBytes;

/// How long one command may take; a check-out of a large repository takes a while.
const GIT_TIMEOUT: Duration = Duration::from_secs(300);
/// How much one command may print, in bytes: a large diff, the names of a million files.
const OUT_BYTES_MAX: usize = 64 << 20;
/// How long the rest of the output is waited for when all that could write it has ended.
const REST: Duration = Duration::from_secs(1);

/// A command of git's.
pub(super) struct GitJob<'a> {
    pub(super) args: &'a [&'a str],
    pub(super) dir: &'a Path,
    /// The workspace, and the team's directory.
    pub(super) dirs: (&'a Path, &'a Path),
    pub(super) environment: Environment,
    pub(super) input: Vec<u8>,
    pub(super) sandbox: &'a TeamSandbox,
}

/// Why it came to no end of its own.
pub(super) enum GitFailure {
    NoGit(String),
    Io(io::Error),
    Limit(String),
}

impl From<WallFailure> for GitFailure {
    fn from(failure: WallFailure) -> Self {
        if failure.is_no_program() {
            Self::NoGit(failure.why)
        } else {
            Self::Limit(format!("the sandbox could not {failure}"))
        }
    }
}

impl From<io::Error> for GitFailure {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl GitJob<'_> {
    pub(super) async fn run(mut self) -> Result<GitBytes, GitFailure> {
        let errors = Errors::new()?;
        let (mut group, mut pipe) = self.start(&errors)?;
        let mut out = Vec::new();
        let ended = timeout(GIT_TIMEOUT, until_exit(&mut group, &mut pipe, &mut out)).await;
        let code = match ended {
            Ok(Ok(code)) => code,
            Ok(Err(why)) => {
                group.kill().await;
                return Err(why);
            }
            Err(_) => {
                group.kill().await;
                let why = format!("it took longer than {} seconds", GIT_TIMEOUT.as_secs());
                return Err(GitFailure::Limit(why));
            }
        };
        // A program that it started may go on and keep the pipe.
        group.end_rest().await;
        read_rest(&mut pipe, &mut out).await?;
        Ok(GitBytes {
            is_ok: code == Some(0),
            out,
            err: errors.text()?,
        })
    }

    fn start(&mut self, errors: &Errors) -> Result<(CommandProcesses, pipe::Receiver), GitFailure> {
        let (reader, writer) = io::pipe()?;
        let words = [&["git"], self.args].concat();
        let (run, team) = (Mark::of_run(), Mark::of_team(self.dirs.1));
        let marks = [&run, &team].map(|mark| mark.in_environment(&self.environment));
        let environment = self.environment.iter().cloned().chain(marks);
        let command = HeldCommand {
            owner: Owner::Git,
            words: &words,
            input: (!self.input.is_empty())
                .then(|| fed(std::mem::take(&mut self.input)))
                .transpose()?,
            output: writer,
            errors: Some(errors.as_fd()),
            dir: self.dir,
            dirs: self.dirs,
            sandbox: self.sandbox,
            judge: None,
        };
        // Nothing is left to it: all ends with the command.
        let group = CommandProcesses::start(&command, environment, run, Leftovers::default())?;
        let pipe = pipe::Receiver::from_owned_fd(reader.into())?;
        Ok((group, pipe))
    }
}

/// Reads until git exits; tells its exit code, if it had one.
async fn until_exit(
    group: &mut CommandProcesses,
    pipe: &mut pipe::Receiver,
    out: &mut Vec<u8>,
) -> Result<Option<i32>, GitFailure> {
    let mut chunk = vec![0; 1 << 16];
    let mut is_open = true;
    loop {
        tokio::select! {
            ended = group.ended() => return Ok(match ended? {
                Ended::Program(status) => status.code(),
                Ended::Limit(_) | Ended::Killed => None,
            }),
            read = pipe.read(&mut chunk), if is_open => match read? {
                0 => is_open = false,
                count => add(out, &chunk[..count])?,
            },
        }
    }
}

async fn read_rest(pipe: &mut pipe::Receiver, out: &mut Vec<u8>) -> Result<(), GitFailure> {
    let mut chunk = vec![0; 1 << 16];
    let deadline = Instant::now() + REST;
    while let Ok(Ok(count @ 1..)) = timeout_at(deadline, pipe.read(&mut chunk)).await {
        add(out, &chunk[..count])?;
    }
    Ok(())
}

fn add(out: &mut Vec<u8>, more: &[u8]) -> Result<(), GitFailure> {
    out.extend_from_slice(more);
    if out.len() > OUT_BYTES_MAX {
        let why = format!("it printed more than {} MiB", OUT_BYTES_MAX >> 20);
        return Err(GitFailure::Limit(why));
    }
    Ok(())
}
