//! What the full screen may write to a terminal, byte for byte: text, and the sequences that it needs itself.

/// Modes that the screen sets and resets: cursor, focus, alternate screen, bracketed paste, synchronized updates.
const MODES: &[&str] = &["25", "1004", "1049", "2004", "2026"];

/// The first thing among these bytes that is neither text nor one of our own sequences, with what surrounds it.
pub(super) fn foreign(bytes: &[u8]) -> Option<String> {
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => return Some(error.to_string()),
    };
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        match own(rest, c) {
            Some(length) => rest = &rest[length..],
            None => {
                let at = text.len() - rest.len();
                let begin = text.floor_char_boundary(at.saturating_sub(40));
                let end = text.ceil_char_boundary((at + 40).min(text.len()));
                return Some(format!("{:?} in {:?}", c, &text[begin..end]));
            }
        }
    }
    None
}

/// The length of what begins here, if it is ours.
fn own(rest: &str, c: char) -> Option<usize> {
    if c != '\u{1b}' {
        return is_text(c).then(|| c.len_utf8());
    }
    if let Some(sequence) = rest.strip_prefix("\u{1b}[") {
        return control(sequence).map(|length| length + 2);
    }
    // The title, whose end is BEL. It holds no control character.
    let title = ["\u{1b}]0;", "\u{1b}]2;"].iter();
    let title = title.filter_map(|begin| rest.strip_prefix(begin));
    let length = title.filter_map(|title| title.find('\u{7}')).next()?;
    let is_clean = rest[4..4 + length].chars().all(is_text);
    is_clean.then_some(4 + length + 1)
}

/// The length of a control sequence after its `ESC [`, if it is one of those that we need.
fn control(sequence: &str) -> Option<usize> {
    let end = sequence.find(|c: char| !matches!(c, '0'..='9' | ';' | ':' | '?' | '<' | '>'))?;
    let (parameters, kind) = (&sequence[..end], sequence[end..].chars().next()?);
    let is_number = parameters
        .bytes()
        .all(|byte| byte.is_ascii_digit() || byte == b';');
    let is_own = match kind {
        // Colours and styles.
        'm' => parameters
            .bytes()
            .all(|byte| matches!(byte, b'0'..=b'9' | b';' | b':')),
        // Places of the cursor, and what is cleared.
        'H' | 'A' | 'B' | 'C' | 'D' | 'G' | 'd' | 'J' | 'K' => is_number,
        'h' | 'l' => parameters
            .strip_prefix('?')
            .is_some_and(|mode| MODES.contains(&mode)),
        // The keyboard protocol is pushed and popped.
        'u' => matches!(parameters.as_bytes().first(), Some(b'>' | b'<')),
        _ => false,
    };
    is_own.then(|| end + kind.len_utf8())
}

/// Whether a terminal only shows it.
fn is_text(c: char) -> bool {
    match c {
        // After the screen is left, lines are printed.
        '\r' | '\n' => true,
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}' | '\u{61c}' => {
            false
        }
        c => !c.is_control(),
    }
}

#[test]
fn foreign_sequences_are_found() {
    for ours in [
        "text 中文\r\n",
        "\u{1b}[?1049h\u{1b}[?2004h\u{1b}[>1u\u{1b}[2J\u{1b}[38;5;2mx\u{1b}[0m\u{1b}[1;2H\u{1b}]0;team\u{7}\u{1b}[<1u",
    ] {
        assert_eq!(foreign(ours.as_bytes()), None);
    }
    for foreign_one in [
        "a\u{1b}]52;c;b3duZWQ=\u{7}",
        "a\u{1b}]0;x\u{1b}[2J\u{7}",
        "a\u{1b}[6n",
        "a\u{1b}[?1000h",
        "a\u{1b}c",
        "a\u{9b}2J",
        "a\u{202e}b",
        "a\u{8}",
        "a\u{1b}",
    ] {
        assert!(foreign(foreign_one.as_bytes()).is_some(), "{foreign_one:?}");
    }
    assert!(foreign(b"a\xff").is_some());
}
