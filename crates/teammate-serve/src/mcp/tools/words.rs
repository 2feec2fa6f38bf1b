//! Words that a client sends in the user's name.

use teammate::CONTENT_BYTES_MAX;

use crate::mcp::tool::Refused;

/// The words, without blanks at their end.
///
/// Errors: there are none, or more than a message may have.
pub(super) fn sendable(words: &str, what: &str) -> Result<String, Refused> {
    if words.trim().is_empty() {
        return Err(Refused(format!("the {what} is empty: nothing was sent")));
    }
    let words = words.trim_end();
    if words.len() > CONTENT_BYTES_MAX {
        let max = CONTENT_BYTES_MAX / 1024;
        return Err(Refused(format!(
            "the {what} has more than {max} KiB: write it to a file in the workspace and name the file"
        )));
    }
    Ok(words.to_owned())
}
