//! The lines to the other side, one at a time, and what it is asked in them. Who does not read holds up its own sessions, and nothing
//! once it has gone.

use std::{io, sync::Arc};

use teammate_protocols::{
    lines::write_lines,
    rpc::{Pending, RpcAnswer},
};
use tokio::{
    io::AsyncWrite,
    sync::{mpsc, oneshot},
    task::JoinHandle,
};

/// How many lines may wait for the other side to read them.
const LINES_MAX: usize = 256;

/// The way to the other side. Copies are one.
#[derive(Debug, Clone)]
pub(crate) struct Lines {
    queue: mpsc::Sender<Vec<u8>>,
    pending: Arc<Pending>,
}

impl Lines {
    /// Writes to this until all copies are gone, or the task is aborted, which loses what comes after.
    pub(crate) fn new<W: AsyncWrite + Send + Unpin + 'static>(
        writer: W,
    ) -> (Self, JoinHandle<io::Result<()>>) {
        let (queue, lines) = mpsc::channel(LINES_MAX);
        let pending = Arc::default();
        (
            Self { queue, pending },
            tokio::spawn(write_lines(writer, lines)),
        )
    }

    /// Writes a line.
    pub(crate) async fn write(&self, line: Vec<u8>) {
        // Fails when the other side has gone: then nobody misses it.
        let _ = self.queue.send(line).await;
    }

    /// The same where nothing can be waited for. A full queue loses it.
    pub(crate) fn write_now(&self, line: Vec<u8>) {
        let _ = self.queue.try_send(line);
    }

    /// A new question: its number, and where the answer comes. The channel closes when no more answers come.
    pub(crate) fn question(&self) -> (u64, oneshot::Receiver<RpcAnswer>) {
        self.pending.ask()
    }

    /// The answer is no longer waited for; false if it came already, or cannot come.
    pub(crate) fn forget(&self, id: u64) -> bool {
        self.pending.forget(id)
    }

    /// An answer came. One that nobody waits for is passed over.
    pub(crate) fn answered(&self, id: u64, answer: RpcAnswer) {
        self.pending.answered(id, answer);
    }

    /// No more answers come.
    pub(crate) fn end(&self) {
        self.pending.end();
    }
}
