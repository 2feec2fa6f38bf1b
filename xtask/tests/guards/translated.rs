//! Pages in Chinese say what the English ones say: the same sections in the same order, each with the same commands, code,
//! rows of tables and links. What changes in English and not there is named. The sentences are for people to compare.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};

use crate::pages::{Page, pages, targets, without_detours};

/// All pages by their names.
struct Pages(BTreeMap<String, Page>);

/// What a section has that no translation changes.
#[derive(Default)]
struct Section {
    /// With its `#`; the text before the first title has none.
    title: String,
    /// All that is no code.
    text: String,
    /// The blocks of code, with their fences.
    blocks: Vec<String>,
    /// The code in each row of its tables.
    rows: Vec<BTreeSet<String>>,
    /// Where its links lead.
    links: BTreeSet<Place>,
}

/// A page by its English name and, if the link names one, its section by number: titles are translated.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Place(PathBuf, Option<usize>);

#[test]
fn pages_in_chinese_have_what_the_english_ones_have() {
    let pages = Pages::all();
    let mut found = Vec::new();
    for page in pages.chinese() {
        let (chinese, english) = (&page.name, english(&page.name).unwrap());
        let differences = differences(&pages.sections(chinese), &pages.sections(&english));
        found.extend(
            differences
                .iter()
                .map(|what| format!("{chinese}, {what} ({english})")),
        );
    }
    assert!(
        found.is_empty(),
        "instead of the English:\n{}",
        found.join("\n")
    );
}

#[test]
fn pages_in_chinese_link_to_pages_in_chinese_where_there_are_some() {
    let pages = Pages::all();
    let translated: BTreeSet<String> = pages
        .chinese()
        .filter_map(|page| english(&page.name))
        .collect();
    assert!(translated.len() > 1);
    for page in pages.chinese() {
        let folder = Path::new(&page.name).parent().unwrap();
        let prose = page.lines.iter().filter(|(_, is_code)| !is_code);
        for target in prose.flat_map(|(line, _)| targets(line)) {
            let path = target.split('#').next().unwrap();
            let to = without_detours(&folder.join(path)).display().to_string();
            let is_its_original = english(&page.name).is_some_and(|english| english == to);
            assert!(
                is_its_original || !translated.contains(&to),
                "{}: {target} is there in Chinese",
                page.name
            );
        }
    }
}

/// The English name of a page in Chinese.
fn english(name: &str) -> Option<String> {
    let name = name.strip_prefix("docs/zh/")?;
    Some(match name {
        "README.md" => name.to_owned(),
        name => format!("docs/{name}"),
    })
}

impl Pages {
    fn all() -> Pages {
        Pages(
            pages()
                .into_iter()
                .map(|page| (page.name.clone(), page))
                .collect(),
        )
    }

    fn chinese(&self) -> impl Iterator<Item = &Page> {
        self.0.values().filter(|page| english(&page.name).is_some())
    }

    fn sections(&self, name: &str) -> Vec<Section> {
        let page = self.0.get(name);
        let page = page.unwrap_or_else(|| panic!("there is no {name}"));
        let mut sections = vec![Section::default()];
        let mut was_code = false;
        for (line, is_code) in &page.lines {
            if !is_code && line.starts_with('#') {
                sections.push(Section::default());
            }
            let section = sections.last_mut().unwrap();
            section.take(line, *is_code, was_code);
            was_code = *is_code;
        }
        for section in &mut sections {
            let targets = targets(&section.text).into_iter();
            section.links = targets.map(|target| self.place(page, &target)).collect();
        }
        sections
    }

    /// Where a link of a page leads.
    fn place(&self, from: &Page, target: &str) -> Place {
        let (path, anchor) = target.split_once('#').unwrap_or((target, ""));
        let folder = Path::new(&from.name).parent().unwrap();
        let path = match path {
            "" => from.name.clone(),
            path if path.contains("://") => return Place(target.into(), None),
            path => without_detours(&folder.join(path)).display().to_string(),
        };
        let anchors = self.0.get(&path).map(Page::anchors).unwrap_or_default();
        let section = anchors.iter().position(|one| one == anchor);
        Place(english(&path).unwrap_or(path).into(), section)
    }
}

