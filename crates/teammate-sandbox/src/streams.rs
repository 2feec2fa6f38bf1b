//! The standard streams of a command.

use std::os::fd::BorrowedFd;

/// The streams that a command reads and writes. Each is passed on as it is.
#[derive(Debug, Clone, Copy)]
pub struct Streams<'a> {
    /// Its input; it reads nothing without one.
    pub input: Option<BorrowedFd<'a>>,
    pub output: BorrowedFd<'a>,
    /// Its errors, which may go the same way.
    pub errors: BorrowedFd<'a>,
}

impl<'a> Streams<'a> {
    /// No input, and this output and these errors.
    pub fn to(output: BorrowedFd<'a>, errors: BorrowedFd<'a>) -> Self {
        Self {
            input: None,
            output,
            errors,
        }
    }
}
