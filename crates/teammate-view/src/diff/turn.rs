//! A recorded change, turned back or made again: only where the file is exactly as the diff says.

/// Which side of a diff the file has now, and gets the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Turn {
    /// It has the new side and gets the old one.
    Back,
    /// It has the old side and gets the new one.
    Again,
}

/// A place in a file: what is there by the diff, and what comes instead.
#[derive(Debug, Default)]
struct ChangedPlace<'a> {
    /// How many lines are before it.
    before: usize,
    here: Vec<&'a str>,
    instead: Vec<&'a str>,
}

/// The text of a file with a unified diff turned. Lines must stand where the diff has them; nothing is searched for.
///
/// `None`: the file is not as the diff says, or the diff is none.
pub fn turned(text: &str, diff: &str, turn: Turn) -> Option<String> {
    let places = places(diff, turn)?;
    let mut lines: Vec<&str> = text.split_inclusive('\n').collect();
    // From the end, so that the numbers of those before stay right.
    for place in places.iter().rev() {
        let end = place.before.checked_add(place.here.len())?;
        // A side without a line, not even of context, is that of an empty file.
        let is_elsewhere = place.here.is_empty() && !lines.is_empty();
        if is_elsewhere || lines.get(place.before..end)? != place.here {
            return None;
        }
        lines.splice(place.before..end, place.instead.iter().copied());
    }
    Some(lines.concat())
}

/// Whether the side that the file gets is empty because the file was not there.
pub fn was_absent(diff: &str) -> bool {
    let mut hunks = diff.lines().filter(|line| line.starts_with("@@ "));
    hunks
        .next()
        .is_some_and(|hunk| hunk.starts_with("@@ -0,0 "))
        && hunks.next().is_none()
}

fn places(diff: &str, turn: Turn) -> Option<Vec<ChangedPlace<'_>>> {
    let mut places: Vec<ChangedPlace<'_>> = Vec::new();
    let mut last = ' ';
    for line in diff.split_inclusive('\n') {
        if line.starts_with("@@ ") {
            places.push(ChangedPlace {
                before: before(line, turn)?,
                ..ChangedPlace::default()
            });
            continue;
        }
        // The head of the file.
        let Some(place) = places.last_mut() else {
            continue;
        };
        let (sign, text) = line.split_at_checked(1)?;
        match (sign, turn) {
            (" ", _) => {
                place.here.push(text);
                place.instead.push(text);
            }
            ("+", Turn::Back) | ("-", Turn::Again) => place.here.push(text),
            ("-", Turn::Back) | ("+", Turn::Again) => place.instead.push(text),
            // The line before it ends the file without a line break.
            ("\\", _) => {
                let is_here = matches!((last, turn), ('+', Turn::Back) | ('-', Turn::Again));
                if last == ' ' || is_here {
                    cut_break(&mut place.here);
                }
                if last == ' ' || !is_here {
                    cut_break(&mut place.instead);
                }
            }
            _ => return None,
        }
        last = sign.chars().next()?;
    }
    (!places.is_empty()).then_some(places)
}

fn cut_break(lines: &mut [&str]) {
    if let Some(line) = lines.last_mut() {
        *line = line.strip_suffix('\n').unwrap_or(line);
    }
}

/// How many lines are before a place: `@@ -41,7 +42,8 @@`.
fn before(hunk: &str, turn: Turn) -> Option<usize> {
    let side = hunk.split(' ').nth(match turn {
        Turn::Again => 1,
        Turn::Back => 2,
    })?;
    let side = side.strip_prefix(['-', '+'])?;
    let (start, count) = side.split_once(',').unwrap_or((side, "1"));
    let (start, count): (usize, usize) = (start.parse().ok()?, count.parse().ok()?);
    // Of no lines the number is that of the line before.
    if count == 0 {
        Some(start)
    } else {
        start.checked_sub(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DIFF: &str = "--- a\n+++ a\n@@ -1,3 +1,4 @@\n 1\n-2\n+two\n+more\n 3\n@@ -9,2 +10,1 @@\n 9\n-10\n\\ No newline at end of file\n";

    #[test]
    fn a_change_is_turned_back_and_made_again() {
        let old = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10";
        let new = "1\ntwo\nmore\n3\n4\n5\n6\n7\n8\n9\n";
        assert_eq!(turned(new, DIFF, Turn::Back).as_deref(), Some(old));
        assert_eq!(turned(old, DIFF, Turn::Again).as_deref(), Some(new));
    }

    #[test]
    fn where_the_file_is_another_nothing_is_turned() {
        for text in ["", "1\ntwo\nmore\n3\n", "1\n2\nmore\n3\n4\n5\n6\n7\n8\n9\n"] {
            assert_eq!(turned(text, DIFF, Turn::Back), None, "{text}");
        }
        for diff in [
            "",
            "no diff",
            "@@ -x +y @@\n",
            "@@ -1 +1 @@\n?\n",
            "@@ -0 +0 @@\n+a\n",
        ] {
            assert_eq!(turned("a\n", diff, Turn::Back), None, "{diff}");
        }
    }

    #[test]
    fn a_file_that_was_not_there_becomes_empty() {
        let diff = "--- a\n+++ a\n@@ -0,0 +1,2 @@\n+1\n+2\n";
        assert!(was_absent(diff) && !was_absent(DIFF));
        assert_eq!(turned("1\n2\n", diff, Turn::Back).as_deref(), Some(""));
        assert_eq!(turned("", diff, Turn::Again).as_deref(), Some("1\n2\n"));
        assert_eq!(turned("0\n", diff, Turn::Again), None);
    }
}
