//! Patterns of words in rules about commands.

/// A pattern of words: those that must come, and whether more may follow.
pub(super) fn words_of(pattern: &str) -> (Vec<&str>, bool) {
    let prefix = pattern
        .strip_suffix(":*")
        .or_else(|| pattern.strip_suffix(" *"))
        .or((pattern == "*").then_some(""));
    (
        prefix.unwrap_or(pattern).split_whitespace().collect(),
        prefix.is_some(),
    )
}
