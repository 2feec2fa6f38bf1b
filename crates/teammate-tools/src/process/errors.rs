//! A file without a name for what a command says of errors, where that must not be mixed with its output.

use std::{
    fs::File,
    io,
    os::unix::fs::FileExt as _,
    sync::atomic::{AtomicU64, Ordering},
};

/// How much of it is kept, in bytes; what comes later is lost.
pub(super) const BYTES_MAX: u64 = 64 << 10;

/// The file.
#[derive(Debug)]
pub(crate) struct Errors {
    file: File,
    /// Where they begin; a keeper's plan may stand before them.
    begin: AtomicU64,
}

impl Errors {
    /// A new one.
    pub(crate) fn new() -> io::Result<Self> {
        Ok(Self {
            file: nameless()?,
            begin: AtomicU64::new(0),
        })
    }

    /// The same file, to be handed on.
    pub(super) fn file(&self) -> io::Result<File> {
        self.file.try_clone()
    }

    /// They come after so many bytes of something else.
    #[cfg(target_os = "linux")]
    pub(super) fn begin_at(&self, begin: u64) {
        self.begin.store(begin, Ordering::Relaxed);
    }

    /// What was said so far.
    pub(crate) fn text(&self) -> io::Result<String> {
        let mut bytes = Vec::new();
        let mut chunk = [0; 1 << 12];
        let begin = self.begin.load(Ordering::Relaxed);
        while (bytes.len() as u64) < BYTES_MAX {
            let count = self.file.read_at(&mut chunk, begin + bytes.len() as u64)?;
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

#[cfg(target_os = "linux")]
fn nameless() -> io::Result<File> {
    use rustix::fs::MemfdFlags;
    let flags = MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING;
    Ok(File::from(rustix::fs::memfd_create("errors", flags)?))
}

#[cfg(not(target_os = "linux"))]
fn nameless() -> io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt as _;
    let path = std::env::temp_dir().join(format!("teammate-{}", uuid::Uuid::now_v7()));
    let mut options = File::options();
    let file = options
        .read(true)
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(&path)?;
    std::fs::remove_file(&path)?;
    Ok(file)
}
