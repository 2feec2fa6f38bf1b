//! The terminal with its two sides: frames go out, keys come in. Another program may have both for a while.

use std::{future, io, pin::Pin};

use crossterm::event::{Event, EventStream};
use futures_core::Stream;

use crate::{app::MouseUse, terminal::HeldTerminal};

/// The terminal in our hands.
pub(super) struct Console {
    pub(super) screen: HeldTerminal,
    /// Nothing while another program reads the keys.
    keys: Option<EventStream>,
}

impl Console {
    /// Takes the terminal.
    ///
    /// Errors: it cannot be read by keys.
    pub(super) fn enter(mouse: MouseUse) -> io::Result<Self> {
        Ok(Self {
            screen: HeldTerminal::enter(mouse)?,
            keys: Some(EventStream::new()),
        })
    }

    /// The next key, paste or resize; nothing when the terminal is gone.
    pub(super) async fn next_event(&mut self) -> Option<io::Result<Event>> {
        match &mut self.keys {
            Some(keys) => future::poll_fn(|context| Pin::new(&mut *keys).poll_next(context)).await,
            None => future::pending().await,
        }
    }

    /// Leaves the terminal to another program, and takes it again.
    pub(super) fn lend<T>(&mut self, run: impl FnOnce() -> T) -> io::Result<T> {
        self.keys = None;
        self.screen.give_back();
        let result = tokio::task::block_in_place(run);
        self.screen.take()?;
        self.screen.forget()?;
        self.keys = Some(EventStream::new());
        Ok(result)
    }
}
