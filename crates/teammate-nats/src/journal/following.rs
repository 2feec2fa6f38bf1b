//! Reads what is new in a journal without asking for its end: what was delivered, up to what is known to be there.
//!
//! Nothing is wrong with a journal because of what was delivered. Where that does not fit, or does not come, the journal is read.

use std::time::Duration;

use teammate_core::port::{JournalError, Record};

use super::{KnownLog, NatsJournal};
use crate::read::{StoredMessage, StreamReadError};

/// How long records that are there may take to be delivered: the consumer's replica may be behind.
const DELIVERED_WITHIN: Duration = Duration::from_millis(500);

impl NatsJournal {
    /// Hands over the records from number `from` on that have come, at least those before `through`, if there are so many.
    pub(super) async fn follow_now(
        &self,
        mut from: u64,
        through: u64,
        each: &mut (dyn FnMut(Record) + Send),
    ) -> Result<(), JournalError> {
        let mut known = self.known.lock().await;
        while known.tip.lines == from
            && let Some(messages) = self.live.behind(known.tip.sequence)
        {
            known.require_whole()?;
            let taken = self.take_all(&mut known, messages, each).await;
            from = known.tip.lines;
            if taken.is_err() {
                self.live.forget();
                break;
            }
            if from >= through {
                return Ok(());
            }
            let tip = known.tip.sequence;
            drop(known);
            let has_come = self.live.comes_behind(tip, DELIVERED_WITHIN).await;
            known = self.known.lock().await;
            if !has_come {
                break;
            }
        }
        self.walk(&mut known, from, each).await
    }

    /// Takes messages that follow the last known one.
    async fn take_all(
        &self,
        known: &mut KnownLog,
        messages: Vec<StoredMessage>,
        each: &mut (dyn FnMut(Record) + Send),
    ) -> Result<(), StreamReadError> {
        for message in messages {
            let mut place = known.tip;
            let record = self.take(known, &mut place, &message).await?;
            self.live.see(place.sequence);
            each(record);
        }
        Ok(())
    }
}
