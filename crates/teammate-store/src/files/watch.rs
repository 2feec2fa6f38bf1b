//! Rings the doorbells for writes of other processes, which the kernel reports. Idle otherwise.

use std::{ffi::OsStr, fs, path::Path, sync::Arc};

use notify::{Event, RecommendedWatcher, RecursiveMode, Watcher};

use super::{FileJournal, FileMailbox};

/// Rings until it is dropped. One per process is enough.
pub struct FileWatch {
    _watcher: RecommendedWatcher,
}

/// Rings the doorbells of `mailbox` and `journal` for writes of other processes. Works on a real disk
/// only.
///
/// A hint, like every doorbell: the kernel may merge or drop its reports. Checks names and lengths by
/// path, so after a directory is swapped it rings for nothing or not at all; reads and writes go
/// through the disk.
pub fn watch(
    mailbox: Arc<FileMailbox>,
    journal: Arc<FileJournal>,
) -> Result<FileWatch, notify::Error> {
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
                if let (Some(owner), Some(len)) = (inbox_owner(path), file_len(path)) {
                    mailbox.on_file_changed(owner, len);
                }
            } else if *path == journal_path
                && let Some(len) = file_len(path)
            {
                journal.on_file_changed(len);
            }
        }
    };
    let mut watcher = notify::recommended_watcher(heard)?;
    watcher.watch(&inboxes, RecursiveMode::NonRecursive)?;
    watcher.watch(&team, RecursiveMode::NonRecursive)?;
    Ok(FileWatch { _watcher: watcher })
}

/// The owner of an inbox.
fn inbox_owner(path: &Path) -> Option<&str> {
    (path.extension() == Some(OsStr::new("jsonl")))
        .then(|| path.file_stem())?
        .and_then(OsStr::to_str)
}

/// How long the file is; `None` if it is gone (the reader took it) or empty.
fn file_len(path: &Path) -> Option<u64> {
    fs::symlink_metadata(path)
        .ok()
        .map(|data| data.len())
        .filter(|len| *len > 0)
}
