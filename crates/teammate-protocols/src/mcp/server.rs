//! Tools are served to one client on two streams of bytes: standard input and output of a process that it has started, or a socket.
//! The protocol is the SDK's (`rmcp`); lines and their limits are ours.

mod lines;

use std::{io, time::Duration};

use rmcp::{
    ServerHandler,
    model::{Implementation, ServerCapabilities, ServerConfig},
    service::ServerInitializeError,
};
use tokio::{
    io::{AsyncRead, AsyncWrite},
    sync::mpsc,
    task::JoinSet,
    time::timeout,
};
use tokio_util::sync::CancellationToken;

use self::lines::{ANSWERS_MAX, Lines};
use crate::lines::write_lines;

/// How long the last answers may take to be read when the client has ended its side.
const LAST_ANSWERS: Duration = Duration::from_secs(2);

/// The words of a server of tools with this name about itself.
pub fn tool_server(name: &str) -> ServerConfig {
    let capabilities = ServerCapabilities::builder().enable_tools().build();
    let us = Implementation::new(name, env!("CARGO_PKG_VERSION"));
    ServerConfig::new(capabilities).with_server_info(us)
}

/// Serves one client until it ends its side, or cannot be written to: `server` gets what is cancelled then.
///
/// # Errors
///
/// The client has never said anything that a server could answer.
pub async fn serve_lines<S, R, W>(
    server: impl FnOnce(CancellationToken) -> S,
    reader: R,
    writer: W,
) -> io::Result<()>
where
    S: ServerHandler,
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    let gone = CancellationToken::new();
    let (sender, answers) = mpsc::channel(ANSWERS_MAX);
    let unread = gone.clone();
    let mut writing = JoinSet::new();
    writing.spawn(async move {
        if write_lines(writer, answers).await.is_err() {
            unread.cancel();
        }
    });
    let lines = Lines::new(reader, sender, gone.clone());
    let served = match rmcp::serve_server(server(gone), lines).await {
        Ok(running) => running
            .waiting()
            .await
            .map(|_| ())
            .map_err(io::Error::other),
        // It went before it asked for anything.
        Err(ServerInitializeError::ConnectionClosed(_)) => Ok(()),
        Err(error) => Err(io::Error::other(error)),
    };
    // The last sender is gone by now.
    let _ = timeout(LAST_ANSWERS, writing.join_next()).await;
    served
}
