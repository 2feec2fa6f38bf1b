//! Sees changes at guarded names while commands run: a thread for each guard, on the kernel's watch of the few directories.
//!
//! What it sees is a hint: the look at a command's end finds out by itself. Where the kernel has no watch left, that look is all.

use std::{
    collections::{BTreeSet, HashMap},
    ffi::OsStr,
    mem::MaybeUninit,
    os::{
        fd::OwnedFd,
        unix::{ffi::OsStrExt as _, net::UnixStream},
    },
    path::{Path, PathBuf},
    sync::{Arc, Mutex, Weak},
    thread,
    time::{Duration, Instant},
};

use rustix::{
    event::{EventfdFlags, PollFd, PollFlags, Timespec, eventfd, poll},
    fs::inotify::{self, CreateFlags, ReadFlags, WatchFlags},
};

use teammate_core::lock::Hold;

use super::{Guard, Names, command::has_ended};
use crate::submodules::{DECIDING, Submodules};

/// How many directories are watched for one guard.
const DIRS_MAX: usize = 200;
/// The pause that lets writing finish; what comes whole, by a rename, is looked at at once.
const QUIET: Duration = Duration::from_millis(25);
/// A file that stays open, or changes again and again, is looked at all the same.
const LATEST: Duration = Duration::from_millis(250);

/// The thread's end in the guard. Dropped, the thread ends.
#[derive(Debug)]
pub(super) struct Watcher {
    wake: Arc<OwnedFd>,
    ending: Arc<Mutex<Vec<UnixStream>>>,
}

impl Watcher {
    /// `None` where the system has nothing left for it.
    pub(super) fn start(guard: &Arc<Guard>) -> Option<Self> {
        let flags = EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK;
        let wake = Arc::new(eventfd(0, flags).ok()?);
        let ending: Arc<Mutex<Vec<UnixStream>>> = Arc::default();
        let watching = Watching {
            guard: Arc::downgrade(guard),
            wake: wake.clone(),
            ending: ending.clone(),
            inotify: inotify::init(CreateFlags::CLOEXEC | CreateFlags::NONBLOCK).ok(),
            dirs: HashMap::new(),
            names: Names::default(),
            submodules: BTreeSet::new(),
        };
        let thread = thread::Builder::new().name("guard".to_owned());
        thread.spawn(move || watching.run()).ok()?;
        Some(Self { wake, ending })
    }

    /// The guard looks once this leash has ended.
    pub(super) fn await_end(&self, leash: UnixStream) {
        self.ending.hold().push(leash);
        self.wake();
    }

    fn wake(&self) {
        // A full counter wakes as well.
        let _ = rustix::io::write(&*self.wake, &1_u64.to_ne_bytes());
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        self.wake();
    }
}

struct Watching {
    guard: Weak<Guard>,
    wake: Arc<OwnedFd>,
    ending: Arc<Mutex<Vec<UnixStream>>>,
    inotify: Option<OwnedFd>,
    /// By their numbers in the kernel's watch.
    dirs: HashMap<i32, PathBuf>,
    names: Names,
    /// The repositories of submodules, as far as they are known.
    submodules: BTreeSet<PathBuf>,
}

/// When a change was seen that has not been looked at: the first and the last.
#[derive(Clone, Copy)]
struct Seen {
    first: Instant,
    last: Instant,
    /// Whether something is whole, so that there is nothing to wait for.
    is_whole: bool,
}

impl Seen {
    fn look_at(self) -> Instant {
        match self.is_whole {
            true => self.first,
            false => (self.last + QUIET).min(self.first + LATEST),
        }
    }
}

/// The kernel's news of guarded names.
enum News {
    None,
    /// Something is being written.
    Writing,
    /// Something has come whole.
    Whole,
}

impl Watching {
    /// Ends with the guard.
    fn run(mut self) {
        let mut seen: Option<Seen> = None;
        loop {
            let Some(guard) = self.guard.upgrade() else {
                return;
            };
            let names = guard.state.hold().names.clone();
            if names != self.names {
                self.names = names;
                self.watch(&guard.root);
            }
            self.end_ended(&guard);
            if seen.is_some_and(|seen| seen.look_at() <= Instant::now()) {
                seen = None;
                guard.look_meanwhile();
            }
            drop(guard);
            if !self.wait(seen) {
                return;
            }
            let is_whole = match self.news() {
                News::None => continue,
                News::Writing => seen.is_some_and(|seen| seen.is_whole),
                News::Whole => true,
            };
            let now = Instant::now();
            let first = seen.map_or(now, |seen| seen.first);
            seen = Some(Seen {
                first,
                last: now,
                is_whole,
            });
            // There may be new directories.
            self.names = Names::default();
        }
    }

