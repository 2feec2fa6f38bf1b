//! A change of files on a screen: every line whole, before and after side by side where there is room. A line that is broken goes
//! on below its own text, not below its number.

use super::{DiffKind, DiffLine};
use crate::{
    text::{TextLine, TextRole},
    width::WidthPolicy,
};

/// From so many columns on, what was before stands at the left and what comes at the right.
pub const BESIDE_MIN: usize = 112;

/// Between both sides.
const MIDDLE: &str = " │ ";

/// A row of both sides.
enum SidesRow<'a> {
    /// A line about the file or the place in it.
    Across(&'a DiffLine),
    /// What was before and what is there after: the same line, a changed one, or one of them.
    Sides(Option<&'a DiffLine>, Option<&'a DiffLine>),
}

/// The lines of a diff on a screen of so many columns.
pub fn lay_out_diff(diff: &[DiffLine], columns: usize, widths: WidthPolicy) -> Vec<TextLine> {
    let digits = |number: fn(&DiffLine) -> Option<u32>| {
        let most = diff.iter().filter_map(number).max();
        most.map_or(0, |most| most.to_string().len())
    };
    let across = DiffCell {
        columns,
        digits: digits(DiffLine::number),
        widths,
    };
    if columns < BESIDE_MIN {
        let lines = diff.iter();
        return lines
            .flat_map(|line| across.rows(line, line.number()))
            .collect();
    }
    let side = (columns - widths.text(MIDDLE)) / 2;
    let cell = |digits| DiffCell {
        columns: side,
        digits,
        widths,
    };
    let (left, right) = (cell(digits(|line| line.old)), cell(digits(|line| line.new)));
    let rows = sides(diff).into_iter().flat_map(|row| match row {
        SidesRow::Across(line) => across.rows(line, None),
        SidesRow::Sides(old, new) => {
            let old = old.map(|line| left.rows(line, line.old));
            let new = new.map(|line| right.rows(line, line.new));
            beside(old.unwrap_or_default(), new.unwrap_or_default(), left)
        }
    });
    rows.collect()
}

/// The rows of both sides: lines that are gone beside those that come in their place, one by one.
fn sides(diff: &[DiffLine]) -> Vec<SidesRow<'_>> {
    let mut rows = Vec::new();
    let (mut gone, mut come) = (Vec::new(), Vec::new());
    for line in diff {
        match line.kind {
            DiffKind::Removed => {
                if !come.is_empty() {
                    pair(&mut gone, &mut come, &mut rows);
                }
                gone.push(line);
            }
            DiffKind::Added => come.push(line),
            DiffKind::Context => {
                pair(&mut gone, &mut come, &mut rows);
                rows.push(SidesRow::Sides(Some(line), Some(line)));
            }
            DiffKind::File | DiffKind::Hunk | DiffKind::Note => {
                pair(&mut gone, &mut come, &mut rows);
                rows.push(SidesRow::Across(line));
            }
        }
    }
    pair(&mut gone, &mut come, &mut rows);
    rows
}

