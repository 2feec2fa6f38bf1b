//! Sealed lines, each linked to the line before it.
//!
//! ```json
//! {"n":7,…,"prev":"<32 hex digits>","seal":"<64 hex digits>"}
//! ```
//!
//! `prev` is the [`LineDigest`] of the line before, `seal` a keyed hash over the log's name and all of the line before `,"seal"`.
//! Both are the last keys and have one form, so a sealed line cannot be read in two ways.

use std::{fmt, sync::Arc};

use ring::digest::{SHA256, digest};
use serde::{Deserialize, Serialize};
use teammate_core::{
    MemberName,
    port::{RecordWriter, Seal},
};

use crate::hex;

const PREV: &str = ",\"prev\":\"";
const SEAL: &str = "\",\"seal\":\"";
const END: &str = "\"}";

/// How many bytes [`Log::line`] adds to an object at most.
pub const LINK_BYTES: usize = PREV.len() + 32 + SEAL.len() + 64 + END.len();

/// The first 16 bytes of the SHA-256 of a line without its line end. Text of 32 hex digits in files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct LineDigest([u8; 16]);

impl LineDigest {
    /// The digest that the first line of a log links to.
    pub const NONE: Self = Self([0; 16]);

    /// The digest of a line, given without its line end.
    pub fn of(line: &[u8]) -> Self {
        let mut first = [0; 16];
        first.copy_from_slice(&digest(&SHA256, line).as_ref()[..16]);
        Self(first)
    }

    /// Half of it. Two lines that share it by somebody's effort are both that somebody's.
    pub fn short(self) -> u64 {
        let [a, b, c, d, e, f, g, h, ..] = self.0;
        u64::from_le_bytes([a, b, c, d, e, f, g, h])
    }
}

impl fmt::Display for LineDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex::text(&self.0))
    }
}

impl From<LineDigest> for String {
    fn from(digest: LineDigest) -> Self {
        digest.to_string()
    }
}

impl TryFrom<String> for LineDigest {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        hex::bytes(&text)
            .and_then(|bytes| bytes.try_into().ok())
            .map(Self)
            .ok_or("a digest is 32 hex digits")
    }
}

/// A line's number in its log, counted from 0, and its digest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Head {
    /// The record's number; in a transcript, the number of lines before it, known lost ones included.
    pub number: u64,
    pub digest: LineDigest,
}

/// One log of a team, with the seal of its lines.
#[derive(Clone)]
pub struct Log {
    name: String,
    seal: Arc<dyn Seal>,
}

impl Log {
    /// The journal.
    pub fn journal(seal: Arc<dyn Seal>) -> Self {
        let name = "journal".to_owned();
        Self { name, seal }
    }

    /// A member's transcript.
    pub fn transcript(seal: Arc<dyn Seal>, member: &MemberName) -> Self {
        let name = Self::transcript_name(member);
        Self { name, seal }
    }

    /// The name of a member's transcript in remembered heads.
    pub fn transcript_name(member: &MemberName) -> String {
        format!("transcript/{member}")
    }

    /// A member's mailbox.
    pub fn inbox(seal: Arc<dyn Seal>, member: &MemberName) -> Self {
        let name = format!("inbox/{member}");
        Self { name, seal }
    }

    /// How far a member's mailbox is settled.
    pub fn settled(seal: Arc<dyn Seal>, member: &MemberName) -> Self {
        let name = format!("settled/{member}");
        Self { name, seal }
    }

    /// The list of a team's objects.
    pub fn objects(seal: Arc<dyn Seal>) -> Self {
        let name = "objects".to_owned();
        Self { name, seal }
    }

    /// The chain of an audit log.
    pub fn audit(seal: Arc<dyn Seal>) -> Self {
        let name = "audit".to_owned();
        Self { name, seal }
    }

    /// The log's name in seals and heads.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The JSON object as a sealed line that links to `prev`, without a line end.
    pub fn line(&self, object: &str, prev: LineDigest) -> String {
        let open = object.strip_suffix('}').unwrap_or(object);
        let covered = format!("{open}{PREV}{prev}\"");
        let seal = self.seal.sign(&self.name, covered.as_bytes());
        format!("{covered},\"seal\":\"{seal}{END}")
    }

    /// The link of a line, given without its line end; `None` if it is not sealed for this log.
    pub fn opened(&self, line: &[u8]) -> Option<Linked> {
        let text = std::str::from_utf8(line).ok()?;
        let (open, seal) = text.strip_suffix(END)?.rsplit_once(SEAL)?;
        // With the quotation mark that ends `prev`.
        let covered = &text[..=open.len()];
        if !self.seal.verifies(&self.name, covered.as_bytes(), seal) {
            return None;
        }
        let (_, prev) = open.rsplit_once(PREV)?;
        Some(Linked {
            prev: prev.to_owned().try_into().ok()?,
            digest: LineDigest::of(line),
        })
    }

    /// In whose name a line was written; nobody's, if it does not [open](Self::opened).
    pub fn writer(&self, line: &[u8]) -> Option<RecordWriter> {
        let text = std::str::from_utf8(line).ok()?;
        let (_, seal) = text.strip_suffix(END)?.rsplit_once(SEAL)?;
        self.seal.writer(seal)
    }

    /// As whom this process writes.
    pub fn own_writer(&self) -> RecordWriter {
        self.seal.own_writer()
    }
}

/// The link of a sealed line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Linked {
    /// The digest of the line before it.
    pub prev: LineDigest,
    pub digest: LineDigest,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seal::{HmacSeal, KEY_BYTES};

    #[test]
    fn a_line_opens_in_its_own_log_and_as_it_was_written() {
        let log = Log::journal(Arc::new(HmacSeal::new(&[7; KEY_BYTES])));
        let object = r#"{"a":{"prev":"x","seal":"y"}}"#;
        let prev = LineDigest::of(b"before");
        let line = log.line(object, prev);
        assert_eq!(line.len(), object.len() - 1 + LINK_BYTES);
        let opened = log.opened(line.as_bytes()).expect("it is sealed");
        let digest = LineDigest::of(line.as_bytes());
        assert_eq!(opened, Linked { prev, digest });
        serde_json::from_str::<serde_json::Value>(&line).expect("it is JSON");
        for other in [
            object.to_owned(),
            line.to_uppercase(),
            line.replace('x', "z"),
        ] {
            assert_eq!(log.opened(other.as_bytes()), None, "{other}");
        }
    }

    #[test]
    fn digests_are_text_in_files() {
        let digest = LineDigest::of(b"x");
        let text = serde_json::to_string(&digest).expect("a string");
        assert_eq!(text, "\"2d711642b726b04401627ca9fbac32f5\"");
        assert_eq!(serde_json::from_str::<LineDigest>(&text).ok(), Some(digest));
        assert!(serde_json::from_str::<LineDigest>("\"2d71\"").is_err());
    }
}
