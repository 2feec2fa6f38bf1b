//! What a server answers to an append, by the number of its error. Words and kinds change between
//! versions; numbers do not.

use async_nats::jetstream::{publish::PublishAck, response::Response};

/// What an answer means.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    /// It is stored, now or by an earlier sending of the same id.
    Stored {
        /// Where.
        sequence: u64,
    },
    /// Another message is the subject's last.
    Conflict {
        /// Its sequence; `None` if the server does not say so.
        last: Option<u64>,
    },
    /// Another append, or an earlier sending of this one, is on its way: no verdict. The same message again, soon.
    InFlight,
    /// The subject has as many messages as it may have.
    Full,
    /// The message is larger than the stream takes.
    TooLarge,
    /// The server or the account has no room left.
    NoRoom(String),
    /// Not now: no leader, too much at once. The same message again, later.
    Later(String),
    /// Never.
    Refused(String),
}

const WRONG_LAST_SEQUENCE: u64 = 10_071;
const LAST_SEQUENCE_IN_FLIGHT: u64 = 10_164;
const DUPLICATE_IN_FLIGHT: u64 = 10_158;
const SUBJECT_FULL: u64 = 10_077;
const MESSAGE_TOO_LARGE: u64 = 10_054;
const NO_ROOM: [u64; 5] = [10_002, 10_023, 10_028, 10_047, 10_063];
/// Not available, not leader, peers offline, streams offline, too many requests, message not stored.
const LATER: [u64; 5] = [10_008, 10_009, 10_118, 10_167, 10_195];

impl Answer {
    /// Reads what a server sent.
    pub(crate) fn read(payload: &[u8]) -> Self {
        let error = match serde_json::from_slice::<Response<PublishAck>>(payload) {
            Ok(Response::Ok(ack)) => {
                return Self::Stored {
                    sequence: ack.sequence,
                };
            }
            Ok(Response::Err { error }) => error,
            Err(error) => return Self::Later(format!("its answer cannot be read ({error})")),
        };
        let text = error.to_string();
        match error.error_code().0 {
            WRONG_LAST_SEQUENCE => Self::Conflict { last: last(&text) },
            LAST_SEQUENCE_IN_FLIGHT | DUPLICATE_IN_FLIGHT => Self::InFlight,
            SUBJECT_FULL => Self::Full,
            MESSAGE_TOO_LARGE => Self::TooLarge,
            code if NO_ROOM.contains(&code) => Self::NoRoom(text),
            code if LATER.contains(&code) || error.code() == 503 => Self::Later(text),
            _ => Self::Refused(text),
        }
    }
}

/// The number in `wrong last sequence: 57`.
fn last(text: &str) -> Option<u64> {
    let from = text.find("wrong last sequence: ")? + "wrong last sequence: ".len();
    let digits: String = text[from..]
        .chars()
        .take_while(char::is_ascii_digit)
        .collect();
    digits.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(status: u64, code: u64, text: &str) -> Vec<u8> {
        format!(r#"{{"error":{{"code":{status},"err_code":{code},"description":"{text}"}}}}"#)
            .into_bytes()
    }

    #[test]
    fn an_answer_is_read_by_its_number() {
        let stored = br#"{"stream":"TM_LOG_0","seq":7,"duplicate":true}"#;
        assert_eq!(Answer::read(stored), Answer::Stored { sequence: 7 });
        let conflict = error(400, 10_071, "wrong last sequence: 57");
        assert_eq!(Answer::read(&conflict), Answer::Conflict { last: Some(57) });
        // The words of the first, the number of the second: no verdict.
        let in_flight = error(400, 10_164, "wrong last sequence");
        assert_eq!(Answer::read(&in_flight), Answer::InFlight);
        let full = error(503, 10_077, "maximum messages per subject exceeded");
        assert_eq!(Answer::read(&full), Answer::Full);
        assert_eq!(Answer::read(&error(400, 10_054, "x")), Answer::TooLarge);
        assert!(matches!(
            Answer::read(&error(503, 10_047, "x")),
            Answer::NoRoom(_)
        ));
        assert!(matches!(
            Answer::read(&error(503, 10_008, "x")),
            Answer::Later(_)
        ));
        assert!(matches!(
            Answer::read(&error(400, 10_003, "x")),
            Answer::Refused(_)
        ));
        assert!(matches!(Answer::read(b"?"), Answer::Later(_)));
    }
}
