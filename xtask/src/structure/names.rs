//! What `grep` meets: names that say too little, and doc comments that need the one above them.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    lines::is_doc,
    source::Source,
    tables::{Table, thousands},
};

/// A name of one word says little if it has no more letters.
const SHORT: usize = 5;

/// How a doc comment begins that cannot be read without the item above it.
const LEANING: [&str; 3] = ["What ", "Who ", "The same"];

/// The names and first words of the product.
pub(super) fn table(sources: &[Source]) -> Table {
    let mut functions = 0;
    let mut short = 0;
    let mut types = BTreeMap::<&str, BTreeSet<&str>>::new();
    let mut leaning = 0;
    for source in sources.iter().filter(|source| source.is_rust()) {
        for line in source.code() {
            if let Some(name) = defined(line, &["fn"]) {
                functions += 1;
                short += usize::from(name.len() <= SHORT && !name.contains('_'));
            }
            if let Some(name) = defined(line, &["struct", "enum", "trait", "union", "type"]) {
                types.entry(name).or_default().insert(&source.name);
            }
        }
        leaning += leaning_comments(&source.text);
    }
    // An associated type has the name that its trait gives it.
    let doubled = types.values().filter(|files| files.len() > 1).count();
    let mut table = Table::new("Names", &["measured", ""]);
    table.row("functions", [thousands(functions)]);
    table.row(
        format!("with a name of one word of at most {SHORT} letters"),
        [thousands(short)],
    );
    table.row("names of types", [thousands(types.len())]);
    table.row("defined in more than one file", [thousands(doubled)]);
    table.row(
        "doc comments that begin with What, Who, The same",
        [thousands(leaning)],
    );
    table
}

/// The name behind a keyword, if the line defines one.
fn defined<'a>(line: &'a str, keywords: &[&str]) -> Option<&'a str> {
    let is_head = |word: &str| {
        [
            "pub", "const", "async", "unsafe", "extern", "\"C\"", "default",
        ]
        .contains(&word)
            || word.starts_with("pub(")
    };
    let mut words = line.split(' ').skip_while(|word| is_head(word));
    words.next().filter(|word| keywords.contains(word))?;
    let name = words.next()?;
    let end = name.find(|c: char| !c.is_alphanumeric() && c != '_');
    Some(&name[..end.unwrap_or(name.len())]).filter(|name| !name.is_empty())
}

/// How many doc comments of a file begin so.
fn leaning_comments(text: &str) -> usize {
    let mut was_doc = false;
    let mut found = 0;
    for line in text.lines() {
        let first = is_doc(line) && !was_doc;
        let words = line
            .trim_start()
            .trim_start_matches(['/', '!'])
            .trim_start();
        found += usize::from(first && LEANING.iter().any(|start| words.starts_with(start)));
        was_doc = is_doc(line);
    }
    found
}

#[test]
fn a_line_defines_a_name_whatever_stands_before_the_keyword() {
    assert_eq!(defined("pub(crate) async fn run<T>(", &["fn"]), Some("run"));
    assert_eq!(defined("struct Known;", &["struct"]), Some("Known"));
    assert_eq!(defined("let fn_name = 1;", &["fn"]), None);
    let text =
        "/// What it is.\n/// Who it is.\nfn a() {}\n/// Says\n/// What\n//! The same once more\n";
    assert_eq!(leaning_comments(text), 1);
}
