//! A text that does not occur as it was given: the piece of the file that was probably meant, and how it differs. For a model to
//! copy; nothing is replaced by likeness. However large the file is, it takes a few hundredths of a second at the most.

use crate::diff::likeness;

/// The most bytes of the nearest text that are shown.
const SHOWN_BYTES_MAX: usize = 1_500;
/// The most lines of a file that are looked at, and the most bytes of them.
const LINES_MAX: usize = 20_000;
const LOOKED_AT_BYTES_MAX: usize = 1 << 20;
/// The longest line that is compared by likeness, in bytes.
const LINE_BYTES_MAX: usize = 400;
/// How much two lines must have in common to be called near, of 1.
const LIKE_MIN: f32 = 0.7;
/// How many pairs of bytes are compared for likeness at the most: those of the likeliest lines.
const COMPARED_MAX: usize = 400_000;
/// How many differences are named.
const NAMED_MAX: usize = 3;

/// The nearest lines of `text` to `piece`, in words that go on a sentence; nothing if none is near.
pub(super) fn near_miss(text: &str, piece: &str) -> Option<String> {
    let text = &text[..text.floor_char_boundary(LOOKED_AT_BYTES_MAX)];
    let lines: Vec<&str> = text.lines().take(LINES_MAX).collect();
    let wanted: Vec<&str> = trimmed(&piece.lines().collect::<Vec<_>>());
    let plain: Vec<String> = lines.iter().map(|line| plain(line)).collect();
    let (at, wanted) = same_but_for_form(&plain, &wanted, piece)
        .or_else(|| Some((likest(&lines, &plain, wanted.first()?)?, wanted)))?;
    let count = wanted.len().clamp(1, lines.len() - at);
    let found = &lines[at..at + count];
    let place = match count {
        1 => format!("line {}", at + 1),
        _ => format!("lines {} to {}", at + 1, at + count),
    };
    let differs = differences(found, &wanted, at);
    Some(format!(
        ". Nearest is {place}:\n{}\n{differs}",
        shortened(&found.join("\n"))
    ))
}

/// Where the piece stands if quotes, blanks, dashes and escapes are taken for what they look like.
fn same_but_for_form<'a>(
    plain_lines: &[String],
    wanted: &[&'a str],
    piece: &'a str,
) -> Option<(usize, Vec<&'a str>)> {
    let find = |wanted: &[String]| {
        let mut windows = plain_lines.windows(wanted.len().max(1));
        windows.position(|window| is_within(window, wanted))
    };
    let plainly: Vec<String> = wanted.iter().map(|line| plain(line)).collect();
    if plainly.iter().all(String::is_empty) {
        return None;
    }
    if let Some(at) = find(&plainly) {
        return Some((at, wanted.to_vec()));
    }
    // Line ends that were written as two characters.
    let split: Vec<&str> = piece.split("\\n").flat_map(str::lines).collect();
    let split = trimmed(&split);
    let plainly: Vec<String> = split.iter().map(|line| plain(line)).collect();
    let at = find(&plainly)?;
    Some((at, split))
}

/// Whether lines are the wanted ones, of which the first may begin and the last may end within its line.
fn is_within(lines: &[String], wanted: &[String]) -> bool {
    match wanted {
        [] => false,
        [only] => lines[0].contains(&**only),
        [first, middle @ .., last] => {
            lines[0].ends_with(&**first)
                && lines[lines.len() - 1].starts_with(&**last)
                && lines[1..lines.len() - 1] == *middle
        }
    }
}

/// The line that has most in common with a wanted one, if that is much.
fn likest(lines: &[&str], plain_lines: &[String], wanted: &str) -> Option<usize> {
    let wanted = plain(wanted);
    if wanted.len() < 4 || wanted.len() > LINE_BYTES_MAX {
        return None;
    }
    let is_near = |line: &str| line.len() <= 2 * wanted.len() && wanted.len() <= 2 * line.len();
    let letters = ByteCounts::of(&wanted);
    let near = (0..lines.len()).filter(|at| is_near(&plain_lines[*at]));
    let mut near: Vec<(usize, f32)> = near
        .map(|at| (at, letters.ratio(&plain_lines[at])))
        .filter(|(_, most)| *most >= LIKE_MIN)
        .collect();
    near.sort_by(|(_, a), (_, b)| b.total_cmp(a));
    let mut best: Option<(usize, f32)> = None;
    let mut compared = 0;
    for (at, most) in near {
        let line = &*plain_lines[at];
        compared += line.len() * wanted.len();
        let is_beaten = best.is_some_and(|(_, known)| known >= most);
        if is_beaten || compared > COMPARED_MAX {
            break;
        }
        let like = likeness(line, &wanted);
        if best.is_none_or(|(_, known)| like > known) {
            best = Some((at, like));
        }
    }
    let (at, like) = best?;
    (like >= LIKE_MIN).then_some(at)
}

