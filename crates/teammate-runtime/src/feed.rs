//! The event feed: sends every subscriber what happens. Nothing waits for a slow reader; a reader that falls far
//! behind misses pieces of streamed text (never anything else: each answer comes whole at its end).
//!
//! It numbers what is no piece. What happens before anybody listens is no event: it has no number, so that the numbers in the
//! log, whose writer is the first to listen, have no holes.

use std::{
    collections::BTreeMap,
    pin::Pin,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    task::{Context, Poll},
};

use futures_core::Stream;

use teammate_core::{
    MemberName,
    event::{Event, EventKind, NoteAbout, RunId},
    lock::Hold,
    port::Clock,
    secrets::Secrets,
    tool::CallId,
};
use tokio::sync::mpsc;

use crate::ledger::JournalLength;

/// How many events a reader may be behind before text pieces are left out for it.
const LAG_MAX: usize = 4_096;

/// The sending side.
pub(crate) struct Feed {
    clock: Arc<dyn Clock>,
    run: RunId,
    journal: JournalLength,
    /// Secrets that no note says.
    secrets: Arc<Secrets>,
    state: Mutex<Readers>,
}

struct Readers {
    /// The number of the next event that is no piece.
    next: u64,
    subscribers: Vec<Subscriber>,
    /// The latest progress of each running call that has any, for who comes late.
    progress: BTreeMap<(MemberName, CallId), Arc<Event>>,
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
    first: u64,
    progress: Vec<Arc<Event>>,
    behind: Arc<AtomicUsize>,
}

impl Feed {
    /// A feed of this run, whose first event has the number `first`.
    pub(crate) fn new(
        clock: Arc<dyn Clock>,
        run: RunId,
        journal: JournalLength,
        first: u64,
        secrets: Arc<Secrets>,
    ) -> Self {
        let state = Readers {
            next: first,
            subscribers: Vec::new(),
            progress: BTreeMap::new(),
        };
        Self {
            clock,
            run,
            journal,
            secrets,
            state: Mutex::new(state),
        }
    }

    /// The run that all events belong to.
    pub(crate) fn run(&self) -> RunId {
        self.run
    }

    pub(crate) fn subscribe(&self) -> EventFeed {
        #[expect(clippy::disallowed_methods, reason = "said at its field")]
        let (sender, events) = mpsc::unbounded_channel();
        let behind = Arc::new(AtomicUsize::new(0));
        let mut readers = self.state.hold();
        readers.subscribers.push(Subscriber {
            events: sender,
            behind: behind.clone(),
        });
        EventFeed {
            events,
            first: readers.next,
            progress: readers.progress.values().cloned().collect(),
            behind,
        }
    }

    pub(crate) fn emit(&self, member: &MemberName, what: EventKind) {
        let is_piece = what.is_piece();
        let mut readers = self.state.hold();
        if readers.subscribers.is_empty() {
            return;
        }
        let n = (!is_piece).then_some(readers.next);
        readers.next += u64::from(!is_piece);
        // Under the lock, so that the order of events is that of their moments.
        let event = Arc::new(Event {
            at: self.clock.now(),
            member: member.clone(),
            run: Some(self.run),
            n,
            r: Some(self.journal.get()),
            what,
        });
        if let EventKind::ToolProgress { call, .. } = &event.what {
            let key = (member.clone(), call.clone());
            readers.progress.insert(key, event.clone());
        }
        readers.subscribers.retain(|reader| {
            if is_piece && reader.behind.load(Ordering::Relaxed) > LAG_MAX {
                return true;
            }
            reader.behind.fetch_add(1, Ordering::Relaxed);
            reader.events.send(event.clone()).is_ok()
        });
    }

    /// The call has ended: nobody who comes from now on sees its progress.
    pub(crate) fn end_progress(&self, member: &MemberName, call: &CallId) {
        let key = (member.clone(), call.clone());
        self.state.hold().progress.remove(&key);
    }

    pub(crate) fn note(&self, member: &MemberName, text: impl Into<String>) {
        self.emit_note(member, text.into(), None);
    }

    /// A note may quote what anybody said.
    fn emit_note(&self, member: &MemberName, mut text: String, about: Option<NoteAbout>) {
        self.secrets.hide(&mut text);
        self.emit(member, EventKind::Note { text, about });
    }

    /// A note about lines that cannot be read, or are missing.
    pub(crate) fn note_damage(&self, member: &MemberName, text: impl Into<String>) {
        self.emit_note(member, text.into(), Some(NoteAbout::Damage));
    }

    /// No more events: subscribers' `next` gives `None` after what is still queued.
    pub(crate) fn close(&self) {
        self.state.hold().subscribers.clear();
    }
}

/// The stream of the events that [`EventFeed::next`] gives.
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
    /// The number of the first numbered event that it gives.
    pub fn first(&self) -> u64 {
        self.first
    }

    /// The latest progress of each call that ran when this subscription began.
    pub fn progress(&self) -> &[Arc<Event>] {
        &self.progress
    }

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

#[cfg(test)]
mod tests {
    use teammate_core::Timestamp;
    use uuid::Uuid;

    use super::*;

    struct Noon;

    impl Clock for Noon {
        fn now(&self) -> Timestamp {
            Timestamp(0)
        }
    }

    #[tokio::test]
    async fn events_are_numbered_without_holes_from_the_first_that_anybody_hears() {
        let (run, lead) = (RunId::new(Uuid::from_u128(1)), MemberName::lead());
        let feed = Feed::new(
            Arc::new(Noon),
            run,
            JournalLength::default(),
            41,
            Arc::default(),
        );
        feed.note(&lead, "nobody hears this");
        let mut early = feed.subscribe();
        feed.note(&lead, "one");
        let delta = "a piece".to_owned();
        feed.emit(&lead, EventKind::Text { delta });
        let mut late = feed.subscribe();
        assert_eq!((early.first(), late.first()), (41, 42));
        feed.note(&lead, "two");
        feed.close();
        let mut numbers = Vec::new();
        while let Some(event) = early.next().await {
            numbers.push((event.n, event.r));
        }
        assert_eq!(
            numbers,
            [(Some(41), Some(0)), (None, Some(0)), (Some(42), Some(0))]
        );
        assert_eq!(late.next().await.map(|event| event.n), Some(Some(42)));
    }

    #[test]
    fn who_comes_late_sees_the_latest_progress_of_what_still_runs() {
        let (run, lead) = (RunId::new(Uuid::from_u128(1)), MemberName::lead());
        let feed = Feed::new(
            Arc::new(Noon),
            run,
            JournalLength::default(),
            0,
            Arc::default(),
        );
        let mut early = feed.subscribe();
        let call = |id: &str| CallId::new(id.to_owned());
        for step in 0..50_000 {
            let (call, text) = (call("a"), step.to_string());
            feed.emit(&lead, EventKind::ToolProgress { call, text });
        }
        let text = "begun".to_owned();
        let other = call("b");
        feed.emit(&lead, EventKind::ToolProgress { call: other, text });
        feed.end_progress(&lead, &call("b"));
        let late = feed.subscribe();
        let [latest] = late.progress() else {
            panic!("{:?}", late.progress());
        };
        assert_eq!(
            latest.what,
            EventKind::ToolProgress {
                call: call("a"),
                text: "49999".to_owned()
            }
        );
        let mut held = 0;
        while early.try_next().is_some() {
            held += 1;
        }
        assert!(held <= LAG_MAX + 1, "{held}");
        assert_eq!(early.first(), 0);
    }
}
