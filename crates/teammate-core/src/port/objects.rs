//! Where larger things are kept: objects that every worker reads and no log holds, what an ended group leaves behind, outputs that
//! are too long for a model.

use std::path::PathBuf;

use crate::{
    MemberName,
    port::{BoxFuture, ToolContext},
};

/// The objects of one team, by name. A name is 1-128 bytes without spaces.
pub trait ObjectStore: Send + Sync {
    /// Keeps an object, in place of one of the same name. It is there when this returns.
    fn put<'a>(
        &'a self,
        name: &'a str,
        bytes: Vec<u8>,
    ) -> BoxFuture<'a, Result<(), ObjectStoreError>>;

    /// An object's bytes, exactly as they were put; `None` if there is none of the name.
    fn get<'a>(&'a self, name: &'a str)
    -> BoxFuture<'a, Result<Option<Vec<u8>>, ObjectStoreError>>;

    /// The names of all objects that begin so, in order.
    fn names<'a>(&'a self, prefix: &'a str)
    -> BoxFuture<'a, Result<Vec<String>, ObjectStoreError>>;

    /// Removes an object and frees its room. Nothing happens if there is none.
    fn remove<'a>(&'a self, name: &'a str) -> BoxFuture<'a, Result<(), ObjectStoreError>>;
}

/// Why an object is not kept, found or removed: a sentence that says what would work.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ObjectStoreError(pub String);

/// Where what members leave behind is kept.
pub trait Archive: Send + Sync {
    /// Moves everything of these members, who are stopped, out of the way, under a unique label. Again
    /// after a crash it moves what is left. Returns where it is, for the user.
    ///
    /// Errors: what could not be moved, and why; nothing is lost.
    fn archive<'a>(
        &'a self,
        label: &'a str,
        members: &'a [MemberName],
    ) -> BoxFuture<'a, Result<String, String>>;
}

/// Files for long outputs.
pub trait OutputFiles: Send + Sync {
    /// Keeps the whole output of the caller's call; the path as the caller writes it.
    ///
    /// # Errors
    ///
    /// It could not be written, for this reason.
    fn file<'a>(
        &'a self,
        text: String,
        context: &'a ToolContext,
    ) -> BoxFuture<'a, Result<PathBuf, String>>;
}
