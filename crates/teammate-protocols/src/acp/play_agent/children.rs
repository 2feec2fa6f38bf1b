//! The processes of a scripted agent, which itself runs within the walls.
#![expect(clippy::disallowed_methods, reason = "it runs commands, as agents do")]

use std::{
    io,
    process::{Child, Command, Stdio},
};

/// Starts a program. With `is_spoken_with`, its standard streams are ours.
pub(super) fn start<'a>(
    program: &str,
    words: impl IntoIterator<Item = &'a str>,
    is_spoken_with: bool,
) -> io::Result<Child> {
    let mut command = Command::new(program);
    command.args(words);
    if is_spoken_with {
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
    }
    command.spawn()
}
