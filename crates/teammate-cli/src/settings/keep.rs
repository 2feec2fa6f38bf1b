//! The table `[keep]` of the configuration: for how long what is kept.

use std::time::Duration;

use serde::{Deserialize, Deserializer, de::Error as _};
use teammate::purge::KeepFor;

/// How long files are kept; a kind that is not set is kept until somebody removes it.
#[derive(Deserialize, Debug, Clone, Default)]
#[serde(deny_unknown_fields, default)]
pub(super) struct KeepTable {
    transcripts: Option<Age>,
    outputs: Option<Age>,
    archives: Option<Age>,
    events: Option<Age>,
}

impl KeepTable {
    pub(super) fn keep_for(&self) -> KeepFor {
        let time = |age: Option<Age>| age.map(|Age(time)| time);
        KeepFor {
            transcripts: time(self.transcripts),
            outputs: time(self.outputs),
            archives: time(self.archives),
            events: time(self.events),
        }
    }
}

/// A time that has passed: `30d`, `12h`, `45m`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Age(pub(crate) Duration);

impl Age {
    /// An error says how to write it.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let parsed = || {
            let (number, seconds) = match text.split_at_checked(text.len().checked_sub(1)?)? {
                (number, "d") => (number, 86_400),
                (number, "h") => (number, 3_600),
                (number, "m") => (number, 60),
                _ => return None,
            };
            let seconds = number.parse::<u64>().ok()?.checked_mul(seconds)?;
            (seconds > 0).then(|| Self(Duration::from_secs(seconds)))
        };
        parsed().ok_or_else(|| format!("'{text}' is no time: write 30d, 12h or 45m"))
    }
}

impl<'de> Deserialize<'de> for Age {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text).map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ages_are_days_hours_and_minutes() {
        for (text, seconds) in [("30d", 2_592_000), ("12h", 43_200), ("45m", 2_700)] {
            assert_eq!(
                Age::parse(text),
                Ok(Age(Duration::from_secs(seconds))),
                "{text}"
            );
        }
        for text in [
            "",
            "d",
            "0d",
            "30",
            "30 d",
            "-1d",
            "1.5h",
            "99999999999999999999d",
            "3w",
        ] {
            assert!(Age::parse(text).is_err(), "{text}");
        }
    }
}
