//! Servers' versions, compared by numbers.

use std::fmt;

/// The oldest server whose clusters write at the speed, and lose as little, as was measured.
pub const SERVER_MIN: Version = Version([2, 15, 1]);

/// A server's version.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version(pub [u32; 3]);

impl Version {
    /// Reads `2.15.1`, also with a suffix; what is no number counts as 0.
    pub(super) fn read(text: &str) -> Self {
        let mut parts = text
            .split(['.', '-', '+'])
            .map(|part| part.parse().unwrap_or(0));
        Self([(); 3].map(|()| parts.next().unwrap_or(0)))
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [major, minor, patch] = self.0;
        write!(f, "{major}.{minor}.{patch}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_and_compared_by_numbers() {
        for (text, is_old) in [
            ("2.15.1", false),
            ("2.15.10", false),
            ("2.16.0-dev", false),
            ("3.0.0", false),
            ("2.15.0", true),
            ("2.9.30", true),
            ("", true),
        ] {
            assert_eq!(Version::read(text) < SERVER_MIN, is_old, "{text}");
        }
    }
}
