//! Every public item says what it is for. The compiler's own lint asks that of each field and variant, too, also of those whose
//! name and type say all, so only the library for others (`teammate`) has it.

use std::fs;

use crate::tree::{files, root};

/// What needs a comment of its own.
const ITEMS: [&str; 8] = [
    "fn ",
    "async fn ",
    "const fn ",
    "struct ",
    "enum ",
    "trait ",
    "type ",
    "const ",
];

/// How a comment begins, in a macro too.
const COMMENTS: [&str; 3] = ["///", "#[doc", "$(#["];

#[test]
fn public_items_say_what_they_are_for() {
    let mut missing = Vec::new();
    for path in files(&["crates"], &["rs"]) {
        if path.iter().nth(2).is_none_or(|folder| folder != "src") {
            continue;
        }
        let text = fs::read_to_string(root().join(&path)).unwrap();
        let at = path.display();
        missing.extend(without_comment(&text).map(|line| format!("{at}: {}", line.trim())));
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}

#[test]
fn an_item_without_a_comment_is_found() {
    let text = "/// Has one.\n#[must_use]\npub fn a() {}\n\npub fn b() {}\n\npub trait C {\n    fn d();\n}\n";
    let found: Vec<&str> = without_comment(text).collect();
    assert_eq!(found, ["pub fn b() {}", "pub trait C {", "    fn d();"]);
}

#[test]
fn the_library_has_the_compilers_lint() {
    let library = fs::read_to_string(root().join("crates/teammate/src/lib.rs")).unwrap();
    assert!(library.contains("#![warn(missing_docs)]"));
}

/// Lines that begin a public item, or a function of a public trait, with no comment above it.
fn without_comment(text: &str) -> impl Iterator<Item = &str> {
    let lines: Vec<&str> = text.lines().collect();
    let mut is_in_trait = false;
    let found = lines.iter().enumerate().filter_map(|(at, line)| {
        is_in_trait = match *line {
            "}" => false,
            _ => is_in_trait || line.starts_with("pub trait ") && line.ends_with('{'),
        };
        let begins = |line: &str| ITEMS.iter().any(|item| line.starts_with(item));
        // A text says by its value what it is.
        let is_text = line.contains(": &str = ");
        let is_public = line.trim_start().strip_prefix("pub ").is_some_and(begins) && !is_text;
        let is_of_trait = is_in_trait && line.strip_prefix("    ").is_some_and(begins);
        let above = lines[..at].iter().rev();
        // Between an item and its comment are attributes only.
        let ends = |line: &&&str| line.trim().is_empty() || line.ends_with(['{', '}', ';']);
        let has_comment = || {
            above.take_while(|line| !ends(line)).any(|line| {
                COMMENTS
                    .iter()
                    .any(|way| line.trim_start().starts_with(way))
            })
        };
        ((is_public || is_of_trait) && !has_comment()).then_some(*line)
    });
    found.collect::<Vec<_>>().into_iter()
}