/// The code spans of a text, each on one line.
fn code(text: &str) -> BTreeSet<String> {
    let spans = text.split('`').skip(1).step_by(2);
    spans
        .map(|span| span.split_whitespace().collect::<Vec<_>>().join(" "))
        .collect()
}

/// What is not the same, in sentences. Where a section is missing, the rest would be noise.
fn differences(ours: &[Section], theirs: &[Section]) -> Vec<String> {
    let pairs = ours.iter().zip(theirs);
    let mut found: Vec<String> = pairs
        .flat_map(|(ours, theirs)| ours.differences(theirs))
        .collect();
    if ours.len() != theirs.len() {
        found.truncate(1);
        found.push(format!(
            "{} sections instead of {}",
            ours.len(),
            theirs.len()
        ));
    }
    found
}

impl Section {
    /// Takes the next line, in or before a block of code.
    fn take(&mut self, line: &str, is_code: bool, was_code: bool) {
        if is_code && was_code {
            let block = self.blocks.last_mut().unwrap();
            block.extend(["\n", line]);
        } else if is_code || line.starts_with("    ") {
            self.blocks.push(line.to_owned());
        } else {
            self.text.extend([line, "\n"]);
            match line.chars().next() {
                Some('#') => line.clone_into(&mut self.title),
                Some('|') => self.rows.push(code(line)),
                _ => {}
            }
        }
    }

    /// The code in its sentences.
    fn code(&self) -> BTreeSet<String> {
        let lines = self.text.lines().filter(|line| !line.starts_with('|'));
        code(&lines.collect::<Vec<_>>().join("\n"))
    }

    fn level(&self) -> usize {
        self.title.len() - self.title.trim_start_matches('#').len()
    }

    fn differences(&self, theirs: &Section) -> Vec<String> {
        let mut found = Vec::new();
        if self.level() != theirs.level() {
            found.push(format!(
                "level {} instead of {}",
                self.level(),
                theirs.level()
            ));
        }
        for (number, pair) in in_pairs(&self.blocks, &theirs.blocks) {
            found.push(format!("block {number}: {pair}"));
        }
        for (number, pair) in in_pairs(&self.rows, &theirs.rows) {
            found.push(format!("row {number}: {pair}"));
        }
        found.extend(difference("code", &self.code(), &theirs.code()));
        found.extend(difference("links", &self.links, &theirs.links));
        let place = format!("'{}' for '{}'", self.title, theirs.title);
        found
            .into_iter()
            .map(|what| format!("{place}: {what}"))
            .collect()
    }
}

/// Those that differ, by number from 1.
fn in_pairs<T: PartialEq + std::fmt::Debug>(ours: &[T], theirs: &[T]) -> Vec<(usize, String)> {
    let numbers = 0..ours.len().max(theirs.len());
    let different = numbers.filter(|n| ours.get(*n) != theirs.get(*n));
    let say = |one: Option<&T>| one.map_or("nothing".to_owned(), |one| format!("{one:?}"));
    let said = different.map(|n| {
        (
            n + 1,
            format!("{} instead of {}", say(ours.get(n)), say(theirs.get(n))),
        )
    });
    said.collect()
}

/// What one has and the other has not.
fn difference<T: Ord + std::fmt::Debug>(
    what: &str,
    ours: &BTreeSet<T>,
    theirs: &BTreeSet<T>,
) -> Option<String> {
    let missing: Vec<&T> = theirs.difference(ours).collect();
    let added: Vec<&T> = ours.difference(theirs).collect();
    (ours != theirs).then(|| format!("{what}: missing {missing:?}, added {added:?}"))
}
