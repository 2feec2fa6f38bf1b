//! The Chinese catalogue has every text that is marked in the sources, in the same words as there, and no other: who changes an
//! English text learns here which entry is missing now, and which one nobody reads any more. Of the command line's help the program
//! itself says so (`commands/translated_help.rs`).
#![allow(clippy::unwrap_used, reason = "a test may")]

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use teammate_view::{
    keys::KeyAction,
    language::{Language, in_language, translation},
    screens::cost::CostLine,
};

fn crates() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The sources of all crates, without tests, each text that goes over several lines in one.
fn sources(extension: &str) -> Vec<(PathBuf, String)> {
    let mut dirs = vec![crates()];
    let mut files = Vec::new();
    while let Some(dir) = dirs.pop() {
        for entry in fs::read_dir(dir).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap();
            if path.is_dir() && !["tests", "target", "node_modules"].contains(&name) {
                dirs.push(path);
            } else if path.extension().is_some_and(|known| known == extension) && name != "tests.rs"
            {
                let text = fs::read_to_string(&path).unwrap();
                files.push((path, in_one_line(&text)));
            }
        }
    }
    files
}

fn in_one_line(source: &str) -> String {
    let mut parts = source.split("\\\n");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| text + part.trim_start())
}

/// The texts that are marked in a source: `t("…")`, `t!("…", …)`, and the many of `counted(…, "one", "many")`.
fn marked(source: &str) -> Vec<String> {
    let mut texts = Vec::new();
    for mark in ["t(", "t!("] {
        for (at, _) in source.match_indices(mark) {
            let is_word = source[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
            let line = source[..at].rsplit('\n').next().unwrap_or_default();
            let is_comment = line.trim_start().starts_with("//");
            if let (false, false, Some(text)) = (
                is_word,
                is_comment,
                literal(source[at + mark.len()..].trim_start()),
            ) {
                texts.push(text);
            }
        }
    }
    texts
}

/// The text of a literal that stands at the beginning.
fn literal(source: &str) -> Option<String> {
    let mut letters = source.strip_prefix('"')?.chars();
    let mut text = String::new();
    loop {
        match letters.next()? {
            '"' => return Some(text),
            '\\' => match letters.next()? {
                'n' => text.push('\n'),
                other => text.push(other),
            },
            other => text.push(other),
        }
    }
}

/// The entries of a part of the catalogue.
fn entries(part: &str) -> Vec<(String, String)> {
    let file = crates().join(format!("teammate-view/locales/zh-CN/{part}.po"));
    let text = fs::read_to_string(file).unwrap();
    let texts = |begin: &str| -> Vec<String> {
        let lines = text.lines().filter_map(|line| line.strip_prefix(begin));
        lines.filter_map(literal).collect()
    };
    let pairs = texts("msgid ").into_iter().zip(texts("msgstr "));
    pairs.filter(|(english, _)| !english.is_empty()).collect()
}

/// The holes of a template.
fn holes(template: &str) -> BTreeSet<&str> {
    let parts = template.split('{').skip(1);
    parts
        .filter_map(|part| Some(part.split_once('}')?.0))
        .collect()
}

/// What a template says between its holes.
fn pieces(template: &str) -> Vec<String> {
    let parts = template.split('{').flat_map(|part| part.rsplit('}').next());
    let escaped = |part: &str| {
        part.replace('\\', "\\\\")
            .replace('"', "\\\"")
            .replace('\n', "\\n")
    };
    parts
        .map(|part| escaped(part.trim()))
        .filter(|part| part.len() > 2)
        .collect()
}

#[test]
fn every_text_that_is_marked_is_in_the_chinese_catalogue() {
    let mut missing = BTreeSet::new();
    in_language(Language::Chinese, || {
        for (path, source) in sources("rs") {
            let source = source
                .split("\n#[cfg(test)]\nmod tests")
                .next()
                .unwrap_or_default();
            let texts = marked(source).into_iter();
            missing.extend(
                texts
                    .filter(|text| translation(text).is_none())
                    .map(|text| (path.clone(), text)),
            );
        }
        let of_tables = KeyAction::ALL.iter().map(|action| action.does());
        for text in of_tables.chain(CostLine::HEADS) {
            if translation(text).is_none() {
                missing.insert((PathBuf::from("a table of the view"), text.to_owned()));
            }
        }
    });
    assert!(missing.is_empty(), "zh-CN lacks {missing:#?}");
}

#[test]
fn every_entry_of_the_chinese_catalogue_is_said_somewhere_and_has_the_holes_of_the_english_text() {
    let sources: Vec<String> = ["rs", "js", "html"]
        .into_iter()
        .flat_map(sources)
        .map(|(_, source)| source)
        .collect();
    let (mut unread, mut wrong) = (Vec::new(), Vec::new());
    for part in ["screens", "program", "errors", "page"] {
        for (english, text) in entries(part) {
            let pieces = pieces(&english);
            let says = |source: &String| pieces.iter().all(|piece| source.contains(piece));
            if !sources.iter().any(says) {
                unread.push((part, english.clone()));
            }
            if text.is_empty() || !holes(&text).is_subset(&holes(&english)) {
                wrong.push((part, english));
            }
        }
    }
    assert!(unread.is_empty(), "nothing in the sources says {unread:#?}");
    assert!(
        wrong.is_empty(),
        "no text, or holes that the English one has not: {wrong:#?}"
    );
}

#[test]
fn no_entry_is_there_twice_with_two_meanings() {
    let mut known = std::collections::BTreeMap::new();
    let mut twice = Vec::new();
    for part in ["screens", "program", "help", "errors", "clap"] {
        for (english, text) in entries(part) {
            if let Some(other) = known.insert(english.clone(), text.clone())
                && other != text
            {
                twice.push((english, other, text));
            }
        }
    }
    assert!(twice.is_empty(), "{twice:#?}");
}
