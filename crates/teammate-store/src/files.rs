//! A team in files: mailboxes, journal and transcripts below one directory.
//!
//! `docs/durability.md` explains step by step what makes them safe. These adapters reach the disk
//! through core's `Disk` only, on blocking threads.

mod archive;
mod dir;
mod doorbells;
mod events;
mod heads;
mod host_lock;
mod journal;
mod layout;
mod lines;
mod mailbox;
mod presence;
mod quarantine;
mod transcript;
mod watch;

use std::io;

use rustix::io::Errno;
use teammate_core::port::FileError;

pub use archive::FileArchive;
pub use dir::TeamDir;
pub use doorbells::FileDoorbells;
pub use events::{EventFiles, EventLine, FileEvents};
pub use heads::Heads;
pub use host_lock::HostLock;
pub use journal::{FileJournal, JournalContent, JournalCopy, Provenance, PutBack};
pub use lines::{FileLine, FileLines, LINE_READ_MAX};
pub use mailbox::{FileMailbox, UnaddressedMail};
pub use presence::FilePresence;
pub use teammate_core::port::{HostError, LockHolder};
pub use transcript::{FileTranscripts, UnprovenTranscript};
pub use watch::{FileWatch, ring_on_change, watch, watch_by_looking};

pub use crate::wire::chain::Head;

/// Runs blocking work on a blocking thread. It begins at once and ends even if nobody waits for it.
fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> impl Future<Output = Result<T, FileError>> {
    let running = tokio::task::spawn_blocking(work);
    async { running.await.map_err(|error| error.to_string().into()) }
}

/// Makes an error text: `cannot <step>: <error>`.
fn failed_to(step: &str) -> impl Fn(io::Error) -> FileError + '_ {
    move |error| {
        let text = format!("cannot {step}: {error}");
        match is_of_disk(&error) {
            true => FileError::Disk(text),
            false => FileError::Other(text),
        }
    }
}

/// True if an error says that the disk is full, broken or read-only.
pub fn is_of_disk(error: &io::Error) -> bool {
    use io::ErrorKind::{QuotaExceeded, ReadOnlyFilesystem, StorageFull};
    // By number, because the kind `FileTooLarge` also stands for a file longer than our read limit.
    let is_number = |number: Errno| error.raw_os_error() == Some(number.raw_os_error());
    matches!(
        error.kind(),
        QuotaExceeded | ReadOnlyFilesystem | StorageFull
    ) || is_number(Errno::FBIG)
        || is_number(Errno::IO)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_disk_that_takes_no_more_is_told_from_what_lies_on_it() {
        for errno in [
            Errno::NOSPC,
            Errno::DQUOT,
            Errno::FBIG,
            Errno::IO,
            Errno::ROFS,
        ] {
            assert!(is_of_disk(&errno.into()), "{errno:?}");
        }
        for errno in [Errno::ACCESS, Errno::NOENT, Errno::LOOP, Errno::ISDIR] {
            assert!(!is_of_disk(&errno.into()), "{errno:?}");
        }
        let longer_than_is_read = io::Error::new(io::ErrorKind::FileTooLarge, "too long");
        assert!(!is_of_disk(&longer_than_is_read));
    }
}
