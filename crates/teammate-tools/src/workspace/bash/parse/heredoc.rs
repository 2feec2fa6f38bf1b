//! Here-documents. Where one ends decides what is text and what is a command, so only the plainest are read.

use tree_sitter::Node;

use super::children;

/// The document's text, if it is certain that it ends where the tree says and that nothing in it is expanded.
pub(super) fn body<'a>(text: &'a str, node: Node<'_>) -> Result<&'a str, &'static str> {
    const UNSURE: &str = "it has a here-document that is not followed";
    let part = |kind: &str| children(node).find(|child| child.kind() == kind);
    let slice = |node: Node<'_>| &text[node.byte_range()];
    let (Some(start), Some(body), Some(end)) = (
        part("heredoc_start"),
        part("heredoc_body"),
        part("heredoc_end"),
    ) else {
        return Err(UNSURE);
    };
    let (start, body, end) = (slice(start), slice(body), slice(end));
    let quoted = start
        .strip_prefix('\'')
        .and_then(|rest| rest.strip_suffix('\''))
        .or_else(|| {
            start
                .strip_prefix('"')
                .and_then(|rest| rest.strip_suffix('"'))
        });
    let mark = quoted.unwrap_or(start);
    if mark.is_empty() || !mark.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
        return Err(UNSURE);
    }
    if body.lines().any(|line| line.trim() == mark) || end.trim() != mark {
        return Err(UNSURE);
    }
    if quoted.is_none() && body.contains(['$', '`', '\\']) {
        return Err("it has a here-document with variables or commands in it");
    }
    Ok(body)
}
