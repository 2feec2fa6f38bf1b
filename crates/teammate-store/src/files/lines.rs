//! Reads a file line by line; holds at most one line and one read buffer.

use std::io;

use teammate_core::port::DiskFile;

/// The longest line that is returned. A longer one is skipped without being held.
pub const LINE_READ_MAX: usize = 64 * 1024 * 1024;

/// The bytes of one read.
pub(super) const PIECE: usize = 64 * 1024;

/// The bytes of the first read from a file's end.
const END_PIECE: usize = 4 * 1024;

/// The lines of an open file from an offset on.
pub struct FileLines<'a> {
    file: &'a mut dyn DiskFile,
    /// The bytes that were read; those from `start` on are not returned yet.
    buffer: Vec<u8>,
    start: usize,
    /// The file offset of `buffer[start]`.
    offset: u64,
}

/// One line.
pub struct FileLine<'a> {
    /// Its offset.
    pub at: u64,
    /// The offset of the next line.
    pub end: u64,
    /// Its bytes without the line end; `None` if there are more than [`LINE_READ_MAX`].
    pub text: Option<&'a [u8]>,
    /// True if it ends with a line end; the last one of a file may not.
    pub is_whole: bool,
}

impl<'a> FileLines<'a> {
    /// Starts at `offset`, the beginning of a line.
    pub fn from(file: &'a mut dyn DiskFile, offset: u64) -> Self {
        Self {
            file,
            buffer: Vec::new(),
            start: 0,
            offset,
        }
    }

    /// The next line; `None` at the end of the file.
    #[expect(
        clippy::should_implement_trait,
        reason = "a line borrows from the reader"
    )]
    pub fn next(&mut self) -> io::Result<Option<FileLine<'_>>> {
        let at = self.offset;
        let mut searched = 0;
        loop {
            let rest = &self.buffer[self.start + searched..];
            if let Some(length) = rest.iter().position(|byte| *byte == b'\n') {
                return Ok(Some(self.give(at, searched + length, true)));
            }
            searched += rest.len();
            if searched > LINE_READ_MAX {
                return self.pass_over(at).map(Some);
            }
            if self.read_more()? == 0 {
                return Ok((searched > 0).then(|| self.give(at, searched, false)));
            }
        }
    }

    fn give(&mut self, at: u64, length: usize, is_whole: bool) -> FileLine<'_> {
        let start = self.start;
        self.start += length + usize::from(is_whole);
        self.offset = at + length as u64 + u64::from(is_whole);
        FileLine {
            at,
            end: self.offset,
            text: Some(&self.buffer[start..start + length]),
            is_whole,
        }
    }

    /// Skips the line that begins at `at`, piece by piece.
    fn pass_over(&mut self, at: u64) -> io::Result<FileLine<'static>> {
        let mut is_whole = false;
        loop {
            let rest = &self.buffer[self.start..];
            if let Some(length) = rest.iter().position(|byte| *byte == b'\n') {
                self.start += length + 1;
                self.offset += length as u64 + 1;
                is_whole = true;
                break;
            }
            self.offset += rest.len() as u64;
            self.buffer = Vec::new();
            self.start = 0;
            if self.read_more()? == 0 {
                break;
            }
        }
        Ok(FileLine {
            at,
            end: self.offset,
            text: None,
            is_whole,
        })
    }

    /// Reads one more piece behind what is there.
    fn read_more(&mut self) -> io::Result<usize> {
        self.buffer.drain(..self.start);
        self.start = 0;
        let held = self.buffer.len();
        self.buffer.resize(held + PIECE, 0);
        let read = self
            .file
            .read_at(self.offset + held as u64, &mut self.buffer[held..]);
        self.buffer.truncate(held + *read.as_ref().unwrap_or(&0));
        read
    }
}

