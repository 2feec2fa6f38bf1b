//! Differences of two texts, by lines or by characters. All go by numbers, equal ones for equal parts, so that the program holds
//! the search for them once.

use std::{
    collections::HashMap,
    fmt::{self, Write as _},
    hash::Hash,
    time::{Duration, Instant},
};

use similar::{Algorithm, DiffOp, capture_diff_slices_deadline, group_diff_ops};

/// How many lines that stay the same are shown around a change.
const CONTEXT_LINES: usize = 3;

/// The unified diff of two texts by lines, without names of files; empty if they are equal. What is not compared `within` this time
/// counts as replaced.
pub(crate) fn unified(old: &str, new: &str, within: Option<Duration>) -> String {
    let [old, new] = [old, new].map(|text| text.split_inclusive('\n').collect::<Vec<_>>());
    let steps = steps(&old, &new, within);
    let mut text = String::new();
    for hunk in group_diff_ops(steps, CONTEXT_LINES) {
        // A text in memory does not fail.
        let _ = write_hunk(&mut text, &hunk, (&old, &new));
    }
    text
}

/// How much two texts have in common by characters: 1 if they are equal, 0 if nothing is.
pub(crate) fn likeness(one: &str, other: &str) -> f32 {
    let [one, other] = [one, other].map(|text| text.chars().collect::<Vec<_>>());
    let all = one.len() + other.len();
    if all == 0 {
        return 1.0;
    }
    let same: usize = steps(&one, &other, None).iter().map(equal).sum();
    #[expect(clippy::cast_precision_loss, reason = "lengths of lines")]
    let likeness = (2 * same) as f32 / all as f32;
    likeness
}

/// How many numbers are added and removed between two lists of them, by the patience of their order.
pub(crate) fn added_and_removed(old: &[u32], new: &[u32]) -> (usize, usize) {
    let steps = capture_diff_slices_deadline(Algorithm::Patience, old, new, None);
    let same: usize = steps.iter().map(equal).sum();
    (new.len() - same, old.len() - same)
}

/// The steps from one list to another.
fn steps<T: Hash + Eq>(old: &[T], new: &[T], within: Option<Duration>) -> Vec<DiffOp> {
    let (mut known, mut last) = (HashMap::new(), 0_u32);
    let mut number = |part| {
        *known.entry(part).or_insert_with(|| {
            last += 1;
            last
        })
    };
    let old: Vec<u32> = old.iter().map(&mut number).collect();
    let new: Vec<u32> = new.iter().map(&mut number).collect();
    let deadline = within.map(|within| Instant::now() + within);
    capture_diff_slices_deadline(Algorithm::Myers, &old, &new, deadline)
}

fn equal(step: &DiffOp) -> usize {
    match step {
        DiffOp::Equal { len, .. } => *len,
        DiffOp::Delete { .. } | DiffOp::Insert { .. } | DiffOp::Replace { .. } => 0,
    }
}

fn write_hunk(
    text: &mut String,
    hunk: &[DiffOp],
    (old, new): (&[&str], &[&str]),
) -> Result<(), fmt::Error> {
    let (Some(first), Some(last)) = (hunk.first(), hunk.last()) else {
        return Ok(());
    };
    let [from, to] = [
        place(first.old_range().start, last.old_range().end),
        place(first.new_range().start, last.new_range().end),
    ];
    writeln!(text, "@@ -{from} +{to} @@")?;
    for step in hunk {
        let (removed, added) = (&old[step.old_range()], &new[step.new_range()]);
        match step {
            DiffOp::Equal { .. } => write_lines(text, ' ', removed)?,
            DiffOp::Delete { .. } | DiffOp::Insert { .. } | DiffOp::Replace { .. } => {
                write_lines(text, '-', removed)?;
                write_lines(text, '+', added)?;
            }
        }
    }
    Ok(())
}

fn write_lines(text: &mut String, sign: char, lines: &[&str]) -> Result<(), fmt::Error> {
    for line in lines {
        write!(text, "{sign}{line}")?;
        if !line.ends_with('\n') {
            writeln!(text, "\n\\ No newline at end of file")?;
        }
    }
    Ok(())
}

/// Lines as the header of a hunk names them: counted from 1, and an empty range by the line before it.
fn place(start: usize, end: usize) -> String {
    match end.saturating_sub(start) {
        0 => format!("{start},0"),
        1 => format!("{}", start + 1),
        count => format!("{},{count}", start + 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_shown_with_three_lines_around_it() {
        let old: String = (1..=20).map(|line| format!("{line}\n")).collect();
        let new = old.replace("\n10\n", "\nten\n").replace("\n20\n", "\n20");
        assert_eq!(
            unified(&old, &new, None),
            "@@ -7,7 +7,7 @@\n 7\n 8\n 9\n-10\n+ten\n 11\n 12\n 13\n\
             @@ -17,4 +17,4 @@\n 17\n 18\n 19\n-20\n+20\n\\ No newline at end of file\n"
        );
        assert_eq!(unified(&old, &old, None), "");
        assert_eq!(unified("", "a\n", None), "@@ -0,0 +1 @@\n+a\n");
        assert_eq!(unified("a\nb\n", "", None), "@@ -1,2 +0,0 @@\n-a\n-b\n");
    }

    #[test]
    fn likeness_is_of_characters() {
        assert!((likeness("abcd", "abxd") - 0.75).abs() < 0.01);
        assert!((likeness("", "") - 1.0).abs() < 0.01);
        assert!(likeness("abc", "xyz") < 0.01);
        assert_eq!(added_and_removed(&[1, 2, 3], &[1, 3, 4, 5]), (2, 1));
    }
}
