//! Differences between machines: the clock, file system kinds, free space, limits, the terminal's width. Linux first;
//! elsewhere the answers are `None`.

use std::path::Path;

use rustix::{
    process::{Resource, Rlimit, getrlimit, setrlimit},
    termios::{
        InputModes, LocalModes, OptionalActions, SpecialCodeIndex, Termios, tcgetattr, tcsetattr,
    },
};
use teammate_core::{Timestamp, port::Clock as _};
use teammate_store::clock::SystemClock;
pub use teammate_store::disk::{open_regular, read_regular_text};

/// The time on the machine's clock.
pub fn now() -> Timestamp {
    SystemClock.now()
}

/// Whether a process is suspended, by SIGSTOP or a debugger. False if unknown.
pub fn is_suspended(pid: u32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    // The name before it is in brackets and may hold anything.
    let state = stat
        .rsplit_once(')')
        .and_then(|(_, rest)| rest.split_whitespace().next());
    matches!(state, Some("T" | "t"))
}

/// The kind of file system a path is on, and whether locks and syncs can be trusted there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileSystem {
    /// Its name.
    pub name: &'static str,
    /// Whether advisory locks and syncs keep their promises.
    pub is_trusted: bool,
}

/// Magic numbers of `statfs(2)`.
#[cfg(target_os = "linux")]
const KINDS: [(u64, &str, bool); 13] = [
    (0xEF53, "ext4", true),
    (0x5846_5342, "xfs", true),
    (0x9123_683E, "btrfs", true),
    (0x2FC1_2FC1, "zfs", true),
    (0xF2F5_2010, "f2fs", true),
    (0x794C_7630, "overlayfs", true),
    (0x0102_1994, "tmpfs (lost at reboot)", true),
    (0x6969, "NFS", false),
    (0xFF53_4D42, "CIFS", false),
    (0xFE53_4D42, "SMB", false),
    (0x0102_1997, "9p", false),
    (0x6573_5546, "FUSE", false),
    (0x4d44, "FAT", false),
];

/// The file system of a path; `None` if it is not known.
#[cfg(target_os = "linux")]
pub fn file_system(path: &Path) -> Option<FileSystem> {
    let magic = rustix::fs::statfs(path).ok()?.f_type as u64 & 0xFFFF_FFFF;
    KINDS
        .iter()
        .find(|(known, ..)| *known == magic)
        .map(|(_, name, is_trusted)| FileSystem {
            name,
            is_trusted: *is_trusted,
        })
}

/// The file system of a path; `None` if it is not known.
#[cfg(not(target_os = "linux"))]
pub fn file_system(_: &Path) -> Option<FileSystem> {
    None
}

/// Bytes that may still be written where the path is.
pub fn free_bytes(path: &Path) -> Option<u64> {
    let stat = rustix::fs::statvfs(path).ok()?;
    Some(stat.f_bavail.saturating_mul(stat.f_frsize))
}

/// Allows as many open files as the system permits: every member keeps a few.
pub fn raise_file_limit() {
    let limit = getrlimit(Resource::Nofile);
    // If it cannot be raised, opening files of a big team fails with an error.
    let _ = setrlimit(
        Resource::Nofile,
        Rlimit {
            current: limit.maximum,
            maximum: limit.maximum,
        },
    );
}

pub use teammate_sandbox::utc_offset;

/// Leaves the session and the terminal that this process was started in: what ends them does not end it.
///
/// Errors: it leads a group of processes already.
pub fn begin_session() -> std::io::Result<()> {
    rustix::process::setsid()?;
    Ok(())
}

/// Resolves when a process has ended; never where that is not known, or cannot be watched.
pub async fn process_ends(pid: Option<u32>) {
    let Some(pid) = pid else {
        return std::future::pending().await;
    };
    let (sender, ended) = tokio::sync::oneshot::channel();
    // A thread of its own: the runtime does not wait for it when it ends.
    std::thread::spawn(move || {
        if wait_for_end(pid).is_some() {
            // Nobody may wait any more.
            let _ = sender.send(());
        }
    });
    if ended.await.is_err() {
        std::future::pending::<()>().await;
    }
}

