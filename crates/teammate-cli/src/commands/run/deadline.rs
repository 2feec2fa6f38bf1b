//! `--timeout`: how long a job may take.

use std::{str::FromStr, time::Duration};

/// How long a job may take; for ever, if it is zero.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Deadline(Duration);

impl FromStr for Deadline {
    type Err = String;

    /// Reads seconds, or a number with `s`, `m` or `h`.
    fn from_str(text: &str) -> Result<Self, String> {
        let digits_end = text.find(['s', 'm', 'h']).unwrap_or(text.len());
        let (digits, unit) = text.split_at(digits_end);
        let unit = match unit {
            "" | "s" => 1.0,
            "m" => 60.0,
            "h" => 3600.0,
            _ => return Err(wrong()),
        };
        let number: f64 = digits.parse().map_err(|_| wrong())?;
        let time = Duration::try_from_secs_f64(number * unit).map_err(|_| wrong())?;
        Ok(Self(time))
    }
}

fn wrong() -> String {
    "write seconds, or a number with s, m or h: 90, 10m, 2h".to_owned()
}

impl Deadline {
    /// Resolves with the time when it is over.
    pub(super) fn passes(self) -> impl Future<Output = Duration> {
        let ends = (!self.0.is_zero()).then(|| tokio::time::sleep(self.0));
        async move {
            match ends {
                Some(ends) => ends.await,
                None => std::future::pending().await,
            }
            self.0
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_seconds_unless_it_says_otherwise() {
        for (text, seconds) in [
            ("90", 90.0),
            ("90s", 90.0),
            ("10m", 600.0),
            ("2h", 7200.0),
            ("0.5", 0.5),
            ("0", 0.0),
        ] {
            let time = Duration::from_secs_f64(seconds);
            assert_eq!(text.parse(), Ok(Deadline(time)), "{text}");
        }
        for wrong in ["", "m", "-1", "1d", "10 m", "10ms", "nan", "1e400", "soon"] {
            assert!(wrong.parse::<Deadline>().is_err(), "{wrong}");
        }
    }
}
