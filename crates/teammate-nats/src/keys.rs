//! Keys and rights on the servers: who may do what, and who wrote what is there.
//!
//! A circle is the people and workers that trust each other with their teams, an account on the servers. Its owner has one
//! Ed25519 key, which certifies everybody's sealing key. By its public half each reader sees what a certified person or worker has
//! written, whatever a server says. To log in each has another key, because a server chooses what is signed with that one.
//!
//! The walls of the servers are subjects (`permissions`): a worker writes to its teams and reads them, and has no call that
//! takes anything away. Within a team [`Holdings`] says who held whom, and what anybody else wrote in a member's name is not
//! believed.

mod certificate;
mod circle;
mod creds;
mod holdings;
mod party;
mod permissions;
mod seal;
mod warrant;

pub use certificate::{CircleKey, CircleRole, Signer};
pub use circle::Circle;
pub use creds::Creds;
pub use holdings::Holdings;
pub use seal::CertifiedSeal;

use std::{io, path::PathBuf};

/// Why keys cannot be made or used.
#[derive(Debug, thiserror::Error)]
pub enum KeysError {
    #[error("{0} has no circle; make one first")]
    NoCircle(PathBuf),
    #[error("{0} has a circle already; admit people and workers to it")]
    HasCircle(PathBuf),
    #[error("'{0}' is in the circle already; choose another name")]
    Taken(String),
    /// Nobody of the name is in the circle.
    #[error("'{0}' is not in the circle; accounts.conf names who is")]
    NotIn(String),
    /// Somebody of the name was removed.
    #[error("'{0}' was removed, and what it wrote is known by its name; choose another name")]
    Removed(String),
    /// Others can read a secret.
    #[error("{0} can be read by others; chmod 600 it, and make new keys if somebody may have")]
    Open(PathBuf),
    /// It is no file of ours.
    #[error("{0} is no file of a circle ({1})")]
    Unreadable(PathBuf, String),
    /// No key could be made.
    #[error("no key can be made ({0})")]
    NoKey(String),
    #[error("{0}: {1}")]
    Disk(PathBuf, io::Error),
}
