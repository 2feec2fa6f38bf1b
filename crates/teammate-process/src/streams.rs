//! The streams of a command: what it reads, from memory, and a file without a name for what it says of errors, where that
//! must not be mixed with its output.

use std::{
    fs::File,
    io::{self, Write as _},
    os::{
        fd::{AsFd as _, BorrowedFd},
        unix::fs::FileExt as _,
    },
};

use rustix::fs::{MemfdFlags, SealFlags};

/// A pipe with these bytes for a command to read. In a tokio runtime.
pub fn fed(input: Vec<u8>) -> io::Result<io::PipeReader> {
    let (reader, mut writer) = io::pipe()?;
    // Who does not read it has ended, and its exit code says more.
    tokio::task::spawn_blocking(move || writer.write_all(&input));
    Ok(reader)
}

/// How much of the errors is kept, in bytes; what comes later is lost.
const BYTES_MAX: u64 = 64 << 10;

/// The file for errors.
#[derive(Debug)]
pub struct Errors(File);

impl Errors {
    /// A new one, which does not grow.
    pub fn new() -> io::Result<Self> {
        let flags = MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING;
        let file = File::from(rustix::fs::memfd_create("errors", flags)?);
        file.set_len(BYTES_MAX)?;
        rustix::fs::fcntl_add_seals(&file, SealFlags::GROW)?;
        Ok(Self(file))
    }

    /// The file, for the command.
    pub fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }

    /// The text so far.
    pub fn text(&self) -> io::Result<String> {
        let mut bytes = Vec::new();
        let mut chunk = [0; 1 << 12];
        while (bytes.len() as u64) < BYTES_MAX {
            let count = self.0.read_at(&mut chunk, bytes.len() as u64)?;
            // The rest of the file is zeros, if there is one.
            let said = chunk[..count].iter().position(|byte| *byte == 0);
            bytes.extend_from_slice(&chunk[..said.unwrap_or(count)]);
            if count == 0 || said.is_some() {
                break;
            }
        }
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }
}
