//! The look of a word that only the shell will expand: quotes taken off, braces spread, wildcards matched against a name.

use std::{borrow::Cow, iter::Peekable, str::Chars};

use globset::GlobBuilder;

use crate::permission::Word;

/// More alternatives of a brace are not looked at.
const ALTERNATIVES_MAX: usize = 64;

/// A longer word names no program: it is neither spread nor taken for a glob.
const WORD_BYTES_MAX: usize = 1_024;

/// A word of text without quotes.
pub(super) fn word(text: &str) -> Word {
    if text.contains(['*', '?', '[', '{', '$']) {
        Word::Unknown(text.to_owned())
    } else {
        Word::Known(text.to_owned())
    }
}

/// The words with braces spread: `{touch,x}` is two. None becomes known by it.
pub(super) fn spread(words: &[Word]) -> Cow<'_, [Word]> {
    let has_brace = |text: &str| text.len() <= WORD_BYTES_MAX && text.contains('{');
    let spreads = |word: &Word| matches!(word, Word::Unknown(text) if has_brace(text));
    if !words.iter().any(spreads) {
        return Cow::Borrowed(words);
    }
    let spread = words.iter().flat_map(|word| match word {
        Word::Unknown(text) if has_brace(text) => {
            let mut alternatives = Vec::new();
            braces(String::new(), &without_quotes(text), &mut alternatives);
            alternatives.into_iter().map(Word::Unknown).collect()
        }
        word => vec![word.clone()],
    });
    Cow::Owned(spread.collect())
}

/// Whether what is written may become the name of this program. A variable may be anything and so is not looked at, but for
/// what stands before it.
pub(super) fn may_be(written: &str, program: &str) -> bool {
    let text = without_quotes(written);
    let name = |text: &str| text.rsplit('/').next().unwrap_or(text).to_ascii_lowercase();
    let program = program.to_ascii_lowercase();
    if let Some((before, _)) = text.split_once('$') {
        return !before.is_empty() && name(before) == program;
    }
    let name = name(&text);
    let wildcards = ['*', '?', '['];
    let may_begin = name.starts_with(wildcards) || name.chars().next() == program.chars().next();
    if name == program || !may_begin || !name.contains(wildcards) {
        return name == program;
    }
    // What is no glob to globset is none to a shell and stands for itself.
    let glob = || GlobBuilder::new(&name).backslash_escape(false).build();
    name.len() <= WORD_BYTES_MAX
        && name.contains(|c: char| c.is_alphanumeric())
        && glob().is_ok_and(|glob| glob.compile_matcher().is_match(&program))
}

/// As if there were no quotes; a character that is given by its code is that character.
pub(super) fn without_quotes(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    let mut in_codes = false;
    while let Some(c) = chars.next() {
        match c {
            '$' if chars.next_if_eq(&'\'').is_some() => in_codes = true,
            '$' if chars.peek() == Some(&'"') => {}
            '\\' if in_codes => plain.extend(coded(&mut chars)),
            '\'' => in_codes = false,
            '"' | '\\' => {}
            c => plain.push(c),
        }
    }
    plain
}

/// The character that a backslash makes of the next ones, as in `$'\x74'`.
fn coded(chars: &mut Peekable<Chars<'_>>) -> Option<char> {
    let (radix, digits) = match chars.peek()? {
        'x' => (16, 2),
        'u' => (16, 4),
        'U' => (16, 8),
        '0'..='7' => (8, 3),
        _ => return chars.next(),
    };
    if radix == 16 {
        chars.next();
    }
    let mut code = 0;
    for _ in 0..digits {
        let Some(digit) = chars.peek().and_then(|c| c.to_digit(radix)) else {
            break;
        };
        code = code * radix + digit;
        chars.next();
    }
    char::from_u32(code)
}

/// Spreads the first brace in `rest`, and those in the result.
fn braces(before: String, rest: &str, out: &mut Vec<String>) {
    if out.len() >= ALTERNATIVES_MAX {
        return;
    }
    let Some((at, inner, after)) = first_brace(rest) else {
        out.push(before + rest);
        return;
    };
    let before = before + &rest[..at];
    for alternative in alternatives(inner) {
        // `{a..z}`: one of many.
        let alternative = if inner.contains(',') {
            alternative
        } else {
            "*"
        };
        braces(before.clone(), &format!("{alternative}{after}"), out);
    }
}

/// Where the first brace that spreads begins, what is in it, and what comes after.
fn first_brace(text: &str) -> Option<(usize, &str, &str)> {
    text.match_indices('{').find_map(|(at, _)| {
        let mut depth = 0_usize;
        let end = text[at..].find(|c| {
            match c {
                '{' => depth += 1,
                '}' => depth -= 1,
                _ => {}
            }
            depth == 0
        })?;
        let inner = &text[at + 1..at + end];
        let spreads = inner.contains(',') || inner.contains("..");
        spreads.then(|| (at, inner, &text[at + end + 1..]))
    })
}

/// Parts at the commas that are in no inner brace.
fn alternatives(inner: &str) -> Vec<&str> {
    let mut depth = 0_usize;
    let split = |c: char| {
        match c {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == ',' && depth == 0
    };
    inner.split(split).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_seen_through_quotes_braces_and_wildcards() {
        for written in [
            "$'touch'",
            "$'\\x74ouch'",
            "$'\\164\\u006fuch'",
            "t$'ou'ch",
            "$'to'\\uch",
            "/usr/bin/t?uch",
            "/usr/b*/touc[h]",
            "~/bin/touch",
            "tou*",
            "touch$IFS",
            "\"touch\"$x",
        ] {
            assert!(may_be(written, "touch"), "{written}");
        }
        for written in ["$x", "*", "./*", "touc$x", "*.sh", "$touch", "[", "t{"] {
            assert!(!may_be(written, "touch"), "{written}");
        }
    }

    #[test]
    fn braces_are_spread_into_words() {
        let spread = |text: &str| {
            let words = [Word::Unknown(text.to_owned())];
            let spread: Vec<String> = spread(&words)
                .iter()
                .map(|word| match word {
                    Word::Known(text) | Word::Unknown(text) => text.clone(),
                })
                .collect();
            spread.join(" ")
        };
        assert_eq!(spread("{touch,x}"), "touch x");
        assert_eq!(spread("{/bin/{a,b},c}/d"), "/bin/a/d /bin/b/d c/d");
        assert_eq!(spread("touc{g..i}"), "touc*");
        assert_eq!(spread("{}"), "{}");
        assert_eq!(spread("{a{b,c}"), "{ab {ac");
        assert_eq!(spread("${x,y}"), "$x $y");
        assert!(spread(&"{a,b}".repeat(200)).len() < 100_000);
        let long = "{a,b}".repeat(10_000);
        assert_eq!(spread(&long), long);
        assert!(!may_be(&"*a".repeat(10_000), "touch"));
    }
}
