//! The words of the code: questions have yes-or-no answers, one public type has one name, and words that were dropped
//! do not come back.

use std::{collections::BTreeMap, fs};

use crate::tree::{files, root};

/// Words that names do without, with those that took their place.
const NAMES: &[(&str, &str)] = &[
    ("backstage", "jobs"),
    ("blame", "failure"),
    ("desk", "service"),
    ("frame", "notice"),
    ("hurry", "flush, stop waiting"),
    ("kit", "toolset"),
    ("letter", "message, draft"),
    ("outlook", "status text"),
    ("patience", "timeouts, grace"),
    ("seat", "member activity, handle"),
    ("standstill", "stalled"),
    ("stir", "touch"),
    ("tell", "emit, note, send, publish"),
    ("told", "the noun of what it makes"),
    ("warmth", "cache warm-up"),
    ("whose", "scope"),
];

/// Where such a name may stay, with the reason.
const NAMES_STAY: &[(&str, &str)] = &[("poll_frame", "a method of hyper's trait `Body`")];

struct Source {
    /// Below the root, with `/`.
    name: String,
    text: String,
}

/// All files below `crates`, `xtask` and `docs` with one of these endings.
fn sources(endings: &[&str]) -> Vec<Source> {
    let found = files(&["crates", "rig", "xtask", "docs"], endings).into_iter();
    found
        .map(|path| Source {
            name: path.display().to_string(),
            text: fs::read_to_string(root().join(path)).unwrap(),
        })
        .collect()
}

/// The code of the product, without its tests.
fn product() -> impl Iterator<Item = Source> {
    sources(&["rs"]).into_iter().filter(|source| {
        source.name.contains("/src/")
            && !source.name.contains("/tests/")
            && !source.name.ends_with("/tests.rs")
    })
}

/// The lines of code with their numbers, up to the tests at the file's end; comments are left out.
fn code(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = text.lines().zip(1..);
    lines
        .take_while(|(line, _)| *line != "#[cfg(test)]")
        .filter(|(line, _)| !line.trim_start().starts_with("//"))
        .map(|(line, n)| (n, line))
}

/// The name behind a keyword, if the line defines one.
fn defined<'a>(line: &'a str, keywords: &[&str]) -> Option<&'a str> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let at = words.iter().position(|word| keywords.contains(word))?;
    let is_head = |word: &&str| {
        ["pub", "const", "async", "unsafe", "extern"].contains(word) || word.starts_with("pub(")
    };
    if !words[..at].iter().all(is_head) {
        return None;
    }
    let name = words.get(at + 1)?;
    let end = name.find(|c: char| !c.is_alphanumeric() && c != '_');
    Some(&name[..end.unwrap_or(name.len())])
}

/// The words of `snake_case`, `CamelCase` and `SCREAMING_CASE` names, in small letters.
fn words_of(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut was_small = false;
    for c in name.chars() {
        if c == '_' || c.is_uppercase() && was_small {
            words.push(String::new());
        }
        was_small = c.is_lowercase();
        if c != '_' {
            words.last_mut().unwrap().extend(c.to_lowercase());
        }
    }
    words
}

/// From `fn` to the brace or semicolon behind the signature.
fn signature(text: &str, line: usize) -> String {
    let mut signature = String::new();
    for line in text.lines().skip(line - 1) {
        let end = line.find(" {").or_else(|| line.find(';'));
        signature.push_str(&line[..end.unwrap_or(line.len())]);
        signature.push(' ');
        if end.is_some() {
            break;
        }
    }
    signature
}

#[test]
fn a_name_that_asks_a_question_answers_yes_or_no_and_changes_nothing() {
    let mut wrong = Vec::new();
    for source in product() {
        for (n, line) in code(&source.text) {
            let Some(name) = defined(line, &["fn"]) else {
                continue;
            };
            let asks = ["is_", "are_", "has_", "have_", "can_", "was_", "were_"]
                .iter()
                .any(|start| name.starts_with(start));
            if !asks {
                continue;
            }
            let signature = signature(&source.text, n);
            let answer = signature.rsplit_once("->").map_or("", |(_, answer)| answer);
            if !answer.contains("bool") || signature.contains("&mut self") {
                wrong.push(format!("{}:{n}: {name}", source.name));
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "name them after what they do:\n{}",
        wrong.join("\n")
    );
}

#[test]
fn a_public_type_has_a_name_of_its_own() {
    let mut places = BTreeMap::<String, Vec<String>>::new();
    let parts = ["teammate-testkit", "teammate-cli", "rig/", "xtask/"];
    for source in product().filter(|source| !parts.iter().any(|part| source.name.contains(part))) {
        for (n, line) in code(&source.text).filter(|(_, line)| line.starts_with("pub ")) {
            if let Some(name) = defined(line, &["struct", "enum", "trait", "type"]) {
                let place = format!("{}:{n}", source.name);
                places.entry(name.to_owned()).or_default().push(place);
            }
        }
    }
    places.retain(|_, places| places.len() > 1);
    assert!(places.is_empty(), "one name, several types: {places:#?}");
}

/// A library's user has other ways to do it: see `teammate_core::next_step`.
#[test]
fn only_the_program_names_its_commands() {
    let programs = ["teammate-testkit", "teammate-cli", "rig/", "xtask/"];
    let mut found = Vec::new();
    for source in product() {
        if programs.iter().any(|part| source.name.contains(part)) {
            continue;
        }
        for (n, line) in code(&source.text).filter(|(_, line)| line.contains("`teammate ")) {
            found.push(format!("{}:{n}: {}", source.name, line.trim()));
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn names_that_were_dropped_stay_away() {
    let mut found = Vec::new();
    for source in product() {
        for (n, line) in code(&source.text) {
            let keywords = [
                "fn", "struct", "enum", "trait", "type", "const", "static", "mod",
            ];
            let Some(name) = defined(line, &keywords) else {
                continue;
            };
            if NAMES_STAY.iter().any(|(stays, _)| *stays == name) {
                continue;
            }
            let words = words_of(name);
            for (dropped, better) in NAMES {
                if words.iter().any(|word| word == dropped) {
                    found.push(format!("{}:{n}: {name}: {better}", source.name));
                }
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn prose_that_was_dropped_stays_away() {
    let mut found = Vec::new();
    for source in sources(&["rs", "md"]) {
        if source.name == "xtask/tests/guards/prose.rs" {
            continue;
        }
        let is_text = source.name.ends_with(".md");
        let lines = (1..).zip(source.text.lines());
        let prose = lines.filter(|(_, line)| is_text || line.trim_start().starts_with("//"));
        for crate::prose::Found {
            line,
            dropped,
            better,
        } in crate::prose::dropped_in(prose)
        {
            // Prompts tell a model things; a comment says by whom.
            if !is_text || !dropped.ends_with(" told") {
                found.push(format!("{}:{line}: '{dropped}': {better}", source.name));
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}
