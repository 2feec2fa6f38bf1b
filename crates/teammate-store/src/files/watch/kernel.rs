//! The kernel's watch of a few directories: a thread that hears which of their files changed, and sleeps otherwise. What a change means
//! is not known here.

use std::{
    collections::HashMap,
    ffi::OsStr,
    io,
    mem::MaybeUninit,
    os::{
        fd::{AsFd as _, BorrowedFd, OwnedFd},
        unix::ffi::OsStrExt as _,
    },
    path::{Path, PathBuf},
    sync::Arc,
    thread,
};

use rustix::{
    event::{EventfdFlags, PollFd, PollFlags, eventfd, poll},
    fs::inotify::{self, CreateFlags, Reader, WatchFlags},
    io::Errno,
};

/// How many bytes of news are taken at once: a name has 255 at most.
const NEWS_BYTES: usize = 4096;

/// Hears of changes until it is dropped.
pub(super) struct KernelWatch {
    inotify: Arc<OwnedFd>,
    end: Arc<OwnedFd>,
}

impl KernelWatch {
    /// Calls `heard` with the path of a file in one of these directories whenever it may have changed: it is there, is gone, or was
    /// written to.
    ///
    /// # Errors
    ///
    /// The kernel has no watch left for this user, or a directory cannot be watched.
    pub(super) fn start(
        dirs: &[&Path],
        heard: impl Fn(&Path) + Send + 'static,
    ) -> io::Result<Self> {
        let flags = CreateFlags::CLOEXEC | CreateFlags::NONBLOCK;
        let inotify = Arc::new(inotify::init(flags)?);
        // Not when a file is opened, read or closed: each of our own reads would wake the thread.
        let changes = WatchFlags::CREATE
            | WatchFlags::MODIFY
            | WatchFlags::ATTRIB
            | WatchFlags::MOVE
            | WatchFlags::DELETE
            | WatchFlags::ONLYDIR;
        let mut watched = HashMap::new();
        for dir in dirs {
            let number = inotify::add_watch(&*inotify, *dir, changes)?;
            watched.insert(number, dir.to_path_buf());
        }
        let end = Arc::new(eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)?);
        let watching = (inotify.clone(), end.clone());
        let thread = thread::Builder::new().name("watch".to_owned());
        thread.spawn(move || listen(&watching.0, &watching.1, &watched, heard))?;
        Ok(Self { inotify, end })
    }

    /// What the kernel takes long to close.
    pub(super) fn descriptor(&self) -> BorrowedFd<'_> {
        self.inotify.as_fd()
    }
}

impl Drop for KernelWatch {
    fn drop(&mut self) {
        // A full counter wakes the thread as well.
        let _ = rustix::io::write(&*self.end, &1_u64.to_ne_bytes());
    }
}

/// Returns when `end` can be read.
fn listen(inotify: &OwnedFd, end: &OwnedFd, dirs: &HashMap<i32, PathBuf>, heard: impl Fn(&Path)) {
    let mut space = [MaybeUninit::uninit(); NEWS_BYTES];
    loop {
        let mut awaited = [
            PollFd::new(end, PollFlags::IN),
            PollFd::new(inotify, PollFlags::IN),
        ];
        match poll(&mut awaited, None) {
            Ok(_) if awaited[0].revents().is_empty() => {}
            Err(Errno::INTR) => continue,
            Ok(_) | Err(_) => return,
        }
        let mut news = Reader::new(inotify, &mut space);
        // Until there is no more to read.
        while let Ok(change) = news.next() {
            let name = change
                .file_name()
                .map(|name| OsStr::from_bytes(name.to_bytes()));
            if let (Some(dir), Some(name)) = (dirs.get(&change.wd()), name) {
                heard(&dir.join(name));
            }
        }
    }
}
