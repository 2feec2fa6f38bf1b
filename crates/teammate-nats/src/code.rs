//! Answers of a server to an append, by the number of its error. Words and kinds change between versions; numbers do not.

use async_nats::jetstream::{Error, publish::PublishAck, response::Response};

/// The meaning of an answer.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum ServerAnswer {
    /// It is stored, now or by an earlier sending of the same id.
    Stored { sequence: u64 },
    /// Another message is the subject's last.
    Conflict {
        /// Its sequence; `None` if the server does not say so.
        last: Option<u64>,
    },
    /// Another append, or an earlier sending of this one, is on its way: no verdict. The same message again, soon.
    InFlight,
    /// Not now: no leader, too much at once. No verdict. The same message again, later.
    Later(String),
    /// Not now and not later, unless a person changes something.
    Refused(ServerRefusal),
}

/// Why a server does not store a message, however often it is sent, and what a person can do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum ServerRefusal {
    #[error(
        "its stream is full ({0}); purge what ended teams have left, or raise the stream's limits"
    )]
    Full(String),
    /// The message is larger than the server or the stream takes.
    #[error(
        "it has {bytes} bytes, which is more than the servers take; set their max_payload to 1MB, and \
         make the streams' max_msg_size as large"
    )]
    TooLarge {
        /// The bytes of the message, headers not counted.
        bytes: usize,
    },
    /// The server or the account has no room left, or the disk fails.
    #[error("the servers cannot store more ({0}); give JetStream more room or another disk")]
    NoRoom(String),
    /// Anything else.
    #[error("the servers refuse it ({0}); look whether they meet the conditions")]
    Other(String),
}

const WRONG_LAST_SEQUENCE: u64 = 10_071;
const LAST_SEQUENCE_IN_FLIGHT: u64 = 10_164;
const DUPLICATE_IN_FLIGHT: u64 = 10_158;
const STORE_FAILED: u64 = 10_077;
const MESSAGE_TOO_LARGE: u64 = 10_054;
/// Resources of the account, of the server, memory, storage, limits of the stream.
const NO_ROOM: [u64; 5] = [10_002, 10_023, 10_028, 10_047, 10_053];
/// Not available, not leader, sequences not in step, peers offline, streams offline, too many requests, message not stored.
const LATER: [u64; 6] = [10_008, 10_009, 10_063, 10_118, 10_167, 10_195];

impl ServerAnswer {
    /// Reads what a server sent about a message of so many bytes.
    pub(crate) fn read(payload: &[u8], bytes: usize) -> Self {
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
            STORE_FAILED => store_failed(text),
            MESSAGE_TOO_LARGE => Self::Refused(ServerRefusal::TooLarge { bytes }),
            code if NO_ROOM.contains(&code) => Self::Refused(ServerRefusal::NoRoom(text)),
            _ if is_passing(&error) => Self::Later(text),
            _ => Self::Refused(ServerRefusal::Other(text)),
        }
    }
}

/// Whether a server that has a leader, or less to do, gives another answer.
pub(crate) fn is_passing(error: &Error) -> bool {
    LATER.contains(&error.error_code().0) || error.code() == 503
}

/// One number for whatever the store said: here only its words tell.
fn store_failed(text: String) -> ServerAnswer {
    match &text {
        text if text.contains("maximum") => {
            ServerAnswer::Refused(ServerRefusal::Full(text.clone()))
        }
        // The server is ending.
        text if text.contains("closed") => ServerAnswer::Later(text.clone()),
        _ => ServerAnswer::Refused(ServerRefusal::NoRoom(text)),
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

    fn read(payload: &[u8]) -> ServerAnswer {
        ServerAnswer::read(payload, 9)
    }

    #[test]
    fn an_answer_is_read_by_its_number() {
        let stored = br#"{"stream":"TM_LOG_0","seq":7,"duplicate":true}"#;
        assert_eq!(read(stored), ServerAnswer::Stored { sequence: 7 });
        let conflict = error(400, 10_071, "wrong last sequence: 57");
        assert_eq!(read(&conflict), ServerAnswer::Conflict { last: Some(57) });
        // The words of the first, the number of the second: no verdict.
        let in_flight = error(400, 10_164, "wrong last sequence");
        assert_eq!(read(&in_flight), ServerAnswer::InFlight);
        assert_eq!(read(&error(409, 10_158, "x")), ServerAnswer::InFlight);
        assert!(matches!(read(b"?"), ServerAnswer::Later(_)));
    }

    #[test]
    fn a_refusal_is_not_taken_for_a_server_that_is_busy() {
        let refusal = |status, code, text| match read(&error(status, code, text)) {
            ServerAnswer::Refused(refusal) => Some(refusal),
            ServerAnswer::Stored { .. }
            | ServerAnswer::Conflict { .. }
            | ServerAnswer::InFlight
            | ServerAnswer::Later(_) => None,
        };
        assert_eq!(
            refusal(400, 10_054, "x"),
            Some(ServerRefusal::TooLarge { bytes: 9 })
        );
        // All of them have the status of a server that is busy.
        for code in [10_002, 10_023, 10_028, 10_047, 10_053] {
            assert!(
                matches!(refusal(503, code, "x"), Some(ServerRefusal::NoRoom(_))),
                "{code}"
            );
        }
        let full = refusal(503, 10_077, "maximum bytes exceeded");
        assert!(matches!(full, Some(ServerRefusal::Full(_))), "{full:?}");
        let disk = refusal(503, 10_077, "write 1.blk: no space left on device");
        assert!(matches!(disk, Some(ServerRefusal::NoRoom(_))), "{disk:?}");
        assert!(matches!(
            refusal(400, 10_003, "x"),
            Some(ServerRefusal::Other(_))
        ));
        for code in [10_008, 10_009, 10_063, 10_118, 10_167, 10_195, 10_076] {
            assert_eq!(refusal(503, code, "x"), None, "{code}");
        }
        assert_eq!(refusal(503, 10_077, "store is closed"), None);
    }
}
