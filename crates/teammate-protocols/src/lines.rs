//! Lines of bounded length, read from one stream and written to another. A line without an end costs no more than the limit.

use std::io;

use tokio::{
    io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _},
    sync::mpsc,
};

/// The longest line of a program. A result of this size is a mistake of the server's.
pub const LINE_MAX: usize = 16 << 20;

/// How much is read at once.
const CHUNK: usize = 64 << 10;

/// Reads lines.
#[derive(Debug)]
pub struct BoundedLines<R> {
    from: R,
    /// The most bytes of a line.
    max: usize,
    /// The bytes that were read and not given out yet; a whole line may be in them.
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
    /// A line has more than so many bytes. The next call passes over the rest of it.
    #[error("it sent a line of more than {} MiB", .0 >> 20)]
    TooLong(usize),
    /// Reading failed.
    #[error("its output could not be read: {0}")]
    Io(#[from] io::Error),
}

impl<R: AsyncRead + Unpin> BoundedLines<R> {
    /// Reads lines of at most `max` bytes from this.
    pub fn new(from: R, max: usize) -> Self {
        Self {
            from,
            max,
            read: Vec::new(),
            searched: 0,
            skips: false,
        }
    }

    /// How much memory what was read has.
    #[cfg(test)]
    pub(crate) fn held_bytes(&self) -> usize {
        self.read.capacity()
    }

    /// The next line, without its end. What comes behind the last end of a line is none. Given up and called again, it loses nothing.
    pub async fn next(&mut self) -> Result<Vec<u8>, LinesEnd> {
        loop {
            let new = &self.read[self.searched..];
            if let Some(end) = new.iter().position(|byte| *byte == b'\n') {
                let end = self.searched + end;
                let rest = self.read.split_off(end + 1);
                let mut line = std::mem::replace(&mut self.read, rest);
                line.pop();
                self.searched = 0;
                match std::mem::take(&mut self.skips) {
                    true => continue,
                    false if end > self.max => return Err(LinesEnd::TooLong(self.max)),
                    false => return Ok(line),
                }
            }
            self.searched = self.read.len();
            if self.searched > self.max || self.skips {
                self.read.clear();
                self.read.shrink_to(CHUNK);
                self.searched = 0;
                if !std::mem::replace(&mut self.skips, true) {
                    return Err(LinesEnd::TooLong(self.max));
                }
            }
            self.read.reserve(CHUNK);
            if self.from.read_buf(&mut self.read).await? == 0 {
                return Err(LinesEnd::Closed);
            }
        }
    }
}

/// Writes lines, which come without their ends, until there are no more.
///
/// # Errors
///
/// Nobody reads them any more.
pub async fn write_lines(
    mut to: impl AsyncWrite + Unpin,
    mut lines: mpsc::Receiver<Vec<u8>>,
) -> io::Result<()> {
    while let Some(mut line) = lines.recv().await {
        line.push(b'\n');
        to.write_all(&line).await?;
        // Several at once are one write to a terminal or pipe.
        if lines.is_empty() {
            to.flush().await?;
        }
    }
    to.flush().await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn lines_come_one_by_one() {
        let mut lines = BoundedLines::new(&b"one\n\ntwo\nrest"[..], LINE_MAX);
        for line in ["one", "", "two"] {
            assert_eq!(lines.next().await.unwrap(), line.as_bytes());
        }
        assert!(matches!(lines.next().await, Err(LinesEnd::Closed)));
    }

    #[tokio::test]
    async fn a_line_without_end_is_given_up() {
        let mut lines = BoundedLines::new(tokio::io::repeat(b'x'), LINE_MAX);
        assert!(matches!(
            lines.next().await,
            Err(LinesEnd::TooLong(LINE_MAX))
        ));
        assert!(lines.held_bytes() < 3 * LINE_MAX);
    }

    #[tokio::test]
    async fn the_line_after_one_that_is_too_long_is_read() {
        let mut text = vec![b'x'; 2 * LINE_MAX];
        text.extend(b"\nnext\n");
        let mut lines = BoundedLines::new(&text[..], LINE_MAX);
        assert!(matches!(
            lines.next().await,
            Err(LinesEnd::TooLong(LINE_MAX))
        ));
        assert_eq!(lines.next().await.unwrap(), b"next");
        assert!(lines.held_bytes() < LINE_MAX);
        assert!(matches!(lines.next().await, Err(LinesEnd::Closed)));
    }

    #[tokio::test]
    async fn the_limit_holds_for_a_line_that_comes_whole() {
        let mut lines = BoundedLines::new(&b"1234\n12345\n123\n"[..], 4);
        assert_eq!(lines.next().await.unwrap(), b"1234");
        assert!(matches!(lines.next().await, Err(LinesEnd::TooLong(4))));
        assert_eq!(lines.next().await.unwrap(), b"123");
    }
}
