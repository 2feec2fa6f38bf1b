//! The change of a file by a call, as those who are asked and those who watch see it. The diff of one call is made once,
//! unless the file changes between the question and the work.

use std::{
    hash::{DefaultHasher, Hash as _, Hasher as _},
    path::Path,
    sync::{Arc, OnceLock},
    time::Duration,
};

use teammate_core::{event::FileChange, secrets::Secrets};

use crate::diff::unified;

/// How long two contents that have little in common are compared; what is left then counts as replaced.
const COMPARE_MAX: Duration = Duration::from_millis(500);

/// The change of a call that a look found before the call ran. Clones share it.
#[derive(Debug, Clone, Default)]
pub(super) struct Foreseen(Arc<OnceLock<(u64, FileChange)>>);

impl Foreseen {
    /// The change that turns `old` into `new`; remembered.
    pub(super) fn look(&self, path: &Path, old: &str, new: &str) -> FileChange {
        let change = change(path, old, new, None);
        // A second look at the same call changes nothing.
        let _ = self.0.set((digest(old, new), change.clone()));
        change
    }

    /// The change for those who watch: without secrets, also those of several lines, and not made anew if a look found it.
    pub(super) fn done(&self, path: &Path, old: &str, new: &str, secrets: &Secrets) -> FileChange {
        let (shown_old, shown_new) = (secrets.redact(old), secrets.redact(new));
        let is_plain = *shown_old == *old && *shown_new == *new;
        match self.0.get() {
            Some((seen, change)) if is_plain && *seen == digest(old, new) => change.clone(),
            Some(_) | None => change(path, &shown_old, &shown_new, Some(COMPARE_MAX)),
        }
    }
}

fn change(path: &Path, old: &str, new: &str, within: Option<Duration>) -> FileChange {
    let path = path.display().to_string();
    let mut diff = unified(old, new, within);
    let lines = |sign: char| {
        let is_changed = |line: &&str| line.starts_with(sign);
        diff.lines().filter(is_changed).count() as u64
    };
    let (added, removed) = (lines('+'), lines('-'));
    if !diff.is_empty() {
        diff.insert_str(0, &format!("--- {path}\n+++ {path}\n"));
    }
    FileChange {
        added,
        removed,
        is_cut: false,
        path,
        diff,
    }
}

/// Tells contents apart; what is shown depends on it, nothing else.
fn digest(old: &str, new: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    (old, new).hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_look_found_is_shown_unless_the_file_has_changed_meanwhile() {
        let (foreseen, path, none) = (Foreseen::default(), Path::new("a"), Secrets::default());
        let looked = foreseen.clone().look(path, "1\n2\n", "1\n3\n");
        assert_eq!((looked.added, looked.removed), (1, 1));
        assert_eq!(foreseen.done(path, "1\n2\n", "1\n3\n", &none), looked);
        let anew = foreseen.done(path, "0\n2\n", "0\n3\n", &none);
        assert!(anew.diff.contains(" 0\n") && anew != looked);
    }

    #[test]
    fn a_secret_of_several_lines_is_not_in_the_diff() {
        let key = "-----BEGIN-----\nabcdef\n-----END-----";
        let secrets = Secrets::new([("KEY".to_owned(), key.to_owned())]);
        let (old, new) = ("a\n".to_owned(), format!("a\n{key}\n"));
        let (foreseen, path) = (Foreseen::default(), Path::new("a"));
        foreseen.look(path, &old, &new);
        let change = foreseen.done(path, &old, &new, &secrets);
        assert_eq!(change.diff.lines().last(), Some("+[secret KEY]"));
    }
}
