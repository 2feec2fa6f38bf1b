//! How much mail a sender may leave for a member. The server keeps settled mail, too, so what waits is counted here.
//!
//! A sender looks before it goes on after each eighth of the limit, so looking costs little, and each
//! further process that sends at the same time can exceed the limit by an eighth.

use std::{ops::ControlFlow, sync::Mutex};

use teammate_core::{MemberName, lock::Hold, mail::INBOX_BYTES_MAX, port::MailError};

use super::{NatsMail, unread};
use crate::{
    layout::MAIL_MESSAGES_MAX,
    parts::size,
    read::{MessageSpan, WantedPart},
};

/// The amount of mail that waits for a member, or may still be sent.
#[derive(Clone, Copy)]
pub(super) struct Amount {
    pub(super) bytes: u64,
    pub(super) messages: u64,
}

/// The most that waits for a member.
const MAX: Amount = Amount {
    bytes: INBOX_BYTES_MAX,
    messages: MAIL_MESSAGES_MAX,
};

/// The amount that is sent without looking.
const UNSEEN_MAX: Amount = Amount {
    bytes: MAX.bytes / 8,
    messages: MAX.messages / 8,
};

/// How much one process may still send to one member before it looks.
pub(super) struct MailRoom(Mutex<Amount>);

impl Default for MailRoom {
    fn default() -> Self {
        Self(Mutex::new(UNSEEN_MAX))
    }
}

impl MailRoom {
    /// Makes sure that one message more of so many bytes fits.
    pub(super) async fn claim(
        &self,
        mail: &NatsMail,
        to: &MemberName,
        bytes: u64,
    ) -> Result<(), MailError> {
        if self.take(bytes) {
            return Ok(());
        }
        let waiting = mail.waiting(to).await?;
        if waiting.bytes + bytes > MAX.bytes || waiting.messages >= MAX.messages {
            return Err(MailError::Full {
                to: to.clone(),
                bytes: waiting.bytes,
            });
        }
        let left = Amount {
            bytes: (MAX.bytes - waiting.bytes).min(UNSEEN_MAX.bytes.max(bytes)),
            messages: (MAX.messages - waiting.messages).min(UNSEEN_MAX.messages),
        };
        *self.0.hold() = left;
        // Others of this process may have been faster; they have looked themselves.
        let _ = self.take(bytes);
        Ok(())
    }

    fn take(&self, bytes: u64) -> bool {
        let mut left = self.0.hold();
        if left.bytes < bytes || left.messages == 0 {
            return false;
        }
        left.bytes -= bytes;
        left.messages -= 1;
        true
    }
}

impl NatsMail {
    /// How much waits for a member, without reading it.
    pub(super) async fn waiting(&self, owner: &MemberName) -> Result<Amount, MailError> {
        let engine = &self.parts.engine;
        let subject = self.parts.place.mail(owner);
        let failed = |error| unread(owner, &error);
        let mut waiting = Amount {
            bytes: 0,
            messages: 0,
        };
        let through = engine.last(&subject).await.map_err(failed)?;
        if through == 0 {
            return Ok(waiting);
        }
        let span = MessageSpan {
            stream: self.parts.place.partition.mail(),
            subject,
            from: self.mark(owner).await? + 1,
            through,
        };
        let count = |message| {
            waiting.bytes += size(&message);
            waiting.messages += 1;
            ControlFlow::Continue(())
        };
        let read = engine.walk(span, WantedPart::Headers, count).await;
        read.map_err(failed)?;
        Ok(waiting)
    }
}
