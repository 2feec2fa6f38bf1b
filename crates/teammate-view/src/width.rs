//! How many columns text takes, counted in clusters (what a person sees as one character), and text cut, filled up and wrapped
//! by that count. One policy for all faces; where terminals disagree all the same, [`is_disputed`] says so.

use std::borrow::Cow;

use unicode_segmentation::UnicodeSegmentation as _;
use unicode_width::UnicodeWidthStr as _;

/// So many blanks stand for a tab.
const TAB: usize = 4;

/// The sign in the place of text that is missing.
const MARK: &str = "…";

/// How wide the characters are that Unicode calls ambiguous (`…`, `│`, Greek, Cyrillic): one column, or two as in some
/// terminals with an East Asian font.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum WidthPolicy {
    /// One column.
    #[default]
    Narrow,
    /// Two columns.
    Wide,
}

/// The clusters of a text, in their order.
pub fn clusters(text: &str) -> impl DoubleEndedIterator<Item = &str> {
    text.graphemes(true)
}

/// Whether terminals disagree on how wide this cluster is: ambiguous characters and what is made of several characters, such
/// as a family or a flag. Behind one a terminal's cursor is set anew.
pub fn is_disputed(cluster: &str) -> bool {
    if cluster.is_ascii() {
        return false;
    }
    cluster.width() != cluster.width_cjk() || cluster.chars().nth(1).is_some()
}

/// The text with blanks in place of tabs, for what is drawn cell by cell.
pub fn without_tabs(text: &str) -> Cow<'_, str> {
    if text.contains('\t') {
        Cow::Owned(text.replace('\t', "    "))
    } else {
        Cow::Borrowed(text)
    }
}

impl WidthPolicy {
    /// The columns of one cluster. A tab has four, a line break and other control characters none.
    pub fn cluster(self, cluster: &str) -> usize {
        match cluster {
            "\t" => TAB,
            cluster if cluster.starts_with(char::is_control) => 0,
            cluster => match self {
                Self::Narrow => cluster.width(),
                Self::Wide => cluster.width_cjk(),
            },
        }
    }

    /// The columns of a text on one line.
    pub fn text(self, text: &str) -> usize {
        if text.bytes().all(|byte| (b' '..=b'~').contains(&byte)) {
            return text.len();
        }
        clusters(text).map(|cluster| self.cluster(cluster)).sum()
    }

    /// The longest beginning of whole clusters that takes at most `width` columns.
    pub fn cut(self, text: &str, width: usize) -> &str {
        let mut columns = 0;
        for (at, cluster) in text.grapheme_indices(true) {
            columns += self.cluster(cluster);
            if columns > width {
                return text.split_at(at).0;
            }
        }
        text
    }

