//! Text that is still being written, made such that it looks now as it will look: what is open is closed, and what can still
//! become something else is left out. Only the last paragraph is looked at closely.

use std::borrow::Cow;

/// The marks that stand in pairs around text, the longer ones first.
const MARKS: [&str; 6] = ["**", "__", "~~", "*", "_", "`"];

/// The text as if it were complete.
pub(super) fn finished(text: &str) -> Cow<'_, str> {
    let line = text.rfind('\n').map_or(0, |at| at + 1);
    let (above, last) = text.split_at(line);
    let kept = if is_open_ended(last) { above } else { text };
    if has_open_fence(kept) {
        return Cow::Borrowed(kept);
    }
    let open = open_marks(last_paragraph(kept));
    if open.is_empty() {
        return Cow::Borrowed(kept);
    }
    // A closing mark counts only directly behind text; one that has just been opened has none yet.
    let mut closed = kept.trim_end().to_owned();
    for mark in open.into_iter().rev() {
        match closed.strip_suffix(mark) {
            Some(before) => closed.truncate(before.len()),
            None => closed.push_str(mark),
        }
    }
    Cow::Owned(closed)
}

/// Whether a last line can still become a rule, a heading of the line before, a fence, an item or a table's second line.
fn is_open_ended(line: &str) -> bool {
    let is_mark = |c: char| " \t-=*_~`+#>|:".contains(c);
    !line.is_empty() && line.chars().all(is_mark)
}

/// Whether a fence has been opened and not closed.
fn has_open_fence(text: &str) -> bool {
    let mut open: Option<(char, usize)> = None;
    for line in text.lines() {
        let line = line.trim_start_matches([' ', '\t', '>']);
        let Some(mark @ ('`' | '~')) = line.chars().next() else {
            continue;
        };
        let rest = line.trim_start_matches(mark);
        let count = line.len() - rest.len();
        open = match open {
            None if count >= 3 && !(mark == '`' && rest.contains('`')) => Some((mark, count)),
            Some((opened, least)) if mark == opened && count >= least && rest.trim().is_empty() => {
                None
            }
            open => open,
        };
    }
    open.is_some()
}

fn last_paragraph(text: &str) -> &str {
    text.rsplit_once("\n\n").map_or(text, |(_, last)| last)
}

/// The marks that are open at the end of a paragraph, the outermost first. A code span hides what is in it.
fn open_marks(text: &str) -> Vec<&'static str> {
    let mut open: Vec<&'static str> = Vec::new();
    let mut rest = text;
    let mut before = ' ';
    while let Some(c) = rest.chars().next() {
        let mut marks = MARKS.into_iter();
        let mark = marks.find_map(|mark| Some((mark, rest.strip_prefix(mark)?)));
        let is_in_code = open.last() == Some(&"`");
        let length = match mark {
            Some((mark, after)) if !is_in_code || mark == "`" => {
                take_mark(&mut open, mark, before, after.chars().next());
                mark.len()
            }
            // What is escaped is no mark.
            Some(_) | None if c == '\\' && !is_in_code => {
                1 + rest.chars().nth(1).map_or(0, char::len_utf8)
            }
            Some(_) | None => c.len_utf8(),
        };
        let (passed, left) = rest.split_at(length);
        before = passed.chars().next_back().unwrap_or(' ');
        rest = left;
    }
    open
}

/// A mark closes its partner, or opens where text follows it and none that would make it a sign within a word.
fn take_mark(open: &mut Vec<&'static str>, mark: &'static str, before: char, after: Option<char>) {
    if let Some(at) = open.iter().rposition(|opened| *opened == mark)
        && (!before.is_whitespace() || mark == "`")
    {
        open.truncate(at);
        return;
    }
    let follows_word = before.is_alphanumeric() && mark.starts_with('_');
    let precedes_text = after.is_none_or(|c| !c.is_whitespace()) || mark == "`";
    if precedes_text && !follows_word && open.len() < super::DEPTH_MAX {
        open.push(mark);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_open_is_closed() {
        for (written, read) in [
            ("plain", "plain"),
            ("a **bo", "a **bo**"),
            ("a **bo *it", "a **bo *it***"),
            ("a **bold** and `co", "a **bold** and `co`"),
            ("a `x ** y", "a `x ** y`"),
            ("a **", "a "),
            ("2 * 3 and snake_case", "2 * 3 and snake_case"),
            ("one **\n\ntwo", "one **\n\ntwo"),
            ("\\*no", "\\*no"),
            ("~~ol", "~~ol~~"),
        ] {
            assert_eq!(finished(written), read, "{written:?}");
        }
    }

    #[test]
    fn what_can_become_something_else_is_left_out() {
        for (written, read) in [
            ("Title\n--", "Title\n"),
            ("Title\n- item", "Title\n- item"),
            ("Title\n- ", "Title\n"),
            ("| a | b |\n|--", "| a | b |\n"),
            ("```rust\nlet a = **b;\n``", "```rust\nlet a = **b;\n"),
            ("```\na\n```\nb **c", "```\na\n```\nb **c**"),
        ] {
            assert_eq!(finished(written), read, "{written:?}");
        }
    }
}
