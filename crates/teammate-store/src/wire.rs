//! What lines look like on disk: types for files only, apart from the types the rest of the program thinks in, so
//! that old files stay readable whatever becomes of those.

pub mod chain;
pub mod entry;
pub mod mail;
pub mod record;

/// The lines of a file as [`text`] has them, blank ones left out, each with its number from 1. Bytes after the last line end
/// count as a line.
pub(crate) fn lines(bytes: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    bytes
        .split(|byte| *byte == b'\n')
        .enumerate()
        .filter_map(|(at, line)| Some((at + 1, text(line)?)))
}

/// What a line of a file says, without its line end; `None` if it is blank. Zeros before it are what a power cut left of
/// others; they are no part of it.
pub(crate) fn text(line: &[u8]) -> Option<&[u8]> {
    let line = past_zeros(line.strip_suffix(b"\r").unwrap_or(line));
    (!line.iter().all(u8::is_ascii_whitespace)).then_some(line)
}

pub(crate) fn past_zeros(line: &[u8]) -> &[u8] {
    let zeros = line.iter().take_while(|byte| **byte == 0).count();
    // Nothing but zeros stays as it is, to be shown as damage.
    if zeros == line.len() {
        line
    } else {
        &line[zeros..]
    }
}
