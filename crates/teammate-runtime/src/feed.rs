//! The event feed: sends every subscriber what happens. Nothing waits for a slow reader; a reader that falls far
//! behind misses pieces of streamed text (never anything else: each answer comes whole at its end).

use std::{
    pin::Pin,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    task::{Context, Poll},
};

use futures_core::Stream;

use teammate_core::{
    MemberName,
    event::{Event, EventKind, RunId},
    port::Clock,
};
use tokio::sync::mpsc;

/// How many events a reader may be behind before text pieces are left out for it.
const LAG_MAX: usize = 4_096;

/// The sending side.
pub(crate) struct Feed {
    clock: Arc<dyn Clock>,
    run: RunId,
    readers: Mutex<Vec<Subscriber>>,
}

struct Subscriber {
    /// Without a bound: the team waits for no reader, and no reader misses an event. What comes in numbers, pieces of text,
    /// is left out for one that is far behind.
    events: mpsc::UnboundedSender<Arc<Event>>,
    behind: Arc<AtomicUsize>,
}

/// A subscription.
pub struct EventFeed {
    events: mpsc::UnboundedReceiver<Arc<Event>>,
    behind: Arc<AtomicUsize>,
}

impl Feed {
    pub(crate) fn new(clock: Arc<dyn Clock>, run: RunId) -> Self {
        Self {
            clock,
            run,
            readers: Mutex::new(Vec::new()),
        }
    }

    /// The run that all events belong to.
    pub(crate) fn run(&self) -> RunId {
        self.run
    }

    pub(crate) fn subscribe(&self) -> EventFeed {
        let (sender, events) = mpsc::unbounded_channel();
        let behind = Arc::new(AtomicUsize::new(0));
        self.lock().push(Subscriber {
            events: sender,
            behind: behind.clone(),
        });
        EventFeed { events, behind }
    }

    pub(crate) fn emit(&self, member: &MemberName, what: EventKind) {
        let is_piece = what.is_piece();
        let mut readers = self.lock();
        // Under the lock, so that the order of events is that of their moments.
        let event = Arc::new(Event {
            at: self.clock.now(),
            member: member.clone(),
            run: Some(self.run),
            what,
        });
        readers.retain(|reader| {
            if is_piece && reader.behind.load(Ordering::Relaxed) > LAG_MAX {
                return true;
            }
            reader.behind.fetch_add(1, Ordering::Relaxed);
            reader.events.send(event.clone()).is_ok()
        });
    }

    pub(crate) fn note(&self, member: &MemberName, text: impl Into<String>) {
        self.emit(member, EventKind::Note { text: text.into() });
    }

    /// No more events: subscribers' `next` gives `None` after what is still queued.
    pub(crate) fn close(&self) {
        self.lock().clear();
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<Subscriber>> {
        self.readers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The same events as [`EventFeed::next`] gives.
impl Stream for EventFeed {
    type Item = Arc<Event>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Arc<Event>>> {
        let event = self.events.poll_recv(context);
        let is_event = matches!(event, Poll::Ready(Some(_)));
        self.behind
            .fetch_sub(usize::from(is_event), Ordering::Relaxed);
        event
    }
}

impl EventFeed {
    /// The next event; `None` when the host is closed.
    pub async fn next(&mut self) -> Option<Arc<Event>> {
        let event = self.events.recv().await;
        self.behind
            .fetch_sub(usize::from(event.is_some()), Ordering::Relaxed);
        event
    }

    /// The next event if one is there already.
    pub fn try_next(&mut self) -> Option<Arc<Event>> {
        let event = self.events.try_recv().ok();
        self.behind
            .fetch_sub(usize::from(event.is_some()), Ordering::Relaxed);
        event
    }
}
