//! The same ports without a disk: for tests, simulations and teams that need not survive.

mod archive;
mod journal;
mod mailbox;
mod store;
mod transcript;

pub use archive::MemoryArchive;
pub use journal::MemoryJournal;
pub use mailbox::MemoryMailbox;
pub use store::MemoryStore;
pub use transcript::MemoryTranscripts;
