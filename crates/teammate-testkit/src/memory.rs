//! The same ports without a disk: for tests, simulations and teams that need not survive.

mod archive;
mod bells;
mod events;
mod fleet;
mod governors;
mod journal;
mod mailbox;
mod objects;
mod presence;
mod store;
mod transcript;

pub use archive::MemoryArchive;
pub use events::MemoryEvents;
pub use fleet::{MemoryFleet, MemoryWire, WireFault};
pub use governors::{MemoryGovernors, MemoryGovernorsWire};
pub use journal::MemoryJournal;
pub use mailbox::MemoryMailbox;
pub use objects::MemoryObjects;
pub use presence::MemoryPresence;
pub use store::MemoryStore;
pub use transcript::MemoryTranscripts;