    /// Commands whose processes are gone by now.
    fn end_ended(&self, guard: &Arc<Guard>) {
        let ended = {
            let mut ending = self.ending.hold();
            let before = ending.len();
            ending.retain(|leash| !has_ended(leash));
            before - ending.len()
        };
        for _ in 0..ended {
            guard.end_one_dying();
        }
    }

    /// Until something happens. False if it cannot be waited for.
    fn wait(&self, seen: Option<Seen>) -> bool {
        let ending = self.ending.hold();
        let leashes: Vec<UnixStream> = ending.iter().filter_map(|it| it.try_clone().ok()).collect();
        drop(ending);
        let mut watched = vec![PollFd::new(&*self.wake, PollFlags::IN)];
        if let Some(inotify) = &self.inotify {
            watched.push(PollFd::new(inotify, PollFlags::IN));
        }
        // Their ends only: what they say is for who holds the leash.
        watched.extend((leashes.iter()).map(|leash| PollFd::new(leash, PollFlags::RDHUP)));
        let limit = seen.map(|seen| seen.look_at().saturating_duration_since(Instant::now()));
        let limit = limit.and_then(|limit| Timespec::try_from(limit).ok());
        match poll(&mut watched, limit.as_ref()) {
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(_) => return false,
        }
        let _ = rustix::io::read(&*self.wake, &mut [0; 8]);
        true
    }

    /// Reads what the kernel has seen.
    fn news(&self) -> News {
        let Some(inotify) = &self.inotify else {
            return News::None;
        };
        let mut space = [MaybeUninit::uninit(); 4096];
        let mut events = inotify::Reader::new(inotify, &mut space);
        let mut news = News::None;
        while let Ok(event) = events.next() {
            if event.events().contains(ReadFlags::QUEUE_OVERFLOW) {
                return News::Whole;
            }
            let dir = self.dirs.get(&event.wd());
            let name = event
                .file_name()
                .map(|name| OsStr::from_bytes(name.to_bytes()));
            let (Some(dir), Some(name)) = (dir, name) else {
                continue;
            };
            if !self.concerns(&dir.join(name)) {
                continue;
            }
            let is_whole = event.events().contains(ReadFlags::MOVED_TO);
            news = match news {
                News::Whole => News::Whole,
                News::None | News::Writing if is_whole => News::Whole,
                News::None | News::Writing => News::Writing,
            };
        }
        news
    }

    fn concerns(&self, path: &Path) -> bool {
        let (dir, name) = (path.parent(), path.file_name());
        if dir.is_some_and(|dir| self.submodules.contains(dir)) {
            return DECIDING.iter().any(|it| name == Some(OsStr::new(it)));
        }
        let mut names = self.names.paths.iter().chain(&self.names.modules);
        names.any(|name| name.starts_with(path) || path.starts_with(name))
    }

    /// Watches the directories of guarded names, and those below them.
    fn watch(&mut self, root: &Path) {
        let mut dirs = BTreeSet::from([root.to_owned()]);
        for name in &self.names.paths {
            dirs.extend(name.parent().map(Path::to_owned));
            below(name, &mut dirs);
        }
        let found = Submodules::below(&self.names.modules);
        dirs.extend(found.between.into_iter().map(|(dir, _)| dir));
        for dir in &found.repositories {
            dirs.insert(dir.clone());
            DECIDING
                .iter()
                .for_each(|name| below(&dir.join(name), &mut dirs));
        }
        self.submodules = found.repositories.into_iter().collect();
        for dir in dirs.into_iter().take(DIRS_MAX) {
            let wanted = WatchFlags::CREATE
                | WatchFlags::MODIFY
                | WatchFlags::CLOSE_WRITE
                | WatchFlags::ATTRIB
                | WatchFlags::MOVED_TO
                | WatchFlags::ONLYDIR
                | WatchFlags::DONT_FOLLOW;
            if let Some(inotify) = &self.inotify
                && let Ok(number) = inotify::add_watch(inotify, &dir, wanted)
            {
                self.dirs.insert(number, dir);
            }
        }
    }
}

/// The directories at and below this one, as far as they are watched.
fn below(dir: &Path, all: &mut BTreeSet<PathBuf>) {
    if all.len() > DIRS_MAX || !std::fs::symlink_metadata(dir).is_ok_and(|it| it.is_dir()) {
        return;
    }
    all.insert(dir.to_owned());
    for entry in std::fs::read_dir(dir).into_iter().flatten().flatten() {
        below(&entry.path(), all);
    }
}
