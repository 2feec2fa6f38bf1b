//! Words that a client sends in the user's name.

use teammate::CONTENT_BYTES_MAX;

use crate::{ServedTeam, mcp::tool::Refused};

/// The words without secrets that the program holds.
///
/// Errors: there are none, or more than a message may have.
pub(super) fn sendable(team: &ServedTeam, words: &str, what: &str) -> Result<String, Refused> {
    if words.trim().is_empty() {
        return Err(Refused(format!("the {what} is empty: nothing was sent")));
    }
    let words = team.program.redacted(words.trim_end()).map_err(Refused)?;
    if words.len() > CONTENT_BYTES_MAX {
        let max = CONTENT_BYTES_MAX / 1024;
        return Err(Refused(format!(
            "the {what} has more than {max} KiB: write it to a file in the workspace and name the file"
        )));
    }
    Ok(words)
}
