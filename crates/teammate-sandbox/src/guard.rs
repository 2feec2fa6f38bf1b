//! Guards the names that decide what programs do later, without a wall in the user's directory: what a command writes there is seen,
//! moved to a held place, and what was there before is put back.
//!
//! Content may stand there that the user has said yes to, that stood there when no command ran, or that a commit of the repository
//! had before its members came ([`Vouch`]). So git brings files of the repository's own commits, and nothing else comes in.
//!
//! A guard looks when a command ends, before the member reads its outcome, and while it runs when the directories tell of a change. If the
//! program is killed, a process that outlives it looks (`inside/sentinel`); if that is killed, too, the next program does.
//!
//! It cannot tell who wrote: while a command runs, a change of the user's own is held as well. Nothing that is held is lost.

mod clearing;
mod held;
mod moves;
mod names;
mod plain;
mod records;
mod scan;
mod vouch;
mod watch;

use std::{
    collections::{BTreeMap, BTreeSet},
    io,
    os::{fd::AsFd as _, unix::net::UnixStream},
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, MutexGuard, OnceLock, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use self::{
    held::About,
    moves::shift_to_free,
    records::AcceptedFiles,
    scan::{Found, Scan, Thing, is_absent},
    watch::Watcher,
};
use crate::failure::{Failure, Step as _};

pub use held::HeldFile;
pub(crate) use names::Names;
pub(crate) use plain::leads_to_submodule;
pub use records::GuardDirs;
pub use vouch::{Content, Vouch};

/// How long killed processes are waited for where there is no thread for it.
const END_GRACE: Duration = Duration::from_secs(2);

/// All guards of a team's commands, by the directory.
#[derive(Debug, Default)]
pub(crate) struct Guards {
    vouch: Arc<OnceLock<Arc<dyn Vouch>>>,
    guards: Mutex<BTreeMap<PathBuf, Arc<Guard>>>,
    accepted: Mutex<BTreeMap<PathBuf, Arc<AcceptedFiles>>>,
}

/// Looks after the guarded names of one workspace or worktree.
#[derive(Debug)]
pub(crate) struct Guard {
    root: PathBuf,
    dirs: GuardDirs,
    vouch: Arc<OnceLock<Arc<dyn Vouch>>>,
    accepted: Arc<AcceptedFiles>,
    state: Mutex<State>,
    watcher: OnceLock<Option<Watcher>>,
}

#[derive(Debug, Default)]
struct State {
    names: Names,
    /// Of submodules, what was too large to be looked at when no command ran.
    left_out: BTreeSet<PathBuf>,
    /// What stood there when no command ran, and what was allowed since.
    before: BTreeMap<PathBuf, Found>,
    is_begun: bool,
    /// Whether `before` is on disk, with all content.
    is_recorded: bool,
    /// Commands that run.
    running: usize,
    /// Another program has commands here as well, and looks when they end.
    is_marked_by_other: bool,
    /// Something could not be moved away: nothing runs until it can.
    is_stuck: Option<Failure>,
    /// What nobody has read of yet.
    untold: Vec<(PathBuf, About)>,
}

/// A command that runs under a guard. Dropped without [`Guarded::end`], the guard does not look for it.
#[derive(Debug)]
pub(crate) struct Guarded {
    guard: Arc<Guard>,
    /// Whether somebody has looked since nothing of it was left, and nothing was new.
    is_seen: Arc<AtomicBool>,
}

impl Guards {
    pub(crate) fn vouched_by(&self, vouch: Arc<dyn Vouch>) {
        // The first one counts: a team has one repository.
        let _ = self.vouch.set(vouch);
    }

    /// The guard of this directory.
    pub(crate) fn of(&self, root: &Path, dirs: &GuardDirs) -> Result<Arc<Guard>, Failure> {
        let mut guards = lock(&self.guards);
        if let Some(guard) = guards.get(root) {
            return Ok(guard.clone());
        }
        dirs.make().step_at("guard files of", root)?;
        let mut accepted = lock(&self.accepted);
        let accepted = accepted
            .entry(dirs.records.clone())
            .or_insert_with(|| Arc::new(AcceptedFiles::read(dirs)));
        let guard = Arc::new(Guard::new(
            root.to_owned(),
            dirs.clone(),
            self.vouch.clone(),
            accepted.clone(),
        ));
        guards.insert(root.to_owned(), guard.clone());
        Ok(guard)
    }

    /// The guard of this directory, if commands have run there.
    pub(crate) fn known(&self, root: &Path) -> Option<Arc<Guard>> {
        lock(&self.guards).get(root).cloned()
    }

    /// All files that are held for a team.
    pub(crate) fn held(&self, dirs: &GuardDirs) -> Vec<HeldFile> {
        let all = About::all(dirs).into_iter();
        let of = |(dir, about): (PathBuf, About)| {
            let guard = self.of(about.root(), dirs).ok()?;
            Some(HeldFile::new(guard, dir, about))
        };
        all.filter_map(of).collect()
    }

    /// Looks where commands ran when a program was killed, and puts back what it held without need.
    pub(crate) fn reopen(&self, dirs: &GuardDirs) {
        for root in dirs.left_running() {
            if let Ok(guard) = self.of(&root, dirs) {
                guard.look_after_crash();
            }
        }
        for (dir, about) in About::all(dirs) {
            if about.is_untold()
                && let Ok(guard) = self.of(about.root(), dirs)
            {
                guard.reconsider(&dir, about);
            }
        }
    }
}

impl Guard {
    fn new(
        root: PathBuf,
        dirs: GuardDirs,
        vouch: Arc<OnceLock<Arc<dyn Vouch>>>,
        accepted: Arc<AcceptedFiles>,
    ) -> Self {
        Self {
            root,
            dirs,
            vouch,
            accepted,
            state: Mutex::default(),
            watcher: OnceLock::new(),
        }
    }

    pub(crate) fn dirs(&self) -> &GuardDirs {
        &self.dirs
    }

    /// Names with more below them than is looked at: they are to be read-only.
    pub(crate) fn too_large(&self, names: &[PathBuf]) -> Vec<PathBuf> {
        let before = lock(&self.state).before.clone();
        Scan::of(&self.root, names, &before)
            .large
            .into_iter()
            .collect()
    }

    /// A command begins. What changed while none ran is the user's. A worktree that nobody has looked at yet is looked at.
    ///
    /// # Errors
    ///
    /// What an earlier command wrote cannot be moved away, or nothing can be remembered: nothing may run.
    pub(crate) fn begin(
        self: &Arc<Self>,
        names: &Names,
        is_new_worktree: bool,
    ) -> Result<Guarded, Failure> {
        let mut state = lock(&self.state);
        let knows_names = state.names.has(names);
        if !knows_names {
            // While commands run, nothing stood there a moment ago; what does now, a command wrote.
            state.names.add(names);
        }
        if state.running == 0 {
            self.begin_first(&mut state, !knows_names, is_new_worktree)?;
            self.dirs
                .mark_running(&self.root)
                .step_at("guard files of", &self.root)?;
        }
        state.running += 1;
        drop(state);
        self.watcher.get_or_init(|| Watcher::start(self));
        Ok(Guarded {
            guard: self.clone(),
            is_seen: Arc::default(),
        })
    }

    fn begin_first(
        &self,
        state: &mut State,
        has_new_names: bool,
        is_new_worktree: bool,
    ) -> Result<(), Failure> {
        let is_first = !state.is_begun;
        state.is_begun = true;
        if is_first && state.before.is_empty() {
            let remembered = self.dirs.read_before(&self.root);
            let is_known = remembered.is_some();
            if let Some((_, files)) = remembered {
                state.before = files;
            }
            // Nobody has said yes to what a commit of a member's brings.
            state.is_marked_by_other = self.dirs.is_marked_running(&self.root);
            if (is_new_worktree && !is_known) || state.is_marked_by_other {
                self.clear(state, true);
            }
        }
        if state.is_stuck.is_some() {
            self.clear(state, true);
        }
        if let Some(failure) = &state.is_stuck {
            return Err(failure.clone());
        }
        state.left_out.clear();
        let scan = state.scan(&self.root);
        let is_name = |path: &&PathBuf| state.names.paths.binary_search(path).is_ok();
        if let Some(large) = scan.large.iter().find(is_name) {
            state.names.paths.retain(|name| !scan.large.contains(name));
            let step = format!("guard {}", large.display());
            return Err(Failure::new(step, "there is more in it than is looked at"));
        }
        state.left_out = scan.large;
        let same = |one: &BTreeMap<PathBuf, Found>, other: &BTreeMap<PathBuf, Found>| {
            one.len() == other.len()
                && one
                    .iter()
                    .zip(other)
                    .all(|((path, found), (other_path, other))| {
                        path == other_path && found.thing == other.thing
                    })
        };
        if is_first || has_new_names || !state.is_recorded || !same(&scan.files, &state.before) {
            self.remember(&scan.files)
                .step_at("remember files of", &self.root)?;
            self.dirs
                .write_before(&self.root, &state.names, &scan.files)
                .step_at("remember files of", &self.root)?;
        }
        state.is_recorded = true;
        state.before = scan.files;
        Ok(())
    }

    /// Keeps the content of these, which the user has there.
    fn remember(&self, files: &BTreeMap<PathBuf, Found>) -> io::Result<()> {
        for (path, found) in files {
            if let Thing::File { digest, .. } = &found.thing
                && is_absent(&self.dirs.content_file(*digest))
                && let Ok(bytes) = scan::bytes(path)
            {
                self.dirs.keep_content(scan::digest_of(&bytes), &bytes)?;
            }
        }
        let own = files
            .iter()
            .map(|(path, found)| (self.name(path).into(), found.thing.clone()));
        self.accepted.add(own);
        Ok(())
    }

    fn name<'a>(&self, path: &'a Path) -> &'a Path {
        path.strip_prefix(&self.root).unwrap_or(path)
    }

    /// Whether there is anything at the names that was not there before.
    pub(crate) fn is_changed(&self) -> bool {
        let state = lock(&self.state);
        let scan = state.scan(&self.root);
        let is_same = |(path, found): (&PathBuf, &Found)| {
            state
                .before
                .get(path)
                .is_some_and(|before| before.thing == found.thing)
        };
        !state.untold.is_empty()
            || state.is_stuck.is_some()
            || !scan.large.is_empty()
            || scan.files.len() != state.before.len()
            || !scan.files.iter().all(is_same)
    }

    /// Looks now, and returns what nobody has read of yet. Blocks; asks git if something is new.
    pub(crate) fn look(self: &Arc<Self>, puts_back: bool) -> Vec<HeldFile> {
        let mut state = lock(&self.state);
        self.clear(&mut state, puts_back);
        let untold = std::mem::take(&mut state.untold);
        untold
            .into_iter()
            .map(|(dir, mut about)| {
                about.note_read(&dir);
                HeldFile::new(self.clone(), dir, about)
            })
            .collect()
    }

    /// The same while commands run, where nobody reads of it.
    fn look_meanwhile(&self) {
        let mut state = lock(&self.state);
        if state.running > 0 {
            self.clear(&mut state, false);
        }
    }

    /// The program was killed while commands ran here. What is held then is listed, and no command's outcome tells of it.
    fn look_after_crash(&self) {
        let mut state = lock(&self.state);
        if let Some((names, files)) = self.dirs.read_before(&self.root) {
            state.names = names;
            state.before = files;
            self.clear(&mut state, true);
            state.untold.clear();
        }
        self.dirs.unmark_running(&self.root);
    }

    /// Whether this content may be under this name.
    pub(crate) fn knows(&self, path: &Path, content: &Content<'_>) -> bool {
        self.accepted.read_again();
        self.accepted.has(self.name(path), &Thing::of(content))
            || self
                .vouch
                .get()
                .is_some_and(|vouch| vouch.is_known(&self.root, path, content))
    }

    /// Whether this path is looked at.
    pub(crate) fn covers(&self, path: &Path) -> bool {
        let state = lock(&self.state);
        state.before.contains_key(path) || state.names.cover(path)
    }

    /// The user has said yes to it.
    pub(crate) fn accept(&self, path: &Path, content: &Content<'_>) {
        self.accepted
            .add([(self.name(path).into(), Thing::of(content))]);
    }

    /// What was held when nobody could ask the repository.
    fn reconsider(self: &Arc<Self>, dir: &Path, mut about: About) {
        let (file, path) = (dir.join("file"), about.path().to_owned());
        let thing = Thing::now_at(&file).filter(|now| Some(now) == about.thing());
        let is_known = thing.as_ref().is_some_and(|thing| {
            let name = self.name(&path);
            self.accepted.has(name, thing) || {
                let content = scan::bytes(&file).unwrap_or_default();
                let content = match thing {
                    Thing::File { is_executable, .. } => Content::File {
                        bytes: &content,
                        is_executable: *is_executable,
                    },
                    Thing::Link(to) => Content::Link(Path::new(to)),
                    Thing::Other => return false,
                };
                self.vouch
                    .get()
                    .is_some_and(|vouch| vouch.is_known(&self.root, &path, &content))
            }
        });
        let held = HeldFile::new(self.clone(), dir.to_owned(), about.clone());
        if !is_known || held.put_in_place().is_err() {
            about.note_read(dir);
        }
    }

    /// The user has said yes to what is held there.
    fn put_in_place(
        &self,
        path: &Path,
        thing: Option<&Thing>,
        before: Option<&Thing>,
        held: &Path,
    ) -> io::Result<()> {
        let mut state = lock(&self.state);
        if thing.is_some() && Thing::now_at(held).as_ref() != thing {
            return Err(io::Error::other("it is not what was shown any more"));
        }
        if !is_absent(path) {
            if Thing::now_at(path).as_ref() != before {
                return Err(io::Error::other("something else stands there by now"));
            }
            moves::shift(held, path)?;
        } else {
            shift_to_free(held, path)?;
        }
        if let Some(thing) = thing {
            use std::os::unix::fs::PermissionsExt as _;
            let mode = std::fs::symlink_metadata(path)?.permissions().mode() & 0o777;
            let found = Found {
                thing: thing.clone(),
                mode,
                stamp: None,
            };
            let own = BTreeMap::from([(path.to_owned(), found.clone())]);
            self.remember(&own)?;
            state.before.insert(path.to_owned(), found);
        }
        Ok(())
    }

    /// One command less. Its processes are gone.
    fn end_one(&self, looks: bool) {
        let mut state = lock(&self.state);
        if looks {
            self.clear(&mut state, true);
        }
        state.running = state.running.saturating_sub(1);
        if state.running == 0 && state.is_stuck.is_none() && !state.is_marked_by_other {
            self.dirs.unmark_running(&self.root);
        }
    }

    fn is_running(&self) -> bool {
        lock(&self.state).running > 0
    }

    /// Waits until no command runs here, as far as the guard knows, but not for longer than this.
    pub(crate) fn settle(&self, limit: Duration) {
        let until = Instant::now() + limit;
        while self.is_running() && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

impl Guarded {
    pub(crate) fn guard(&self) -> &Arc<Guard> {
        &self.guard
    }

    pub(crate) fn seen_mark(&self) -> &Arc<AtomicBool> {
        &self.is_seen
    }

    /// The command and all that it started is gone.
    pub(crate) fn end(self) {
        self.guard.end_one(!self.is_seen.load(Ordering::Relaxed));
    }

    /// The same once this leash has ended.
    pub(crate) fn end_with(self, leash: Option<UnixStream>) {
        match (leash, self.guard.watcher.get().and_then(Option::as_ref)) {
            (Some(leash), Some(watcher)) => watcher.await_end(leash),
            (leash, _) => {
                // The kernel takes some milliseconds to end it.
                if let Some(leash) = &leash {
                    wait_for_end(leash);
                }
                self.guard.end_one(true);
            }
        }
    }
}

impl Guards {
    pub(crate) fn settle(&self, limit: Duration) {
        let guards: Vec<_> = lock(&self.guards).values().cloned().collect();
        guards.iter().for_each(|guard| guard.settle(limit));
    }
}

/// Looks in a place whose program was killed, once its commands have ended, without anybody to ask. Called in the sentinel.
pub(crate) fn look_alone(root: &Path, dirs: &GuardDirs) {
    if dirs.is_marked_running(root) {
        let accepted = Arc::new(AcceptedFiles::read(dirs));
        let guard = Guard::new(root.to_owned(), dirs.clone(), Arc::default(), accepted);
        guard.look_after_crash();
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether the other end of a leash is gone.
fn has_ended(leash: &UnixStream) -> bool {
    ends_within(leash, Duration::ZERO)
}

fn wait_for_end(leash: &UnixStream) {
    ends_within(leash, END_GRACE);
}

fn ends_within(leash: &UnixStream, limit: Duration) -> bool {
    let limit = Timespec::try_from(limit).unwrap_or_default();
    let mut watched = [PollFd::from_borrowed_fd(leash.as_fd(), PollFlags::RDHUP)];
    let polled = poll(&mut watched, Some(&limit));
    polled.is_err() || !watched[0].revents().is_empty()
}
