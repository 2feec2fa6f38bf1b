//! Where text leaves the program for a terminal. Whatever was forgotten before, nothing but text and our own colours comes
//! through here; nothing else in the program writes to standard output or error.

use std::{
    borrow::Cow,
    io::{self, ErrorKind, Write},
    sync::{Mutex, OnceLock},
};

use teammate::lock::Hold;

use super::{clean::clean, style::Style};

/// Why output was lost, unless its reader has gone.
static LOST: OnceLock<io::Error> = OnceLock::new();

/// Goes to the upper left corner and empties all below it.
const CLEAR: &[u8] = b"\x1b[H\x1b[2J";

/// Writes at once. A reader that has gone stops nothing.
pub(crate) fn write_clean(out: &mut impl Write, text: &str) {
    let _ = write(out, text);
}

/// Writes to standard output at once. A reader that has gone does not stop the team; output lost for another reason
/// ends the program with an error, when all is done.
pub(crate) fn print(text: &str) {
    if let Err(error) = write(&mut io::stdout(), text)
        && error.kind() != ErrorKind::BrokenPipe
    {
        // The first loss is reported.
        let _ = LOST.set(error);
    }
}

/// Writes the text in place of everything on the terminal, at once, so that nobody sees it empty.
pub(crate) fn redraw(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(&[CLEAR, sanitized(text).as_bytes()].concat())?;
    out.flush()
}

/// A bug ended what prints: output was lost.
pub(crate) fn lose_output(why: &str) {
    // As above.
    let _ = LOST.set(io::Error::other(why.to_owned()));
}

/// Why output was lost. `None` if the reader has gone.
pub(crate) fn lost_output() -> Option<&'static io::Error> {
    LOST.get()
}

/// Writes and flushes text that no terminal obeys.
pub(crate) fn write(out: &mut impl Write, text: &str) -> io::Result<()> {
    out.write_all(sanitized(text).as_bytes())?;
    out.flush()
}

/// The text as a terminal may have it: every character that is neither text nor part of our own colours stands there as its
/// code.
pub(crate) fn sanitized(text: &str) -> Cow<'_, str> {
    if !text.contains('\u{1b}') {
        return clean(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\u{1b}') {
        let (before, from) = rest.split_at(at);
        out.push_str(&clean(before));
        let length = Style::length_of_colour(from);
        let (control, after) = from.split_at(length.unwrap_or(1));
        match length {
            Some(_) => out.push_str(control),
            None => out.push_str(&clean(control)),
        }
        rest = after;
    }
    out.push_str(&clean(rest));
    Cow::Owned(out)
}

/// A line on standard error that is no error.
pub(crate) fn print_warning(text: &str) {
    print_error_text(&format!("note: {}\n", super::clean(text)));
}

/// How lines for standard error are printed while something else has the terminal.
pub(crate) type PrintError = Box<dyn Fn(&str) + Send>;

/// The way of lines for standard error.
static DIVERTED: Mutex<Option<PrintError>> = Mutex::new(None);

/// Standard error is as usual again when it is dropped.
pub(crate) struct DivertedErrors(());

/// From now on lines for standard error go elsewhere, also from threads that know of no face.
pub(crate) fn divert_errors(print: PrintError) -> DivertedErrors {
    *DIVERTED.hold() = Some(print);
    DivertedErrors(())
}

impl Drop for DivertedErrors {
    fn drop(&mut self) {
        *DIVERTED.hold() = None;
    }
}

/// Writes lines to standard error, or where they go meanwhile.
pub(crate) fn print_error_text(text: &str) {
    // The thread that holds it may have had the bug that this text is about.
    let Ok(diverted) = DIVERTED.try_lock() else {
        return write_clean(&mut io::stderr(), text);
    };
    match &*diverted {
        Some(print) => print(text),
        None => write_clean(&mut io::stderr(), text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_colours_come_through_and_nothing_else_does() {
        for fine in [
            "\u{1b}[31mred\u{1b}[0m and\n\t\u{1b}[2mdim\u{1b}[0m",
            "plain ñ 中",
        ] {
            assert_eq!(sanitized(fine), fine);
        }
        for evil in [
            "\u{1b}[2J",
            "\u{1b}[6n",
            "\u{1b}]52;c;ZXZpbA==\u{7}",
            "\u{1b}]8;;http://x\u{1b}\\x",
            "\u{1b}P+q\u{1b}\\",
            "\u{9b}2J",
            "\u{9d}0;x\u{9c}",
            "a\u{8}b",
            "x\ry",
            "\u{202e}abc",
            "\u{200b}\u{feff}\u{e0041}",
            "\u{1b}",
            "\u{1b}[31",
            "\u{1b}[38;5;1mx",
            "\u{1b}[0;31mx",
            "\u{1b}[8mhidden",
            "\u{0}\u{7f}\u{85}",
        ] {
            let shown = sanitized(evil);
            let is_harmful = |c: char| c.is_control() || teammate::is_invisible(c);
            assert!(!shown.contains(is_harmful), "{evil:?}: {shown}");
        }
    }
}
