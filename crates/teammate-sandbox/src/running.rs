//! A command that runs: its leash.

use std::{
    io,
    os::{fd::OwnedFd, unix::process::ExitStatusExt as _},
    process::ExitStatus,
};

use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::UnixStream,
};

use crate::{
    failure::{Failure, Step as _},
    network::Network,
    order::{Order, Report, STOP},
};

/// How long one report may be, in bytes.
const REPORT_BYTES_MAX: u32 = 64 * 1024;

/// A command with all that it started. Dropped, it ends: every process of it is killed.
#[derive(Debug)]
pub struct Running {
    leash: UnixStream,
    /// What of the order has not been said yet.
    order: Option<Vec<u8>>,
    /// Its network, which is not another's before nothing of it is left.
    network: Option<Network>,
}

/// How a command ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ended {
    /// The program did; what it started may go on.
    Program(ExitStatus),
    /// The whole of it was ended before its program did.
    Killed,
}

impl Running {
    pub(crate) fn leash(order: &Order) -> Result<(Self, OwnedFd), Failure> {
        let step = || "make a leash".to_owned();
        let (ours, theirs) = std::os::unix::net::UnixStream::pair().step(step)?;
        ours.set_nonblocking(true).step(step)?;
        let leash = UnixStream::from_std(ours).step(step)?;
        let text = serde_json::to_vec(order)
            .map_err(io::Error::other)
            .step(step)?;
        let length = u32::try_from(text.len())
            .map_err(io::Error::other)
            .step(step)?;
        let mut order = [&length.to_ne_bytes()[..], &text].concat();
        // Nearly always whole: then nothing is left to do but wait.
        let written = leash.try_write(&order).unwrap_or_default();
        order.drain(..written);
        let order = (!order.is_empty()).then_some(order);
        let running = Self {
            leash,
            order,
            network: None,
        };
        Ok((running, theirs.into()))
    }

    pub(crate) fn with(mut self, network: Option<Network>) -> Self {
        self.network = network;
        self
    }

    /// Waits for the program's end.
    ///
    /// # Errors
    ///
    /// A wall could not be put up, or the program not be started: nothing ran.
    pub async fn ended(&mut self) -> Result<Ended, Failure> {
        if let Some(order) = self.order.take()
            && self.leash.write_all(&order).await.is_err()
        {
            return Ok(Ended::Killed);
        }
        match self.report().await.step(|| "hear the command".into())? {
            Some(Report::Ended(status)) => Ok(Ended::Program(ExitStatus::from_raw(status))),
            Some(Report::Failed(failure)) => Err(failure),
            None => Ok(Ended::Killed),
        }
    }

    async fn report(&mut self) -> io::Result<Option<Report>> {
        let mut length = [0; 4];
        match self.leash.read_exact(&mut length).await {
            Ok(_) => {}
            Err(error) if is_over(&error) => return Ok(None),
            Err(error) => return Err(error),
        }
        let length = u32::from_ne_bytes(length);
        if length > REPORT_BYTES_MAX {
            return Err(io::ErrorKind::InvalidData.into());
        }
        let mut text = vec![0; usize::try_from(length).map_err(io::Error::other)?];
        self.leash.read_exact(&mut text).await?;
        Ok(Some(serde_json::from_slice(&text)?))
    }

    /// Asks every process of it to stop, as the terminal's Ctrl-C would not: with TERM.
    pub async fn ask_to_stop(&mut self) {
        // If nobody hears it, it has ended.
        let _ = self.leash.write_all(&[STOP]).await;
    }

    /// Waits until nothing of it is left.
    pub async fn all_ended(&mut self) {
        while matches!(self.leash.read(&mut [0; 256]).await, Ok(1..)) {}
    }

    /// Kills all and waits until nothing is left.
    pub async fn kill(mut self) {
        let _ = self.leash.shutdown().await;
        self.all_ended().await;
        // Nothing is left that could use it.
        drop(self.network.take());
    }
}

fn is_over(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::UnexpectedEof | io::ErrorKind::ConnectionReset | io::ErrorKind::BrokenPipe
    )
}

impl Drop for Running {
    fn drop(&mut self) {
        // Its processes are being killed: who takes its network now would share it with them.
        if let Some(network) = self.network.take() {
            network.discard();
        }
    }
}
