//! The product's files, each with its code apart from comments and inline tests.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// One file below a crate's `src`, of any ending.
pub(super) struct Source {
    /// Its crate's folder.
    pub(super) package: String,
    /// Below the checkout, with `/`.
    pub(super) name: String,
    /// Without the module of tests at its end.
    pub(super) text: String,
    /// How long it is, with those tests.
    pub(super) length: usize,
}

impl Source {
    /// All files of the product, sorted by name.
    pub(super) fn all(root: &Path) -> Result<Vec<Self>, String> {
        let mut folders = vec![root.join("crates")];
        let mut paths = Vec::new();
        while let Some(folder) = folders.pop() {
            let entries =
                fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
            for path in entries.flatten().map(|entry| entry.path()) {
                if path.is_dir() {
                    folders.push(path);
                } else {
                    paths.push(path);
                }
            }
        }
        paths.sort();
        Ok(paths
            .into_iter()
            .filter_map(|path| Self::read(root, &path))
            .collect())
    }

    fn read(root: &Path, path: &PathBuf) -> Option<Self> {
        let name = path.strip_prefix(root).ok()?.to_str()?.to_owned();
        let package = name.split('/').nth(1)?.to_owned();
        let is_shipped = name.split('/').nth(2) == Some("src") && package != "teammate-testkit";
        let is_test = ["/tests/", "/golden/", "/benches/", "/examples/"]
            .iter()
            .any(|folder| name.contains(folder))
            || name.ends_with("/tests.rs");
        if !is_shipped || is_test {
            return None;
        }
        // A picture is no text.
        let text = fs::read_to_string(path).ok()?;
        Some(Self {
            package,
            name,
            length: text.lines().count(),
            text: without_tests(&text).to_owned(),
        })
    }

    pub(super) fn is_rust(&self) -> bool {
        self.name.ends_with(".rs")
    }

    /// The lines that are neither empty nor a comment.
    pub(super) fn code(&self) -> impl Iterator<Item = &str> {
        let lines = self.text.lines().map(str::trim);
        lines.filter(|line| !line.is_empty() && (!self.is_rust() || !line.starts_with("//")))
    }
}

/// A file up to the module of tests that it defines itself.
fn without_tests(text: &str) -> &str {
    let mut at = 0;
    let mut lines = text.split_inclusive('\n').peekable();
    while let Some(line) = lines.next() {
        let is_module = |next: &&str| {
            let next = next.strip_prefix("pub(crate) ").unwrap_or(next);
            next.starts_with("mod ") && next.trim_end().ends_with('{')
        };
        if line.starts_with("#[cfg(test)]") && lines.peek().is_some_and(is_module) {
            break;
        }
        at += line.len();
    }
    &text[..at]
}

#[test]
fn a_file_is_read_up_to_its_tests() {
    let kept = "#[cfg(test)]\nmod tests;\nfn a() {}\n";
    let text = format!("{kept}#[cfg(test)]\nmod inline {{\n}}\n");
    assert_eq!(without_tests(&text), kept);
}
