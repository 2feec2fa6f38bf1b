//! A change of files as lines: what is added, what is removed, and where. It reads unified diffs of git, of `diff -u` and of
//! tools that leave file heads or line numbers out, and never fails: what it does not know is context.

mod layout;
mod turn;

use crate::t;
use serde::Serialize;

pub use layout::{BESIDE_MIN, lay_out_diff};
pub use turn::{Turn, turned, was_absent};

use crate::{
    clean::clean,
    counted::Extent,
    text::{TextLine, TextRole},
    width::without_tabs,
};

/// The kind of a line of a diff.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum DiffKind {
    /// Names a file, as `+++ b/lib.rs`.
    File,
    /// Begins a place in a file: `@@ -41,7 +41,7 @@`.
    Hunk,
    /// Is there before and after.
    Context,
    Added,
    Removed,
    /// Says something about the line before: `\ No newline at end of file`.
    Note,
}

/// A line of a diff.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DiffLine {
    pub kind: DiffKind,
    /// Its number in the file before, if it was there and the diff says where.
    pub old: Option<u32>,
    /// Its number in the file after, likewise.
    pub new: Option<u32>,
    /// The line with its mark, clean and without tabs.
    pub text: String,
}

impl DiffKind {
    /// How such a line is shown.
    pub fn role(self) -> TextRole {
        match self {
            Self::File => TextRole::Strong,
            Self::Hunk => TextRole::Place,
            Self::Context => TextRole::Code,
            Self::Added => TextRole::Added,
            Self::Removed => TextRole::Removed,
            Self::Note => TextRole::Dim,
        }
    }
}

/// Reads a diff, line by line.
pub fn read_diff(diff: &str) -> Vec<DiffLine> {
    let mut hunk = Hunk::default();
    let lines = diff.lines().map(|line| {
        let kind = hunk.kind_of(line);
        let (old, new) = hunk.pass(kind);
        DiffLine {
            kind,
            old,
            new,
            text: without_tabs(&clean(line)).into_owned(),
        }
    });
    lines.collect()
}

/// The diff as it is shown: numbers before the lines, where the diff says them. A folded one is its heart, what has changed with a
/// line around it, and says behind that `… 212 lines more`.
pub fn diff_lines(diff: &[DiffLine], extent: Extent) -> Vec<TextLine> {
    let numbers = diff.iter().filter_map(DiffLine::number);
    let digits = numbers.max().map_or(0, |most| most.to_string().len());
    // A line that says "1 line more" would take the room of that line.
    let shown = match extent.lines_of(diff.len()) {
        shown if diff.len() - shown <= 1 => diff.len(),
        shown => shown,
    };
    if shown == diff.len() {
        return diff.iter().map(|line| line.shown(digits)).collect();
    }
    let heart = (0..diff.len()).filter(|place| is_near_change(diff, *place));
    let mut lines: Vec<TextLine> = heart
        .take(shown)
        .map(|place| diff[place].shown(digits))
        .collect();
    let more = t!("… {hidden} lines more", hidden = diff.len() - lines.len());
    lines.push(TextLine::of(more, TextRole::Dim));
    lines
}

/// Whether a line is more than context, or stands beside one that is added or removed.
fn is_near_change(diff: &[DiffLine], place: usize) -> bool {
    let is_change = |place: usize| {
        let line = diff.get(place);
        line.is_some_and(|line| matches!(line.kind, DiffKind::Added | DiffKind::Removed))
    };
    diff[place].kind != DiffKind::Context
        || is_change(place + 1)
        || place.checked_sub(1).is_some_and(is_change)
}

impl DiffLine {
    /// The number that is shown: a line that is gone has only its old one.
    fn number(&self) -> Option<u32> {
        self.new.or(self.old)
    }

    fn shown(&self, digits: usize) -> TextLine {
        let mut line = TextLine::default();
        if digits > 0 {
            let number = self.number().map(|number| number.to_string());
            let number = format!("{:>digits$} ", number.unwrap_or_default());
            line.push(&number, TextRole::Dim);
        }
        line.push(&self.text, self.kind.role());
        line
    }
}

/// How far a hunk is read.
#[derive(Default)]
struct Hunk {
    /// The numbers of the next lines, before and after; `None` outside of hunks that say them.
    next: Option<(u32, u32)>,
    /// So many lines of it are still to come, before and after.
    left: (u32, u32),
}

impl Hunk {
    /// The kind of a line. Inside a hunk whose length is known, `--- x` is a line that is gone.
    fn kind_of(&mut self, line: &str) -> DiffKind {
        let is_inside = self.left != (0, 0);
        if line.starts_with("@@ ") {
            self.begin(line);
            return DiffKind::Hunk;
        }
        let starts = |starts: &[&str]| starts.iter().any(|start| line.starts_with(start));
        if !is_inside && starts(&["diff ", "index ", "--- ", "+++ ", "rename ", "new file "]) {
            self.next = None;
            return DiffKind::File;
        }
        match line.chars().next() {
            Some('+') => DiffKind::Added,
            Some('-') => DiffKind::Removed,
            Some('\\') => DiffKind::Note,
            Some(_) | None => DiffKind::Context,
        }
    }

