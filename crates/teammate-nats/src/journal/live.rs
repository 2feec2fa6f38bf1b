//! A journal as it grows: one consumer rings for each message and keeps it until it is read, up to a bound.
//!
//! What is kept is what reading would give, without a request. It never says where the journal ends.

use std::{
    collections::VecDeque,
    sync::{
        Arc, OnceLock,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use tokio::{
    sync::{Notify, watch},
    time::timeout,
};

use crate::{
    listen::{DeliveryPlace, Listening, Subjects},
    read::{StoredMessage, WantedPart},
};

/// So many bytes of messages that nobody reads are kept.
const KEPT_BYTES_MAX: usize = 1 << 20;

/// The journal of one team, as it comes.
pub(super) struct Live {
    source: Subjects,
    shared: Arc<Shared>,
    /// It listens from the first wait on.
    listening: OnceLock<Listening>,
}

struct Shared {
    /// The last message that this process knows: those up to it do not ring.
    seen: AtomicU64,
    kept: watch::Sender<KeptMessages>,
    bell: Notify,
}

/// Messages that were delivered.
#[derive(Debug)]
struct KeptMessages {
    /// The message from which on all later ones are here.
    behind: u64,
    /// The last one that was delivered.
    last: u64,
    messages: VecDeque<StoredMessage>,
    bytes: usize,
}

impl Live {
    pub(super) fn of(source: Subjects) -> Self {
        let shared = Shared {
            seen: AtomicU64::new(0),
            kept: watch::Sender::new(KeptMessages::NOTHING),
            bell: Notify::new(),
        };
        Self {
            source,
            shared: Arc::new(shared),
            listening: OnceLock::new(),
        }
    }

    /// The journal is known up to this message.
    pub(super) fn see(&self, sequence: u64) {
        self.shared.seen.store(sequence, Ordering::Release);
    }

    /// Resolves when a message may have come that is not known, since this was last awaited.
    pub(super) async fn rang(&self) {
        self.listening.get_or_init(|| {
            let shared = self.shared.clone();
            self.source.listen(WantedPart::All, move |message, turn| {
                shared.take(message, turn);
            })
        });
        self.shared.bell.notified().await;
    }

    /// The messages behind this one that have come; `None` if some of them may not be here.
    pub(super) fn behind(&self, sequence: u64) -> Option<Vec<StoredMessage>> {
        self.shared.kept.borrow().behind(sequence)
    }

    /// Waits until a message has come behind this one; whether one has.
    pub(super) async fn comes_behind(&self, sequence: u64, within: Duration) -> bool {
        let mut kept = self.shared.kept.subscribe();
        let comes = kept.wait_for(|kept| kept.last > sequence);
        matches!(timeout(within, comes).await, Ok(Ok(_)))
    }

    /// Forgets all that is kept, because it does not fit: counts on what comes from now on.
    pub(super) fn forget(&self) {
        self.shared.kept.send_modify(KeptMessages::forget);
    }
}

impl Shared {
    fn take(&self, message: StoredMessage, turn: DeliveryPlace) {
        let (seen, sequence) = (self.seen.load(Ordering::Acquire), message.sequence);
        // A consumer begins with the last message: an earlier one than is known says that messages are missing.
        let is_less = turn == DeliveryPlace::First && sequence < seen;
        self.kept.send_modify(|kept| {
            if turn == DeliveryPlace::First {
                kept.forget();
                kept.behind = if is_less { seen + 1 } else { sequence - 1 };
            }
            kept.drop_through(seen);
            kept.push(message);
        });
        if sequence > seen || is_less {
            self.bell.notify_one();
        }
    }
}

impl KeptMessages {
    const NOTHING: Self = Self {
        behind: u64::MAX,
        last: 0,
        messages: VecDeque::new(),
        bytes: 0,
    };

    fn behind(&self, sequence: u64) -> Option<Vec<StoredMessage>> {
        (sequence >= self.behind).then(|| {
            let messages = self.messages.iter();
            let new = messages.filter(|message| message.sequence > sequence);
            new.cloned().collect()
        })
    }

    fn push(&mut self, message: StoredMessage) {
        self.last = message.sequence;
        self.bytes += message.body.len();
        self.messages.push_back(message);
        if self.bytes > KEPT_BYTES_MAX {
            self.forget();
        }
    }

    fn drop_through(&mut self, sequence: u64) {
        while let Some(first) = self.messages.front()
            && first.sequence <= sequence
        {
            self.bytes -= first.body.len();
            self.messages.pop_front();
        }
    }

    fn forget(&mut self) {
        self.behind = self.last;
        self.messages.clear();
        self.bytes = 0;
    }
}

#[cfg(test)]
mod tests {
    use std::time::SystemTime;

    use async_nats::HeaderMap;

    use super::*;

    fn message(sequence: u64, bytes: usize) -> StoredMessage {
        StoredMessage {
            subject: String::new(),
            sequence,
            at: SystemTime::UNIX_EPOCH,
            id: None,
            headers: HeaderMap::new(),
            body: vec![0; bytes].into(),
        }
    }

    fn shared() -> Shared {
        Shared {
            seen: AtomicU64::new(0),
            kept: watch::Sender::new(KeptMessages::NOTHING),
            bell: Notify::new(),
        }
    }

    /// The sequences that are there for somebody who knows the journal up to this one.
    fn behind(shared: &Shared, sequence: u64) -> Option<Vec<u64>> {
        let messages = shared.kept.borrow().behind(sequence)?;
        Some(messages.iter().map(|message| message.sequence).collect())
    }

    #[test]
    fn who_does_not_know_what_was_before_the_first_has_to_read() {
        let shared = shared();
        assert_eq!(behind(&shared, 0), None);
        shared.take(message(5, 1), DeliveryPlace::First);
        shared.take(message(9, 1), DeliveryPlace::Next);
        assert_eq!(behind(&shared, 3), None);
        assert_eq!(behind(&shared, 4), Some(vec![5, 9]));
        assert_eq!(behind(&shared, 5), Some(vec![9]));
        assert_eq!(behind(&shared, 9), Some(vec![]));
    }

    #[test]
    fn what_nobody_reads_is_kept_up_to_a_bound() {
        let shared = shared();
        shared.take(message(1, 1), DeliveryPlace::First);
        for sequence in 2..100 {
            shared.take(message(sequence, 100_000), DeliveryPlace::Next);
            assert!(shared.kept.borrow().bytes <= KEPT_BYTES_MAX);
        }
        assert_eq!(behind(&shared, 1), None);
        // Who has read meanwhile goes on.
        let last = shared.kept.borrow().behind;
        assert!(behind(&shared, last).is_some_and(|new| new.into_iter().eq(last + 1..100)));
    }

    #[test]
    fn what_is_known_is_not_kept() {
        let shared = shared();
        shared.take(message(1, 1), DeliveryPlace::First);
        for sequence in 2..100 {
            shared.take(message(sequence, 100_000), DeliveryPlace::Next);
            shared.seen.store(sequence, Ordering::Release);
        }
        assert!(shared.kept.borrow().messages.len() <= 1);
        assert_eq!(behind(&shared, 99), Some(vec![]));
    }

    #[test]
    fn where_the_last_message_is_an_earlier_one_than_is_known_the_journal_has_to_be_read() {
        let shared = shared();
        shared.take(message(7, 1), DeliveryPlace::First);
        shared.seen.store(7, Ordering::Release);
        shared.take(message(3, 1), DeliveryPlace::First);
        assert_eq!(behind(&shared, 7), None);
        // It was read, and is the same: that consumer was on a replica that is behind.
        shared.take(message(7, 1), DeliveryPlace::Next);
        shared.take(message(9, 1), DeliveryPlace::Next);
        assert_eq!(behind(&shared, 9), Some(vec![]));
    }
}
