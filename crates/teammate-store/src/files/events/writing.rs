//! The event log, written: one line an event, set aside when it is long.

use std::{io, path::Path, sync::Arc};

use teammate_core::{event::Event, port::Disk};

/// At this size the event log is set aside as `events.1.jsonl`, and a new one begins.
const EVENTS_BYTES_MAX: u64 = 64 * 1024 * 1024;

/// These events as lines. One that cannot be written is left out.
pub(super) fn lines(events: &[Arc<Event>]) -> Vec<u8> {
    let mut lines = Vec::new();
    for event in events {
        let begun = lines.len();
        if serde_json::to_writer(&mut lines, &**event).is_ok() {
            lines.push(b'\n');
        } else {
            lines.truncate(begun);
        }
    }
    lines
}

pub(super) fn append(disk: &dyn Disk, path: &Path, lines: &[u8]) -> io::Result<()> {
    let mut file = disk.open_append(path)?;
    if file.len()? > EVENTS_BYTES_MAX {
        disk.rename(path, &path.with_extension("1.jsonl"))?;
        file = disk.open_append(path)?;
    }
    file.append(lines)
}

/// Ends the line that a crash has torn, so that the next event has a line of its own.
pub(super) fn end_torn_line(disk: &dyn Disk, path: &Path) -> io::Result<()> {
    if !disk.exists(path) {
        return Ok(());
    }
    let mut file = disk.open_append(path)?;
    let (length, mut last) = (file.len()?, [b'\n']);
    if length > 0 {
        file.read_at(length - 1, &mut last)?;
    }
    match last {
        [b'\n'] => Ok(()),
        [_] => file.append(b"\n"),
    }
}

#[cfg(test)]
mod tests {
    use teammate_testkit::sim::SimDisk;

    use super::*;

    #[test]
    fn a_torn_line_of_the_log_is_ended_before_the_next_event() {
        let (disk, path) = (SimDisk::new(), Path::new("/events.jsonl"));
        end_torn_line(&disk, path).unwrap();
        assert!(!disk.exists(path));
        for (there, then) in [("", ""), ("a\n", "a\n"), ("a\nb", "a\nb\n")] {
            disk.write(path, there.as_bytes()).unwrap();
            end_torn_line(&disk, path).unwrap();
            assert_eq!(disk.read(path).unwrap(), then.as_bytes());
        }
    }
}
