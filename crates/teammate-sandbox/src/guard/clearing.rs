//! One look at the guarded names: what may not be there is moved away, what was there before is put back.

use std::{
    io,
    path::{Path, PathBuf},
};

use super::{
    Content, Guard, State, Vouch,
    files::Files,
    held::About,
    moves::{prune, put_file, put_link},
    plain,
    scan::Scan,
    thing::{self, Found, Thing, is_absent},
};
use crate::failure::Failure;

/// How often what a command writes again at once is moved away in one look.
const ROUNDS_MAX: usize = 5;
/// So many new files below one name are held together, if all there is new.
const TOGETHER_FROM: usize = 50;

impl Guard {
    /// Moves away what may not be there, again if it is written again at once, and puts back what was there.
    pub(super) fn clear(&self, state: &mut State, puts_back: bool) {
        state.is_stuck = None;
        for round in 1..=ROUNDS_MAX {
            let scan = state.scan(&self.root);
            let mut has_moved = false;
            for name in &scan.large {
                has_moved = true;
                self.hold(state, name, None);
            }
            for name in self.crowded(state, &scan) {
                has_moved = true;
                self.hold(state, &name, None);
            }
            for (path, found) in scan.files {
                if is_absent(&path) {
                    continue;
                }
                if state
                    .before
                    .get(&path)
                    .is_some_and(|before| before.thing == found.thing)
                {
                    continue;
                }
                // A writer that is not done yet: there is nothing in it, and the look at the end comes.
                if !puts_back && found.thing.is_empty() {
                    continue;
                }
                if self.is_plain(state, &path, &found.thing) {
                    continue;
                }
                if self.may_be(&path, &found.thing) {
                    let found = Found {
                        stamp: None,
                        ..found
                    };
                    let own = Files::from_iter([(path.clone(), found.clone())]);
                    // Without its content it is not put back if a later command replaces it.
                    let _ = self.remember(&own);
                    state.before.insert(path, found);
                    state.is_recorded = false;
                } else {
                    has_moved = true;
                    // Another one stands there by now, as the next step of git's wrote it: the next round finds out what that is.
                    if round == ROUNDS_MAX || found.thing.still_stands_at(&path) {
                        self.hold(state, &path, Some(found.thing));
                    }
                }
            }
            if puts_back {
                self.put_back_lost(state);
            }
            if !has_moved || state.is_stuck.is_some() {
                return;
            }
        }
    }

    /// Names below which there are many files, and nothing that may be there.
    fn crowded(&self, state: &State, scan: &Scan) -> Vec<PathBuf> {
        let names = state.names.paths.iter().filter(|name| {
            let below = || scan.files.iter().filter(|(path, _)| path.starts_with(name));
            let had_any = state.before.paths().any(|path| path.starts_with(name));
            !had_any
                && below().nth(TOGETHER_FROM).is_some()
                && !below().any(|(path, found)| self.may_be(path, &found.thing))
        });
        names.cloned().collect()
    }

    /// Whether git writes there itself, for a submodule, what is there now, and it runs nothing. Git writes some files step by step. It
    /// counts as the user's once no command runs.
    fn is_plain(&self, state: &State, path: &Path, thing: &Thing) -> bool {
        let Thing::File { .. } = thing else {
            return false;
        };
        let before = match state.before.get(path).map(|found| &found.thing) {
            Some(Thing::File { digest, .. }) => self.dirs.content(*digest),
            Some(Thing::Link(_) | Thing::Other) | None => None,
        };
        let now = thing::bytes(path);
        now.is_ok_and(|now| {
            plain::is_plain((&self.root, &state.names), path, &now, before.as_deref())
        })
    }

    /// Whether this content may be under this name.
    fn may_be(&self, path: &Path, thing: &Thing) -> bool {
        let name = self.name(path);
        if self.accepted.has(name, thing) {
            return true;
        }
        self.accepted.read_again();
        let is_known = self.accepted.has(name, thing)
            || self.asks_repository(path, thing, |vouch, content| {
                vouch.is_known(&self.root, path, content)
            });
        if is_known {
            self.accepted.add([(name.into(), thing.clone())]);
        }
        is_known
    }

