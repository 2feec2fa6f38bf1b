//! The floor that durable things stand on: appending a short line and syncing it, on this disk, now.

use std::{
    fs::OpenOptions,
    io::{self, Write as _},
    time::{Duration, Instant},
};

use super::{
    Effort, Measured, program,
    row::{Row, Target},
    sample::Sample,
};

pub(super) fn measure(effort: Effort) -> Measured {
    let synced = append_and_sync(effort.times(500, 100))?;
    let shell = shell(effort.times(50, 15))?;
    Ok(vec![
        Row::new(
            "disk: append a line and sync it",
            "ms",
            Target::Nothing,
            synced.median(),
        )
        .note(synced.spread()),
        Row::new(
            "shell: start `bash -c true` and wait for it",
            "ms",
            Target::Nothing,
            shell.median(),
        )
        .note(shell.spread()),
    ])
}

/// Times of single appends, each synced.
pub(super) fn append_and_sync(times: usize) -> io::Result<Sample> {
    let dir = program::workspace()?;
    let mut file = OpenOptions::new()
        .append(true)
        .create(true)
        .open(dir.path().join("log"))?;
    let line = [b'x'; 300];
    let mut took: Vec<Duration> = Vec::with_capacity(times);
    for _ in 0..times {
        let begun = Instant::now();
        file.write_all(&line)?;
        file.sync_data()?;
        took.push(begun.elapsed());
    }
    Ok(Sample::ms(took))
}

/// Times of the shell that the tool `bash` starts.
pub(super) fn shell(times: usize) -> io::Result<Sample> {
    let mut took = Vec::with_capacity(times);
    for _ in 0..times {
        let begun = Instant::now();
        std::process::Command::new("bash")
            .args(["--noprofile", "--norc", "-c", "true"])
            .status()?;
        took.push(begun.elapsed());
    }
    Ok(Sample::ms(took))
}
