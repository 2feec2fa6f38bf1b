//! In whose name a record of the journal is written.

use crate::name::WorkerName;

/// In whose name a record counts. What only the user may grant counts in a record of the user's own process.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum RecordWriter {
    /// A process of the user's, or a person of the circle. Where one user has all the keys, everybody.
    #[default]
    User,
    /// A worker of the circle.
    Worker(WorkerName),
}
