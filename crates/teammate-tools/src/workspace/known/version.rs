//! The version of a file at some moment: enough to tell two contents apart and to say how far apart they are, not the
//! content.

use std::{
    fmt,
    fs::File,
    hash::{DefaultHasher, Hasher as _},
    io::{self, Read},
    sync::Arc,
};

use ring::digest::{Context, SHA256};

use crate::diff::added_and_removed;

/// The most lines of a content that are remembered one by one; the difference of longer ones is not counted.
const LINES_MAX: usize = 20_000;

/// A content. Equal ones are of the same bytes.
#[derive(Debug, Clone)]
pub(crate) struct FileVersion {
    digest: [u8; 32],
    bytes: u64,
    lines: Option<Arc<[u32]>>,
}

impl PartialEq for FileVersion {
    fn eq(&self, other: &Self) -> bool {
        self.digest == other.digest && self.bytes == other.bytes
    }
}

impl FileVersion {
    /// That of `content`.
    pub(crate) fn of(content: &[u8]) -> Self {
        let mut reading = VersionReader::new(content);
        reading.count_in(content);
        reading.version()
    }

    /// How many bytes it has.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Whether `file` holds it.
    pub(crate) fn is_in(&self, file: File) -> io::Result<bool> {
        let mut reading = VersionReader::new(file);
        io::copy(&mut reading, &mut io::sink())?;
        Ok(reading.version() == *self)
    }

    /// The size of the difference to `newer`, where both can be compared.
    pub(super) fn to(&self, newer: &Self) -> Option<Difference> {
        let (old, new) = (self.lines.as_ref()?, newer.lines.as_ref()?);
        let (added, removed) = added_and_removed(old, new);
        Some(Difference {
            added: added as u64,
            removed: removed as u64,
        })
    }

    /// Its lines, if they are known.
    pub(super) fn line_count(&self) -> Option<usize> {
        self.lines.as_ref().map(|lines| lines.len())
    }

    /// The version without its single lines, which take room.
    pub(super) fn without_lines(self) -> Self {
        Self {
            lines: None,
            ..self
        }
    }
}

/// Lines that one content has and another has not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Difference {
    added: u64,
    removed: u64,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "+{} -{} lines", self.added, self.removed)
    }
}

/// Finds the version of what is read through it.
pub(in crate::workspace) struct VersionReader<R> {
    inner: R,
    digest: Context,
    bytes: u64,
    lines: Option<Vec<u32>>,
    /// The line that has no end yet.
    line: Option<DefaultHasher>,
}

impl<R> VersionReader<R> {
    pub(in crate::workspace) fn new(inner: R) -> Self {
        Self {
            inner,
            digest: Context::new(&SHA256),
            bytes: 0,
            lines: Some(Vec::new()),
            line: None,
        }
    }

    fn count_in(&mut self, bytes: &[u8]) {
        self.digest.update(bytes);
        self.bytes += bytes.len() as u64;
        for piece in bytes.split_inclusive(|byte| *byte == b'\n') {
            let line = self.line.get_or_insert_default();
            line.write(piece);
            if piece.ends_with(b"\n") {
                self.end_line();
            }
        }
    }

    fn end_line(&mut self) {
        let Some(line) = self.line.take() else { return };
        if let Some(lines) = &mut self.lines {
            // Two lines that share it count as one; the difference is for people.
            lines.push((line.finish() >> 32) as u32);
            if lines.len() > LINES_MAX {
                self.lines = None;
            }
        }
    }

    /// The version of all that was read.
    pub(in crate::workspace) fn version(mut self) -> FileVersion {
        self.end_line();
        let mut digest = [0; 32];
        digest.copy_from_slice(self.digest.finish().as_ref());
        FileVersion {
            digest,
            bytes: self.bytes,
            lines: self.lines.map(Into::into),
        }
    }
}

impl<R: Read> Read for VersionReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.count_in(&buffer[..count]);
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_knows_its_content_and_the_size_of_a_difference() {
        let old = FileVersion::of(b"one\ntwo\nthree");
        assert_eq!(old, FileVersion::of(b"one\ntwo\nthree"));
        let new = FileVersion::of(b"one\n2\n2b\nthree");
        assert!(old != new);
        let size = old.to(&new).map(|size| size.to_string());
        assert_eq!(size.as_deref(), Some("+2 -1 lines"));
        assert_eq!(old.line_count(), Some(3));
        let long = FileVersion::of("x\n".repeat(LINES_MAX + 1).as_bytes());
        assert_eq!((long.line_count(), old.to(&long)), (None, None));
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("f"), "one\ntwo\nthree").unwrap();
        let open = || File::open(dir.path().join("f")).unwrap();
        assert!(old.is_in(open()).unwrap() && !new.is_in(open()).unwrap());
    }
}
