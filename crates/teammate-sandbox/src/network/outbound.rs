//! The program's own connections for tools that look at the web, by the rules that those of commands have: names only, looked up
//! once, and only what was checked is dialled.

use std::io;

use teammate_core::{permission::Destination, port::Reach};
use tokio::net::TcpStream;

use super::{
    dial::{Dialer, Plain},
    upstream::Upstream,
};

/// Connects to servers, directly or through the user's own proxy. It decides nothing: [`Reach`] is what was decided.
#[derive(Debug)]
pub struct Outbound(Dialer);

impl Outbound {
    /// Through the proxy that the environment of this program names, if it names one.
    pub fn of_user() -> Self {
        Self(Dialer::through(Upstream::of_user()))
    }

    /// A connection for whatever the caller speaks, as TLS.
    ///
    /// # Errors
    ///
    /// The server is not there, or none of its addresses is within reach; the text says which.
    pub async fn tunnel(&self, to: &Destination, reach: Reach) -> io::Result<TcpStream> {
        self.0.dial(to, reach).await
    }

    /// A connection for one plain request.
    ///
    /// # Errors
    ///
    /// As [`tunnel`](Self::tunnel).
    pub async fn plain(&self, to: &Destination, reach: Reach) -> io::Result<Plain> {
        self.0.plain(to, reach).await
    }
}
