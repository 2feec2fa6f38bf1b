//! Why a change is refused, in words that a model can act on.

use std::{fmt, time::Duration};

use super::version::Difference;

/// A file that its writer does not know as it is.
#[derive(Debug)]
pub(in crate::workspace) struct Unseen {
    pub(super) why: UnseenWhy,
    /// How many lines the file has, if that is known.
    pub(super) lines: Option<usize>,
    pub(super) bytes: u64,
    pub(super) changed: Changed,
}

/// The part of a file that the writer does not know.
#[derive(Debug)]
pub(super) enum UnseenWhy {
    NeverRead,
    /// So many of its lines were read.
    ReadInPart(u64),
    /// It was read, and is another one by now.
    Changed(Option<Difference>),
}

/// By whom a file was changed last, and how long ago.
#[derive(Debug)]
pub(super) struct Changed {
    pub(super) by: String,
    pub(super) ago: Option<Duration>,
}

impl Changed {
    /// That a file changed since it was seen.
    pub(super) fn since(difference: Option<Difference>, changed: &Self) -> String {
        let size = difference.map_or_else(String::new, |size| format!(" ({size})"));
        format!("it has changed since you last saw it{size}, {changed}")
    }
}

impl fmt::Display for Changed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.ago {
            Some(ago) => write!(f, "{} {}", ago_in_words(ago), self.by),
            None => f.write_str(&self.by),
        }
    }
}

impl fmt::Display for Unseen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = match self.lines {
            Some(lines) => format!("{lines} lines, {} bytes", self.bytes),
            None => format!("{} bytes", self.bytes),
        };
        let changed = &self.changed;
        match &self.why {
            UnseenWhy::Changed(difference) => {
                let (what, difference) = (Changed::since(*difference, changed), *difference);
                let size = match difference {
                    Some(_) => String::new(),
                    None => format!(" It has {size} now."),
                };
                write!(f, "{what}.{size}")?;
            }
            UnseenWhy::NeverRead => write!(
                f,
                "it exists ({size}; last changed {changed}), and you have not read it since the team was opened."
            )?,
            UnseenWhy::ReadInPart(lines) => write!(
                f,
                "of its {size} you have read {lines} lines only (last changed {changed})."
            )?,
        }
        f.write_str(
            " Read it and keep what is new there, or make this very call again to replace it all the same.",
        )
    }
}

fn ago_in_words(ago: Duration) -> String {
    const UNITS: [(u64, &str); 3] = [(86_400, "days"), (3_600, "h"), (60, "min")];
    let seconds = ago.as_secs();
    let unit = UNITS.iter().find(|(length, _)| seconds >= 2 * length);
    match unit {
        Some((length, name)) => format!("{} {name} ago", seconds / length),
        None => format!("{seconds} s ago"),
    }
}