/// How often a line has each byte.
struct ByteCounts {
    counts: [u16; 256],
    length: usize,
}

impl ByteCounts {
    fn of(line: &str) -> Self {
        let mut counts = [0; 256];
        for byte in line.bytes() {
            counts[usize::from(byte)] += 1;
        }
        Self {
            counts,
            length: line.len(),
        }
    }

    /// How much two lines have in common at the most, of 1: as if the order of their letters did not matter.
    fn ratio(&self, line: &str) -> f32 {
        let mut left = self.counts;
        let mut common = 0u16;
        for byte in line.bytes() {
            let count = &mut left[usize::from(byte)];
            common += u16::from(*count > 0);
            *count = count.saturating_sub(1);
        }
        f32::from(common) * 2.0 / (self.length + line.len()) as f32
    }
}

/// Without blank lines around.
fn trimmed<'a>(lines: &[&'a str]) -> Vec<&'a str> {
    let is_text = |line: &&str| !line.trim().is_empty();
    let from = lines.iter().position(is_text).unwrap_or(0);
    let until = lines.iter().rposition(is_text).map_or(0, |at| at + 1);
    lines[from..until.max(from)].to_vec()
}

/// A line as it looks: one blank for any white space, straight quotes, no escapes before quotes.
fn plain(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut is_apart = false;
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        let c = match c {
            '\\' => match chars.next_if(|next| matches!(next, 't' | '"' | '\'')) {
                Some('t') => ' ',
                Some(quote) => quote,
                None => c,
            },
            '\u{200b}' | '\u{feff}' | '\u{ad}' => continue,
            '\u{2018}' | '\u{2019}' | '\u{201a}' | '\u{2032}' => '\'',
            '\u{201c}' | '\u{201d}' | '\u{201e}' | '\u{2033}' => '"',
            '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
            c => c,
        };
        if c.is_whitespace() {
            is_apart = true;
            continue;
        }
        if std::mem::take(&mut is_apart) && !out.is_empty() {
            out.push(' ');
        }
        out.push(c);
    }
    out
}

/// The first difference of each line, by name.
fn differences(found: &[&str], wanted: &[&str], at: usize) -> String {
    let differing = found.iter().zip(wanted).enumerate();
    let named = differing.filter_map(|(number, (has, given))| {
        let (has, given) = first_difference(has, given)?;
        Some(format!(
            "line {} has {has} where old_text has {given}",
            at + number + 1
        ))
    });
    let named: Vec<String> = named.take(NAMED_MAX).collect();
    match named.is_empty() {
        true => "There, blank lines or the ends of lines differ".to_owned(),
        false => format!("There, {}", named.join("; ")),
    }
}

/// The places where a line of the file and a given one part; nothing if the file's holds the other.
fn first_difference(has: &str, given: &str) -> Option<(String, String)> {
    if has.contains(given) {
        return None;
    }
    let has = &has[..has.floor_char_boundary(LINE_BYTES_MAX)];
    let given = &given[..given.floor_char_boundary(LINE_BYTES_MAX)];
    // A piece may begin within its line.
    let begins = given.chars().next()?;
    let starts = has.char_indices().filter(|(_, c)| *c == begins);
    let starts = starts.map(|(at, _)| &has[at..]).chain([has]);
    let common = |rest: &str| {
        let same = rest.chars().zip(given.chars()).take_while(|(a, b)| a == b);
        same.map(|(c, _)| c.len_utf8()).sum::<usize>()
    };
    let (common, rest) = starts
        .map(|rest| (common(rest), rest))
        .max_by_key(|(common, _)| *common)?;
    Some((named(&rest[common..]), named(&given[common..])))
}

