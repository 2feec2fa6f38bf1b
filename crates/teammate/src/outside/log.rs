//! Reads the event log line by line, piece by piece: a log may be long, and who wrote a line is not known.

use std::{borrow::Cow, io};

use teammate_core::port::DiskFile;

/// The longest line of an event log that is given; of a longer one only the length is told.
pub const EVENT_BYTES_MAX: usize = 16 << 20;

/// How much is read at once.
const PIECE_BYTES: usize = 64 << 10;

/// A line of an event log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EventLine<'a> {
    /// Its text.
    Text(Cow<'a, str>),
    /// It is too long to be read.
    TooLong {
        /// How many bytes it has.
        bytes: u64,
    },
}

/// Gives `each` line that has an end, from an offset on. Returns where the first line without an end begins.
pub(super) fn read_lines(
    file: &mut dyn DiskFile,
    from: u64,
    each: &mut dyn FnMut(EventLine<'_>),
) -> io::Result<u64> {
    let mut piece = vec![0; PIECE_BYTES];
    let mut line = Line::default();
    let (mut at, mut whole) = (from, from);
    loop {
        let count = file.read_at(at, &mut piece)?;
        if count == 0 {
            return Ok(whole);
        }
        at += count as u64;
        let mut rest = &piece[..count];
        while let Some(end) = rest.iter().position(|byte| *byte == b'\n') {
            line.add(&rest[..end]);
            rest = &rest[end + 1..];
            whole += line.bytes + 1;
            each(line.event());
            line = Line::default();
        }
        line.add(rest);
    }
}

/// A line while it is read.
#[derive(Default)]
struct Line {
    text: Vec<u8>,
    bytes: u64,
}

impl Line {
    fn add(&mut self, bytes: &[u8]) {
        self.bytes += bytes.len() as u64;
        if self.is_too_long() {
            self.text = Vec::new();
        } else {
            self.text.extend_from_slice(bytes);
        }
    }

    fn is_too_long(&self) -> bool {
        self.bytes > EVENT_BYTES_MAX as u64
    }

    fn event(&self) -> EventLine<'_> {
        if self.is_too_long() {
            EventLine::TooLong { bytes: self.bytes }
        } else {
            EventLine::Text(String::from_utf8_lossy(&self.text))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file that counts how much of it was asked for at once.
    struct Counted {
        content: Vec<u8>,
        most: usize,
    }

    impl DiskFile for Counted {
        fn len(&self) -> io::Result<u64> {
            Ok(self.content.len() as u64)
        }

        fn read_at(&mut self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
            self.most = self.most.max(buffer.len());
            let rest = &self.content[usize::try_from(offset).unwrap().min(self.content.len())..];
            let count = rest.len().min(buffer.len());
            buffer[..count].copy_from_slice(&rest[..count]);
            Ok(count)
        }

        fn read_from(&mut self, _: u64) -> io::Result<Vec<u8>> {
            panic!("the whole rest of the log is asked for")
        }

        fn append(&mut self, _: &[u8]) -> io::Result<()> {
            Ok(())
        }

        fn truncate(&mut self, _: u64) -> io::Result<()> {
            Ok(())
        }

        fn sync(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn read(content: &[u8], from: u64) -> (Vec<String>, u64) {
        let mut file = Counted {
            content: content.to_vec(),
            most: 0,
        };
        let mut lines = Vec::new();
        let next = read_lines(&mut file, from, &mut |line| {
            lines.push(match line {
                EventLine::Text(text) if text.len() > 100 => format!("{} bytes", text.len()),
                EventLine::Text(text) => text.into_owned(),
                EventLine::TooLong { bytes } => format!("too long: {bytes}"),
            });
        });
        assert!(file.most <= PIECE_BYTES);
        (lines, next.unwrap())
    }

    #[test]
    fn whole_lines_are_given_one_by_one_and_long_ones_are_counted() {
        let x = |count: usize| vec![b'x'; count];
        let long = [
            &b"a\n"[..],
            &x(EVENT_BYTES_MAX),
            b"\n",
            &x(EVENT_BYTES_MAX + 1),
            b"\nb\n",
        ]
        .concat();
        let (fits, more) = (EVENT_BYTES_MAX, EVENT_BYTES_MAX + 1);
        let expected = [
            "a".to_owned(),
            format!("{fits} bytes"),
            format!("too long: {more}"),
            "b".to_owned(),
        ];
        assert_eq!(read(&long, 0), (expected.to_vec(), long.len() as u64));

        let table: [(&[u8], u64, &[&str], u64); 6] = [
            (b"", 0, &[], 0),
            (b"a\nb\nhalf", 0, &["a", "b"], 4),
            (b"a\nb\nhalf", 2, &["b"], 4),
            (b"half", 0, &[], 0),
            (b"\n\n", 0, &["", ""], 2),
            (b"\xff\n", 0, &["\u{fffd}"], 2),
        ];
        for (content, from, lines, next) in table {
            let lines = lines.iter().map(ToString::to_string).collect();
            assert_eq!(
                read(content, from),
                (lines, next),
                "{content:?} from {from}"
            );
        }
        // Wherever the pieces end.
        for length in PIECE_BYTES - 2..PIECE_BYTES + 2 {
            let content = [&x(length)[..], b"\nend\n"].concat();
            let lines = vec![format!("{length} bytes"), "end".to_owned()];
            assert_eq!(read(&content, 0), (lines, content.len() as u64));
        }
    }
}
