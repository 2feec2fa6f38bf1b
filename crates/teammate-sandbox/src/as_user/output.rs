//! A command of the user's configuration: what it printed, and how it is ended.

use std::{
    io,
    path::Path,
    process::{ExitStatus, Stdio},
    time::Duration,
};

use rustix::process::{Pid, Signal, kill_process_group};
use tokio::{
    io::{AsyncRead, AsyncReadExt as _, AsyncWriteExt as _},
    process::{ChildStdin, Command},
    time::timeout,
};

/// So much is kept of what it prints; the rest is read and thrown away.
const BYTES_MAX: usize = 64 << 10;
/// How long its output is read on once it has ended: what it left in the background may hold the pipe.
const AFTER_END: Duration = Duration::from_secs(1);

/// The output of a command, and its end.
pub struct UserOutput {
    /// How it ended.
    pub status: ExitStatus,
    /// The first 64 KiB that it printed. Not shown by anything here: it may be a secret.
    pub stdout: Vec<u8>,
    /// The first 64 KiB of its complaints.
    pub stderr: Vec<u8>,
}

/// Ends a group of processes unless its first one has ended by itself.
struct Group(Option<Pid>);

impl Drop for Group {
    fn drop(&mut self) {
        if let Some(group) = self.0 {
            // It may be gone.
            let _ = kill_process_group(group, Signal::KILL);
        }
    }
}

/// Runs the line; `None` if the time was over before it ended.
pub(super) async fn of(
    line: &str,
    input: &[u8],
    directory: &Path,
    time: Duration,
) -> io::Result<Option<UserOutput>> {
    let mut child = Command::new("/bin/sh")
        .arg("-c")
        .arg(line)
        .current_dir(directory)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        // A Ctrl-C at the prompt is for the team.
        .process_group(0)
        .kill_on_drop(true)
        .spawn()?;
    let id = child.id().and_then(|id| id.try_into().ok());
    let mut group = Group(id.and_then(Pid::from_raw));
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let (out, err) = (child.stdout.take(), child.stderr.take());
    let stdin = child.stdin.take();
    let mut reading = Box::pin(async {
        tokio::join!(
            give(stdin, input),
            take(out, &mut stdout),
            take(err, &mut stderr)
        )
    });
    let mut is_read = false;
    let ended = timeout(time, async {
        loop {
            tokio::select! {
                status = child.wait() => return status,
                _ = &mut reading, if !is_read => is_read = true,
            }
        }
    });
    let Ok(status) = ended.await else {
        return Ok(None);
    };
    let status = status?;
    group.0 = None;
    if !is_read {
        // An agent that it started may live on, and keep the pipes.
        let _ = timeout(AFTER_END, &mut reading).await;
    }
    drop(reading);
    Ok(Some(UserOutput {
        status,
        stdout,
        stderr,
    }))
}

/// Gives it all, and its end. Who does not read it gets nothing.
async fn give(to: Option<ChildStdin>, input: &[u8]) {
    if let Some(mut to) = to {
        let _ = to.write_all(input).await;
    }
}

async fn take(from: Option<impl AsyncRead + Unpin>, into: &mut Vec<u8>) {
    let Some(mut from) = from else { return };
    let mut piece = [0; 4096];
    while let Ok(length @ 1..) = from.read(&mut piece).await {
        let room = BYTES_MAX - into.len();
        into.extend_from_slice(&piece[..length.min(room)]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: Duration = Duration::from_secs(600);

    #[tokio::test]
    async fn what_it_prints_is_taken_and_it_reads_nothing() {
        let line = "cat; echo key; echo why >&2; pwd; exit 3";
        let ran = of(line, b"", Path::new("/"), LONG).await.unwrap().unwrap();
        assert_eq!(ran.status.code(), Some(3));
        assert_eq!(ran.stdout, b"key\n/\n");
        assert_eq!(ran.stderr, b"why\n");
    }

    #[tokio::test]
    async fn it_reads_what_it_is_given_and_need_not() {
        let much = vec![b'x'; 1 << 20];
        for (line, count) in [("wc -c", "1048576"), ("echo 0", "0")] {
            let ran = of(line, &much, Path::new("/"), LONG).await;
            let ran = ran.unwrap().unwrap();
            assert!(ran.status.success(), "{line}");
            assert_eq!(String::from_utf8_lossy(&ran.stdout).trim(), count);
        }
    }

    #[tokio::test]
    async fn of_much_that_it_prints_the_beginning_is_kept() {
        let line = "head -c 1000000 /dev/zero";
        let ran = of(line, b"", Path::new("/"), LONG).await.unwrap().unwrap();
        assert!(ran.status.success());
        assert_eq!(ran.stdout.len(), BYTES_MAX);
    }

    #[tokio::test]
    async fn what_it_leaves_running_is_not_waited_for() {
        let line = "sleep 1000 & echo $!";
        let ran = of(line, b"", Path::new("/"), LONG).await.unwrap().unwrap();
        let pid = String::from_utf8(ran.stdout).unwrap();
        let pid = Pid::from_raw(pid.trim().parse().unwrap()).unwrap();
        rustix::process::kill_process(pid, Signal::KILL).unwrap();
    }

    #[tokio::test]
    async fn when_its_time_is_over_there_is_no_output() {
        let ran = of(
            "echo key; sleep 1000",
            b"",
            Path::new("/"),
            Duration::from_millis(1),
        );
        assert!(ran.await.unwrap().is_none());
    }

    #[tokio::test]
    async fn with_the_one_who_waits_it_ends_with_all_that_it_started() {
        let dir = tempfile::tempdir().unwrap();
        let pipe = dir.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.unwrap().success());
        let dir = dir.path().to_owned();
        let line = "(exec sleep 1000 > pipe) & sleep 1000";
        let ran = tokio::spawn(async move { of(line, b"", &dir, LONG).await.map(|_| ()) });
        // Waits until the second process holds the pipe, and then for its end.
        let opened = tokio::task::spawn_blocking(|| std::fs::File::open(pipe));
        let mut opened = opened.await.unwrap().unwrap();
        ran.abort();
        assert!(ran.await.unwrap_err().is_cancelled());
        let read = tokio::task::spawn_blocking(move || {
            let mut all = Vec::new();
            std::io::Read::read_to_end(&mut opened, &mut all).map(|_| all)
        });
        assert_eq!(read.await.unwrap().unwrap(), b"");
    }
}
