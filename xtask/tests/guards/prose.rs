//! Words that comments, prompts and pages do without.

/// Each with what to write instead.
const DROPPED: &[(&str, &str)] = &[
    ("whoever", "name the one who acts"),
    ("whomever", "name the one who acts"),
    ("shall", "must, or the present tense"),
    ("in hand", "in progress"),
    ("is told", "reads, gets a notice, or name who says it"),
    ("are told", "read, get a notice, or name who says it"),
    ("be told", "read, get a notice, or name who says it"),
    ("was told", "has the notice, or name who said it"),
    ("were told", "have the notice, or name who said it"),
    ("of its own accord", "automatically"),
    ("summed up", "summarized"),
    ("sum up", "summarize"),
    ("sums up", "summarizes"),
    ("the very same", "the same"),
    ("at rest", "idle"),
    ("in its life", "in this incarnation, in all runs"),
    ("lives again", "was spawned again"),
    ("goes on by itself", "continues automatically"),
    ("go on by itself", "continue automatically"),
    ("go on by themselves", "continue automatically"),
    ("means nothing any more", "no longer applies"),
    ("mean nothing any more", "no longer apply"),
    ("nobody works any more", "no member works"),
    ("see to it", "act on it"),
];

/// A dropped word that stands in a text.
pub(crate) struct Found {
    /// The number of the line where it begins.
    pub(crate) line: usize,
    pub(crate) dropped: &'static str,
    pub(crate) better: &'static str,
}

/// The dropped words in these lines; one may be broken over two of them.
pub(crate) fn dropped_in<'a>(lines: impl Iterator<Item = (usize, &'a str)>) -> Vec<Found> {
    let (words, places): (Vec<String>, Vec<usize>) = lines
        .flat_map(|(n, line)| written(line).into_iter().map(move |word| (word, n)))
        .unzip();
    let mut found = Vec::new();
    for (dropped, better) in DROPPED {
        let parts: Vec<&str> = dropped.split(' ').collect();
        let all = words.windows(parts.len()).zip(&places);
        let here = all.filter(|(words, _)| *words == parts);
        found.extend(here.map(|(_, line)| Found {
            line: *line,
            dropped,
            better,
        }));
    }
    found
}

/// The words of a line. Code spans are left out: they quote.
fn written(line: &str) -> Vec<String> {
    let prose = line.split('`').step_by(2).collect::<Vec<_>>().join(" _ ");
    let words = prose.split(|c: char| !c.is_alphanumeric() && c != '_');
    let words = words.filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect()
}
