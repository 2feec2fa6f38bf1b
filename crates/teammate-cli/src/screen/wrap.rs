//! Cuts and wraps text by columns, so that narrow terminals stay readable.

use unicode_width::UnicodeWidthChar;

/// Lines narrower than this are not cut further.
const WIDTH_MIN: usize = 24;

/// Text that comes in pieces, given back as lines that fit.
pub(crate) struct Wrap {
    width: usize,
    line: String,
    columns: usize,
}

impl Wrap {
    pub(crate) fn new(width: usize) -> Self {
        Self {
            width: width.max(WIDTH_MIN),
            line: String::new(),
            columns: 0,
        }
    }

    /// Takes a piece; gives the lines that are complete.
    pub(crate) fn take(&mut self, piece: &str) -> Vec<String> {
        let mut lines = Vec::new();
        for c in piece.chars() {
            if c == '\n' {
                lines.push(self.cut());
                continue;
            }
            let wide = c.width().unwrap_or(0);
            if self.columns + wide > self.width {
                if c == ' ' {
                    lines.push(self.cut());
                    continue;
                }
                lines.push(self.cut_at_word());
            }
            self.columns += wide;
            self.line.push(c);
        }
        lines
    }

    /// The rest, if there is any.
    pub(crate) fn rest(&mut self) -> Option<String> {
        (!self.line.is_empty()).then(|| self.cut())
    }

    fn cut(&mut self) -> String {
        self.columns = 0;
        std::mem::take(&mut self.line)
    }

    /// Breaks at the last blank, if there is one.
    fn cut_at_word(&mut self) -> String {
        let line = self.cut();
        let parts = line.rsplit_once(' ');
        let Some((before, word)) = parts.filter(|(before, _)| !before.is_empty()) else {
            return line;
        };
        word.clone_into(&mut self.line);
        self.columns = word.chars().filter_map(UnicodeWidthChar::width).sum();
        before.to_owned()
    }
}

/// The beginning of `line` that fits, with a mark if something is missing. Our own colours take no room.
pub(crate) fn fit(line: &str, width: Option<usize>) -> String {
    let Some(width) = width.map(|width| width.max(WIDTH_MIN)) else {
        return line.to_owned();
    };
    let (mut columns, mut is_colour) = (0, false);
    for (at, c) in line.char_indices() {
        is_colour |= c == '\u{1b}';
        if is_colour {
            is_colour = c != 'm';
            continue;
        }
        columns += c.width().unwrap_or(0);
        let (shown, over) = line.split_at(at);
        if columns > width - 1 && over.chars().nth(1).is_some() {
            return format!("{shown}…");
        }
    }
    line.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_take_no_room() {
        let painted = "\u{1b}[32mdone:\u{1b}[0m the quick brown fox jumps";
        assert_eq!(
            fit("done: the quick brown fox jumps", Some(24)),
            "done: the quick brown f…"
        );
        assert_eq!(
            fit(painted, Some(24)),
            "\u{1b}[32mdone:\u{1b}[0m the quick brown f…"
        );
    }

    #[test]
    fn text_in_pieces_becomes_lines_that_fit() {
        let mut wrap = Wrap::new(24);
        let mut lines = wrap.take("the quick brown fox ju");
        lines.extend(wrap.take("mps over the lazy dog\nend"));
        lines.extend(wrap.rest());
        assert_eq!(
            lines,
            ["the quick brown fox", "jumps over the lazy dog", "end"]
        );
    }

    #[test]
    fn a_line_that_is_just_full_stays_whole() {
        let mut wrap = Wrap::new(24);
        let mut lines = wrap.take("exactly twenty-four long and more");
        lines.extend(wrap.rest());
        assert_eq!(lines, ["exactly twenty-four long", "and more"]);
    }

    #[test]
    fn wide_characters_count_twice_and_endless_words_are_broken() {
        let mut wrap = Wrap::new(24);
        let lines = wrap.take(&"中".repeat(30));
        assert_eq!(lines, ["中".repeat(12), "中".repeat(12)]);
    }

    #[test]
    fn a_line_is_cut_with_a_mark() {
        assert_eq!(fit("short", Some(30)), "short");
        assert_eq!(
            fit(&"x".repeat(30), Some(24)),
            format!("{}…", "x".repeat(23))
        );
        assert_eq!(fit(&"x".repeat(300), None).len(), 300);
    }
}
