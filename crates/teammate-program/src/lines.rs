//! Lines of bounded length: what is read is what was sent, and a line without an end costs no more than the limit.

use std::io;

use tokio::io::{AsyncRead, AsyncReadExt as _};

/// The longest line. A result of this size is a mistake of the server's.
pub const LINE_MAX: usize = 16 << 20;

/// How much is read at once.
const CHUNK: usize = 64 << 10;

/// Reads lines.
#[derive(Debug)]
pub struct BoundedLines<R> {
    from: R,
    /// What was read and not given out yet; a whole line may be in it.
    read: Vec<u8>,
    /// How much of that is known to hold no end of a line.
    searched: usize,
    /// Whether it is in a line that was too long: the rest of it is passed over.
    skips: bool,
}

/// Why there are no more lines.
#[derive(Debug, thiserror::Error)]
pub enum LinesEnd {
    /// The other side has closed.
    #[error("it closed its output")]
    Closed,
    /// A line is too long. The next call passes over the rest of it.
    #[error("it sent a line of more than {} MiB", LINE_MAX >> 20)]
    TooLong,
    /// Reading failed.
    #[error("its output could not be read: {0}")]
    Io(#[from] io::Error),
}

impl<R: AsyncRead + Unpin> BoundedLines<R> {
    /// Reads lines from this.
    pub fn new(from: R) -> Self {
        Self {
            from,
            read: Vec::new(),
            searched: 0,
            skips: false,
        }
    }

    /// The next line, without its end. Given up and called again, it loses nothing.
    pub async fn next(&mut self) -> Result<Vec<u8>, LinesEnd> {
        loop {
            let new = &self.read[self.searched..];
            if let Some(end) = new.iter().position(|byte| *byte == b'\n') {
                let end = self.searched + end;
                let rest = self.read.split_off(end + 1);
                let mut line = std::mem::replace(&mut self.read, rest);
                line.pop();
                self.searched = 0;
                if std::mem::take(&mut self.skips) {
                    continue;
                }
                return Ok(line);
            }
            self.searched = self.read.len();
            if self.searched > LINE_MAX || self.skips {
                self.read.clear();
                self.read.shrink_to(CHUNK);
                self.searched = 0;
                if !std::mem::replace(&mut self.skips, true) {
                    return Err(LinesEnd::TooLong);
                }
            }
            self.read.reserve(CHUNK);
            if self.from.read_buf(&mut self.read).await? == 0 {
                return Err(LinesEnd::Closed);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn lines_come_one_by_one() {
        let mut lines = BoundedLines::new(&b"one\n\ntwo\nrest"[..]);
        for line in ["one", "", "two"] {
            assert_eq!(lines.next().await.unwrap(), line.as_bytes());
        }
        assert!(matches!(lines.next().await, Err(LinesEnd::Closed)));
    }

    #[tokio::test]
    async fn a_line_without_end_is_given_up() {
        let mut lines = BoundedLines::new(tokio::io::repeat(b'x'));
        assert!(matches!(lines.next().await, Err(LinesEnd::TooLong)));
        assert!(lines.read.capacity() < 3 * LINE_MAX);
    }

    #[tokio::test]
    async fn the_line_after_one_that_is_too_long_is_read() {
        let mut text = vec![b'x'; 2 * LINE_MAX];
        text.extend(b"\nnext\n");
        let mut lines = BoundedLines::new(&text[..]);
        assert!(matches!(lines.next().await, Err(LinesEnd::TooLong)));
        assert_eq!(lines.next().await.unwrap(), b"next");
        assert!(lines.read.capacity() < LINE_MAX);
        assert!(matches!(lines.next().await, Err(LinesEnd::Closed)));
    }
}
