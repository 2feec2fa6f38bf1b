//! Work whose bug ends it alone: a screen, a prompt, a connection, an exporter. A face of a team is run by this, so that the team goes
//! on without it. It is no way to live with bugs in members: those are the supervisor's.

use std::{
    any::Any,
    cell::{Cell, RefCell},
    fmt,
    future::poll_fn,
    panic::{AssertUnwindSafe, catch_unwind},
    task::Poll,
};

/// So many bugs a part may have that goes on after each; then it has ended.
pub const BUGS_MAX: usize = 8;

thread_local! {
    /// The part that runs on this thread now.
    static PART: Cell<Option<&'static str>> = const { Cell::new(None) };
    /// The words of the program's panic hook about the last bug on this thread.
    static NOTED: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// A bug that ended a part of the program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bug {
    said: String,
}

impl fmt::Display for Bug {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.said)
    }
}

impl std::error::Error for Bug {}

/// Runs a part of the program to its end, or to its bug. What it held is dropped before this returns.
///
/// Errors: it panicked.
pub async fn contained<T>(part: &'static str, work: impl Future<Output = T>) -> Result<T, Bug> {
    let mut work = Some(Box::pin(work));
    let ended = poll_fn(|context| {
        let polled = contained_call(part, || match &mut work {
            Some(work) => work.as_mut().poll(context),
            None => Poll::Pending,
        });
        match polled {
            Ok(polled) => polled.map(Ok),
            Err(bug) => Poll::Ready(Err(bug)),
        }
    })
    .await;
    // What is left of it may have the same bug.
    let dropped = contained_call(part, || drop(work.take()));
    ended.and_then(|value| dropped.map(|()| value))
}

/// Runs work that does not wait, as a part whose bug ends it alone.
pub fn contained_call<T>(part: &'static str, work: impl FnOnce() -> T) -> Result<T, Bug> {
    let around = PART.replace(Some(part));
    let ended = catch_unwind(AssertUnwindSafe(work));
    PART.set(around);
    ended.map_err(|panic| {
        let said = NOTED.take();
        Bug {
            said: said.unwrap_or_else(|| format!("a bug ended {part}: {}", message(&*panic))),
        }
    })
}

/// The part of the program that runs on this thread now, if a bug of it is contained. For a panic hook.
pub fn contained_part() -> Option<&'static str> {
    PART.get()
}

/// Keeps what a panic hook has said about the bug that it was called for: that is what [`contained`] says of it.
pub fn note_bug(said: String) {
    NOTED.set(Some(said));
}

/// The message of a panic.
pub fn message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("a panic without words")
}

/// For tests of the program: a place where a bug can be planted. Shipped builds have none of it.
#[cfg(debug_assertions)]
pub mod plant {
    use std::sync::OnceLock;

    /// A function that plants a bug for tests: the message of the bug at a place, if there is one now.
    pub type Planted = fn(&str) -> Option<String>;

    static PLANTED: OnceLock<Planted> = OnceLock::new();

    /// From now on `planted` is asked for the bug of a place, each time that it is reached.
    pub fn by(planted: Planted) {
        // The first one counts.
        let _ = PLANTED.set(planted);
    }

    pub(super) fn at(place: &str) -> Option<String> {
        PLANTED.get().and_then(|planted| planted(place))
    }
}

/// A place of this name, where tests of the program can plant a bug.
#[inline]
#[track_caller]
pub fn may_fail_here(place: &'static str) {
    #[cfg(debug_assertions)]
    if let Some(said) = plant::at(place) {
        panic!("planted in {place}{said}");
    }
    #[cfg(not(debug_assertions))]
    let _ = place;
}

#[cfg(test)]
mod tests {
    use std::{pin::pin, task::Context};

    use super::*;

    /// Polls once.
    fn once<T>(work: impl Future<Output = T>) -> Poll<T> {
        pin!(work).poll(&mut Context::from_waker(std::task::Waker::noop()))
    }

    #[test]
    fn a_bug_ends_what_has_it_and_nothing_else() {
        let ended = once(contained("a screen", async {
            [1, 2, 3][..].get(2).copied()
        }));
        assert_eq!(ended, Poll::Ready(Ok(Some(3))));
        let bug = once(contained("a screen", async { panic!("no cell {}", 7) }));
        let Poll::Ready(Err::<(), Bug>(bug)) = bug else {
            panic!("it went on");
        };
        assert_eq!(bug.to_string(), "a bug ended a screen: no cell 7");
        assert_eq!(contained_part(), None);
    }

    #[test]
    fn what_it_held_is_dropped_and_a_second_bug_there_is_contained_as_well() {
        struct Held;
        impl Drop for Held {
            fn drop(&mut self) {
                assert_eq!(contained_part(), Some("a screen"));
                assert!(std::thread::panicking(), "dropped with a bug of its own");
            }
        }
        let ended = once(contained("a screen", async {
            let _held = Held;
            panic!("first");
        }));
        assert!(matches!(ended, Poll::Ready(Err::<(), Bug>(_))));
        let held = Held;
        let ended = once(contained("a screen", async move {
            std::mem::forget(held);
            Box::new(Held)
        }));
        // The value itself is the caller's.
        let Poll::Ready(Ok(value)) = ended else {
            panic!("it failed");
        };
        std::mem::forget(value);
    }

    #[test]
    fn the_words_of_the_hook_are_the_ones_that_are_passed_on() {
        let bug = contained_call("a screen", || {
            note_bug(format!("said of {}", contained_part().unwrap_or("nothing")));
            panic!("x");
        });
        let Err::<(), Bug>(bug) = bug else {
            panic!("it went on");
        };
        assert_eq!(bug.to_string(), "said of a screen");
    }
}
