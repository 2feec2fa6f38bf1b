//! Background jobs.

use teammate_core::team::{JobEnd, JobId};

use super::{marked, plain};
use crate::text::{TextLine, TextRole};

/// A job began.
pub(crate) fn started(job: JobId, title: &str) -> TextLine {
    plain(&format!("{job} in the background: {title}"))
}

/// A job ended.
pub(crate) fn ended(job: JobId, title: &str, end: &JobEnd) -> TextLine {
    let role = match end {
        JobEnd::Done => TextRole::Good,
        JobEnd::Failed | JobEnd::Lost => TextRole::Bad,
        JobEnd::Stopped { .. } => TextRole::Plain,
    };
    marked(&end.to_string(), role, &format!(" {job}: {title}"))
}
