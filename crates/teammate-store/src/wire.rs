//! What lines look like on disk: types for files only, apart from the types the rest of the program thinks in, so
//! that old files stay readable whatever becomes of those.

pub mod entry;
pub mod mail;
pub mod record;

/// The lines of a file without their line ends, blank ones left out, each with its number from 1. Bytes after the
/// last line end count as a line. Zeros before a line are what a power cut left of others; they are no part of it.
fn lines(bytes: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    bytes
        .split(|byte| *byte == b'\n')
        .enumerate()
        .map(|(at, line)| (at + 1, line.strip_suffix(b"\r").unwrap_or(line)))
        .map(|(at, line)| (at, past_zeros(line)))
        .filter(|(_, line)| !line.iter().all(u8::is_ascii_whitespace))
}

fn past_zeros(line: &[u8]) -> &[u8] {
    let zeros = line.iter().take_while(|byte| **byte == 0).count();
    // Nothing but zeros stays as it is, to be shown as damage.
    if zeros == line.len() {
        line
    } else {
        &line[zeros..]
    }
}
