//! A server that is a program: messages on its standard streams, a line each. It ends with what holds it, whatever it does.

use std::{
    collections::VecDeque,
    io,
    sync::{Arc, Mutex, OnceLock, PoisonError},
    time::Duration,
};

use rmcp::{
    RoleClient,
    service::{RxJsonRpcMessage, TxJsonRpcMessage},
    transport::Transport,
};
use teammate_core::port::{ProgramLife, RunningProgram};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::unix::pipe,
    sync::Mutex as AsyncMutex,
    task::AbortHandle,
    time::{Instant, timeout},
};

use crate::{
    lines::Lines,
    listing::short,
    message::{Line, read},
};

/// How long a program that is no longer needed has to end by itself, and then to stop when it is asked.
const GRACE: Duration = Duration::from_secs(2);

/// How much of what it says on its standard error is kept.
const ERRORS_KEPT: usize = 64 << 10;

/// How much that is no message a program may print in a second.
const JUNK_MAX: usize = 1 << 20;

/// How a program is doing, for those who speak with it.
#[derive(Debug, Default)]
pub(crate) struct Condition {
    /// Why it no longer answers.
    ended: OnceLock<String>,
    errors: Mutex<VecDeque<u8>>,
}

impl Condition {
    /// Why it no longer answers, with the last that it said.
    pub(crate) fn why(&self) -> Option<String> {
        let ended = self.ended.get()?;
        Some(match self.last_words() {
            Some(words) => format!("{ended}; it said: {words}"),
            None => ended.clone(),
        })
    }

    /// The last line on its standard error.
    pub(crate) fn last_words(&self) -> Option<String> {
        let errors = self.errors.lock().unwrap_or_else(PoisonError::into_inner);
        let bytes: Vec<u8> = errors.iter().copied().collect();
        let text = String::from_utf8_lossy(&bytes);
        let line = text.lines().rfind(|line| !line.trim().is_empty())?;
        Some(short(line))
    }

    fn has_ended(&self, why: impl ToString) {
        // The first reason is the true one.
        let _ = self.ended.set(why.to_string());
    }

    fn said(&self, bytes: &[u8]) {
        let mut errors = self.errors.lock().unwrap_or_else(PoisonError::into_inner);
        errors.extend(bytes);
        let over = errors.len().saturating_sub(ERRORS_KEPT);
        errors.drain(..over);
    }
}

/// Messages to and from a program.
pub(crate) struct ProgramTransport {
    input: Arc<AsyncMutex<Option<pipe::Sender>>>,
    lines: Lines<pipe::Receiver>,
    life: Box<dyn ProgramLife>,
    condition: Arc<Condition>,
    draining: AbortHandle,
    junk: (Instant, usize),
}

impl ProgramTransport {
    /// Speaks with a program that was just started. In a tokio runtime.
    pub(crate) fn new(running: RunningProgram, condition: Arc<Condition>) -> io::Result<Self> {
        let RunningProgram {
            input,
            output,
            errors,
            life,
        } = running;
        let errors = pipe::Receiver::from_owned_fd(errors.into())?;
        let draining = tokio::spawn(drain(errors, condition.clone())).abort_handle();
        Ok(Self {
            input: Arc::new(AsyncMutex::new(Some(pipe::Sender::from_owned_fd(
                input.into(),
            )?))),
            lines: Lines::new(pipe::Receiver::from_owned_fd(output.into())?),
            life,
            condition,
            draining,
            junk: (Instant::now(), 0),
        })
    }

    /// Counts what is no message; false if it is a flood.
    fn bears(&mut self, junk: usize) -> bool {
        if self.junk.0.elapsed() > Duration::from_secs(1) {
            self.junk = (Instant::now(), 0);
        }
        self.junk.1 += junk + 1;
        self.junk.1 <= JUNK_MAX
    }

    async fn end(&mut self) {
        self.input.lock().await.take();
        // Waited for even if nobody reads what it still prints.
        if timeout(GRACE, self.life.ended()).await.is_err() {
            self.life.ask_to_stop();
            let _ = timeout(GRACE, self.life.ended()).await;
        }
        self.life.kill().await;
    }
}

impl Transport<RoleClient> for ProgramTransport {
    type Error = io::Error;

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleClient>,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let input = self.input.clone();
        async move {
            let mut line = serde_json::to_vec(&message)?;
            line.push(b'\n');
            match &mut *input.lock().await {
                Some(input) => input.write_all(&line).await,
                None => Err(io::ErrorKind::BrokenPipe.into()),
            }
        }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleClient>> {
        loop {
            let line = match self.lines.next().await {
                Ok(line) => line,
                Err(end) => {
                    // A closed output says less than how the program ended.
                    let ended = timeout(Duration::from_millis(200), self.life.ended()).await;
                    match ended {
                        Ok(ended) => self.condition.has_ended(ended),
                        Err(_) => self.condition.has_ended(end),
                    }
                    return None;
                }
            };
            match read(&line) {
                Line::Message(message) => return Some(*message),
                Line::Junk if self.bears(line.len()) => {}
                Line::Junk => {
                    self.condition
                        .has_ended("it floods its output with what is no message");
                    self.life.kill().await;
                    return None;
                }
            }
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        self.condition.has_ended("it was closed");
        self.end().await;
        Ok(())
    }
}

impl Drop for ProgramTransport {
    fn drop(&mut self) {
        self.draining.abort();
    }
}

async fn drain(mut errors: pipe::Receiver, condition: Arc<Condition>) {
    let mut chunk = vec![0; 8 << 10];
    while let Ok(count @ 1..) = errors.read(&mut chunk).await {
        condition.said(&chunk[..count]);
    }
}
