//! Checks ourselves that a log is one history: each line is sealed and links to the line before it.
//!
//! A server that restored an old backup, lost a record or took a stranger's shows here. Unlike a
//! damaged file, of which the rest counts, such a log stops: nothing is appended behind what does not
//! fit, so that both sides are kept.

use teammate_wire::chain::{LineDigest, Log};

use crate::read::StreamReadError;

/// How far a log is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Tip {
    /// How many lines it has.
    pub(crate) lines: u64,
    /// The last one's sequence in the stream; 0 if there is none.
    pub(crate) sequence: u64,
    /// The last one's digest.
    digest: LineDigest,
}

impl Tip {
    /// Before the first line.
    pub(crate) const START: Self = Self {
        lines: 0,
        sequence: 0,
        digest: LineDigest::NONE,
    };

    /// The tip at a place that [`place`](Self::place) has named; how many lines are before it is not known.
    pub(crate) fn at((sequence, digest): &(u64, String)) -> Option<Self> {
        Some(Self {
            lines: 0,
            sequence: *sequence,
            digest: LineDigest::try_from(digest.clone()).ok()?,
        })
    }

    /// Where it is, for a reader that goes on from there.
    pub(crate) fn place(&self) -> (u64, String) {
        (self.sequence, self.digest.to_string())
    }

    /// The object as the next line.
    pub(crate) fn line(&self, log: &Log, object: &str) -> String {
        log.line(object, self.digest)
    }

    /// The tip behind this line.
    pub(crate) fn behind(&self, line: &[u8], sequence: u64) -> Self {
        Self {
            lines: self.lines + 1,
            sequence,
            digest: LineDigest::of(line),
        }
    }

    /// The tip behind this line, which must be sealed and link to the last one.
    pub(crate) fn follow(
        &self,
        log: &Log,
        line: &[u8],
        sequence: u64,
    ) -> Result<Self, StreamReadError> {
        let broken = |what: &str| {
            StreamReadError::Broken(format!(
                "record {} of {} (message {sequence}) {what}; nothing is written behind it, and \
                 both sides are kept: look whether an old backup was restored, or who else writes",
                self.lines,
                log.name(),
            ))
        };
        let linked = log
            .opened(line)
            .ok_or_else(|| broken("has no seal of this team's"))?;
        if linked.prev != self.digest {
            return Err(broken("does not follow the one before it"));
        }
        Ok(Self {
            lines: self.lines + 1,
            sequence,
            digest: linked.digest,
        })
    }

    /// That the log, read again up to where this tip was, is the one that it was.
    pub(crate) fn still_holds(&self, log: &Log, again: &Self) -> Result<(), StreamReadError> {
        if self == again {
            return Ok(());
        }
        Err(self.changed(log))
    }

    /// That the log, which ends at message `last`, still has the line of this tip.
    pub(crate) fn lies_within(&self, log: &Log, last: u64) -> Result<(), StreamReadError> {
        if last >= self.sequence {
            return Ok(());
        }
        Err(self.changed(log))
    }

    fn changed(&self, log: &Log) -> StreamReadError {
        StreamReadError::Broken(format!(
            "record {} of {} (message {}) is missing or is another one than before; nothing is \
             written behind it, and both sides are kept: look whether an old backup was restored",
            self.lines.saturating_sub(1),
            log.name(),
            self.sequence,
        ))
    }
}
