//! A time that something took, in words.

/// Shorter times are not worth a word.
pub(crate) const WORTH_SAYING_MS: u64 = 100;

/// From here on there are minutes.
const MINUTES_FROM_MS: u64 = 100_000;

/// `0.1 s`, `14.8 s`; from a hundred seconds on `2:05`, `1:02:05`.
pub fn duration_text(ms: u64) -> String {
    if ms < MINUTES_FROM_MS {
        return format!("{}.{} s", ms / 1_000, ms / 100 % 10);
    }
    clock_text(ms)
}

/// A time that passes, as a clock shows it: `0:42`, `4:10`, `1:02:33`.
pub fn clock_text(ms: u64) -> String {
    let seconds = ms / 1_000;
    match seconds / 3_600 {
        0 => format!("{}:{:02}", seconds / 60, seconds % 60),
        hours => format!("{hours}:{:02}:{:02}", seconds / 60 % 60, seconds % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_times_have_tenths_and_long_ones_minutes() {
        let told = [0, 99, 14_849, 99_999, 100_000, 3_725_000].map(duration_text);
        assert_eq!(
            told,
            ["0.0 s", "0.0 s", "14.8 s", "99.9 s", "1:40", "1:02:05"]
        );
    }
}
