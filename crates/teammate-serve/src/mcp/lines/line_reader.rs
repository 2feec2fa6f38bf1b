//! Lines of a limited length from a stream of bytes.

use tokio::io::{AsyncBufReadExt as _, AsyncRead, BufReader};

/// The most bytes of a line.
pub(super) const LINE_BYTES_MAX: usize = 4 * 1024 * 1024;

/// A buffer that has held a long line is given back when it has more than this.
const KEPT_BYTES: usize = 64 * 1024;

/// Reads line by line; holds one line at most.
pub(super) struct LineReader<R> {
    reader: BufReader<R>,
    /// What is there of the present line.
    line: Vec<u8>,
    state: State,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// In a line.
    Reads,
    /// A line was given away.
    HasGiven,
    /// In a line that is too long: the rest of it is skipped.
    Skips,
}

/// What was read.
pub(super) enum Read<'a> {
    /// A line without its end.
    Line(&'a [u8]),
    /// A line had too many bytes.
    TooLong,
    /// Nothing more comes. An unfinished line counts for nothing.
    End,
}

impl<R: AsyncRead + Unpin> LineReader<R> {
    pub(super) fn new(reader: R) -> Self {
        Self {
            reader: BufReader::new(reader),
            line: Vec::new(),
            state: State::Reads,
        }
    }

    /// How much memory the present line has.
    #[cfg(test)]
    pub(super) fn held_bytes(&self) -> usize {
        self.line.capacity()
    }

    /// The next line. Nothing is lost if the future is dropped.
    pub(super) async fn read(&mut self) -> Read<'_> {
        if self.state == State::HasGiven {
            self.line.clear();
            self.line.shrink_to(KEPT_BYTES);
            self.state = State::Reads;
        }
        loop {
            let Ok(there) = self.reader.fill_buf().await else {
                return Read::End;
            };
            if there.is_empty() {
                return Read::End;
            }
            let end = there.iter().position(|byte| *byte == b'\n');
            let piece = end.unwrap_or(there.len());
            let fits = self.line.len() + piece <= LINE_BYTES_MAX;
            if self.state == State::Reads && fits {
                self.line.extend_from_slice(&there[..piece]);
            } else {
                self.state = State::Skips;
            }
            self.reader.consume(piece + usize::from(end.is_some()));
            match (end, self.state) {
                (None, _) => {}
                (Some(_), State::Skips) => {
                    self.state = State::HasGiven;
                    return Read::TooLong;
                }
                (Some(_), State::Reads | State::HasGiven) => {
                    self.state = State::HasGiven;
                    return Read::Line(&self.line);
                }
            }
        }
    }
}
