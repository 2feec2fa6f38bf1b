//! The beginning of a text, for a line on a screen.

/// The first line of `text`, at most `max` characters, for a line on a screen.
pub(crate) fn one_line(text: &str, max: usize) -> String {
    let line = text.trim().lines().next().unwrap_or_default();
    let whole = line.len() == text.trim().len() && line.chars().count() <= max;
    let mut short: String = line.chars().take(max).collect();
    if !whole {
        short.push_str("...");
    }
    short
}
