//! Reads `tables.txt`: what is known of programs and of places. The file says how it is written; what follows from it is for
//! those who ask.

use std::sync::OnceLock;

use super::options::{Known, Operands};

const FILE: &str = include_str!("tables.txt");

type WordList = Vec<&'static str>;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TableKind {
    Program,
    Git,
    Options,
    List,
}

#[derive(Debug)]
pub(super) struct TableEntry {
    pub(super) kind: TableKind,
    /// A program's names, or the words of a subcommand.
    pub(super) names: WordList,
    pub(super) runs: WordList,
    pub(super) harmful: WordList,
    pub(super) harmless: Option<Known>,
    pub(super) operands: Operands,
    has: WordList,
}

/// The entries of the file.
pub(super) fn entries() -> &'static [TableEntry] {
    static ENTRIES: OnceLock<Vec<TableEntry>> = OnceLock::new();
    // A test reads the file; it is a part of the program.
    ENTRIES.get_or_init(|| read(FILE).expect("the tables can be read"))
}

/// The words of a list.
pub(super) fn list(name: &str) -> &'static [&'static str] {
    let list = entries()
        .iter()
        .find(|entry| entry.kind == TableKind::List && entry.names == [name]);
    // A test names them all.
    &list.expect("the list is in the tables").has
}

/// Reads the entries, or says which line is none.
fn read(text: &'static str) -> Result<Vec<TableEntry>, &'static str> {
    let mut entries: Vec<TableEntry> = Vec::new();
    for line in text.lines() {
        let mut words = line.split_whitespace();
        let Some(first) = words.next().filter(|first| !first.starts_with('#')) else {
            continue;
        };
        if !line.starts_with(' ') {
            entries.push(TableEntry::new(first, words.collect()).ok_or(line)?);
        } else if let Some((entry, before)) = entries.split_last_mut() {
            entry.add(first, words, before).ok_or(line)?;
        }
    }
    Ok(entries)
}

impl TableEntry {
    fn new(kind: &str, names: WordList) -> Option<Self> {
        Some(Self {
            kind: match kind {
                "program" => TableKind::Program,
                "git" => TableKind::Git,
                "options" => TableKind::Options,
                "list" => TableKind::List,
                _ => return None,
            },
            names,
            runs: WordList::new(),
            harmful: WordList::new(),
            harmless: None,
            operands: Operands::Any,
            has: WordList::new(),
        })
    }

    fn add(
        &mut self,
        key: &str,
        words: impl Iterator<Item = &'static str>,
        before: &[Self],
    ) -> Option<()> {
        match key {
            "runs" => self.runs.extend(words),
            "harmful" => self.harmful.extend(words),
            "letters" | "words" => {
                let known = self.harmless.get_or_insert_default();
                known.are_joined = key == "letters";
                for word in words {
                    let shared = before
                        .iter()
                        .find(|entry| entry.kind == TableKind::Options && entry.names == [word]);
                    known
                        .options
                        .extend(shared.map_or(&[word][..], |shared| &shared.has));
                }
            }
            "operands" => self.operands = Operands::read(words)?,
            "has" => self.has.extend(words),
            _ => return None,
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn the_file_is_read_and_no_entry_is_there_twice() {
        let mut seen = BTreeSet::new();
        for entry in entries() {
            let names = match entry.kind {
                TableKind::Program => entry.names.iter().map(|name| vec![*name]).collect(),
                TableKind::Git | TableKind::Options | TableKind::List => vec![entry.names.clone()],
            };
            for name in names {
                assert!(
                    seen.insert((format!("{:?}", entry.kind), name)),
                    "{entry:?}"
                );
            }
        }
        assert!(seen.len() > 150, "{}", seen.len());
    }

    #[test]
    fn every_entry_is_used() {
        let lists = [
            "shells",
            "runners",
            "lookers",
            "git-values",
            "git-lookers",
            "protected-anywhere",
            "protected-home",
        ];
        let of = |kind| entries().iter().filter(move |entry| entry.kind == kind);
        let names: Vec<_> = of(TableKind::List).map(|entry| entry.names[0]).collect();
        assert_eq!(names, lists);
        assert!(lists.iter().all(|name| !list(name).is_empty()));
        for shared in of(TableKind::Options) {
            let is_word = |word: &str| word == shared.names[0];
            let mut words = FILE
                .lines()
                .flat_map(|line| line.split_whitespace().skip(1));
            assert!(
                words.clone().filter(|word| is_word(word)).count() > 1,
                "{shared:?}"
            );
            assert!(words.all(|word| word != "has" || !is_word(word)));
        }
        // What runs its operands is found before the programs are, and git is judged by its subcommands.
        let hidden = |name: &&str| list("shells").contains(name) || list("runners").contains(name);
        for program in of(TableKind::Program) {
            assert!(
                !program
                    .names
                    .iter()
                    .any(|name| hidden(name) || *name == "git"),
                "{program:?}"
            );
        }
    }

    #[test]
    fn options_are_options() {
        for entry in entries() {
            let known = entry.harmless.iter().flat_map(|known| &known.options);
            let shared = entry
                .has
                .iter()
                .filter(|_| entry.kind == TableKind::Options);
            for option in known.chain(&entry.runs).chain(&entry.harmful).chain(shared) {
                assert!(option.starts_with('-'), "{option} of {entry:?}");
            }
        }
    }

    #[test]
    fn what_is_no_entry_is_named() {
        for text in [
            "programme x",
            "program x\n  run -a",
            "program x\n  operands some",
        ] {
            assert_eq!(read(text).err(), text.lines().last());
        }
        let read =
            read("options A\n  has -a -b\n# none\n\nprogram x y\n  words -c\n  words A\n").unwrap();
        assert_eq!(read[1].names, ["x", "y"]);
        assert_eq!(
            read[1].harmless.as_ref().unwrap().options,
            ["-c", "-a", "-b"]
        );
    }
}
