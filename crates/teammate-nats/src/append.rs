//! Appends one message to a subject, once, whatever happens on the way.
//!
//! A message is sent again under the same id until a server answers, so an answer that was lost costs
//! nothing. Where none comes in time, the subject is read for the id.

use std::time::Duration;

use async_nats::HeaderMap;
use bytes::Bytes;
use teammate_core::port::FileError;
use tokio::time::{Instant, sleep};
use uuid::Uuid;

use crate::{
    code::{ServerAnswer, ServerRefusal},
    engine::{Engine, LEADER_WAIT, Sent},
    read::{ID, MessageSpan, StreamReadError},
};

const EXPECTED: &str = "Nats-Expected-Last-Subject-Sequence";

/// The pause where servers ask for one.
const LATER: Duration = Duration::from_millis(100);

/// The longest pause after another's append was on its way, in milliseconds.
const IN_FLIGHT_MS_MAX: u8 = 10;

/// A sequence that no subject has: an append after it is refused, with the last one that there is.
const NEVER: u64 = 1 << 62;

/// The sequence that must be last for a message to be stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AppendAfter {
    Any,
    /// The message with this sequence; 0 for none.
    Last(u64),
}

/// A message to be appended.
pub(crate) struct Append {
    pub(crate) stream: String,
    pub(crate) subject: String,
    /// An id that belongs to this message, and to no other of the stream.
    pub(crate) id: String,
    pub(crate) after: AppendAfter,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

/// Why a message was not appended.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum AppendError {
    /// Another message is the last.
    #[error("another writer appended message {last}")]
    Conflict { last: u64 },
    /// It is not stored, and will not be if it is sent again.
    #[error(transparent)]
    Refused(#[from] ServerRefusal),
    /// It is not stored: no server could, for as long as was tried.
    #[error("no server could store it in time ({0}); look whether a majority of them runs")]
    Busy(String),
    /// It may be stored or not.
    #[error("no server has acknowledged it ({0})")]
    Unknown(String),
}

impl From<AppendError> for FileError {
    fn from(error: AppendError) -> Self {
        let text = error.to_string();
        match error {
            AppendError::Refused(ServerRefusal::NoRoom(_) | ServerRefusal::Full(_)) => {
                Self::Disk(text)
            }
            AppendError::Refused(ServerRefusal::TooLarge { .. } | ServerRefusal::Other(_))
            | AppendError::Conflict { .. }
            | AppendError::Busy(_)
            | AppendError::Unknown(_) => Self::Other(text),
        }
    }
}

/// The sendings of one message until a server decided, or the time was over.
struct Sendings {
    end: AppendEnd,
    /// Whether one of them had no answer: it may be stored.
    is_in_doubt: bool,
}

enum AppendEnd {
    Stored {
        sequence: u64,
    },
    Conflict {
        last: Option<u64>,
    },
    Refused(ServerRefusal),
    /// No verdict in time, and why.
    Nothing(String),
}

impl Engine {
    /// Appends it; returns its sequence.
    pub(crate) async fn append(&self, append: &Append) -> Result<u64, AppendError> {
        let (subject, headers) = (&append.subject, append.headers());
        let sent = self.send_until_decided(subject, append.after, &headers, &append.body);
        let sent = sent.await;
        let (error, why) = match sent.end {
            AppendEnd::Stored { sequence } => return Ok(sequence),
            AppendEnd::Conflict { last } => {
                return self.conflict(append, last, sent.is_in_doubt).await;
            }
            AppendEnd::Refused(refusal) => {
                (AppendError::Refused(refusal.clone()), refusal.to_string())
            }
            AppendEnd::Nothing(why) => (AppendError::Busy(why.clone()), why),
        };
        match sent.is_in_doubt {
            true => self.looked_for(append, why).await,
            false => Err(error),
        }
    }

