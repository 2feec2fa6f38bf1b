//! Large things of a team that every worker can read and no log holds: bundles of work, long outputs.

use crate::port::BoxFuture;

/// The objects of one team, by name. A name is 1-128 bytes without spaces.
pub trait Objects: Send + Sync {
    /// Keeps an object, in place of one of the same name. It is there when this returns.
    fn put<'a>(&'a self, name: &'a str, bytes: Vec<u8>) -> BoxFuture<'a, Result<(), ObjectError>>;

    /// An object's bytes, exactly as they were put; `None` if there is none of the name.
    fn get<'a>(&'a self, name: &'a str) -> BoxFuture<'a, Result<Option<Vec<u8>>, ObjectError>>;

    /// The names of all objects that begin so, in order.
    fn names<'a>(&'a self, prefix: &'a str) -> BoxFuture<'a, Result<Vec<String>, ObjectError>>;

    /// Removes an object and frees its room. Nothing happens if there is none.
    fn remove<'a>(&'a self, name: &'a str) -> BoxFuture<'a, Result<(), ObjectError>>;
}

/// Why an object is not kept, found or removed: a sentence that says what would work.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ObjectError(pub String);
