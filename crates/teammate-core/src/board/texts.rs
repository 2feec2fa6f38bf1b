//! How long texts of tasks may be.

/// A longer result is cut: what is long belongs into a file.
const RESULT_BYTES_MAX: usize = 16 * 1024;

/// The text without what is too much of it.
pub(crate) fn truncated(text: &str) -> String {
    let text = text.trim();
    if text.len() <= RESULT_BYTES_MAX {
        return text.to_owned();
    }
    let end = text.floor_char_boundary(RESULT_BYTES_MAX);
    format!("{} ... (cut: keep what is long in a file)", &text[..end])
}
