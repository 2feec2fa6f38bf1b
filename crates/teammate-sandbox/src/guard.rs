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
mod command;
mod consent;
mod files;
mod held;
mod moves;
mod names;
mod of_team;
mod plain;
mod records;
mod scan;
mod thing;
mod vouch;
mod watch;

use std::{
    collections::BTreeSet,
    io,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, OnceLock},
    time::{Duration, Instant},
};

use teammate_core::lock::Hold;

use self::{
    files::Files,
    held::About,
    records::AcceptedFiles,
    scan::Scan,
    thing::{Thing, is_absent},
    watch::Watcher,
};
use crate::failure::{Failure, Step as _};

pub(crate) use command::{DYING, Guarded};
pub use held::HeldFile;
pub(crate) use names::Names;
pub(crate) use of_team::Guards;
pub(crate) use plain::leads_to_submodule;
pub use records::GuardDirs;
pub use vouch::{Content, Vouch};

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
    /// The files that stood there when no command ran, and those that were allowed since.
    before: Files,
    is_begun: bool,
    /// Whether `before` is on disk, with all content.
    is_recorded: bool,
    /// Commands that run.
    running: usize,
    /// Another program has commands here as well, and looks when they end.
    is_marked_by_other: bool,
    /// Something could not be moved away: nothing runs until it can.
    is_stuck: Option<Failure>,
    /// The held files of which nobody has read yet.
    untold: Vec<(PathBuf, About)>,
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
        let before = self.state.hold().before.clone();
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
        let mut state = self.state.hold();
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
        if is_first && state.before == Files::default() {
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
        if is_first
            || has_new_names
            || !state.is_recorded
            || !scan.files.have_things_of(&state.before)
        {
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
    fn remember(&self, files: &Files) -> io::Result<()> {
        for (path, found) in files.iter() {
            if let Thing::File { digest, .. } = &found.thing
                && is_absent(&self.dirs.content_file(*digest))
                && let Ok(bytes) = thing::bytes(path)
            {
                self.dirs.keep_content(thing::digest_of(&bytes), &bytes)?;
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
        let state = self.state.hold();
        let scan = state.scan(&self.root);
        !state.untold.is_empty()
            || state.is_stuck.is_some()
            || !scan.large.is_empty()
            || !scan.files.have_things_of(&state.before)
    }

    /// Looks now, and returns what nobody has read of yet. Blocks; asks git if something is new.
    pub(crate) fn look(self: &Arc<Self>, puts_back: bool) -> Vec<HeldFile> {
        let mut state = self.state.hold();
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

    /// Looks while commands run, where nobody reads of it.
    fn look_meanwhile(&self) {
        let mut state = self.state.hold();
        if state.running > 0 {
            self.clear(&mut state, false);
        }
    }

    /// The program was killed while commands ran here. What is held then is listed, and no command's outcome tells of it.
    fn look_after_crash(&self) {
        let mut state = self.state.hold();
        if let Some((names, files)) = self.dirs.read_before(&self.root) {
            state.names = names;
            state.before = files;
            self.clear(&mut state, true);
            state.untold.clear();
        }
        self.dirs.unmark_running(&self.root);
    }

    /// One command less. Its processes are gone.
    fn end_one(&self, looks: bool) {
        let mut state = self.state.hold();
        if looks {
            self.clear(&mut state, true);
        }
        state.running = state.running.saturating_sub(1);
        if state.running == 0 && state.is_stuck.is_none() && !state.is_marked_by_other {
            self.dirs.unmark_running(&self.root);
        }
    }

    fn is_running(&self) -> bool {
        self.state.hold().running > 0
    }

    /// Waits until no command runs here, as far as the guard knows, but not for longer than this.
    pub(crate) fn settle(&self, limit: Duration) {
        let until = Instant::now() + limit;
        while self.is_running() && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(1));
        }
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
