//! Hints that other processes wrote to a team's store.

use std::any::Any;

/// How one process hears of the others. As every doorbell it carries nothing, may ring for nothing, and may be lost.
///
/// What is here by default suits a store whose [`Journal`](super::Journal) and [`Mailbox`](super::Mailbox) ring by themselves.
pub trait Doorbells: Send + Sync {
    /// While the value lives, the doorbells of the journal and of the mailboxes ring for writes of other processes.
    fn listen(&self) -> Listening {
        Box::new(())
    }

    /// While the value lives, calls this whenever the journal or the events may have changed, by any process. `None` where nothing
    /// would call it.
    fn on_change(&self, _ring: Box<dyn Fn() + Send + Sync>) -> Option<Listening> {
        None
    }
}

/// Somebody listens until it is dropped.
pub type Listening = Box<dyn Any + Send + Sync>;
