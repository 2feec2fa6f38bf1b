//! Lines and files, of the whole and by crate, and the circles of imports.

use std::{collections::BTreeMap, path::Path};

use super::{
    core_build::CoreBuild,
    source::Source,
    tables::{Table, thousands},
};
use xtask::imports::{self, graph::Graph};

/// A file with so few lines holds a part of an idea more often than one.
const SMALL: usize = 60;

#[derive(Default)]
struct Lines {
    all: usize,
    code: usize,
    docs: usize,
    /// Of each file, with its own tests.
    files: Vec<usize>,
}

impl Lines {
    fn of<'a>(sources: impl Iterator<Item = &'a Source>) -> Self {
        let mut lines = Self::default();
        for source in sources.filter(|source| source.is_rust()) {
            lines.all += source.text.lines().count();
            lines.code += source.code().count();
            lines.docs += source.text.lines().filter(|line| is_doc(line)).count();
            lines.files.push(source.length);
        }
        lines.files.sort_unstable();
        lines
    }

    /// The lines of the file that this share of all files is not longer than, in hundredths.
    fn percentile(&self, share: usize) -> usize {
        let at = self.files.len() * share / 100;
        self.files.get(at).copied().unwrap_or_default()
    }
}

/// Whether it is a line of rustdoc.
pub(super) fn is_doc(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with("///") || line.starts_with("//!")
}

/// The product as one.
pub(super) fn whole(root: &Path, sources: &[Source]) -> Result<Table, String> {
    let lines = Lines::of(sources.iter());
    let core = CoreBuild::read(root, sources)?;
    let core = Lines::of(sources.iter().filter(|source| core.has(source)));
    let small = lines.files.iter().filter(|lines| **lines <= SMALL);
    let in_small: usize = small.clone().sum();
    let circles: Vec<usize> = packages(sources)
        .flat_map(|package| circles(root, package))
        .collect();
    let mut table = Table::new("The whole", &["measured", ""]);
    table.row("lines", [thousands(lines.all)]);
    table.row("of them code", [thousands(lines.code)]);
    table.row("of them doc comments", [thousands(lines.docs)]);
    table.row("lines of the build without features", [thousands(core.all)]);
    table.row("files", [thousands(lines.files.len())]);
    table.row("lines of a file: median", [thousands(lines.percentile(50))]);
    table.row(
        "lines of a file: nine in ten at most",
        [thousands(lines.percentile(90))],
    );
    table.row(
        "lines of the longest file",
        [thousands(lines.files.last().copied().unwrap_or_default())],
    );
    table.row(
        format!("files of at most {SMALL} lines"),
        [thousands(small.count())],
    );
    table.row("lines in those", [thousands(in_small)]);
    table.row("circles of imports", [thousands(circles.len())]);
    table.row("files in circles", [thousands(circles.iter().sum())]);
    table.row(
        "files of the largest circle",
        [thousands(circles.into_iter().max().unwrap_or_default())],
    );
    Ok(table)
}

/// Each crate for itself, the largest first.
pub(super) fn by_crate(root: &Path, sources: &[Source]) -> Table {
    let mut crates: Vec<(&str, Lines)> = packages(sources)
        .map(|package| {
            let own = sources.iter().filter(|source| source.package == package);
            (package, Lines::of(own))
        })
        .collect();
    crates.sort_by_key(|(_, lines)| std::cmp::Reverse(lines.all));
    let mut table = Table::new(
        "Crates",
        &["crate", "lines", "files", "median", "in circles"],
    );
    for (package, lines) in crates {
        let in_circles: usize = circles(root, package).iter().sum();
        table.row(
            package,
            [
                lines.all,
                lines.files.len(),
                lines.percentile(50),
                in_circles,
            ]
            .map(thousands),
        );
    }
    table
}

fn packages(sources: &[Source]) -> impl Iterator<Item = &str> {
    let packages: BTreeMap<&str, ()> = sources
        .iter()
        .map(|source| (source.package.as_str(), ()))
        .collect();
    packages.into_keys()
}

/// How many files each circle of imports of a crate has.
fn circles(root: &Path, package: &str) -> Vec<usize> {
    let src = root.join("crates").join(package).join("src");
    let circles = Graph::of(&imports::of_package(&src)).circles();
    circles
        .iter()
        .map(std::collections::BTreeSet::len)
        .collect()
}
