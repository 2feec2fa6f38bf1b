//! A time as other programs' tools take it, in milliseconds; ours take seconds.

use serde::{Deserialize, Deserializer, de::Error as _};

/// Up to here a number might be meant in seconds, as our own arguments are.
const UNCLEAR_MAX: u64 = 3_600;

/// A number of milliseconds. One that may be meant in seconds is refused, as a limit must not be guessed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Milliseconds(u64);

impl Milliseconds {
    /// Whole seconds, none of it lost.
    pub(crate) fn seconds(self) -> u64 {
        self.0.div_ceil(1_000)
    }
}

impl<'de> Deserialize<'de> for Milliseconds {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match u64::deserialize(deserializer)? {
            given @ ..=UNCLEAR_MAX => Err(D::Error::custom(format!(
                "timeout {given} may be milliseconds or seconds; give timeout_seconds instead"
            ))),
            given => Ok(Self(given)),
        }
    }
}

/// The shorter of two limits, each of which may be absent.
pub(crate) fn shorter(seconds: Option<u64>, timeout: Option<Milliseconds>) -> Option<u64> {
    let timeout = timeout.map(Milliseconds::seconds);
    seconds.into_iter().chain(timeout).min()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_of_another_program_becomes_seconds_unless_it_may_be_some() {
        let read = serde_json::from_str::<Milliseconds>;
        for (text, seconds) in [("120000", 120), ("3601", 4), ("600001", 601)] {
            assert_eq!(read(text).unwrap().seconds(), seconds, "{text}");
        }
        for text in ["0", "30", "3600"] {
            let refused = read(text).unwrap_err().to_string();
            assert!(refused.contains("give timeout_seconds"), "{refused}");
        }
        let timeout = Some(read("5000").unwrap());
        assert_eq!(shorter(Some(3), timeout), Some(3));
        assert_eq!(shorter(Some(9), timeout), Some(5));
        assert_eq!(
            (shorter(None, timeout), shorter(None, None)),
            (Some(5), None)
        );
    }
}
