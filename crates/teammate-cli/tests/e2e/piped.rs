//! A program that is spoken with line by line, over pipes, until its other side goes.

use std::{
    io::{BufRead as _, BufReader, Write as _},
    process::{Child, ChildStdin, Command, ExitStatus, Stdio},
    sync::mpsc::{Receiver, channel},
    thread,
};

use crate::world::HANG;

/// The program, which is killed when this goes.
pub(crate) struct Piped {
    pub(crate) program: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Piped {
    /// Starts it. Where its standard error goes is the command's own.
    pub(crate) fn start(command: &mut Command) -> Self {
        let mut program = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let out = BufReader::new(program.stdout.take().unwrap());
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in out.lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        Self {
            input: program.stdin.take(),
            program,
            lines,
        }
    }

    /// Writes a line.
    pub(crate) fn write(&mut self, line: impl AsRef<[u8]>) {
        let input = self.input.as_mut().unwrap();
        input.write_all(line.as_ref()).unwrap();
        input.write_all(b"\n").unwrap();
    }

    /// Waits for its next line.
    pub(crate) fn read(&self) -> String {
        self.lines.recv_timeout(HANG).expect("a line")
    }

    /// Writes nothing more.
    pub(crate) fn hang_up(&mut self) {
        self.input = None;
    }

    /// The lines until it has closed its side.
    pub(crate) fn rest(&self) -> impl Iterator<Item = String> + use<'_> {
        std::iter::from_fn(|| self.lines.recv_timeout(HANG).ok())
    }

    /// Waits until it has ended by itself.
    pub(crate) fn ends(&mut self) -> ExitStatus {
        self.program.wait().unwrap()
    }
}

impl Drop for Piped {
    fn drop(&mut self) {
        let _ = self.program.kill();
        let _ = self.program.wait();
    }
}
