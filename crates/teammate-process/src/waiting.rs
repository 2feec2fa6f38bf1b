//! Which processes of a command wait for what nobody gives them.

use std::time::Duration;

use rustix::process::Pid;

use crate::{
    Mark,
    table::{self, path},
};

/// When a command is first looked at. vi shows its warnings for two seconds before it waits.
const FIRST_LOOK: Duration = Duration::from_secs(3);
/// The longest pause between two looks.
const LOOK_PAUSE_MAX: Duration = Duration::from_secs(60);
/// The time after which a wait must be seen again.
const SECOND_LOOK: Duration = Duration::from_millis(500);

/// A process's reason to wait, as the kernel says. Found are only waits that a command can fall into for good because nobody
/// answers it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WaitsFor {
    /// Input from the stream that it writes its errors to. vi and others read there when their input is no terminal, since a
    /// terminal would be both. From a pipe that it only writes to nothing ever comes.
    OwnErrors,
    /// Input from a terminal.
    Terminal,
    /// The other side of a named pipe.
    NamedPipe,
    /// A lock on a file.
    FileLock,
}

/// A process that waits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WaitingProcess {
    process: Pid,
    /// The name of its program.
    pub program: String,
    pub waits_for: WaitsFor,
}

/// Those of the command that bears this mark. Empty where there is no table of processes.
pub async fn waiting(run: Mark) -> Vec<WaitingProcess> {
    // Only a runtime that goes down gives it up.
    let look = tokio::task::spawn_blocking(move || now(&run)).await;
    look.unwrap_or_default()
}

/// Returns once a process of the command waits for input that certainly never comes.
pub async fn waits_in_vain(run: &Mark) -> WaitingProcess {
    let mut pause = FIRST_LOOK;
    loop {
        tokio::time::sleep(pause).await;
        let seen = in_vain(run).await;
        if !seen.is_empty() {
            tokio::time::sleep(SECOND_LOOK).await;
            let again = in_vain(run).await;
            if let Some(found) = again.into_iter().find(|found| seen.contains(found)) {
                return found;
            }
        }
        pause = (pause * 2).min(LOOK_PAUSE_MAX);
    }
}

async fn in_vain(run: &Mark) -> Vec<WaitingProcess> {
    let mut found = waiting(run.clone()).await;
    found.retain(|waiting| waiting.waits_for == WaitsFor::OwnErrors);
    found
}

fn now(run: &Mark) -> Vec<WaitingProcess> {
    let all = table::beside(&run.processes()).into_iter();
    let waiting = all.filter_map(|process| {
        Some(WaitingProcess {
            process,
            waits_for: waits_for(process)?,
            program: name(process),
        })
    });
    waiting.collect()
}

/// The reason why a process waits; `None` where it runs, waits for something else, or may not be looked at.
fn waits_for(process: Pid) -> Option<WaitsFor> {
    let channel = std::fs::read_to_string(path(process, "wchan")).ok()?;
    match &*channel {
        polls if polls.starts_with("poll_schedule_timeout") => {
            reads_own_errors(process).then_some(WaitsFor::OwnErrors)
        }
        // The kernel waits here for input of terminals, and of sockets besides.
        "wait_woken" | "n_tty_read" => reads_terminal(process).then_some(WaitsFor::Terminal),
        "wait_for_partner" => Some(WaitsFor::NamedPipe),
        locks if locks.contains("lock_inode_wait") || locks.contains("lock_file_wait") => {
            Some(WaitsFor::FileLock)
        }
        _ => None,
    }
}

/// The name of a process, as the kernel has it.
fn name(process: Pid) -> String {
    let name = std::fs::read_to_string(path(process, "comm")).unwrap_or_default();
    name.trim_end().to_owned()
}

fn stream(process: Pid, number: &str) -> Option<String> {
    let file = std::fs::read_link(path(process, &format!("fd/{number}"))).ok()?;
    Some(file.to_string_lossy().into_owned())
}

fn reads_own_errors(process: Pid) -> bool {
    let Some(input) = stream(process, "0") else {
        return false;
    };
    input.starts_with("pipe:")
        && stream(process, "2").is_some_and(|errors| errors == input)
        && only_writes(process, "0")
}

/// Whether a stream is open for writing only.
fn only_writes(process: Pid, number: &str) -> bool {
    let about = std::fs::read_to_string(path(process, &format!("fdinfo/{number}")));
    let flags = about.ok().and_then(|about| {
        let line = about.lines().find_map(|line| line.strip_prefix("flags:"))?;
        u32::from_str_radix(line.trim(), 8).ok()
    });
    // O_ACCMODE and O_WRONLY.
    flags.is_some_and(|flags| flags & 0o3 == 0o1)
}

/// Whether a process has a terminal open to read from, be it as its input or by `/dev/tty`, as programs do that ask for
/// passwords.
fn reads_terminal(process: Pid) -> bool {
    let Ok(open) = std::fs::read_dir(path(process, "fd")) else {
        return false;
    };
    let files = open.filter_map(|open| std::fs::read_link(open.ok()?.path()).ok());
    files
        .map(|file| file.to_string_lossy().into_owned())
        .any(|file| {
            file.starts_with("/dev/pts/") || file.starts_with("/dev/tty") || file == "/dev/console"
        })
}
