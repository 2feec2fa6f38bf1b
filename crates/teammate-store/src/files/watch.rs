//! Listens to the kernel for what other processes write, and rings. Nothing happens while nothing is written.

use std::{ffi::OsStr, fs, path::Path, sync::Arc};

use notify::{Event, RecommendedWatcher, RecursiveMode, Watcher};

use super::{FileJournal, FileMailbox};

/// Rings until it is dropped. One per process is enough.
pub struct Watch {
    _watcher: RecommendedWatcher,
}

/// Rings `mailbox`'s and `journal`'s doorbells for what other processes write. Works on a real disk only.
///
/// A hint, like every doorbell: the kernel may merge or drop what it tells. It looks at names and lengths by path, so where a
/// directory is swapped it rings for nothing or not at all; what is read and written goes through the disk.
pub fn watch(mailbox: Arc<FileMailbox>, journal: Arc<FileJournal>) -> Result<Watch, notify::Error> {
    let (inboxes, team) = (mailbox.dir().inbox_dir(), journal.dir().path().to_owned());
    let watched = inboxes.clone();
    let journal_path = journal.dir().journal();
    let heard = move |event: notify::Result<Event>| {
        let Ok(event) = event else { return };
        if event.kind.is_access() {
            return;
        }
        for path in &event.paths {
            if path.parent() == Some(&watched) {
                if let (Some(owner), Some(len)) = (owner(path), len(path)) {
                    mailbox.changed_outside(owner, len);
                }
            } else if *path == journal_path
                && let Some(len) = len(path)
            {
                journal.changed_outside(len);
            }
        }
    };
    let mut watcher = notify::recommended_watcher(heard)?;
    watcher.watch(&inboxes, RecursiveMode::NonRecursive)?;
    watcher.watch(&team, RecursiveMode::NonRecursive)?;
    Ok(Watch { _watcher: watcher })
}

/// Whose inbox it is.
fn owner(path: &Path) -> Option<&str> {
    (path.extension() == Some(OsStr::new("jsonl")))
        .then(|| path.file_stem())?
        .and_then(OsStr::to_str)
}

/// How long the file is; `None` if it is gone (the reader took it) or empty.
fn len(path: &Path) -> Option<u64> {
    fs::symlink_metadata(path)
        .ok()
        .map(|data| data.len())
        .filter(|len| *len > 0)
}
