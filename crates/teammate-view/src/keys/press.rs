//! A key as a terminal reports it and as people write it: `Ctrl-N`, `Alt-1`, `F2`, `PgUp`, `G`.

use std::{fmt, str::FromStr};

use teammate_core::name::{edit_distance, slips_max};

/// Which key, without what is held with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum KeyCode {
    /// A character, as it would be typed.
    Char(char),
    /// A function key, from 1.
    F(u8),
    Enter,
    Tab,
    Esc,
    Backspace,
    Delete,
    Up,
    Down,
    Left,
    Right,
    Home,
    End,
    PgUp,
    /// Page down.
    PgDn,
}

/// A key with what is held. Of presses that terminals cannot tell from each other there is only one: Ctrl-I is Tab, Ctrl-M is
/// Enter, Ctrl-[ is Esc, Ctrl-7 and Ctrl-/ are Ctrl-_, and Shift is part of a character.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct KeyPress {
    code: KeyCode,
    has_ctrl: bool,
    has_alt: bool,
    has_shift: bool,
}

/// A text that names no key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownKey(pub String);

/// The keys that have names, as they are written.
const NAMES: [(&str, KeyCode); 16] = [
    ("Enter", KeyCode::Enter),
    ("Tab", KeyCode::Tab),
    ("Esc", KeyCode::Esc),
    ("Space", KeyCode::Char(' ')),
    ("Backspace", KeyCode::Backspace),
    ("Delete", KeyCode::Delete),
    ("Up", KeyCode::Up),
    ("Down", KeyCode::Down),
    ("Left", KeyCode::Left),
    ("Right", KeyCode::Right),
    ("Home", KeyCode::Home),
    ("End", KeyCode::End),
    ("PgUp", KeyCode::PgUp),
    ("PgDn", KeyCode::PgDn),
    // Other ways to write them.
    ("PageUp", KeyCode::PgUp),
    ("PageDown", KeyCode::PgDn),
];

/// The last function key.
const F_MAX: u8 = 24;

impl KeyPress {
    /// A key with Ctrl, Alt and Shift, or without.
    pub fn new(code: KeyCode, has_ctrl: bool, has_alt: bool, has_shift: bool) -> Self {
        let (code, has_ctrl, has_shift) = match code {
            KeyCode::Char(c) if has_ctrl => match c.to_ascii_lowercase() {
                'i' => (KeyCode::Tab, false, false),
                'm' => (KeyCode::Enter, false, false),
                '[' => (KeyCode::Esc, false, false),
                '7' | '/' => (KeyCode::Char('_'), true, false),
                c => (KeyCode::Char(c), true, false),
            },
            KeyCode::Char(c) if has_shift && c.is_lowercase() => {
                (KeyCode::Char(one_uppercase(c)), false, false)
            }
            KeyCode::Char(c) => (KeyCode::Char(c), false, false),
            code => (code, has_ctrl, has_shift),
        };
        Self {
            code,
            has_ctrl,
            has_alt,
            has_shift,
        }
    }

    /// A key alone.
    pub fn plain(code: KeyCode) -> Self {
        Self::new(code, false, false, false)
    }

    /// The character that it types, if it types one.
    pub fn typed(self) -> Option<char> {
        match self.code {
            KeyCode::Char(c) if !self.has_ctrl && !self.has_alt => Some(c),
            _ => None,
        }
    }

    /// Which key it is.
    pub fn code(self) -> KeyCode {
        self.code
    }

    /// As it is written where there is little room: `^N`.
    pub fn brief(self) -> String {
        match self.code {
            KeyCode::Char(c) if self.has_ctrl && !self.has_alt => {
                format!("^{}", c.to_ascii_uppercase())
            }
            _ => self.to_string(),
        }
    }
}

/// The capital letter, where there is one character for it.
fn one_uppercase(c: char) -> char {
    let mut capital = c.to_uppercase();
    match (capital.next(), capital.next()) {
        (Some(capital), None) => capital,
        _ => c,
    }
}

impl fmt::Display for KeyPress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_held = self.has_ctrl || self.has_alt;
        let is_capital = matches!(self.code, KeyCode::Char(c) if c.is_uppercase());
        let has_shift = self.has_shift || is_held && is_capital;
        let held = [
            (self.has_ctrl, "Ctrl-"),
            (self.has_alt, "Alt-"),
            (has_shift, "Shift-"),
        ];
        for (_, name) in held.into_iter().filter(|(is_held, _)| *is_held) {
            f.write_str(name)?;
        }
        if let Some((name, _)) = NAMES.iter().find(|(_, code)| *code == self.code) {
            return f.write_str(name);
        }
        match self.code {
            KeyCode::F(n) => write!(f, "F{n}"),
            KeyCode::Char(c) if is_held => write!(f, "{}", one_uppercase(c)),
            KeyCode::Char(c) => write!(f, "{c}"),
            code => write!(f, "{code:?}"),
        }
    }
}

impl FromStr for KeyPress {
    type Err = UnknownKey;

