//! Every queue has a bound. Clippy refuses those without one; here is the list of those that have a reason.

use std::{fs, path::Path};

use crate::tree::{files, root};

/// How a queue without a bound is made.
const WAY: &str = "unbounded_channel()";

/// How the reason begins, at the field that holds an end of it.
const REASON: &str = "/// Without a bound: ";

/// The files with queues without a bound, and how many each makes.
const UNBOUNDED: [(&str, usize); 3] = [
    ("crates/teammate-runtime/src/feed.rs", 1),
    ("crates/teammate-runtime/src/ledger/others/places.rs", 1),
    ("crates/teammate-runtime/src/ledger.rs", 2),
];

#[test]
fn a_queue_without_a_bound_is_refused_by_clippy() {
    for rules in ["clippy.toml", "crates/teammate-sandbox/clippy.toml"] {
        let text = fs::read_to_string(root().join(rules)).unwrap();
        let path = "path = \"tokio::sync::mpsc::unbounded_channel\"";
        assert!(text.contains(path), "{rules}");
    }
}

#[test]
fn the_few_queues_without_a_bound_say_why() {
    let (mut made, mut reasons) = (Vec::new(), 0);
    let code = files(&["crates"], &["rs"]).into_iter();
    let is_shipped = |path: &Path| {
        let mut names = path.iter().skip(1);
        names.next().is_some_and(|name| name != "teammate-testkit")
            && names.next().is_some_and(|folder| folder == "src")
    };
    for path in code.filter(|path| is_shipped(path)) {
        let text = fs::read_to_string(root().join(&path)).unwrap();
        // An import of the function by its name would hide calls of it.
        let count = text.matches("unbounded_channel").count();
        assert_eq!(count, text.matches(WAY).count(), "{}", path.display());
        if count > 0 {
            made.push((path.to_str().unwrap().to_owned(), count));
        }
        reasons += text.matches(REASON).count();
    }
    let known = UNBOUNDED.map(|(file, count)| (file.to_owned(), count));
    assert_eq!(made, known, "give the queue a bound");
    for (file, count) in &UNBOUNDED {
        let text = fs::read_to_string(root().join(file)).unwrap();
        assert!(text.matches(REASON).count() >= 1, "{file} ({count})");
    }
    let all: usize = UNBOUNDED.iter().map(|(_, count)| count).sum();
    assert_eq!(reasons, all, "each has one reason");
}