    /// Asks about the very content that was seen.
    fn asks_repository(
        &self,
        path: &Path,
        thing: &Thing,
        ask: impl Fn(&dyn Vouch, &Content<'_>) -> bool,
    ) -> bool {
        let Some(vouch) = self.vouch.get() else {
            return false;
        };
        match thing {
            Thing::Link(to) => ask(&**vouch, &Content::Link(Path::new(to))),
            Thing::File {
                digest,
                is_executable,
            } => {
                let seen = |bytes: &Vec<u8>| thing::digest_of(bytes) == *digest;
                let bytes = thing::bytes(path).ok().filter(seen);
                let bytes = bytes.or_else(|| self.dirs.content(*digest));
                bytes.is_some_and(|bytes| {
                    let content = Content::File {
                        bytes: &bytes,
                        is_executable: *is_executable,
                    };
                    ask(&**vouch, &content)
                })
            }
            Thing::Other => false,
        }
    }

    fn hold(&self, state: &mut State, path: &Path, thing: Option<Thing>) {
        let found = state.before.get(path).cloned();
        let before = found.as_ref().map(|found| found.thing.clone());
        // The same again, from a command that writes in a circle: one copy is enough.
        let has_copy = thing.is_some()
            && state
                .untold
                .iter()
                .any(|(_, about)| about.path() == path && about.thing() == thing.as_ref());
        let is_untold = self.vouch.get().is_none();
        let mut about = About::new(&self.root, path, thing, before.clone(), is_untold);
        let stand_in = |place: &Path| match &found {
            Some(before) => self.place(place, before),
            None => Err(io::ErrorKind::NotFound.into()),
        };
        match about.hold(&self.dirs, stand_in) {
            Ok(dir) if has_copy => {
                let _ = std::fs::remove_dir_all(dir);
            }
            Ok(dir) => state.untold.push((dir, about)),
            // Gone by itself.
            Err(error) if error.kind() == io::ErrorKind::NotFound && is_absent(path) => {}
            Err(error) => {
                let step = format!("move {} away, which a command wrote", path.display());
                state.is_stuck = Some(Failure::of(step, &error));
                return;
            }
        }
        if let (Some(parent), true) = (path.parent(), path.starts_with(&self.root)) {
            let guarded = state.names.paths.iter().find(|name| path.starts_with(name));
            let top = guarded.and_then(|name| name.parent()).unwrap_or(parent);
            prune(parent, top);
        }
        if let Some(before) = found
            && is_absent(path)
        {
            self.put_back(path, &before);
        }
    }

    fn put_back(&self, path: &Path, before: &Found) {
        // Something else may have come in its place; the next look sees it.
        let _ = self.place(path, before);
    }

    /// Makes at this path what was there before.
    fn place(&self, path: &Path, before: &Found) -> io::Result<()> {
        let lost = || io::Error::from(io::ErrorKind::NotFound);
        match &before.thing {
            Thing::File { digest, .. } => {
                let bytes = self.dirs.content(*digest).ok_or_else(lost)?;
                put_file(path, &bytes, before.mode, &self.dirs.held)
            }
            Thing::Link(to) => put_link(path, to, &self.dirs.held),
            Thing::Other => Err(lost()),
        }
    }

    /// Puts back what a command removed, unless the repository has it.
    fn put_back_lost(&self, state: &mut State) {
        let is_dir = |path: &Path| std::fs::symlink_metadata(path).is_ok_and(|it| it.is_dir());
        let covered: Vec<PathBuf> = (state.before.paths())
            .filter(|path| is_dir(path))
            .map(Path::to_owned)
            .collect();
        for path in covered {
            // A directory without anything in it, in the place of a file.
            self.hold(state, &path, None);
        }
        let lost: Vec<(PathBuf, Found)> = (state.before.iter())
            .filter(|(path, _)| is_absent(path))
            .map(|(path, found)| (path.to_owned(), found.clone()))
            .collect();
        for (path, found) in lost {
            let is_saved = plain::goes_with_submodule(&state.names, &path)
                || self.asks_repository(&path, &found.thing, |vouch, content| {
                    vouch.is_saved(&self.root, content)
                });
            if !is_saved {
                self.put_back(&path, &found);
            }
            if is_absent(&path) {
                state.before.remove(&path);
                state.is_recorded = false;
            }
        }
    }
}
