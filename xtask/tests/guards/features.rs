//! Each dependency is built with one set of features by `cargo build`, `cargo test` and what `cargo xtask` runs: a package with two
//! is built twice, and everything above it too.

use std::{
    collections::{BTreeMap, BTreeSet},
    process::Command,
};

use crate::tree::root;

/// What people and `cargo xtask` build: the product, its tests, and both with the developer's programs.
const SELECTIONS: [&[&str]; 4] = [
    &["-e", "normal,build"],
    &["-e", "normal,build,dev"],
    &["--workspace", "-e", "normal,build"],
    &["--workspace", "-e", "normal,build,dev"],
];

/// Sets of features by package; those of build scripts are their own.
fn features(selection: &[&str]) -> BTreeMap<String, BTreeSet<String>> {
    let listed = Command::new(env!("CARGO"))
        .current_dir(root())
        .args(["tree", "--offline", "--prefix", "none", "-f", "{p}|{f}"])
        .args(selection)
        .output()
        .unwrap();
    let text = String::from_utf8(listed.stdout).unwrap();
    let mut all: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for line in text.lines() {
        let Some((package, features)) = line.trim_end_matches(" (*)").split_once('|') else {
            continue;
        };
        let package = all.entry(package.to_owned()).or_default();
        package.insert(features.to_owned());
    }
    all
}

#[test]
fn no_package_is_built_with_other_features_by_another_command() {
    let [product, others @ ..] = SELECTIONS.map(features);
    assert!(product.len() > 300, "{} packages", product.len());
    for (selection, other) in SELECTIONS[1..].iter().zip(others) {
        for (package, features) in &product {
            let there = other.get(package).unwrap_or(features);
            assert_eq!(there, features, "{package} under cargo tree {selection:?}");
        }
    }
}