    /// Sends a message until there is a verdict. A server that has no leader, or is about to store another, has given none.
    async fn send_until_decided(
        &self,
        subject: &str,
        after: AppendAfter,
        headers: &HeaderMap,
        body: &Bytes,
    ) -> Sendings {
        let begun = Instant::now();
        let mut is_in_doubt = false;
        loop {
            let sent = self.send(subject, headers.clone(), body.clone()).await;
            let decided = |end| Sendings { end, is_in_doubt };
            let why = match sent {
                Sent::Answered(ServerAnswer::Stored { sequence }) => {
                    return decided(AppendEnd::Stored { sequence });
                }
                Sent::Answered(ServerAnswer::Conflict { last }) if after.is(last) => {
                    // It cannot read what is last.
                    sleep(LATER).await;
                    "a server refuses it behind the message that is the last".to_owned()
                }
                Sent::Answered(ServerAnswer::Conflict { last }) => {
                    return decided(AppendEnd::Conflict { last });
                }
                Sent::Answered(ServerAnswer::Refused(refusal)) => {
                    return decided(AppendEnd::Refused(refusal));
                }
                Sent::Answered(ServerAnswer::InFlight) => {
                    pause().await;
                    "another append was on its way each time".to_owned()
                }
                Sent::Answered(ServerAnswer::Later(why)) => {
                    sleep(LATER).await;
                    why
                }
                Sent::Unanswered(why) => {
                    is_in_doubt = true;
                    why
                }
            };
            if begun.elapsed() >= LEADER_WAIT {
                return Sendings {
                    end: AppendEnd::Nothing(why),
                    is_in_doubt,
                };
            }
        }
    }

    /// Whether the message that is said to be in the way is this one: it was sent before, and the
    /// server has forgotten its id.
    async fn conflict(
        &self,
        append: &Append,
        last: Option<u64>,
        is_in_doubt: bool,
    ) -> Result<u64, AppendError> {
        let unknown = |why: StreamReadError| AppendError::Unknown(why.to_string());
        let last = match last {
            Some(last) => last,
            None => self.last(&append.subject).await.map_err(unknown)?,
        };
        if is_in_doubt && let Some(own) = self.own(append, last).await.map_err(unknown)? {
            return Ok(own);
        }
        Err(AppendError::Conflict { last })
    }

    /// A sending had no answer, and none that followed stored it: the subject itself says whether that one is there.
    async fn looked_for(&self, append: &Append, why: String) -> Result<u64, AppendError> {
        let AppendAfter::Last(_) = append.after else {
            return Err(AppendError::Unknown(why));
        };
        let found = match self.last(&append.subject).await {
            Ok(last) => self.own(append, last).await,
            Err(error) => Err(error),
        };
        match found {
            Ok(Some(sequence)) => Ok(sequence),
            Ok(None) | Err(_) => Err(AppendError::Unknown(why)),
        }
    }

    /// The message's own place, if it is behind what was last.
    async fn own(&self, append: &Append, last: u64) -> Result<Option<u64>, StreamReadError> {
        let AppendAfter::Last(before) = append.after else {
            return Ok(None);
        };
        let span = MessageSpan {
            stream: append.stream.clone(),
            subject: append.subject.clone(),
            from: before + 1,
            through: last,
        };
        let messages = self.read(span).await?;
        let own = messages
            .into_iter()
            .find(|message| message.id.as_deref() == Some(&append.id));
        Ok(own.map(|message| message.sequence))
    }

    /// The sequence of a subject's last message, 0 if it has none, as the stream's leader knows it.
    /// Nothing is stored: an append after a message that cannot be is refused with the last one.
    pub(crate) async fn last(&self, subject: &str) -> Result<u64, StreamReadError> {
        let (after, mut headers) = (AppendAfter::Last(NEVER), HeaderMap::new());
        headers.insert(EXPECTED, NEVER.to_string());
        let body = Bytes::new();
        let asked = self.send_until_decided(subject, after, &headers, &body);
        match asked.await.end {
            AppendEnd::Conflict { last: Some(last) } => Ok(last),
            AppendEnd::Refused(refusal) => Err(StreamReadError::Failed(refusal.to_string())),
            AppendEnd::Nothing(why) => Err(StreamReadError::Failed(why)),
            AppendEnd::Conflict { last: None } | AppendEnd::Stored { .. } => {
                Err(StreamReadError::Failed(
                    "a server does not say which message is the last".to_owned(),
                ))
            }
        }
    }
}

impl AppendAfter {
    /// Whether this is the message that must be last.
    fn is(self, last: Option<u64>) -> bool {
        match self {
            Self::Any => false,
            Self::Last(wanted) => Some(wanted) == last,
        }
    }
}

impl Append {
    fn headers(&self) -> HeaderMap {
        let mut headers = self.headers.clone();
        headers.insert(ID, self.id.as_str());
        if let AppendAfter::Last(last) = self.after {
            headers.insert(EXPECTED, last.to_string());
        }
        headers
    }
}

/// A pause of 1 to 10 ms, another one for each of those that pause.
async fn pause() {
    let [.., byte] = *Uuid::now_v7().as_bytes();
    sleep(Duration::from_millis(u64::from(
        1 + byte % IN_FLIGHT_MS_MAX,
    )))
    .await;
}
