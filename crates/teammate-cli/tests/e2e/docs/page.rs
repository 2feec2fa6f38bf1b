//! The pages and their fenced blocks.

use std::{fs, path::Path};

/// A page.
pub(crate) struct Page {
    /// Below the repository's root.
    pub(crate) name: String,
    pub(crate) blocks: Vec<Block>,
}

/// A fenced block.
pub(crate) struct Block {
    pub(crate) language: String,
    pub(crate) text: String,
    /// The line of its fence, from 1.
    pub(crate) line: usize,
}

/// All pages of the repository that are written for the user.
pub(crate) fn pages() -> Vec<Page> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut names = Vec::new();
    for folder in ["", "docs", "docs/project", "docs/protocols"] {
        for entry in fs::read_dir(root.join(folder)).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            if name.ends_with(".md") {
                names.push(Path::new(folder).join(name).display().to_string());
            }
        }
    }
    names.sort();
    names
        .into_iter()
        .map(|name| Page {
            blocks: blocks(&fs::read_to_string(root.join(&name)).unwrap()),
            name,
        })
        .collect()
}

impl Page {
    /// Its blocks in a language.
    pub(crate) fn of(&self, language: &str) -> impl Iterator<Item = &Block> {
        self.blocks
            .iter()
            .filter(move |block| block.language == language)
    }
}

impl Block {
    /// Its commands, each with its line; comments behind them are left out.
    pub(crate) fn commands(&self) -> Vec<(usize, String)> {
        let commands = self.text.lines().enumerate().map(|(n, line)| {
            let command = line.split_once(" #").map_or(line, |(command, _)| command);
            (self.line + 1 + n, command.trim().to_owned())
        });
        commands
            .filter(|(_, command)| !command.is_empty())
            .collect()
    }
}

fn blocks(page: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut open: Option<Block> = None;
    for (n, line) in page.lines().enumerate() {
        match (line.strip_prefix("```"), &mut open) {
            (Some(language), None) => {
                open = Some(Block {
                    language: language.trim().to_owned(),
                    text: String::new(),
                    line: n + 1,
                });
            }
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (None, Some(block)) => block.text.push_str(&format!("{line}\n")),
            (None, None) => {}
        }
    }
    assert!(open.is_none(), "a block is not closed");
    blocks
}

/// The words of a command as a shell splits them: quotes, no expansion.
pub(crate) fn words(command: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quote = None;
    for c in command.chars() {
        match (c, quote) {
            ('\'' | '"', None) => quote = Some(c),
            (c, Some(open)) if c == open => quote = None,
            (' ', None) => words.push(String::new()),
            (c, _) => words.last_mut().unwrap().push(c),
        }
    }
    words
}
