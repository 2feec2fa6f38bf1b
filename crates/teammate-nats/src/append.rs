//! Appends one message to a subject, once, whatever happens on the way.
//!
//! A message is sent again under the same id until a server answers, so an answer that was lost costs
//! nothing. Where none comes in time, the subject is read for the id.

use std::{fmt, time::Duration};

use async_nats::HeaderMap;
use bytes::Bytes;
use tokio::time::{Instant, sleep};
use uuid::Uuid;

use crate::{
    code::Answer,
    engine::{Engine, Sent},
    read::{ID, ReadError, Span},
};

const EXPECTED: &str = "Nats-Expected-Last-Subject-Sequence";

/// How long a message is sent again. Far below the time for which servers remember ids, above that
/// in which they elect a leader.
const APPEND_TIMEOUT: Duration = Duration::from_secs(15);

/// The pause where servers ask for one.
const LATER: Duration = Duration::from_millis(100);

/// The longest pause after another's append was on its way, in milliseconds.
const IN_FLIGHT_MS_MAX: u8 = 10;

/// A sequence that no subject has: an append after it is refused, with the last one that there is.
const NEVER: u64 = 1 << 62;

/// What must be last for a message to be stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum After {
    /// Anything.
    Any,
    /// The message with this sequence; 0 for none.
    Last(u64),
}

/// A message to be appended.
pub(crate) struct Append {
    pub(crate) stream: String,
    pub(crate) subject: String,
    /// The same for the same message, and for no other of the stream.
    pub(crate) id: String,
    pub(crate) after: After,
    /// Further headers.
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

/// Why a message was not appended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum AppendError {
    /// Another message is the last.
    Conflict { last: u64 },
    /// The subject takes no more.
    Full,
    /// It is not stored, and why.
    Failed(String),
    /// It is not stored: there is no room.
    NoRoom(String),
    /// It may be stored or not.
    Unknown(String),
}

impl fmt::Display for AppendError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Conflict { last } => write!(f, "another writer appended message {last}"),
            Self::Full => f.write_str("its subject takes no more messages"),
            Self::Failed(why) | Self::NoRoom(why) => f.write_str(why),
            Self::Unknown(why) => write!(f, "no server has acknowledged it ({why})"),
        }
    }
}

impl Engine {
    /// Appends it; returns its sequence.
    pub(crate) async fn append(&self, append: &Append) -> Result<u64, AppendError> {
        let begun = Instant::now();
        let mut is_in_doubt = false;
        loop {
            let sent = self
                .send(&append.subject, append.headers(), append.body.clone())
                .await;
            let why = match sent {
                Sent::Answered(Answer::Stored { sequence }) => return Ok(sequence),
                Sent::Answered(Answer::Conflict { last }) => {
                    return self.conflict(append, last, is_in_doubt).await;
                }
                Sent::Answered(Answer::Full) => return Err(AppendError::Full),
                Sent::Answered(Answer::TooLarge) => {
                    let text = format!("{} bytes are more than a message has", append.body.len());
                    return Err(AppendError::Failed(text));
                }
                Sent::Answered(Answer::NoRoom(why)) => return Err(AppendError::NoRoom(why)),
                Sent::Answered(Answer::Refused(why)) => return Err(AppendError::Failed(why)),
                Sent::Answered(Answer::InFlight) => {
                    pause().await;
                    "another append was on its way each time".to_owned()
                }
                Sent::Answered(Answer::Later(why)) => {
                    sleep(LATER).await;
                    why
                }
                Sent::Unanswered(why) => {
                    is_in_doubt = true;
                    why
                }
            };
            if begun.elapsed() >= APPEND_TIMEOUT {
                return self.given_up(append, is_in_doubt, why).await;
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
        let unknown = |why: ReadError| AppendError::Unknown(why.to_string());
        let last = match last {
            Some(last) => last,
            None => self.last(&append.subject).await.map_err(unknown)?,
        };
        if is_in_doubt && let Some(own) = self.own(append, last).await.map_err(unknown)? {
            return Ok(own);
        }
        Err(AppendError::Conflict { last })
    }

    /// Nobody answered in time: the subject itself says whether it is stored.
    async fn given_up(
        &self,
        append: &Append,
        is_in_doubt: bool,
        why: String,
    ) -> Result<u64, AppendError> {
        if !is_in_doubt {
            return Err(AppendError::Failed(why));
        }
        let After::Last(_) = append.after else {
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
    async fn own(&self, append: &Append, last: u64) -> Result<Option<u64>, ReadError> {
        let After::Last(before) = append.after else {
            return Ok(None);
        };
        let span = Span {
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
    pub(crate) async fn last(&self, subject: &str) -> Result<u64, ReadError> {
        let begun = Instant::now();
        loop {
            let mut headers = HeaderMap::new();
            headers.insert(EXPECTED, NEVER.to_string());
            let why = match self.send(subject, headers, Bytes::new()).await {
                Sent::Answered(Answer::Conflict { last: Some(last) }) => return Ok(last),
                Sent::Answered(Answer::InFlight) => {
                    pause().await;
                    "appends were on their way each time".to_owned()
                }
                Sent::Answered(Answer::Later(why)) => {
                    sleep(LATER).await;
                    why
                }
                Sent::Unanswered(why) => why,
                Sent::Answered(answer) => {
                    return Err(ReadError::Failed(format!(
                        "its last is not known: {answer:?}"
                    )));
                }
            };
            if begun.elapsed() >= APPEND_TIMEOUT {
                return Err(ReadError::Failed(why));
            }
        }
    }
}

impl Append {
    fn headers(&self) -> HeaderMap {
        let mut headers = self.headers.clone();
        headers.insert(ID, self.id.as_str());
        if let After::Last(last) = self.after {
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
