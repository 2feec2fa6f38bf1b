//! The pages for people: links lead somewhere, lines fit a terminal, and words that the project has dropped stay away.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Component, Path, PathBuf},
};

use crate::tree::{files, root};

/// The longest line of prose. Tables, code, and what has no blank to break at may be longer.
const COLUMNS_MAX: usize = 100;

/// The glossary is read from its beginning to its end.
const GLOSSARY_ENTRIES_MAX: usize = 60;

/// A page of the repository, as lines, each with whether it is code.
pub(crate) struct Page {
    /// Below the root, with `/`.
    pub(crate) name: String,
    pub(crate) lines: Vec<(String, bool)>,
}

/// The pages at the root, and all below `docs`.
pub(crate) fn pages() -> Vec<Page> {
    let at_root = fs::read_dir(root()).unwrap();
    let mut names: Vec<PathBuf> = at_root
        .map(|entry| entry.unwrap().file_name().into())
        .filter(|name: &PathBuf| name.extension().is_some_and(|end| end == "md"))
        .collect();
    names.extend(files(&["docs"], &["md"]));
    names.sort();
    names
        .into_iter()
        .map(|name| Page {
            lines: lines(&fs::read_to_string(root().join(&name)).unwrap()),
            name: name.display().to_string(),
        })
        .collect()
}

fn lines(text: &str) -> Vec<(String, bool)> {
    let mut is_code = false;
    let marked = text.lines().map(|line| {
        let is_fence = line.trim_start().starts_with("```");
        is_code ^= is_fence;
        (line.to_owned(), is_code || is_fence)
    });
    marked.collect()
}

impl Page {
    /// The lines that are not code, each with its number.
    fn prose(&self) -> impl Iterator<Item = (usize, &str)> {
        let lines = self.lines.iter().zip(1..);
        lines.filter_map(|((line, is_code), n)| (!is_code).then_some((n, line.as_str())))
    }

    /// What can stand behind `#` in a link to this page, as GitHub makes it of headings, in their order.
    pub(crate) fn anchors(&self) -> Vec<String> {
        let mut seen = BTreeMap::<String, usize>::new();
        let headings = self.prose().filter_map(|(_, line)| {
            let title = line.trim_start_matches('#');
            (title.len() < line.len()).then(|| title.strip_prefix(' '))?
        });
        let anchors = headings.map(|title| {
            let anchor = anchor(title);
            let count = seen.entry(anchor.clone()).or_default();
            *count += 1;
            match *count {
                1 => anchor,
                count => format!("{anchor}-{}", count - 1),
            }
        });
        anchors.collect()
    }
}

fn anchor(title: &str) -> String {
    let kept = title.trim().chars().filter_map(|c| match c {
        ' ' => Some('-'),
        '-' | '_' => Some(c),
        c if c.is_alphanumeric() => Some(c.to_ascii_lowercase()),
        _ => None,
    });
    kept.collect()
}

/// The targets of the links in a text, without code spans.
pub(crate) fn targets(text: &str) -> Vec<String> {
    let outside = text.split('`').step_by(2).collect::<Vec<_>>().join("_");
    let links = outside.split("](").skip(1);
    let targets = links.filter_map(|rest| rest.split_once(')').map(|(target, _)| target));
    targets.map(str::to_owned).collect()
}

/// `a/b/../c` as `a/c`.
pub(crate) fn without_detours(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                assert!(plain.pop(), "{} leaves the repository", path.display());
            }
            part => plain.push(part),
        }
    }
    plain
}

#[test]
fn every_link_in_the_pages_leads_somewhere() {
    let pages = pages();
    let anchors: BTreeMap<&str, Vec<String>> = pages
        .iter()
        .map(|page| (&*page.name, page.anchors()))
        .collect();
    let mut broken = Vec::new();
    for page in &pages {
        for (n, line) in page.prose() {
            for target in targets(line) {
                if target.contains("://") || target.starts_with("mailto:") {
                    continue;
                }
                let (path, anchor) = target.split_once('#').unwrap_or((&target, ""));
                let folder = Path::new(&page.name).parent().unwrap();
                let path = match path {
                    "" => PathBuf::from(&page.name),
                    path => without_detours(&folder.join(path)),
                };
                let is_there = root().join(&path).exists();
                let known = anchors.get(&*path.display().to_string());
                if !is_there
                    || !anchor.is_empty()
                        && !known.is_some_and(|all| all.iter().any(|one| one == anchor))
                {
                    broken.push(format!("{}:{n}: {target}", page.name));
                }
            }
        }
    }
    assert!(
        broken.is_empty(),
        "links lead nowhere:\n{}",
        broken.join("\n")
    );
}

