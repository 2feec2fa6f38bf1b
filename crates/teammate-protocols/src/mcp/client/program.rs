//! A server that is a program: messages on its standard streams, a line each.

use std::{io, sync::Arc, time::Duration};

use rmcp::{
    RoleClient,
    service::{RxJsonRpcMessage, TxJsonRpcMessage},
    transport::Transport,
};
use teammate_core::port::RunningProgram;

use crate::mcp::client::message::{Line, read};
use crate::program::{Condition, Talk};

/// Messages to and from a program.
pub(crate) struct ProgramTransport(Talk);

impl ProgramTransport {
    /// Speaks with a program that was just started. In a tokio runtime.
    pub(crate) fn new(
        running: RunningProgram,
        condition: Arc<Condition>,
        grace: Duration,
    ) -> io::Result<Self> {
        Talk::new(running, condition, grace).map(Self)
    }
}

impl Transport<RoleClient> for ProgramTransport {
    type Error = io::Error;

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleClient>,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let writer = self.0.writer();
        async move { writer.line(serde_json::to_vec(&message)?).await }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleClient>> {
        loop {
            let line = self.0.next().await?;
            match read(&line) {
                Line::Message(message) => return Some(*message),
                Line::Junk if self.0.bears(line.len()) => {}
                Line::Junk => return None,
            }
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        self.0.close().await;
        Ok(())
    }
}