/// Blocks until the process has ended; `None` if that cannot be watched.
#[cfg(target_os = "linux")]
fn wait_for_end(pid: u32) -> Option<()> {
    use rustix::{
        event::{PollFd, PollFlags, poll},
        io::Errno,
        process::{Pid, PidfdFlags, pidfd_open},
    };
    let pid = Pid::from_raw(i32::try_from(pid).ok()?)?;
    let handle = match pidfd_open(pid, PidfdFlags::empty()) {
        Ok(handle) => handle,
        // It has ended before anybody could wait for that.
        Err(Errno::SRCH) => return Some(()),
        Err(_) => return None,
    };
    let mut polled = [PollFd::new(&handle, PollFlags::IN)];
    rustix::io::retry_on_intr(|| poll(&mut polled, None)).ok()?;
    Some(())
}

#[cfg(not(target_os = "linux"))]
fn wait_for_end(_pid: u32) -> Option<()> {
    None
}

/// Takes the lines that were typed at the terminal on standard input before anybody read it, and waits for none. Only while the
/// terminal still edits lines itself.
pub fn lines_typed_ahead() -> Vec<String> {
    let stdin = std::io::stdin();
    let mut lines = Vec::new();
    let mut line = [0; TYPED_LINE_MAX];
    while rustix::io::ioctl_fionread(&stdin).is_ok_and(|waiting| waiting > 0) {
        match rustix::io::read(&stdin, &mut line) {
            Ok(0) | Err(_) => break,
            Ok(length) => {
                let text = String::from_utf8_lossy(&line[..length]);
                lines.push(text.trim_end_matches(['\r', '\n']).to_owned());
            }
        }
    }
    lines
}

/// The most bytes of a line that a terminal edits: `N_TTY_BUF_SIZE` of Linux.
const TYPED_LINE_MAX: usize = 4_096;

/// The width of the terminal that `stream` is, in columns.
pub fn terminal_width(stream: impl std::os::fd::AsFd) -> Option<usize> {
    let size = rustix::termios::tcgetwinsize(stream).ok()?;
    (size.ws_col > 0).then_some(usize::from(size.ws_col))
}

/// The terminal's modes as they were; given back when this is dropped, so that no way of leaving spoils the terminal.
pub struct TerminalState(Option<Termios>);

impl TerminalState {
    /// Remembers the modes of standard input; nothing if it is no terminal.
    pub fn save() -> Self {
        Self(tcgetattr(std::io::stdin()).ok())
    }

    /// Gives the modes back now.
    pub fn restore(&self) {
        if let Some(modes) = &self.0 {
            set_modes(modes, OptionalActions::Now);
        }
    }

    /// Gives the modes back where those who read keys have gone. Keys that they had not read yet are thrown away: the terminal would
    /// take them for a part of the next line.
    pub fn take_keys_back(&self) {
        if let Some(modes) = &self.0 {
            set_modes(modes, OptionalActions::Flush);
        }
    }

    /// Gives the modes back until the result is dropped, which makes them as they are now.
    pub fn lend(&self) -> Self {
        let now = Self::save();
        self.restore();
        now
    }

    /// Leaves every key to those who read: none is echoed, none edits a line, and none is a signal, which would throw away what
    /// was typed before it.
    pub fn leave_keys_alone(&self) {
        let Some(mut modes) = self.0.clone() else {
            return;
        };
        modes.local_modes -=
            LocalModes::ICANON | LocalModes::ECHO | LocalModes::IEXTEN | LocalModes::ISIG;
        modes.input_modes -= InputModes::ICRNL | InputModes::IXON;
        modes.special_codes[SpecialCodeIndex::VMIN] = 1;
        modes.special_codes[SpecialCodeIndex::VTIME] = 0;
        set_modes(&modes, OptionalActions::Now);
    }
}

impl Drop for TerminalState {
    fn drop(&mut self) {
        self.restore();
    }
}

fn set_modes(modes: &Termios, when: OptionalActions) {
    // The terminal may be closed.
    let _ = tcsetattr(std::io::stdin(), when, modes);
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[tokio::test]
    async fn who_waits_for_a_process_that_has_ended_already_does_not_wait() {
        // No process can have it.
        process_ends(Some(i32::MAX.cast_unsigned())).await;
    }
}