    /// Reads `@@ -old,count +new,count @@`.
    fn begin(&mut self, line: &str) {
        let side = |mark: char| {
            let word = line.split(' ').skip(1).take(2);
            let mut words = word.filter_map(|word| word.strip_prefix(mark));
            let (start, count) = words
                .next()
                .map(|side| side.split_once(',').unwrap_or((side, "1")))?;
            Some((start.parse::<u32>().ok()?, count.parse::<u32>().ok()?))
        };
        let sides = side('-').zip(side('+'));
        self.next = sides.map(|((old, _), (new, _))| (old, new));
        self.left = sides.map_or((0, 0), |((_, old), (_, new))| (old, new));
    }

    /// The numbers of a line of this kind, and on to the next line.
    fn pass(&mut self, kind: DiffKind) -> (Option<u32>, Option<u32>) {
        let (is_old, is_new) = match kind {
            DiffKind::Context => (true, true),
            DiffKind::Added => (false, true),
            DiffKind::Removed => (true, false),
            DiffKind::File | DiffKind::Hunk | DiffKind::Note => (false, false),
        };
        let Some((old, new)) = self.next else {
            return (None, None);
        };
        self.next = Some((
            old.saturating_add(is_old.into()),
            new.saturating_add(is_new.into()),
        ));
        self.left.0 = self.left.0.saturating_sub(is_old.into());
        self.left.1 = self.left.1.saturating_sub(is_new.into());
        (is_old.then_some(old), is_new.then_some(new))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DIFF: &str = "\
diff --git a/lex.rs b/lex.rs
--- a/lex.rs
+++ b/lex.rs
@@ -99,4 +99,5 @@ impl Lexer
 \t}
--- old remark
+    new
+    newer
 end
@@ -200 +201 @@
-x
+y
\\ No newline at end of file
";

    fn shown(diff: &str, lines_max: usize) -> String {
        shown_as(diff, Extent::To(lines_max))
    }

    fn shown_as(diff: &str, extent: Extent) -> String {
        let lines = diff_lines(&read_diff(diff), extent);
        let shown = lines.iter().map(|line| {
            let role = line.spans.last().map_or(TextRole::Plain, |span| span.role);
            format!("{:<8}{}\n", format!("{role:?}"), line.plain())
        });
        shown.collect()
    }

    #[test]
    fn lines_have_their_numbers_before_and_after() {
        assert_eq!(
            shown(DIFF, 100),
            "\
Strong      diff --git a/lex.rs b/lex.rs
Strong      --- a/lex.rs
Strong      +++ b/lex.rs
Place       @@ -99,4 +99,5 @@ impl Lexer
Code     99      }
Removed 100 --- old remark
Added   100 +    new
Added   101 +    newer
Code    102 end
Place       @@ -200 +201 @@
Removed 200 -x
Added   201 +y
Dim         \\ No newline at end of file
"
            .replace("Code    102 end", "Code    102  end")
        );
    }

    #[test]
    fn without_a_place_there_are_no_numbers() {
        assert_eq!(
            shown("@@ 41,7 @@ impl Lexer\n-a\n+b\n c", 100),
            "Place   @@ 41,7 @@ impl Lexer\nRemoved -a\nAdded   +b\nCode     c\n"
        );
        assert_eq!(shown("", 5), "");
    }

    #[test]
    fn a_long_diff_says_how_much_is_missing() {
        assert!(shown(DIFF, 2).ends_with("--- a/lex.rs\nDim     … 11 lines more\n"));
        assert!(
            shown(DIFF, 12).ends_with("end of file\n"),
            "one more line is shown instead"
        );
    }

    #[test]
    fn an_open_diff_and_one_with_endless_room_are_shown_whole() {
        let whole = shown(DIFF, 100);
        assert_eq!(shown_as(DIFF, Extent::Whole), whole);
        assert_eq!(shown_as(DIFF, Extent::To(usize::MAX)), whole);
    }

    #[test]
    fn a_diff_that_lies_about_itself_is_still_shown() {
        let lies = "@@ -4294967295,9 +1,99999999999 @@\n-a\n+b\n@@ -4294967295,9 +1,9 @@\n-a\n-b\n+\u{1b}[2J";
        let lines = read_diff(lies);
        assert_eq!(lines.len(), 7);
        assert_eq!(lines[1].old, None);
        assert_eq!(
            (lines[4].old, lines[5].old),
            (Some(u32::MAX), Some(u32::MAX))
        );
        assert_eq!(lines[6].text, "+\\u{1b}[2J");
    }

    #[test]
    fn a_folded_diff_shows_its_heart() {
        let context: String = (1..20).map(|line| format!(" line {line}\n")).collect();
        let diff = format!("@@ -1,40 +1,40 @@\n{context}-old\n+new\n after\n{context}");
        let lines = diff_lines(&read_diff(&diff), Extent::To(5));
        let lines: Vec<String> = lines.iter().map(TextLine::plain).collect();
        let heart = [
            "   @@ -1,40 +1,40 @@",
            "19  line 19",
            "20 -old",
            "20 +new",
            "21  after",
        ];
        assert_eq!(lines[..5], heart);
        assert_eq!(lines[5..], ["… 37 lines more"]);
    }
}
