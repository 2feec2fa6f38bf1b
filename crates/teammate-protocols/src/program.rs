//! A program that is talked with: a line each way at a time. It ends with what holds it, whatever it does. What it says on its
//! standard error is read on and on, and its last words are the reason where it ends.

mod condition;
mod keeper;

use std::{io, sync::Arc, time::Duration};

use teammate_core::port::RunningProgram;
use tokio::{
    io::AsyncWriteExt as _,
    net::unix::pipe,
    sync::{Mutex, oneshot},
    time::Instant,
};

use self::keeper::Asked;
pub use self::{condition::Condition, keeper::ProgramClose};
use crate::lines::{BoundedLines, LINE_MAX, LinesEnd};

/// How much that is no message a program may print in a second.
const JUNK_MAX: usize = 1 << 20;

/// Lines to and from a program. Dropped, the program is killed, with all that it started.
#[derive(Debug)]
pub struct Talk {
    writer: Writer,
    lines: BoundedLines<pipe::Receiver>,
    condition: Arc<Condition>,
    /// Dropped, the program is killed.
    keeper: Option<oneshot::Sender<Asked>>,
    junk: (Instant, usize),
}

/// Writes lines to a program. Clones are one.
#[derive(Debug, Clone)]
pub struct Writer(Arc<Mutex<Option<pipe::Sender>>>);

impl Writer {
    /// Writes a line, without its end.
    ///
    /// # Errors
    ///
    /// The program does not listen any more.
    pub async fn line(&self, mut line: Vec<u8>) -> io::Result<()> {
        line.push(b'\n');
        match &mut *self.0.lock().await {
            Some(input) => input.write_all(&line).await,
            None => Err(io::ErrorKind::BrokenPipe.into()),
        }
    }
}

impl Talk {
    /// Talks with a program that was just started. Asked to end, it has `grace` after the end of its input and again after it was
    /// asked to stop. In a tokio runtime.
    ///
    /// # Errors
    ///
    /// The system refuses one of its streams.
    pub fn new(
        running: RunningProgram,
        condition: Arc<Condition>,
        grace: Duration,
    ) -> io::Result<Self> {
        let RunningProgram {
            input,
            output,
            errors,
            life,
            census: _,
        } = running;
        let input = pipe::Sender::from_owned_fd(input.into())?;
        let lines = BoundedLines::new(pipe::Receiver::from_owned_fd(output.into())?, LINE_MAX);
        let errors = pipe::Receiver::from_owned_fd(errors.into())?;
        let draining = tokio::spawn(keeper::drain(errors, condition.clone()));
        let (keeper, closing) = oneshot::channel();
        let kept = (life, draining);
        tokio::spawn(keeper::keep(kept, condition.clone(), (closing, grace)));
        Ok(Self {
            writer: Writer(Arc::new(Mutex::new(Some(input)))),
            lines,
            condition,
            keeper: Some(keeper),
            junk: (Instant::now(), 0),
        })
    }

    /// The writer to the program.
    pub fn writer(&self) -> Writer {
        self.writer.clone()
    }

    /// Its next line; `None` when there are no more, and [`Condition::why`] says why. Given up and called again, it loses nothing.
    pub async fn next(&mut self) -> Option<Vec<u8>> {
        match self.lines.next().await {
            Ok(line) => Some(line),
            Err(end) => {
                if !matches!(end, LinesEnd::Closed) {
                    self.condition.note_end(&end);
                }
                // A closed output says less than how the program ended.
                self.condition.why_soon().await;
                self.condition.note_end(&end);
                None
            }
        }
    }

    /// A line of this length was no message. False if that is a flood: then the program is killed.
    pub fn bears(&mut self, junk: usize) -> bool {
        if self.junk.0.elapsed() > Duration::from_secs(1) {
            self.junk = (Instant::now(), 0);
        }
        self.junk.1 += junk + 1;
        let is_borne = self.junk.1 <= JUNK_MAX;
        if !is_borne {
            self.condition
                .note_end(&"it floods its output with what is no message");
            self.kill();
        }
        is_borne
    }

    /// Kills it, with all that it started, soon.
    pub fn kill(&mut self) {
        self.keeper = None;
    }

    /// Ends its input and waits until nothing of it is left: asks it to stop, kills it if need be.
    pub async fn close(&mut self) -> ProgramClose {
        self.condition.note_end(&"it was closed");
        let (asked, closed) = oneshot::channel();
        // Before its input ends: an end that follows was asked for.
        let keeper = self.keeper.take();
        let is_asked = keeper.is_some_and(|keeper| keeper.send(asked).is_ok());
        self.writer.0.lock().await.take();
        match is_asked {
            true => closed.await.unwrap_or(ProgramClose::Killed),
            false => ProgramClose::Before,
        }
    }
}
