//! What a program prints on one of its streams: the beginning is kept, all of it is read.

use std::io;

use tokio::{io::AsyncReadExt as _, net::unix::pipe};

use super::PRINTED_BYTES_MAX;

/// A stream of a program.
pub(super) struct Printed {
    /// `None` once it is closed.
    pipe: Option<pipe::Receiver>,
    kept: Vec<u8>,
    is_too_long: bool,
}

impl Printed {
    pub(super) fn new(pipe: io::PipeReader) -> io::Result<Self> {
        Ok(Self {
            pipe: Some(pipe::Receiver::from_owned_fd(pipe.into())?),
            kept: Vec::new(),
            is_too_long: false,
        })
    }

    /// Reads once; never ready when it is closed.
    pub(super) async fn read(&mut self) {
        let Some(pipe) = &mut self.pipe else {
            return std::future::pending().await;
        };
        let mut chunk = [0; 8 * 1024];
        match pipe.read(&mut chunk).await {
            Ok(0) | Err(_) => self.pipe = None,
            Ok(count) => {
                let room = PRINTED_BYTES_MAX - self.kept.len();
                self.is_too_long |= count > room;
                self.kept.extend_from_slice(&chunk[..count.min(room)]);
            }
        }
    }

    /// Reads until it is closed.
    pub(super) async fn rest(&mut self) {
        while self.pipe.is_some() {
            self.read().await;
        }
    }

    pub(super) fn is_too_long(&self) -> bool {
        self.is_too_long
    }

    /// What is kept of it.
    pub(super) fn text(&self) -> String {
        String::from_utf8_lossy(&self.kept).into_owned()
    }
}
