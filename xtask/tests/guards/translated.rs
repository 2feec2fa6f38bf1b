//! Pages in Chinese say what the English ones say: the same sections, commands and pictures in the same order. What changes in
//! English and not there is named.

use std::{fs, path::Path};

use crate::tree::{files, root};

/// The headings' levels and the blocks of code, in their order.
fn skeleton(page: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut code: Option<String> = None;
    for line in page.lines() {
        let is_fence = line.starts_with("```");
        match &mut code {
            Some(block) if is_fence => {
                found.push(std::mem::take(block));
                code = None;
            }
            Some(block) => block.push_str(&format!("\n{line}")),
            None if is_fence => code = Some(line.to_owned()),
            None if line.starts_with('#') => {
                found.push(line.chars().take_while(|c| *c == '#').collect());
            }
            None => {}
        }
    }
    found
}

#[test]
fn pages_in_chinese_have_the_sections_commands_and_pictures_of_the_english_ones() {
    let pages = files(&["docs/zh"], &["md"]);
    assert!(!pages.is_empty());
    for page in pages {
        let name = page.file_name().unwrap();
        let english = match name.to_str() {
            Some("README.md") => Path::new("README.md").to_owned(),
            _ => Path::new("docs").join(name),
        };
        let [ours, theirs] =
            [&page, &english].map(|page| skeleton(&fs::read_to_string(root().join(page)).unwrap()));
        for (number, (ours, theirs)) in ours.iter().zip(&theirs).enumerate() {
            let (page, english) = (page.display(), english.display());
            assert_eq!(
                ours, theirs,
                "{page}: part {number} is not that of {english} any more"
            );
        }
        assert_eq!(ours.len(), theirs.len(), "{}", page.display());
    }
}
