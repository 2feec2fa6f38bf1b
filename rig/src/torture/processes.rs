//! Programs that rigs start, and what the commands of a team left running.

use std::{fs, io, process::Command};

use rustix::process::Pid;

/// The processes with an argument, or a name, that is such a word.
pub(super) fn with_word(is_it: impl Fn(&str) -> bool) -> Vec<Pid> {
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    let has_word = |process: &fs::DirEntry| {
        // It may be gone by now.
        let line = fs::read(process.path().join("cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&line).split('\0').any(&is_it)
    };
    let found = processes.filter(has_word);
    found
        .filter_map(|process| process.file_name().to_str()?.parse().ok())
        .filter_map(Pid::from_raw)
        .collect()
}

/// Runs a program to its end.
///
/// Errors: it did not end well, with what it said.
pub(super) fn run_to_end(command: &mut Command) -> io::Result<()> {
    let output = command.output()?;
    if output.status.success() {
        return Ok(());
    }
    let why = String::from_utf8_lossy(&output.stderr).into_owned();
    Err(io::Error::other(format!("{command:?} failed: {why}")))
}
