//! The processes of a command, as its first process finds them.

use std::{fs, str::FromStr};

use super::sys::{self, Waited};
use crate::level::Level;

/// All processes of the command but the first, which calls this.
pub(super) fn all(level: Level) -> Vec<i32> {
    match level {
        // The first process alone sees the command's own namespace.
        Level::Full => {
            let first = std::process::id().cast_signed();
            let mut all = numbers_in("/proc");
            all.retain(|process| *process != first);
            all
        }
        Level::Landlock | Level::None | Level::Off => with_descendants(own_children()),
    }
}

/// The children of the caller.
pub(super) fn own_children() -> Vec<i32> {
    children("/proc/thread-self/children")
}

/// These processes and all that they started, as far as those in between live.
pub(super) fn with_descendants(processes: Vec<i32>) -> Vec<i32> {
    let mut all = processes;
    let mut seen = 0;
    while let Some(process) = all.get(seen).copied() {
        for thread in numbers_in(&format!("/proc/{process}/task")) {
            all.extend(children(&format!("/proc/{process}/task/{thread}/children")));
        }
        seen += 1;
    }
    all
}

/// How many processes the user of this one has.
pub(super) fn of_user() -> u64 {
    let own = rustix::process::geteuid().as_raw();
    let is_own = |process: &i32| {
        rustix::fs::stat(format!("/proc/{process}")).is_ok_and(|found| found.st_uid == own)
    };
    let all = numbers_in("/proc").into_iter();
    u64::try_from(all.filter(is_own).count()).unwrap_or(u64::MAX)
}

/// Kills descendants, whose orphans become children of the caller, until there are none.
pub(super) fn kill_descendants(level: Level) {
    loop {
        loop {
            match sys::reap() {
                Ok(Waited::Ended { .. }) => {}
                Ok(Waited::NoneYet) => break,
                Ok(Waited::NoChildren) | Err(_) => return,
            }
        }
        for process in all(level) {
            sys::signal(process, libc::SIGKILL);
        }
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
}

/// The directories of a directory in `/proc` whose names are numbers. What has just ended is not there.
fn numbers_in(directory: &str) -> Vec<i32> {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    entries
        .filter_map(|entry| i32::from_str(entry.file_name().to_str()?).ok())
        .collect()
}

fn children(file: &str) -> Vec<i32> {
    let text = fs::read_to_string(file).unwrap_or_default();
    let numbers = text.split_whitespace();
    numbers.filter_map(|number| number.parse().ok()).collect()
}
