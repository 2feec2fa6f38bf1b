//! A server that is a program: messages on its standard streams, a line each. It ends with what holds it, whatever it does.

use std::{
    collections::VecDeque,
    io,
    sync::{Arc, Mutex, PoisonError},
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
    sync::{Mutex as AsyncMutex, oneshot, watch},
    task::JoinHandle,
    time::{Instant, timeout},
};

use crate::{
    lines::{Lines, LinesEnd},
    listing::short,
    message::{Line, read},
};

/// How long the reason of a failure is waited for.
const MOMENT: Duration = Duration::from_millis(500);

/// How long what it said last is waited for.
const BRIEF: Duration = Duration::from_millis(100);

/// How much of what it says on its standard error is kept.
const ERRORS_KEPT: usize = 64 << 10;

/// How much that is no message a program may print in a second.
const JUNK_MAX: usize = 1 << 20;

/// How a program is doing, for those who speak with it.
#[derive(Debug)]
pub(crate) struct Condition {
    /// Why it no longer answers.
    ended: watch::Sender<Option<String>>,
    errors: Mutex<VecDeque<u8>>,
}

impl Default for Condition {
    fn default() -> Self {
        Self {
            ended: watch::Sender::new(None),
            errors: Mutex::default(),
        }
    }
}

impl Condition {
    /// Why it no longer answers, with the last that it said.
    pub(crate) fn why(&self) -> Option<String> {
        let ended = self.ended.borrow().clone()?;
        Some(match self.last_words() {
            Some(words) => format!("{ended}; it said: {words}"),
            None => ended,
        })
    }

    /// The same, after a moment: that something failed is often noticed before its reason.
    pub(crate) async fn why_soon(&self) -> Option<String> {
        let mut ended = self.ended.subscribe();
        // If it has not ended by then, it failed otherwise.
        let _ = timeout(MOMENT, ended.wait_for(Option::is_some)).await;
        self.why()
    }

    /// The last line on its standard error.
    fn last_words(&self) -> Option<String> {
        let errors = self.errors.lock().unwrap_or_else(PoisonError::into_inner);
        let bytes: Vec<u8> = errors.iter().copied().collect();
        let text = String::from_utf8_lossy(&bytes);
        let line = text.lines().rfind(|line| !line.trim().is_empty())?;
        Some(short(line))
    }

    fn note_end(&self, why: &dyn std::fmt::Display) {
        // The first reason is the true one.
        self.ended.send_if_modified(|ended| {
            let is_first = ended.is_none();
            ended.get_or_insert_with(|| why.to_string());
            is_first
        });
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
    condition: Arc<Condition>,
    /// Dropped, the program is killed.
    keeper: Option<oneshot::Sender<oneshot::Sender<()>>>,
    junk: (Instant, usize),
}

impl ProgramTransport {
    /// Speaks with a program that was just started. In a tokio runtime.
    pub(crate) fn new(
        running: RunningProgram,
        condition: Arc<Condition>,
        grace: Duration,
    ) -> io::Result<Self> {
        let RunningProgram {
            input,
            output,
            errors,
            life,
        } = running;
        let errors = pipe::Receiver::from_owned_fd(errors.into())?;
        let draining = tokio::spawn(drain(errors, condition.clone()));
        let (keeper, closing) = oneshot::channel();
        tokio::spawn(keep((life, draining), condition.clone(), (closing, grace)));
        Ok(Self {
            input: Arc::new(AsyncMutex::new(Some(pipe::Sender::from_owned_fd(
                input.into(),
            )?))),
            lines: Lines::new(pipe::Receiver::from_owned_fd(output.into())?),
            condition,
            keeper: Some(keeper),
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
                    if !matches!(end, LinesEnd::Closed) {
                        self.condition.note_end(&end);
                    }
                    // A closed output says less than how the program ended.
                    self.condition.why_soon().await;
                    self.condition.note_end(&end);
                    return None;
                }
            };
            match read(&line) {
                Line::Message(message) => return Some(*message),
                Line::Junk if self.bears(line.len()) => {}
                Line::Junk => {
                    self.condition
                        .note_end(&"it floods its output with what is no message");
                    self.keeper = None;
                    return None;
                }
            }
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        self.condition.note_end(&"it was closed");
        self.input.lock().await.take();
        if let Some(keeper) = self.keeper.take() {
            let (closed, is_closed) = oneshot::channel();
            if keeper.send(closed).is_ok() {
                // A keeper that is gone has killed it.
                let _ = is_closed.await;
            }
        }
        Ok(())
    }
}

/// Follows a program to its end, and ends it when nobody needs it any more.
async fn keep(
    (mut life, mut draining): (Box<dyn ProgramLife>, JoinHandle<()>),
    condition: Arc<Condition>,
    (closing, grace): (oneshot::Receiver<oneshot::Sender<()>>, Duration),
) {
    tokio::pin!(closing);
    let closed = tokio::select! {
        ended = life.ended() => {
            // What it started goes with it; then all is there that it said.
            life.kill().await;
            let _ = timeout(BRIEF, &mut draining).await;
            condition.note_end(&ended);
            closing.await.ok()
        }
        closed = &mut closing => {
            let is_asked = closed.is_ok();
            let left = if is_asked { grace } else { BRIEF };
            match timeout(left, life.ended()).await {
                Ok(ended) if !is_asked => {
                    let _ = timeout(BRIEF, &mut draining).await;
                    condition.note_end(&ended);
                }
                Ok(_) => {}
                Err(_) => {
                    if is_asked {
                        life.ask_to_stop();
                        // Killed next in any case.
                        let _ = timeout(grace, life.ended()).await;
                    }
                }
            }
            life.kill().await;
            closed.ok()
        }
    };
    draining.abort();
    if let Some(closed) = closed {
        // Who asked may have given up.
        let _ = closed.send(());
    }
}

async fn drain(mut errors: pipe::Receiver, condition: Arc<Condition>) {
    let mut chunk = vec![0; 8 << 10];
    while let Ok(count @ 1..) = errors.read(&mut chunk).await {
        condition.said(&chunk[..count]);
    }
}
