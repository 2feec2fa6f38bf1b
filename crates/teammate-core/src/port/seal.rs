//! Seals: what proves that this user's own program wrote something.

use crate::team::RecordWriter;

/// Signs bytes and recognises its own signatures. The key belongs to one user and one team directory.
pub trait Seal: Send + Sync {
    /// The seal of these bytes as part of `log`: `journal`, `transcript/alice`, `inbox/bob`. Lower case hex, the same for the
    /// same input.
    fn sign(&self, log: &str, bytes: &[u8]) -> String;

    /// Whether [`sign`](Self::sign) made this seal for this log and these bytes. Takes the same time wherever a wrong
    /// seal differs.
    fn verifies(&self, log: &str, bytes: &[u8], seal: &str) -> bool;

    /// In whose name a seal speaks that [`verifies`](Self::verifies): the user's, where only the user has the key. `None` if it is
    /// no seal.
    fn writer(&self, _seal: &str) -> Option<RecordWriter> {
        Some(RecordWriter::User)
    }

    /// In whose name [`sign`](Self::sign) speaks.
    fn own_writer(&self) -> RecordWriter {
        RecordWriter::User
    }
}
