//! Tags of tests, written where the test is: a comment above its attributes. End-to-end stories of the fast tier have `// fast: PROMISE`;
//! stories of crates that take long have `// slow: REASON` and are left to the full tier.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// Begins the comment above an end-to-end story of the fast tier; what it promises follows.
pub(super) const FAST: &str = "fast: ";
/// Begins the comment above a test that the fast tier leaves out; the reason follows.
pub(super) const SLOW: &str = "slow: ";

/// End-to-end stories of the fast tier, by their whole names.
pub(super) fn fast(root: &Path) -> Vec<String> {
    let dir = root.join("crates/teammate-cli/tests/e2e");
    tagged(&dir, FAST)
}

/// Slow tests of all crates, by their whole names.
pub(super) fn slow(root: &Path) -> Vec<String> {
    let packages = fs::read_dir(root.join("crates")).into_iter().flatten();
    let mut all = Vec::new();
    for package in packages.flatten() {
        let source = package.path().join("src");
        all.extend(tagged(&source, SLOW));
        let tests = fs::read_dir(package.path().join("tests"));
        for program in tests.into_iter().flatten().flatten() {
            all.extend(tagged(&program.path(), SLOW));
        }
    }
    all.sort();
    all
}

/// Tests with this tag of the crate or test program in this directory.
fn tagged(root: &Path, tag: &str) -> Vec<String> {
    tagged_below(root, root, tag)
}

fn tagged_below(dir: &Path, root: &Path, tag: &str) -> Vec<String> {
    let mut entries: Vec<PathBuf> = fs::read_dir(dir)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .collect();
    entries.sort();
    let mut all = Vec::new();
    for path in entries {
        if path.is_dir() {
            all.extend(tagged_below(&path, root, tag));
        } else if path.extension().is_some_and(|end| end == "rs") {
            let text = fs::read_to_string(&path).unwrap_or_default();
            let module = module(&path, root);
            let names = tests_in(&text, tag).map(|name| format!("{module}{name}"));
            all.extend(names);
        }
    }
    all
}

/// `board::claims::` of `board/claims.rs`.
fn module(path: &Path, root: &Path) -> String {
    let path = path.with_extension("");
    let inside = path.strip_prefix(root).unwrap_or(&path);
    let names = inside.iter().map(|name| name.to_string_lossy());
    names
        .filter(|name| !matches!(&**name, "main" | "lib"))
        .map(|name| format!("{name}::"))
        .collect()
}

/// Names of the functions that stand after the tag, in the order of the text.
fn tests_in<'a>(text: &'a str, tag: &str) -> impl Iterator<Item = &'a str> {
    let comment = format!("// {tag}");
    let mut is_tagged = false;
    text.lines().filter_map(move |line| {
        let line = line.trim_start();
        if line.starts_with(&comment) {
            is_tagged = true;
        }
        let function = line
            .strip_prefix("async ")
            .unwrap_or(line)
            .strip_prefix("fn ")?;
        let was_tagged = std::mem::take(&mut is_tagged);
        was_tagged.then(|| function.split(['(', '<']).next())?
    })
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{FAST, module, tests_in};

    #[test]
    fn a_tag_counts_for_the_next_function_only() {
        let text = "\
            // fast: the verb send\n#[test]\nfn one() {}\n#[test]\nfn two() {}\n\
            // fast: mail\n#[cfg(feature = \"nats\")]\n#[tokio::test]\nasync fn three() {}\n";
        let found: Vec<&str> = tests_in(text, FAST).collect();
        assert_eq!(found, ["one", "three"]);
    }

    #[test]
    fn a_test_is_named_by_the_path_of_its_file() {
        let named = |path| module(Path::new(path), Path::new("e2e"));
        assert_eq!(named("e2e/board/claims.rs"), "board::claims::");
        assert_eq!(named("e2e/main.rs"), "");
    }
}