/// The last line of a file that is not blank, as a reader would get it; `None` if there is none.
/// Reads from the end, no more than that line and one buffer.
pub(super) fn last(file: &mut dyn DiskFile) -> io::Result<Option<Vec<u8>>> {
    let mut start = file.len()?;
    let mut tail: Vec<u8> = Vec::new();
    while start > 0 {
        let step = start.min(END_PIECE.max(tail.len()) as u64);
        start -= step;
        let mut piece = vec![0; usize::try_from(step).map_err(io::Error::other)?];
        let mut filled = 0;
        while filled < piece.len() {
            match file.read_at(start + filled as u64, &mut piece[filled..])? {
                0 => return Err(io::ErrorKind::UnexpectedEof.into()),
                read => filled += read,
            }
        }
        piece.append(&mut tail);
        tail = piece;
        let from = if start == 0 {
            0
        } else {
            match tail.iter().position(|byte| *byte == b'\n') {
                Some(end) => end + 1,
                None => continue,
            }
        };
        if let Some((_, line)) = crate::wire::lines(&tail[from..]).last() {
            return Ok(Some(line.to_owned()));
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use teammate_core::port::Disk as _;

    use super::*;
    use teammate_testkit::sim::SimDisk;

    fn file(content: &[u8]) -> Box<dyn DiskFile> {
        let disk = SimDisk::new();
        disk.write(Path::new("/file"), content)
            .expect("a healthy disk");
        disk.open_read(Path::new("/file")).expect("it is there")
    }

    /// Begin, length, whether it was held and whether it is whole.
    fn lines(content: &[u8], from: u64) -> Vec<(u64, u64, bool, bool)> {
        let mut file = file(content);
        let (mut lines, mut found) = (FileLines::from(&mut *file, from), Vec::new());
        while let Some(line) = lines.next().expect("a healthy disk") {
            if let Some(text) = line.text {
                let start = usize::try_from(line.at).expect("it is small");
                assert_eq!(text, &content[start..start + text.len()]);
            }
            found.push((
                line.at,
                line.end - line.at,
                line.text.is_some(),
                line.is_whole,
            ));
        }
        found
    }

    #[test]
    fn lines_of_any_length_come_one_by_one() {
        assert_eq!(lines(b"", 0), []);
        assert_eq!(
            lines(b"a\n\nbc", 0),
            [(0, 2, true, true), (2, 1, true, true), (3, 2, true, false)]
        );
        assert_eq!(lines(b"a\nb\n", 2), [(2, 2, true, true)]);
        for length in [PIECE - 1, PIECE, PIECE + 1, 3 * PIECE] {
            let content = [&vec![b'x'; length][..], b"\ny\n"].concat();
            let length = length as u64;
            let expected = [(0, length + 1, true, true), (length + 1, 2, true, true)];
            assert_eq!(lines(&content, 0), expected, "{length}");
        }
    }

    #[test]
    fn a_line_that_is_too_long_is_passed_over_and_the_next_is_read() {
        let mut content = vec![b'x'; LINE_READ_MAX + 2 * PIECE];
        let long = content.len() as u64;
        assert_eq!(lines(&content, 0), [(0, long, false, false)]);
        content.extend_from_slice(b"\nab\n");
        let expected = [(0, long + 1, false, true), (long + 1, 3, true, true)];
        assert_eq!(lines(&content, 0), expected);
    }

    #[test]
    fn the_last_line_is_found_from_the_end() {
        let long = "y".repeat(3 * PIECE);
        let blanks = "\n \n".repeat(PIECE);
        for (what, content, expected) in [
            ("nothing", String::new(), None),
            ("one", "a\n".to_owned(), Some("a")),
            ("a torn one", "a\nb".to_owned(), Some("b")),
            ("a long one", format!("a\n{long}\n"), Some(&*long)),
            ("the only one", long.clone(), Some(&*long)),
            ("behind blanks", format!("a\nb\r\n{blanks}"), Some("b")),
            ("nothing but blanks", blanks.clone(), None),
            ("behind zeros", "a\n\0\0b\n".to_owned(), Some("b")),
        ] {
            let last = last(&mut *file(content.as_bytes())).expect("a healthy disk");
            assert_eq!(last.as_deref(), expected.map(str::as_bytes), "{what}");
        }
    }
}
