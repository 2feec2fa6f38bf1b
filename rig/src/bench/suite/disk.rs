//! The floor that durable things stand on: appending a short line and syncing it, on this disk, now.

use std::{
    fs::OpenOptions,
    io::{self, Write as _},
    time::{Duration, Instant},
};

use super::{
    Effort, Measured, program,
    row::{Row, Target},
    sample::{Sample, ms},
};

pub(super) fn measure(effort: Effort) -> Measured {
    let synced = append_and_sync(effort.times(500, 100))?;
    let (shell, shell_cpu) = shell(effort.times(50, 15))?;
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
        .note(format!("{}; CPU {shell_cpu:.2} ms", shell.spread())),
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

/// Times of the shell that the tool `bash` starts, and the CPU milliseconds that one takes.
pub(super) fn shell(times: usize) -> io::Result<(Sample, f64)> {
    let mut took = Vec::with_capacity(times);
    let before = program::children_cpu()?;
    for _ in 0..times {
        let begun = Instant::now();
        std::process::Command::new("bash")
            .args(["--noprofile", "--norc", "-c", "true"])
            .status()?;
        took.push(begun.elapsed());
    }
    let cpu = program::children_cpu()?.saturating_sub(before);
    Ok((Sample::ms(took), ms(cpu) / times as f64))
}
