//! How many files name one thing of a kind, as a measure of how many the next one of that kind will touch. The things and their
//! words are in `xtask/structure/additions.txt`. A file counts if its code (or data, or script) has one of the words as a
//! whole; comments do not count.

use std::{collections::BTreeSet, fmt::Write as _};

use super::{source::Source, tables::Table};

/// The kinds of the list. A line is `KIND: WORD | WORD`.
pub(super) fn table(sources: &[Source], list: &str) -> Table {
    let mut table = Table::new("Files to touch", &["to add, as", "files", "crates"]);
    for (kind, words) in kinds(list) {
        let found = naming(sources, &words);
        let crates: BTreeSet<&str> = found.iter().map(|source| &*source.package).collect();
        table.row(
            kind,
            [found.len(), crates.len()].map(|count| count.to_string()),
        );
    }
    table
}

/// The files that are counted, by kind.
pub(super) fn listed(sources: &[Source], list: &str) -> String {
    let mut listed = String::new();
    for (kind, words) in kinds(list) {
        let _ = writeln!(listed, "{kind}: {}", words.join(" | "));
        for source in naming(sources, &words) {
            let _ = writeln!(listed, "    {}", source.name);
        }
    }
    listed
}

fn kinds(list: &str) -> impl Iterator<Item = (&str, Vec<&str>)> {
    let lines = list.lines().filter(|line| !line.starts_with('#'));
    let kinds = lines.filter_map(|line| line.split_once(": "));
    kinds.map(|(kind, words)| (kind, words.split(" | ").collect()))
}

fn naming<'a>(sources: &'a [Source], words: &[&str]) -> Vec<&'a Source> {
    let names = |source: &&Source| {
        let is_named = |line: &str| words.iter().any(|word| has_word(line, word));
        source.code().any(is_named)
    };
    sources.iter().filter(names).collect()
}

/// Whether a line has these letters with no letter of a name before and behind them.
fn has_word(line: &str, word: &str) -> bool {
    let is_of_a_name = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(word).any(|(at, _)| {
        !line[..at].ends_with(is_of_a_name) && !line[at + word.len()..].starts_with(is_of_a_name)
    })
}

#[test]
fn a_file_is_counted_if_its_code_has_the_word_as_a_whole() {
    let source = |name: &str, text: &str| Source {
        package: "teammate-core".to_owned(),
        name: name.to_owned(),
        text: text.to_owned(),
        length: 1,
    };
    let sources = [
        source("a.rs", "    Verb::Purge => purge::run(),"),
        source("b.rs", "// Purge\nfn unpurged() {}"),
        source("c.json", "\"purge\""),
    ];
    let list = "# how\na verb (`purge`): Purge | purge\n";
    let rows = table(&sources, list).rows;
    assert_eq!(
        rows,
        [(
            "a verb (`purge`)".to_owned(),
            ["2", "1"].map(str::to_owned).to_vec()
        )]
    );
}
