//! Rings the doorbells for writes of other processes, which the kernel reports. Idle otherwise.

mod kernel;

use std::{
    ffi::OsStr,
    fs, io,
    os::fd::BorrowedFd,
    path::{Path, PathBuf},
    sync::{
        Arc,
        mpsc::{RecvTimeoutError, Sender, channel},
    },
    thread,
    time::Duration,
};

use self::kernel::KernelWatch;
use super::{FileJournal, FileMailbox};

/// How often the files are looked at where the kernel reports nothing.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// Rings until it is dropped. One per process is enough.
pub struct FileWatch {
    kernel: Option<KernelWatch>,
    /// The thread that looks ends when this is dropped.
    _looks: Option<Sender<()>>,
}

impl FileWatch {
    /// What the kernel takes long to close, up to twenty milliseconds for who holds it last.
    pub fn slow_to_close(&self) -> Option<BorrowedFd<'_>> {
        self.kernel.as_ref().map(KernelWatch::descriptor)
    }
}

/// Rings the doorbells of `mailbox` and `journal` for writes of other processes. Works on a real disk
/// only.
///
/// A hint, like every doorbell: the kernel may merge or drop its reports. Checks names and lengths by
/// path, so after a directory is swapped it rings for nothing or not at all; reads and writes go
/// through the disk.
///
/// A user has a limited number of watches (`fs.inotify.max_user_instances`). Where they are used up, the files are looked at
/// every second: without a doorbell an answer from another process would never come.
pub fn watch(mailbox: Arc<FileMailbox>, journal: Arc<FileJournal>) -> FileWatch {
    match kernel(mailbox.clone(), journal.clone()) {
        Ok(watcher) => FileWatch {
            kernel: Some(watcher),
            _looks: None,
        },
        Err(_) => watch_by_looking(mailbox, journal, LOOK_EVERY),
    }
}

fn kernel(mailbox: Arc<FileMailbox>, journal: Arc<FileJournal>) -> io::Result<KernelWatch> {
    let (inboxes, team) = (mailbox.dir().inbox_dir(), journal.dir().path().to_owned());
    KernelWatch::start(&[&inboxes, &team], move |path| {
        changed(&mailbox, &journal, path);
    })
}

/// Watches without the kernel: looks at the files' lengths every so often.
pub fn watch_by_looking(
    mailbox: Arc<FileMailbox>,
    journal: Arc<FileJournal>,
    every: Duration,
) -> FileWatch {
    let (sender, dropped) = channel();
    thread::spawn(move || {
        while dropped.recv_timeout(every) == Err(RecvTimeoutError::Timeout) {
            changed(&mailbox, &journal, &journal.dir().journal());
            let inboxes = fs::read_dir(mailbox.dir().inbox_dir());
            for inbox in inboxes.into_iter().flatten().flatten() {
                changed(&mailbox, &journal, &inbox.path());
            }
        }
    });
    FileWatch {
        kernel: None,
        _looks: Some(sender),
    }
}

/// Calls `ring` whenever one of these files, which are in `dir`, may have changed, by this process or another. `None` where the kernel has no
/// watch left.
pub fn ring_on_change(
    dir: &Path,
    files: &[PathBuf],
    ring: impl Fn() + Send + 'static,
) -> Option<FileWatch> {
    let files = files.to_vec();
    let heard = move |path: &Path| {
        if files.iter().any(|file| file == path) {
            ring();
        }
    };
    Some(FileWatch {
        kernel: Some(KernelWatch::start(&[dir], heard).ok()?),
        _looks: None,
    })
}

/// A file may have grown; one that this process wrote itself rings nothing.
fn changed(mailbox: &FileMailbox, journal: &FileJournal, path: &Path) {
    if path.parent() == Some(&mailbox.dir().inbox_dir()) {
        if let (Some(owner), Some(len)) = (inbox_owner(path), file_len(path)) {
            mailbox.on_file_changed(owner, len);
        }
    } else if *path == journal.dir().journal()
        && let Some(len) = file_len(path)
    {
        journal.on_file_changed(len);
    }
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