#[test]
fn every_page_that_code_names_is_there() {
    let mut missing = Vec::new();
    for path in files(&["crates", "rig", "xtask"], &["rs"]) {
        let code = fs::read_to_string(root().join(&path)).unwrap();
        let named = named_pages(&code).into_iter();
        let gone = named.filter(|page| !root().join(page).exists());
        missing.extend(gone.map(|page| format!("{}: {page}", path.display())));
    }
    assert!(
        missing.is_empty(),
        "pages that are not there:\n{}",
        missing.join("\n")
    );
}

/// Every path of a page below docs that a text has.
fn named_pages(text: &str) -> Vec<String> {
    let is_of_a_path = |c: char| c.is_alphanumeric() || matches!(c, '/' | '-' | '_' | '.');
    let words = text.split(|c: char| !is_of_a_path(c));
    let pages = words.filter_map(|word| word.find("docs/").map(|at| &word[at..]));
    let pages =
        pages.filter_map(|page| page.split_once(".md").map(|(name, _)| format!("{name}.md")));
    pages.collect()
}

#[test]
fn every_page_of_docs_is_in_its_index() {
    let pages = pages();
    for index in [
        "docs/README.md",
        "docs/project/README.md",
        "docs/protocols/README.md",
        "docs/zh/README.md",
    ] {
        let folder = Path::new(index).parent().unwrap();
        let text = fs::read_to_string(root().join(index)).unwrap();
        let linked: BTreeSet<PathBuf> = targets(&text)
            .iter()
            .map(|link| folder.join(link))
            .collect();
        let unlisted: Vec<&str> = pages
            .iter()
            .map(|page| &*page.name)
            .filter(|name| *name != index && Path::new(name).parent() == Some(folder))
            .filter(|name| !linked.contains(Path::new(name)))
            .collect();
        assert!(unlisted.is_empty(), "{index} does not name {unlisted:?}");
    }
}

#[test]
fn no_line_of_prose_is_longer_than_a_terminal_is_wide() {
    let mut long = Vec::new();
    for page in pages() {
        for (n, line) in page.prose() {
            let is_table = line.trim_start().starts_with('|');
            let can_break = line.trim_start().trim_start_matches("- ").contains(' ');
            if !is_table && can_break && line.chars().count() > COLUMNS_MAX {
                long.push(format!("{}:{n}", page.name));
            }
        }
    }
    assert!(
        long.is_empty(),
        "more than {COLUMNS_MAX} columns: {long:#?}"
    );
}

#[test]
fn words_that_were_dropped_stay_away() {
    let mut found = Vec::new();
    for page in pages() {
        for crate::prose::Found {
            line,
            dropped,
            better,
        } in crate::prose::dropped_in(page.prose())
        {
            found.push(format!("{}:{line}: '{dropped}': {better}", page.name));
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn each_word_of_the_glossary_stands_there_once() {
    let pages = pages();
    let glossary = pages
        .iter()
        .find(|page| page.name == "docs/glossary.md")
        .unwrap();
    let text: Vec<&str> = glossary.prose().map(|(_, line)| line.trim()).collect();
    let mut seen = BTreeSet::new();
    for word in text.join(" ").split("**").skip(1).step_by(2) {
        assert!(
            seen.insert(word.to_lowercase()),
            "'{word}' stands there twice"
        );
    }
    assert!(seen.len() > 100, "only {} words are seen", seen.len());
    let entries = text.iter().filter(|line| line.starts_with("- **")).count();
    assert!(
        entries <= GLOSSARY_ENTRIES_MAX,
        "{entries} entries: what a type can say stands at the type"
    );
}