    fn from_str(text: &str) -> Result<Self, UnknownKey> {
        let unknown = || UnknownKey(text.to_owned());
        let (mut has_ctrl, mut has_alt, mut has_shift) = (false, false, false);
        let mut name = text;
        loop {
            let held = [
                ("ctrl-", &mut has_ctrl),
                ("alt-", &mut has_alt),
                ("shift-", &mut has_shift),
            ];
            let found = held.into_iter().find_map(|(held, is_held)| {
                let (start, rest) = name.split_at_checked(held.len())?;
                (start.eq_ignore_ascii_case(held) && !*is_held).then_some((rest, is_held))
            });
            let Some((rest, is_held)) = found else {
                break;
            };
            *is_held = true;
            name = rest;
        }
        let code = code(name).ok_or_else(unknown)?;
        // Alt-B is what b with Alt is called.
        let code = match code {
            KeyCode::Char(c) if has_alt && !has_shift => KeyCode::Char(c.to_ascii_lowercase()),
            code => code,
        };
        Ok(Self::new(code, has_ctrl, has_alt, has_shift))
    }
}

fn code(name: &str) -> Option<KeyCode> {
    let mut chars = name.chars();
    if let (Some(c), None) = (chars.next(), chars.next()) {
        return (!c.is_control() && !c.is_whitespace()).then_some(KeyCode::Char(c));
    }
    if let Some(number) = name.strip_prefix(['F', 'f']) {
        let number = number.parse().ok();
        return number.filter(|n| (1..=F_MAX).contains(n)).map(KeyCode::F);
    }
    let mut named = NAMES.iter();
    named
        .find(|(known, _)| known.eq_ignore_ascii_case(name))
        .map(|(_, code)| *code)
}

/// The key that was probably meant: each part may have a slip.
pub(super) fn nearest_key(text: &str) -> Option<KeyPress> {
    let held = ["Ctrl", "Alt", "Shift"];
    let (begin, name) = text.rsplit_once('-').unwrap_or(("", text));
    let begin = begin.split('-').filter(|word| !word.is_empty());
    let mut words: Vec<&str> = begin
        // Two letters in the wrong order are two slips.
        .map(|word| nearest(word, held.into_iter(), 2))
        .collect::<Option<_>>()?;
    let names = NAMES.iter().map(|(name, _)| *name);
    words.push(match code(name) {
        Some(_) => name,
        None => nearest(name, names, slips_max(name.chars().count()))?,
    });
    words.join("-").parse().ok()
}

/// The word with the fewest slips, if there are at most so many.
fn nearest(
    written: &str,
    words: impl Iterator<Item = &'static str>,
    most: usize,
) -> Option<&'static str> {
    let slips = |word: &&str| edit_distance(written, word);
    let word = words.min_by_key(slips)?;
    (slips(&word) <= most).then_some(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_read_as_people_write_them_and_written_back() {
        for (written, printed, brief) in [
            ("Ctrl-N", "Ctrl-N", "^N"),
            ("ctrl-n", "Ctrl-N", "^N"),
            ("Ctrl-_", "Ctrl-_", "^_"),
            ("Alt-1", "Alt-1", "Alt-1"),
            ("Alt-B", "Alt-B", "Alt-B"),
            ("alt-shift-b", "Alt-Shift-B", "Alt-Shift-B"),
            ("F2", "F2", "F2"),
            ("PgUp", "PgUp", "PgUp"),
            ("pageup", "PgUp", "PgUp"),
            ("Shift-Enter", "Shift-Enter", "Shift-Enter"),
            ("G", "G", "G"),
            ("Shift-g", "G", "G"),
            ("-", "-", "-"),
            ("Ctrl--", "Ctrl--", "^-"),
            ("Space", "Space", "Space"),
            ("Ctrl-I", "Tab", "Tab"),
            ("Ctrl-M", "Enter", "Enter"),
            ("Ctrl-[", "Esc", "Esc"),
            ("Ctrl-/", "Ctrl-_", "^_"),
            ("Ctrl-Alt-Left", "Ctrl-Alt-Left", "Ctrl-Alt-Left"),
        ] {
            let key: KeyPress = written.parse().unwrap();
            assert_eq!(key.to_string(), printed, "{written}");
            assert_eq!(key.brief(), brief, "{written}");
            assert_eq!(printed.parse(), Ok(key), "{written}");
        }
        for nonsense in [
            "",
            "Ctl-N",
            "Ctrl-",
            "F0",
            "F99",
            "Ctrl-Ctrl-N",
            "Enterr",
            "中文",
            "\t",
        ] {
            let unknown = UnknownKey(nonsense.to_owned());
            assert_eq!(nonsense.parse::<KeyPress>(), Err(unknown));
        }
    }

    #[test]
    fn what_a_terminal_reports_is_the_same_key() {
        let reported = KeyPress::new(KeyCode::Char('G'), false, false, true);
        assert_eq!(Ok(reported), "G".parse());
        let reported = KeyPress::new(KeyCode::Char('N'), true, false, true);
        assert_eq!(Ok(reported), "Ctrl-N".parse());
        let reported = KeyPress::new(KeyCode::Char('B'), false, true, true);
        assert_eq!(Ok(reported), "Alt-Shift-B".parse());
        assert_eq!(KeyPress::plain(KeyCode::Char('x')).typed(), Some('x'));
        assert_eq!(reported.typed(), None);
    }
}
