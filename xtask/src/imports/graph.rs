//! Which file imports which, and the circles in that.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Files of one crate, and why each imports which others.
pub struct Graph {
    arrows: BTreeMap<String, BTreeMap<String, String>>,
}

/// One import: which file, which other, by which path.
pub struct Import {
    /// The file that imports.
    pub from: String,
    /// The file that is imported.
    pub to: String,
    /// How the import is written.
    pub path: String,
}

impl Graph {
    /// Puts these imports together.
    pub fn of(imports: &[Import]) -> Self {
        let mut arrows = BTreeMap::<String, BTreeMap<String, String>>::new();
        for Import { from, to, path } in imports {
            arrows.entry(to.clone()).or_default();
            let from = arrows.entry(from.clone()).or_default();
            from.entry(to.clone()).or_insert_with(|| path.clone());
        }
        Self { arrows }
    }

    /// Files that reach each other, largest circle first.
    pub fn circles(&self) -> Vec<BTreeSet<String>> {
        let reached: BTreeMap<&String, BTreeSet<&String>> = self
            .arrows
            .keys()
            .map(|file| (file, self.reached(file)))
            .collect();
        let mut circles = BTreeSet::new();
        for (file, others) in &reached {
            let circle: BTreeSet<String> = others
                .iter()
                .filter(|other| reached[*other].contains(file))
                .map(|other| (*other).clone())
                .collect();
            if circle.contains(*file) {
                circles.insert(circle);
            }
        }
        let mut circles: Vec<_> = circles.into_iter().collect();
        circles.sort_by_key(|circle| std::cmp::Reverse(circle.len()));
        circles
    }

    fn reached<'a>(&'a self, from: &'a String) -> BTreeSet<&'a String> {
        let mut reached = BTreeSet::new();
        let mut open: Vec<&String> = self.arrows[from].keys().collect();
        while let Some(file) = open.pop() {
            if reached.insert(file) {
                open.extend(self.arrows[file].keys());
            }
        }
        reached
    }

    /// The sizes of all that there is.
    pub fn in_a_line(&self) -> String {
        let circles = self.circles();
        let back: usize = circles.iter().map(|circle| self.arrows_back(circle)).sum();
        let inside: usize = circles.iter().map(BTreeSet::len).sum();
        let all: usize = self.arrows.values().map(BTreeMap::len).sum();
        format!(
            "{} circles with {inside} of {} files, {back} of {all} arrows back up",
            circles.len(),
            self.arrows.len()
        )
    }

    /// How many arrows stand against the order in which most of them point the same way: the next file is always the one
    /// that imports most more than it is imported.
    fn arrows_back(&self, circle: &BTreeSet<String>) -> usize {
        let mut left = circle.clone();
        let mut back = 0;
        while let Some(next) = self.next(&left) {
            left.remove(&next);
            back += left
                .iter()
                .filter(|file| self.arrows[*file].contains_key(&next))
                .count();
        }
        back
    }

    fn next(&self, left: &BTreeSet<String>) -> Option<String> {
        let count = |file: &&String| {
            let imports = left
                .iter()
                .filter(|other| self.arrows[*file].contains_key(*other))
                .count();
            let imported = left
                .iter()
                .filter(|other| self.arrows[*other].contains_key(*file))
                .count();
            imports.cast_signed() - imported.cast_signed()
        };
        left.iter().max_by_key(count).cloned()
    }

    /// The circle's shortest way round, with the imports that make it.
    pub fn describe(&self, circle: &BTreeSet<String>) -> String {
        let way = circle
            .iter()
            .map(|file| self.way_round(file))
            .min_by_key(Vec::len)
            .unwrap_or_default();
        let steps = way.windows(2).map(|pair| {
            let path = &self.arrows[&pair[0]][&pair[1]];
            format!("  {} imports {} ({path})", pair[0], pair[1])
        });
        let steps: Vec<String> = steps.collect();
        let files: Vec<&str> = circle.iter().map(String::as_str).collect();
        format!(
            "{} files are in a circle:\n{}\n  all of them: {}",
            files.len(),
            steps.join("\n"),
            files.join(", ")
        )
    }

    /// From a file back to it, by as few others as can be; nothing if it is in no circle.
    fn way_round(&self, file: &String) -> Vec<String> {
        let mut open = VecDeque::from([vec![file.clone()]]);
        let mut seen = BTreeSet::new();
        while let Some(way) = open.pop_front() {
            for next in way
                .last()
                .into_iter()
                .flat_map(|last| self.arrows[last].keys())
            {
                let longer: Vec<String> = way.iter().chain([next]).cloned().collect();
                if next == file {
                    return longer;
                }
                if seen.insert(next) {
                    open.push_back(longer);
                }
            }
        }
        Vec::new()
    }
}

#[test]
fn a_circle_is_found_and_shown_by_its_shortest_way() {
    let import = |from: &str, to: &str| Import {
        from: format!("{from}.rs"),
        to: format!("{to}.rs"),
        path: format!("crate::{to}"),
    };
    let graph = Graph::of(&[
        import("host", "post"),
        import("post", "gate"),
        import("gate", "host"),
        import("post", "host"),
        import("host", "feed"),
    ]);
    let circles = graph.circles();
    assert_eq!(circles.len(), 1);
    assert_eq!(
        graph.describe(&circles[0]),
        "3 files are in a circle:\n  host.rs imports post.rs (crate::post)\n  post.rs imports host.rs (crate::host)\n  \
         all of them: gate.rs, host.rs, post.rs"
    );
    assert_eq!(
        graph.in_a_line(),
        "1 circles with 3 of 4 files, 1 of 5 arrows back up"
    );
}
