//! Where what an ended group leaves behind is put.

use crate::{MemberName, port::BoxFuture};

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
