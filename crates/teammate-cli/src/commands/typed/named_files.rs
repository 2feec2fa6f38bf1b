//! Files that a line at the prompt names: `@shots/a.png` shows the recipient that picture, and the text keeps the word.

use std::path::{Path, PathBuf};

use teammate::attachments::MediaType;

/// Characters that end a sentence and may stand right behind a path.
const CLOSING: [char; 8] = ['.', ',', ';', ':', '!', '?', ')', '\''];

/// The pictures and documents that a text names and that are there, each once. Relative paths begin in the workspace; a path with
/// blanks stands in quotes: `@"my shot.png"`.
pub(super) fn named_files(text: &str, workspace: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = Vec::new();
    for path in words(text).filter_map(|word| file(word, workspace)) {
        if !found.contains(&path) {
            found.push(path);
        }
    }
    found
}

/// The words after each `@` that begins a word.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.match_indices('@').filter_map(|(at, _)| {
        let begins = |before: char| before.is_whitespace() || matches!(before, '(' | '\'');
        let (before, from) = text.split_at(at);
        if !before.chars().next_back().is_none_or(begins) {
            return None;
        }
        let rest = from.strip_prefix('@')?;
        match rest.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').map(|(path, _)| path),
            None => rest.split(char::is_whitespace).next(),
        }
    })
}

fn file(word: &str, workspace: &Path) -> Option<PathBuf> {
    [word, word.trim_end_matches(CLOSING)]
        .into_iter()
        .map(|path| workspace.join(path))
        .find(|path| is_shown(path) && path.is_file())
}

fn is_shown(path: &Path) -> bool {
    path.extension()
        .and_then(|extension| extension.to_str())
        .is_some_and(|extension| MediaType::of_extension(extension).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_that_names_a_picture_or_document_that_is_there_attaches_it() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path();
        std::fs::create_dir(root.join("shots")).unwrap();
        for name in [
            "a.png",
            "shots/B.JPG",
            "my plan.pdf",
            "notes.txt",
            "it's.gif",
        ] {
            std::fs::write(root.join(name), "x").unwrap();
        }
        let absolute = root.join("a.png").display().to_string();
        for (text, expected) in [
            ("see @a.png", vec!["a.png"]),
            (
                "@a.png and (@shots/B.JPG), twice @a.png.",
                vec!["a.png", "shots/B.JPG"],
            ),
            ("read @\"my plan.pdf\" first", vec!["my plan.pdf"]),
            ("what is @it's.gif?", vec!["it's.gif"]),
            ("mail me@a.png or a.png", vec![]),
            ("@notes.txt @no.png @shots @ @\"a.png", vec![]),
            (&format!("@{absolute}!"), vec!["a.png"]),
        ] {
            let expected: Vec<_> = expected.iter().map(|name| root.join(name)).collect();
            assert_eq!(named_files(text, root), expected, "{text}");
        }
    }
}
