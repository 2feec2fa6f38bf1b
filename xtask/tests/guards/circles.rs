//! No circles of imports between the files of a crate: what a file needs can be read and tested without what needs it.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use xtask::imports::{self, graph::Graph};

/// A circle that may stay: a file below `known`, with its package and the reason in the first lines, and then exactly the files
/// that are in it.
struct Known {
    at: PathBuf,
    package: String,
    head: String,
    files: BTreeSet<String>,
}

impl Known {
    fn read(at: PathBuf) -> Self {
        let text = fs::read_to_string(&at).unwrap();
        let is_head = |line: &&str| line.starts_with('#');
        let head: String = text
            .lines()
            .take_while(is_head)
            .map(|line| format!("{line}\n"))
            .collect();
        let package = head
            .lines()
            .next()
            .and_then(|line| line[1..].split(':').next());
        Self {
            package: package.unwrap_or_default().trim().to_owned(),
            files: text
                .lines()
                .skip_while(is_head)
                .map(str::to_owned)
                .collect(),
            at,
            head,
        }
    }

    fn all() -> Vec<Self> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/guards/circles/known");
        let mut files: Vec<PathBuf> = folder
            .read_dir()
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .collect();
        files.sort();
        files.into_iter().map(Self::read).collect()
    }

    /// What is to be said about a circle that has a file of this one; nothing if they are the same.
    fn compared(&self, circle: &BTreeSet<String>) -> Option<String> {
        let names = |files: Vec<&String>| -> String {
            let names: Vec<&str> = files.into_iter().map(String::as_str).collect();
            if names.is_empty() {
                "none".to_owned()
            } else {
                names.join(", ")
            }
        };
        let joined = names(circle.difference(&self.files).collect());
        let left = names(self.files.difference(circle).collect());
        let at = self.at.file_name().unwrap().to_string_lossy();
        (*circle != self.files).then(|| {
            format!(
                "{}: the circle of known/{at} has changed.\n  joined, and must not: {joined}\n  left, and comes off the list: {left}",
                self.package
            )
        })
    }

    /// Writes down what the circle is now: for what has left, and for what must join, after a look at the difference.
    fn update(&self, circle: &BTreeSet<String>) {
        let files: String = circle.iter().map(|file| format!("{file}\n")).collect();
        fs::write(&self.at, format!("{}{files}", self.head)).unwrap();
    }
}

fn packages() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut packages: Vec<PathBuf> = root
        .join("crates")
        .read_dir()
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.join("src").is_dir())
        .collect();
    packages.extend([root.join("rig"), root.join("xtask")]);
    packages.sort();
    packages
}

#[test]
fn no_files_of_a_crate_import_each_other_in_a_circle() {
    let known = Known::all();
    let mut wrong = Vec::new();
    let mut unused: BTreeSet<&Path> = known.iter().map(|known| &*known.at).collect();
    let updates = std::env::var_os("UPDATE_GOLDEN").is_some();
    for package in packages() {
        let name = package.file_name().unwrap().to_string_lossy().into_owned();
        let graph = Graph::of(&imports::of_package(&package.join("src")));
        println!("{name}: {}", graph.in_a_line());
        for circle in graph.circles() {
            let is_it = |known: &&Known| known.package == name && !known.files.is_disjoint(&circle);
            let mut found = known.iter().filter(is_it).peekable();
            if found.peek().is_none() {
                wrong.push(format!("{name}: {}", graph.describe(&circle)));
            }
            for known in found {
                unused.remove(&*known.at);
                match known.compared(&circle) {
                    Some(_) if updates => known.update(&circle),
                    Some(change) => wrong.push(change),
                    None => {}
                }
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "\n{}\n(UPDATE_GOLDEN=1 writes the lists anew)\n",
        wrong.join("\n")
    );
    assert!(
        unused.is_empty(),
        "there is no such circle any more: remove {unused:?}"
    );
}

/// The circles of a crate that has two modules, `prompt` with a child `question`, and `typed`, whose code begins like this.
fn circles_of(prompt: &str, typed: &str) -> Vec<BTreeSet<String>> {
    let dir = std::env::temp_dir().join(format!("circles-{}-{}", std::process::id(), prompt.len()));
    fs::create_dir_all(dir.join("prompt")).unwrap();
    let files = [
        ("lib.rs", "mod prompt; mod typed;"),
        ("prompt.rs", prompt),
        ("prompt/question.rs", "pub struct Shown;"),
        ("typed.rs", typed),
    ];
    for (name, text) in files {
        fs::write(dir.join(name), text).unwrap();
    }
    let circles = Graph::of(&imports::of_package(&dir)).circles();
    fs::remove_dir_all(&dir).unwrap();
    circles
}

#[test]
fn a_name_that_is_re_exported_ties_its_user_to_the_module_that_does_it() {
    let wanted = BTreeSet::from(["prompt.rs", "typed.rs"].map(str::to_owned));
    let typed = "use crate::prompt::Shown; pub fn say(shown: &Shown) {}";
    for export in ["pub use self::question::Shown;", "pub use question::*;"] {
        let prompt = format!("mod question; {export} use crate::typed::say;");
        assert_eq!(
            circles_of(&prompt, typed),
            std::slice::from_ref(&wanted),
            "{export}"
        );
    }
    let prompt = "mod question; pub use question::*; use crate::typed::say;";
    let globbed = "use crate::prompt::*; pub fn say(shown: &Shown) {}";
    assert_eq!(circles_of(prompt, globbed), [wanted]);
}
