//! Walks: the files that one must enter to follow something through the code, in order, as somebody who read them wrote them
//! down in `xtask/structure/walks.txt`. Here they are checked and counted.

use std::{collections::BTreeSet, path::Path};

use super::tables::Table;

/// The walks of the list. A line is `# NAME` or a file below `crates`; `>` before a file that only passes on what it gets.
pub(super) fn table(root: &Path, list: &str) -> Result<Table, String> {
    let mut table = Table::new(
        "Walks",
        &[
            "from its beginning to its end",
            "files",
            "crates",
            "hops that only pass on",
        ],
    );
    let mut gone = Vec::new();
    for walk in list.split("\n# ").skip(1) {
        let (name, steps) = walk.split_once('\n').unwrap_or((walk, ""));
        let (mut files, mut crates, mut hops) = (BTreeSet::new(), BTreeSet::new(), 0);
        for step in steps.lines().map(str::trim).filter(|step| !step.is_empty()) {
            let file = step
                .trim_start_matches('>')
                .split_whitespace()
                .next()
                .unwrap_or_default();
            if !root.join("crates").join(file).is_file() {
                gone.push(format!("{name}: {file}"));
            }
            hops += usize::from(step.starts_with('>') && !files.contains(file));
            crates.insert(file.split('/').next().unwrap_or_default());
            files.insert(file);
        }
        table.row(
            name,
            [files.len(), crates.len(), hops].map(|count| count.to_string()),
        );
    }
    if gone.is_empty() {
        Ok(table)
    } else {
        Err(format!(
            "walks.txt has files that are gone; follow these walks anew:\n{}",
            gone.join("\n")
        ))
    }
}

#[test]
fn a_walk_counts_each_file_once_and_must_find_it() {
    let root = xtask::root();
    let list = "about\n# a walk\nteammate/src/lib.rs the door\n> teammate/src/open.rs\nteammate-core/src/lib.rs\nteammate/src/lib.rs\n";
    let rows = table(&root, list).unwrap().rows;
    assert_eq!(
        rows,
        [(
            "a walk".to_owned(),
            ["3", "2", "1"].map(str::to_owned).to_vec()
        )]
    );
    let error = table(&root, "\n# a walk\nteammate/src/gone.rs\n").err();
    assert!(error.unwrap().contains("a walk: teammate/src/gone.rs"));
}
