//! Consent to what may stand at guarded names: what the user has said yes to, and what the repository knows.

use std::{io, path::Path, sync::Arc};

use teammate_core::lock::Hold;

use super::{
    Content, Guard, HeldFile,
    files::Files,
    held::About,
    moves::{self, shift_to_free},
    thing::{self, Found, Thing, is_absent},
};

impl Guard {
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
        let state = self.state.hold();
        state.before.get(path).is_some() || state.names.cover(path)
    }

    /// The user has said yes to it.
    pub(crate) fn accept(&self, path: &Path, content: &Content<'_>) {
        self.accepted
            .add([(self.name(path).into(), Thing::of(content))]);
    }

    /// Looks again at a file that was held when nobody could ask the repository.
    pub(super) fn reconsider(self: &Arc<Self>, dir: &Path, mut about: About) {
        let (file, path) = (dir.join("file"), about.path().to_owned());
        let thing = Thing::now_at(&file).filter(|now| Some(now) == about.thing());
        let is_known = thing.as_ref().is_some_and(|thing| {
            let name = self.name(&path);
            self.accepted.has(name, thing) || {
                let content = thing::bytes(&file).unwrap_or_default();
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
    pub(super) fn put_in_place(
        &self,
        path: &Path,
        thing: Option<&Thing>,
        before: Option<&Thing>,
        held: &Path,
    ) -> io::Result<()> {
        let mut state = self.state.hold();
        if thing.is_some() && Thing::now_at(held).as_ref() != thing {
            return Err(io::Error::other("it is not what was shown any more"));
        }
        if let Some(thing) = thing {
            // Before it stands there: guards of other processes look at once.
            self.accepted.add([(self.name(path).into(), thing.clone())]);
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
            let own = Files::from_iter([(path.to_owned(), found.clone())]);
            self.remember(&own)?;
            state.before.insert(path.to_owned(), found);
        }
        Ok(())
    }
}
