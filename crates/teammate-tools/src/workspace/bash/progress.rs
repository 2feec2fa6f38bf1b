//! Progress bars: lines that a program writes over and over with `\\r`. Of states that say the same but for numbers and strokes, the
//! last is kept. What only uses `\\r` to part lines stays as it is.

/// The most bytes of one line that are held back to see what comes over it.
const LINE_BYTES_MAX: usize = 4096;
/// How many letters at the beginning two states of a bar have in common.
const LETTERS: usize = 4;

/// Takes out what was written over. Holds back the line that is being written.
#[derive(Debug, Default)]
pub(super) struct ProgressFold {
    /// A state that ended with `\\r`.
    before: Option<Vec<u8>>,
    /// The line that is being written.
    line: Vec<u8>,
    /// The line is too long to be held back.
    is_passed: bool,
}

impl ProgressFold {
    /// The bytes that can be shown by now.
    pub(super) fn take(&mut self, bytes: &[u8]) -> Vec<u8> {
        let mut shown = Vec::with_capacity(bytes.len());
        for byte in bytes {
            match byte {
                b'\n' => {
                    self.end_state(&mut shown);
                    shown.push(b'\n');
                    self.is_passed = false;
                }
                _ if self.is_passed => shown.push(*byte),
                b'\r' if self.line.is_empty() && self.before.is_some() => {}
                b'\r' => {
                    let state = std::mem::take(&mut self.line);
                    self.supersede(&state, &mut shown);
                    self.before = Some(state);
                }
                _ => {
                    self.line.push(*byte);
                    if self.line.len() > LINE_BYTES_MAX {
                        self.end_state(&mut shown);
                        self.is_passed = true;
                    }
                }
            }
        }
        shown
    }

    /// The bytes that were held back.
    pub(super) fn rest(&mut self) -> Vec<u8> {
        let mut shown = Vec::new();
        self.end_state(&mut shown);
        shown
    }

    /// The line ends here.
    fn end_state(&mut self, shown: &mut Vec<u8>) {
        let state = std::mem::take(&mut self.line);
        self.supersede(&state, shown);
        shown.extend(state);
    }

    /// Shows the state before this one, unless this one is written over it.
    fn supersede(&mut self, state: &[u8], shown: &mut Vec<u8>) {
        if let Some(before) = self.before.take()
            && (state.is_empty() || letters(&before) != letters(state))
        {
            shown.extend(before);
            shown.push(b'\r');
        }
    }
}

/// The first letters of a state, without numbers, strokes and what colours it.
fn letters(state: &[u8]) -> Vec<u8> {
    let mut found = Vec::new();
    let mut bytes = state.iter();
    while let Some(byte) = bytes.next() {
        match byte {
            0x1b => drop(bytes.find(|byte| byte.is_ascii_alphabetic())),
            byte if byte.is_ascii_alphabetic() => found.push(*byte),
            _ => {}
        }
        if found.len() == LETTERS {
            break;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_of_a_bar_are_folded_and_nothing_else() {
        for (printed, shown) in [
            ("a\nb\r\nc", "a\nb\r\nc"),
            ("Get 1%\rGet 50%\rGet 100%\ndone\n", "Get 100%\ndone\n"),
            ("[#  ] 1\r[## ] 2\r\r[###] 3\r\n", "[###] 3\r\n"),
            (
                "Counting 9%\rCounting 100%\rWriting 1%\rWriting 9%",
                "Counting 100%\rWriting 9%",
            ),
            ("\x1b[32mGet\x1b[0m 1\r\x1b[KGet 2\n", "\x1b[KGet 2\n"),
            ("old\rmac\rlines\r", "old\rmac\rlines\r"),
        ] {
            let mut whole = ProgressFold::default();
            let at_once = [whole.take(printed.as_bytes()), whole.rest()].concat();
            assert_eq!(String::from_utf8(at_once).unwrap(), shown, "{printed:?}");
            let mut fold = ProgressFold::default();
            let mut piecewise: Vec<u8> = printed
                .bytes()
                .flat_map(|byte| fold.take(&[byte]))
                .collect();
            piecewise.extend(fold.rest());
            assert_eq!(String::from_utf8(piecewise).unwrap(), shown, "{printed:?}");
        }
        let long = format!("{}\rx\n", "y".repeat(10_000));
        let mut fold = ProgressFold::default();
        assert_eq!(fold.take(long.as_bytes()), long.as_bytes());
    }
}