/// The character at the beginning, as it differs from others.
fn named(rest: &str) -> String {
    match rest.chars().next() {
        None => "its end".to_owned(),
        Some('\t') => "a tab".to_owned(),
        Some(' ') => match rest.chars().take_while(|c| *c == ' ').count() {
            1 => "a blank".to_owned(),
            count => format!("{count} blanks"),
        },
        Some('\u{a0}') => "a no-break blank (U+00A0)".to_owned(),
        Some('\\') => "a backslash".to_owned(),
        Some(c) if c.is_ascii_graphic() => format!("`{c}`"),
        Some(c) if c.is_alphanumeric() => format!("`{c}`"),
        Some(c) if c.is_whitespace() || c.is_control() => format!("U+{:04X}", u32::from(c)),
        Some(c) => format!("`{c}` (U+{:04X})", u32::from(c)),
    }
}

fn shortened(text: &str) -> String {
    match text.len() > SHOWN_BYTES_MAX {
        true => format!(
            "{} [...]",
            &text[..text.floor_char_boundary(SHOWN_BYTES_MAX)]
        ),
        false => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_text_is_shown_with_what_differs() {
        for (text, piece, shown, differs) in [
            (
                "a\nsay \u{201c}hi\u{201d};\n",
                "say \"hi\";",
                "line 2:\nsay \u{201c}hi\u{201d};",
                "line 2 has `\u{201c}` (U+201C) where old_text has `\"`",
            ),
            (
                "price: 5\u{a0}EUR\n",
                "price: 5 EUR",
                "line 1:\nprice: 5\u{a0}EUR",
                "has a no-break blank (U+00A0) where old_text has a blank",
            ),
            (
                "x = \"a\"\ny\n",
                "x = \\\"a\\\"",
                "line 1:\nx = \"a\"",
                "has `\"` where old_text has a backslash",
            ),
            (
                "if a {\n\tb();\n}\n",
                "if a {\n    b();\n}",
                "lines 1 to 3:\nif a {\n\tb();\n}",
                "line 2 has a tab where old_text has 4 blanks",
            ),
            (
                "a\nb\nc\n",
                "a\\nb",
                "lines 1 to 2:\na\nb",
                "blank lines or the ends",
            ),
            (
                "fn compute(a: u32) {}\n",
                "fn compute(a: u64) {}",
                "line 1:\nfn compute(a: u32) {}",
                "has `3` where old_text has `6`",
            ),
        ] {
            let hint = near_miss(text, piece).unwrap_or_default();
            assert!(
                hint.contains(&format!("Nearest is {shown}\n")),
                "{piece:?}: {hint}"
            );
            assert!(hint.contains(differs), "{piece:?}: {hint}");
        }
        for (text, piece) in [
            ("a\nb\n", "something else"),
            ("", "x"),
            ("a", "\n\n"),
            ("", ""),
        ] {
            assert_eq!(near_miss(text, piece), None, "{piece:?}");
        }
        let long = format!("{}\u{e9}\n", "x\u{a0}".repeat(2_000));
        assert!(near_miss(&long, &"x ".repeat(2_000)).unwrap().len() < 2_000);
    }

    #[test]
    fn the_nearest_of_many_lines_is_found_among_those_with_the_same_letters() {
        let wanted = "let total = prices.iter().map(|price| price.amount).sum();";
        let near = "let total = prices.iter().map(|price| price.amounts).sum();";
        let other = "return Err(Failure::of(format!(\"{name}: {why}\"), at, place));";
        let mut lines = vec![other; 19_000];
        lines[12_345] = near;
        let hint = near_miss(&lines.join("\n"), wanted).unwrap();
        assert!(hint.contains("Nearest is line 12346:"), "{hint}");
        // With the letters alone a line is not near.
        let turned: String = wanted.chars().rev().collect();
        assert_eq!(near_miss(&[&*turned; 19_000].join("\n"), wanted), None);
        assert_eq!(ByteCounts::of("abca").ratio("cab"), 6.0 / 7.0);
    }

    #[test]
    fn what_stands_behind_the_first_megabytes_is_not_looked_at() {
        let text = format!("{}\nfn compute(a: u32) {{}}\n", "x".repeat(3 << 20));
        assert_eq!(near_miss(&text, "fn compute(a: u64) {}"), None);
    }
}