    /// The text in at most `width` columns: whole, or cut with `…` at its end. A width that has no room for the mark gives
    /// nothing.
    pub fn fit(self, text: &str, width: usize) -> Cow<'_, str> {
        if self.cut(text, width).len() == text.len() {
            return Cow::Borrowed(text);
        }
        let mark = self.text(MARK);
        match width.checked_sub(mark) {
            Some(room) => Cow::Owned(format!("{}{MARK}", self.cut(text, room))),
            None => Cow::Borrowed(""),
        }
    }

    /// The text in exactly `width` columns: as [`fit`](Self::fit), then blanks.
    pub fn pad(self, text: &str, width: usize) -> String {
        let mut padded = self.fit(text, width).into_owned();
        let blanks = width.saturating_sub(self.text(&padded));
        padded.extend(std::iter::repeat_n(' ', blanks));
        padded
    }

    /// The lines of a text, broken at blanks so that each takes at most `width` columns; the blanks at a break are left out.
    /// A longer word is broken between clusters. A cluster wider than `width` stands alone on its line.
    pub fn wrap(self, text: &str, width: usize) -> Vec<&str> {
        let mut lines = Vec::new();
        for line in text.split('\n') {
            self.wrap_line(line, width, &mut lines);
        }
        lines
    }

    #[expect(
        clippy::string_slice,
        reason = "at offsets of clusters of this very line"
    )]
    fn wrap_line<'a>(self, line: &'a str, width: usize, lines: &mut Vec<&'a str>) {
        let (mut start, mut columns) = (0, 0);
        // Where a blank began and where the text behind it begins, with the columns up to there.
        let mut gap: Option<(usize, usize, usize)> = None;
        for (at, cluster) in line.grapheme_indices(true) {
            let wide = self.cluster(cluster);
            let is_blank = matches!(cluster, " " | "\t");
            if !is_blank && columns + wide > width && at > start {
                let (end, next, before) = gap.take().unwrap_or((at, at, columns));
                lines.push(&line[start..end]);
                (start, columns) = (next, columns - before);
                // Only a word that is too long for a whole line does not fit even now.
                if columns + wide > width && at > start {
                    lines.push(&line[start..at]);
                    (start, columns) = (at, 0);
                }
            }
            columns += wide;
            if is_blank && at > start {
                let began = gap.filter(|(_, next, _)| *next == at);
                let end = began.map_or(at, |(end, _, _)| end);
                gap = Some((end, at + cluster.len(), columns));
            }
        }
        let rest = &line[start..];
        let fits = self.text(rest) <= width;
        lines.push(if fits { rest } else { rest.trim_end() });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::Chance;

    const NARROW: WidthPolicy = WidthPolicy::Narrow;

    #[test]
    fn a_cluster_has_the_columns_that_it_takes_on_the_screen() {
        for (cluster, narrow, wide) in [
            ("a", 1, 1),
            ("中", 2, 2),
            ("e\u{301}", 1, 1),
            ("👨\u{200d}👩\u{200d}👧", 2, 2),
            ("🇩🇪", 2, 2),
            ("…", 1, 2),
            ("\t", 4, 4),
            ("\n", 0, 0),
        ] {
            assert_eq!(clusters(cluster).count(), 1, "{cluster:?}");
            assert_eq!(NARROW.cluster(cluster), narrow, "{cluster:?}");
            assert_eq!(WidthPolicy::Wide.cluster(cluster), wide, "{cluster:?}");
        }
        assert!(is_disputed("…") && is_disputed("🇩🇪") && is_disputed("👨\u{200d}👩\u{200d}👧"));
        assert!(!is_disputed("a") && !is_disputed("中"));
    }

    #[test]
    fn text_is_cut_between_clusters_and_says_so() {
        assert_eq!(NARROW.cut("中文ab", 3), "中");
        assert_eq!(NARROW.fit("中文ab", 6), "中文ab");
        assert_eq!(NARROW.fit("中文ab", 5), "中文…");
        assert_eq!(WidthPolicy::Wide.fit("中文ab", 5), "中…");
        assert_eq!(NARROW.fit("abc", 0), "");
        assert_eq!(NARROW.pad("中", 5), "中   ");
        assert_eq!(NARROW.pad("abcdef", 4), "abc…");
        assert_eq!(WidthPolicy::Wide.pad("中中中", 5), "中… ");
    }

    #[test]
    fn words_move_to_the_next_line_and_endless_ones_are_broken() {
        let wrapped = |text| NARROW.wrap(text, 10);
        assert_eq!(wrapped("the quick brown fox"), ["the quick", "brown fox"]);
        assert_eq!(wrapped("exactly 10 columns"), ["exactly 10", "columns"]);
        assert_eq!(wrapped("a  b\n\nc"), ["a  b", "", "c"]);
        assert_eq!(
            wrapped("see https://example.org"),
            ["see", "https://ex", "ample.org"]
        );
        assert_eq!(wrapped("中文中文中文"), ["中文中文中", "文"]);
        assert_eq!(wrapped("ends here         "), ["ends here"]);
    }

    #[test]
    fn no_wrapped_line_is_too_wide_and_no_word_is_lost() {
        let mut chance = Chance::new("wrap");
        for _ in 0..2_000 {
            let text = chance.text(60);
            let width = chance.below(20) + 2;
            let lines = NARROW.wrap(&text, width);
            for line in &lines {
                let is_alone = clusters(line).count() == 1;
                assert!(
                    is_alone || NARROW.text(line) <= width,
                    "{text:?} at {width}: {lines:?}"
                );
            }
            let joined = |text: &str| text.replace([' ', '\t', '\n'], "");
            assert_eq!(joined(&lines.concat()), joined(&text));
        }
    }
}
