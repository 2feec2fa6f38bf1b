//! All guards of a team's commands: one for each workspace or worktree. It decides nothing about what may stand there.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, OnceLock},
    time::Duration,
};

use teammate_core::lock::Hold;

use super::{Guard, GuardDirs, HeldFile, Vouch, held::About, records::AcceptedFiles};
use crate::failure::{Failure, Step as _};

/// All guards of a team's commands, by the directory.
#[derive(Debug, Default)]
pub(crate) struct Guards {
    vouch: Arc<OnceLock<Arc<dyn Vouch>>>,
    guards: Mutex<BTreeMap<PathBuf, Arc<Guard>>>,
    accepted: Mutex<BTreeMap<PathBuf, Arc<AcceptedFiles>>>,
}

impl Guards {
    pub(crate) fn vouched_by(&self, vouch: Arc<dyn Vouch>) {
        // The first one counts: a team has one repository.
        let _ = self.vouch.set(vouch);
    }

    /// The guard of this directory.
    pub(crate) fn of(&self, root: &Path, dirs: &GuardDirs) -> Result<Arc<Guard>, Failure> {
        let mut guards = self.guards.hold();
        if let Some(guard) = guards.get(root) {
            return Ok(guard.clone());
        }
        dirs.make().step_at("guard files of", root)?;
        let mut accepted = self.accepted.hold();
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
        self.guards.hold().get(root).cloned()
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

    /// Waits until no command runs, as far as guards know, but not for longer than this for each.
    pub(crate) fn settle(&self, limit: Duration) {
        let guards: Vec<_> = self.guards.hold().values().cloned().collect();
        guards.iter().for_each(|guard| guard.settle(limit));
    }
}
