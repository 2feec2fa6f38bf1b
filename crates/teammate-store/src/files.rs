//! A team in files: mailboxes, journal and transcripts below one directory.
//!
//! What makes them safe is written down step by step in `docs/durability.md`. These adapters reach the disk through
//! core's `Disk` only and block on threads made for that.

mod archive;
mod aside;
mod dir;
mod heads;
mod host_lock;
mod journal;
mod layout;
mod lines;
mod mailbox;
mod transcript;
mod watch;

use std::io;

pub use archive::FileArchive;
pub use dir::TeamDir;
pub use heads::Heads;
pub use host_lock::{Holder, HostError, HostLock};
pub use journal::{FileJournal, Provenance};
pub use lines::{LINE_READ_MAX, Line, Lines};
pub use mailbox::{FileMailbox, INBOX_BYTES_MAX, NobodysMail};
pub use transcript::{FileTranscripts, UnprovenTranscript};
pub use watch::{Watch, watch};

pub use crate::wire::chain::Head;

/// Runs blocking work on a thread that may block.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, String> {
    tokio::task::spawn_blocking(work)
        .await
        .map_err(|error| error.to_string())
}

/// What an error says about a step: `cannot <step>: <error>`.
fn cannot(step: &str) -> impl Fn(io::Error) -> String + '_ {
    move |error| format!("cannot {step}: {error}")
}