fn pair<'a>(
    gone: &mut Vec<&'a DiffLine>,
    come: &mut Vec<&'a DiffLine>,
    rows: &mut Vec<SidesRow<'a>>,
) {
    for row in 0..gone.len().max(come.len()) {
        let at = |side: &[&'a DiffLine]| side.get(row).copied();
        rows.push(SidesRow::Sides(at(gone), at(come)));
    }
    gone.clear();
    come.clear();
}

/// Both sides of a row, which may take several lines of the screen.
fn beside(old: Vec<TextLine>, new: Vec<TextLine>, left: DiffCell) -> Vec<TextLine> {
    let height = old.len().max(new.len());
    let (mut old, mut new) = (old.into_iter(), new.into_iter());
    let lines = (0..height).map(|_| {
        let mut line = old.next().unwrap_or_default();
        let blanks = left.columns.saturating_sub(line.width(left.widths));
        line.push(&" ".repeat(blanks), TextRole::Plain);
        line.push(MIDDLE, TextRole::Dim);
        line.extend(&new.next().unwrap_or_default().spans);
        line
    });
    lines.collect()
}

/// The room of a line: all of the screen, or a side.
#[derive(Clone, Copy)]
struct DiffCell {
    columns: usize,
    /// Columns of its number; 0 if there are none.
    digits: usize,
    widths: WidthPolicy,
}

impl DiffCell {
    /// A line in rows of the cell.
    fn rows(self, line: &DiffLine, number: Option<u32>) -> Vec<TextLine> {
        let margin = match self.digits {
            0 => 0,
            digits => digits + 1,
        };
        let room = self.columns.saturating_sub(margin).max(1);
        // The sign, and the indentation of the code behind it.
        let text = line.text.get(1..).unwrap_or_default();
        let indent = 1 + (text.len() - text.trim_start_matches(' ').len());
        let indent = if indent > room / 2 {
            1.min(room / 2)
        } else {
            indent
        };
        let mut rows = Vec::new();
        let mut rest = &*line.text;
        loop {
            let is_first = rows.is_empty();
            let number = number.filter(|_| is_first).map(|number| number.to_string());
            let hanging = if is_first { 0 } else { indent };
            let begin = self.widths.cut(rest, room - hanging);
            // A cluster that is wider than the room stands alone.
            let begin = match begin.is_empty() {
                true => rest,
                false => begin,
            };
            let mut row = TextLine::default();
            if margin > 0 {
                let digits = self.digits;
                row.push(
                    &format!("{:>digits$} ", number.unwrap_or_default()),
                    TextRole::Dim,
                );
            }
            row.push(&format!("{:hanging$}{begin}", ""), line.kind.role());
            row.continues = !is_first;
            rows.push(row);
            rest = rest.strip_prefix(begin).unwrap_or_default();
            if rest.is_empty() {
                return rows;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diff::read_diff;

    const DIFF: &str = "\
--- src/parse.rs
+++ src/parse.rs
@@ -9,4 +9,4 @@ impl Lexer
     fn peek(&self) {
-        old();
-        older();
+        new();
     }
";

    fn shown(columns: usize) -> Vec<String> {
        let lines = lay_out_diff(&read_diff(DIFF), columns, WidthPolicy::Narrow);
        let lines = lines.iter();
        lines
            .map(|line| line.plain().trim_end().to_owned())
            .collect()
    }

    #[test]
    fn a_broken_line_goes_on_below_its_own_text() {
        assert_eq!(shown(80)[3], " 9      fn peek(&self) {");
        let long = "@@ -1 +1 @@\n-    let a_long_name = of_something(that);\n";
        let lines = lay_out_diff(&read_diff(long), 24, WidthPolicy::Narrow);
        let lines: Vec<String> = lines.iter().map(TextLine::plain).collect();
        assert_eq!(
            lines,
            [
                "  @@ -1 +1 @@",
                "1 -    let a_long_name =",
                "        of_something(tha",
                "       t);",
            ]
        );
    }

    #[test]
    fn before_and_after_stand_side_by_side_where_there_is_room() {
        let lines = shown(BESIDE_MIN);
        let side = (BESIDE_MIN - 3) / 2;
        let row =
            |left: &str, right: &str| format!("{left:<side$} │ {right}").trim_end().to_owned();
        assert_eq!(
            lines[3..],
            [
                row(" 9      fn peek(&self) {", " 9      fn peek(&self) {"),
                row("10 -        old();", "10 +        new();"),
                row("11 -        older();", ""),
                row("12      }", "11      }"),
            ]
        );
    }

    #[test]
    fn nothing_is_left_out_at_any_width() {
        let letters = |lines: Vec<TextLine>| -> usize {
            let texts = lines.iter().map(TextLine::plain);
            texts
                .map(|text| text.matches(char::is_alphabetic).count())
                .sum()
        };
        let diff = read_diff(DIFF);
        let whole = letters(lay_out_diff(&diff, 100, WidthPolicy::Narrow));
        for columns in 1..BESIDE_MIN {
            let lines = lay_out_diff(&diff, columns, WidthPolicy::Narrow);
            assert_eq!(letters(lines), whole, "{columns} columns");
        }
    }
}
