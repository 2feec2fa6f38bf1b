//! The system's table of processes: `/proc` on Linux, nothing elsewhere. The one place that reads it.

use std::{fs::File, io::Read as _};

use rustix::process::Pid;

/// Room for the environment of most processes.
const ENVIRONMENT_BYTES: usize = 16 << 10;

/// All processes but this one, also those that have ended and were not waited for.
#[cfg(target_os = "linux")]
fn all() -> impl Iterator<Item = Pid> {
    let own = rustix::process::getpid();
    let entries = std::fs::read_dir("/proc").into_iter().flatten();
    entries
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
        .filter_map(Pid::from_raw)
        .filter(move |process| *process != own)
}

#[cfg(not(target_os = "linux"))]
fn all() -> impl Iterator<Item = Pid> {
    std::iter::empty()
}

/// Those with `word` among the words of `variable` in their environment. Other users' cannot be read, and those that have
/// ended have none.
pub(crate) fn marked(variable: &str, word: &str) -> Vec<Pid> {
    let is_marked = |process: &Pid| bears(*process, variable, word);
    all().filter(is_marked).collect()
}

/// Whether a process has `word` among the words of `variable` in its environment.
pub(crate) fn bears(process: Pid, variable: &str, word: &str) -> bool {
    // Its size is not known before it is read: with room for all of it that is one system call, instead of ten for every process.
    let mut environment = Vec::with_capacity(ENVIRONMENT_BYTES);
    let read = File::open(path(process, "environ"))
        .and_then(|mut file| file.read_to_end(&mut environment));
    if read.is_err() {
        return false;
    }
    environment.split(|byte| *byte == 0).any(|entry| {
        let value = entry
            .strip_prefix(variable.as_bytes())
            .and_then(|rest| rest.strip_prefix(b"="));
        value.is_some_and(|value| {
            let mut words = value.split(|byte| *byte == b' ');
            words.any(|found| found == word.as_bytes())
        })
    })
}

/// The processes that this one comes from, the nearest first.
pub(crate) fn come_from() -> impl Iterator<Item = Pid> {
    std::iter::successors(rustix::process::getppid(), |process| {
        let stat = std::fs::read_to_string(path(*process, "stat")).ok()?;
        let parent = stat.rsplit_once(") ")?.1.split(' ').nth(1)?;
        Pid::from_raw(parent.parse().ok()?)
    })
}

/// Whether a process is in the namespace of processes that we are in.
pub(crate) fn is_in_our_namespace(process: Pid) -> bool {
    let own = std::fs::read_link("/proc/self/ns/pid");
    own.is_ok_and(|own| std::fs::read_link(path(process, "ns/pid")).is_ok_and(|its| its == own))
}

/// These processes, and all others in their namespaces of processes that are not ours. The first of a namespace, which looks
/// after the others, is left out, and so are those that have ended and were not waited for.
pub(crate) fn beside(found: &[Pid]) -> Vec<Pid> {
    let own = namespace("self");
    let of = |process: &Pid| namespace(&process.as_raw_nonzero().to_string());
    let theirs: Vec<_> = found
        .iter()
        .filter_map(of)
        .filter(|it| Some(it) != own.as_ref())
        .collect();
    let is_theirs = |process: &Pid| {
        found.contains(process) || of(process).is_some_and(|it| theirs.contains(&it))
    };
    all()
        .filter(is_theirs)
        .filter(|process| runs_for_itself(*process))
        .collect()
}

fn namespace(process: &str) -> Option<std::path::PathBuf> {
    std::fs::read_link(format!("/proc/{process}/ns/pid")).ok()
}

/// Whether a process still runs, and is not the first of a namespace that is not ours.
fn runs_for_itself(process: Pid) -> bool {
    let status = std::fs::read_to_string(path(process, "status")).unwrap_or_default();
    let field = |name: &str| status.lines().find_map(|line| line.strip_prefix(name));
    let is_running = field("State:").is_some_and(|state| !state.trim().starts_with(['Z', 'X']));
    let numbers: Vec<&str> = field("NSpid:")
        .unwrap_or_default()
        .split_whitespace()
        .collect();
    is_running && !matches!(numbers.as_slice(), [_, .., "1"])
}

/// The words by which a process was started, with blanks between.
pub(crate) fn command_line(process: Pid) -> String {
    let words = std::fs::read(path(process, "cmdline")).unwrap_or_default();
    String::from_utf8_lossy(&words).replace('\0', " ")
}

/// The memory of a process, in bytes: its part of what it shares.
pub(crate) fn memory_of(process: Pid) -> Option<u64> {
    let rollup = std::fs::read_to_string(path(process, "smaps_rollup")).ok()?;
    let line = rollup.lines().find_map(|line| line.strip_prefix("Pss:"))?;
    let kb: u64 = line.trim().trim_end_matches("kB").trim_end().parse().ok()?;
    Some(kb * 1024)
}

/// One of the files about a process.
pub(crate) fn path(process: Pid, file: &str) -> String {
    format!("/proc/{}/{file}", process.as_raw_nonzero())
}

/// Whether a process uses a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Use {
    /// No process of its owner does.
    None,
    /// One does.
    Some,
    /// There is no table, or a process of its owner cannot be looked into.
    Unknown,
}

/// Whether a process of the user `owner` has the file at `path` open, or is a git that works in `dir`: git closes a lock while
/// its hooks and editors run. Other users' processes cannot have made a file of that owner's.
#[cfg(target_os = "linux")]
pub fn use_of(path: &std::path::Path, dir: &std::path::Path, owner: u32) -> Use {
    if std::fs::read_link("/proc/self/exe").is_err() {
        return Use::Unknown;
    }
    let mut found = Use::None;
    for process in all() {
        match process_uses(process, path, dir, owner) {
            Ok(false) => {}
            Ok(true) => return Use::Some,
            // It has ended meanwhile, or is the kernel's.
            Err(error) if is_gone(&error) => {}
            // The first process of a machine or container looks after others and is no git.
            Err(_) if process == Pid::INIT => {}
            Err(_) => found = Use::Unknown,
        }
    }
    found
}

/// There is no table of processes here to look into.
#[cfg(not(target_os = "linux"))]
pub fn use_of(_path: &std::path::Path, _dir: &std::path::Path, _owner: u32) -> Use {
    Use::Unknown
}

#[cfg(target_os = "linux")]
fn is_gone(error: &std::io::Error) -> bool {
    error.kind() == std::io::ErrorKind::NotFound
        || error.raw_os_error() == Some(rustix::io::Errno::SRCH.raw_os_error())
}

#[cfg(target_os = "linux")]
fn process_uses(
    process: Pid,
    file: &std::path::Path,
    dir: &std::path::Path,
    owner: u32,
) -> std::io::Result<bool> {
    use std::{fs, os::unix::fs::MetadataExt as _};
    let place = format!("/proc/{}", process.as_raw_nonzero());
    if fs::metadata(&place)?.uid() != owner {
        return Ok(false);
    }
    let cwd = fs::read_link(path(process, "cwd"))?;
    let name = fs::read_to_string(path(process, "comm"))?;
    if name.starts_with("git") && cwd.starts_with(dir) {
        return Ok(true);
    }
    for open in fs::read_dir(path(process, "fd"))? {
        if fs::read_link(open?.path()).is_ok_and(|opened| opened == file) {
            return Ok(true);
        }
    }
    Ok(false)
}
