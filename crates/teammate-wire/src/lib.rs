//! The format of the lines that stores keep, and the seals that prove who wrote them. These types are
//! separate from the types of the program, so that old lines stay readable when those change.
//!
//! It knows no store: neither files nor servers.
//!
//! `chain`, `entry`, `mail` and `record` are the lines. `teammate-store` and `teammate-nats` stand
//! on it.

pub mod chain;
pub mod entry;
pub mod hex;
pub mod mail;
pub mod record;
pub mod seal;

/// The lines of a file that are not blank, as [`text`] gives them, numbered from 1. Bytes after the
/// last line end count as a line.
pub fn lines(bytes: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    bytes
        .split(|byte| *byte == b'\n')
        .enumerate()
        .filter_map(|(at, line)| Some((at + 1, text(line)?)))
}

/// The text of a line without its line end; `None` if it is blank. Leading zero bytes, which a power
/// cut may leave, are removed.
pub fn text(line: &[u8]) -> Option<&[u8]> {
    let line = without_leading_nuls(line.strip_suffix(b"\r").unwrap_or(line));
    (!line.iter().all(u8::is_ascii_whitespace)).then_some(line)
}

/// The line without the zero bytes that a power cut may leave before it; a line of zeros only stays.
pub fn without_leading_nuls(line: &[u8]) -> &[u8] {
    let zeros = line.iter().take_while(|byte| **byte == 0).count();
    // To be reported as damage.
    if zeros == line.len() {
        line
    } else {
        &line[zeros..]
    }
}
