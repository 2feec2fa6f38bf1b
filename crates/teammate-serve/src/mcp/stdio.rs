//! The server on two streams of bytes: standard input and output of a process that a client has started.

use std::{io, time::Duration};

use rmcp::service::ServerInitializeError;
use tokio::{
    io::{AsyncRead, AsyncWrite, AsyncWriteExt as _},
    sync::mpsc,
    time::timeout,
};
use tokio_util::sync::CancellationToken;

use super::{
    McpServer,
    lines::{ANSWERS_MAX, Lines},
};

/// How long the last answers may take to be read when the client has ended its side.
const LAST_ANSWERS: Duration = Duration::from_secs(2);

/// Serves one client until it ends its side, or cannot be written to.
///
/// Errors: the client has never said anything that a server could answer.
pub async fn serve_lines<R, W>(server: &McpServer, reader: R, writer: W) -> io::Result<()>
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    let gone = CancellationToken::new();
    let (sender, answers) = mpsc::channel(ANSWERS_MAX);
    let writing = tokio::spawn(write(writer, answers, gone.clone()));
    let lines = Lines::new(reader, sender, gone.clone());
    let served = match rmcp::serve_server(server.until_gone(gone), lines).await {
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
    let _ = timeout(LAST_ANSWERS, writing).await;
    served
}

/// Writes answers until there are no more, or nobody reads them.
async fn write(
    mut writer: impl AsyncWrite + Unpin,
    mut answers: mpsc::Receiver<Vec<u8>>,
    gone: CancellationToken,
) {
    while let Some(line) = answers.recv().await {
        let written = async {
            writer.write_all(&line).await?;
            // Several at once are one write to a terminal or pipe.
            match answers.is_empty() {
                true => writer.flush().await,
                false => Ok(()),
            }
        };
        if written.await.is_err() {
            gone.cancel();
            return;
        }
    }
    let _ = writer.flush().await;
}
