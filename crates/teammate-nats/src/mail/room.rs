//! How much mail a sender may leave for a member. The server counts messages; bytes are counted here.
//!
//! A sender looks before it goes on after each eighth of the limit, so looking costs little, and each
//! further process that sends at the same time can exceed the limit by an eighth.

use std::sync::{Mutex, PoisonError};

use teammate_core::{MemberName, mail::INBOX_BYTES_MAX, port::MailError};

use super::{NatsMail, unread};
use crate::parts::size;

/// What is sent without looking.
const UNSEEN_BYTES_MAX: u64 = INBOX_BYTES_MAX / 8;

/// How much one process may still send to one member before it looks.
pub(super) struct Room(Mutex<u64>);

impl Default for Room {
    fn default() -> Self {
        Self(Mutex::new(UNSEEN_BYTES_MAX))
    }
}

impl Room {
    /// Makes sure that so many bytes more fit.
    pub(super) async fn claim(
        &self,
        mail: &NatsMail,
        to: &MemberName,
        bytes: u64,
    ) -> Result<(), MailError> {
        if self.take(bytes) {
            return Ok(());
        }
        let full = mail.unread_bytes(to).await?;
        if full + bytes > INBOX_BYTES_MAX {
            return Err(MailError::Full {
                to: to.clone(),
                bytes: full,
            });
        }
        let left = (INBOX_BYTES_MAX - full).min(UNSEEN_BYTES_MAX.max(bytes));
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = left - bytes;
        Ok(())
    }

    fn take(&self, bytes: u64) -> bool {
        let mut left = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let rest = left.checked_sub(bytes);
        *left = rest.unwrap_or(*left);
        rest.is_some()
    }
}

impl NatsMail {
    /// How many bytes wait for a member, without reading them.
    pub(super) async fn unread_bytes(&self, owner: &MemberName) -> Result<u64, MailError> {
        let engine = &self.parts.engine;
        let subject = self.parts.place.mail(owner);
        let last = engine
            .last(&subject)
            .await
            .map_err(|error| unread(owner, &error))?;
        let mut bytes = 0;
        let stream = self.parts.place.partition.mail();
        let count = |message| {
            bytes += size(&message);
            Ok(())
        };
        let read = engine.read_headers(&stream, &subject, 1, last, count).await;
        read.map_err(|error| unread(owner, &error))?;
        Ok(bytes)
    }
}
