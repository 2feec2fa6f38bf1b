//! What a command reads, from memory.

use std::io::{self, Write as _};

/// A pipe with these bytes for a command to read. In a tokio runtime.
pub(crate) fn fed(input: Vec<u8>) -> io::Result<io::PipeReader> {
    let (reader, mut writer) = io::pipe()?;
    // Who does not read it has ended, and its exit code says more.
    tokio::task::spawn_blocking(move || writer.write_all(&input));
    Ok(reader)
}
