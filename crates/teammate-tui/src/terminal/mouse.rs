//! The sequences by which a terminal tells of clicks and the wheel, and of nothing else: movements alone would wake the program.

use std::fmt;

use crossterm::Command;

/// Has presses and the wheel come as events (1000), in a form that has room for every column (1006).
pub(super) struct TakeMouse;

/// The mouse selects text again.
pub(super) struct GiveMouseBack;

impl Command for TakeMouse {
    fn write_ansi(&self, out: &mut impl fmt::Write) -> fmt::Result {
        out.write_str("\x1b[?1000h\x1b[?1006h")
    }
}

impl Command for GiveMouseBack {
    fn write_ansi(&self, out: &mut impl fmt::Write) -> fmt::Result {
        out.write_str("\x1b[?1006l\x1b[?1000l")
    }
}
