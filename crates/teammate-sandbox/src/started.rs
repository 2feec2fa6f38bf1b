//! The helper that the program has started: one for each limit on the level, and another when it has ended.

use std::{
    collections::BTreeMap,
    os::fd::{AsFd as _, OwnedFd},
    path::Path,
    sync::{
        Arc, Mutex, OnceLock, Weak,
        atomic::{AtomicBool, Ordering},
    },
};

use rustix::pipe::PipeFlags;
use teammate_core::lock::Hold;

use crate::{
    control_groups::{ControlGroup, ControlGroups},
    failure::{Failure, Step as _},
    guard::GuardDirs,
    helper::Helper,
    inside::LookAfter,
    level::Level,
    limits::{CommandLimits, MemberLimits},
    message,
    network::Networks,
    place::Place,
};

/// One helper for all teams of the program that hold commands equally well.
static HELPERS: Mutex<BTreeMap<Level, Arc<Started>>> = Mutex::new(BTreeMap::new());

/// The groups of the program's commands, begun before the first helper; `None` where there are none.
static GROUPS: OnceLock<Option<Arc<ControlGroups>>> = OnceLock::new();

/// The helper, and the networks that it makes.
#[derive(Debug)]
pub(crate) struct Started {
    pub(crate) helper: Helper,
    networks: Mutex<Option<Arc<Networks>>>,
    /// A network for what connects nowhere.
    closed: Mutex<Option<Arc<OwnedFd>>>,
    sentinel: Mutex<Option<OwnedFd>>,
    is_proven: AtomicBool,
    /// Whether it takes the place of one that ended, and no command of a member has said so yet.
    is_replacement: AtomicBool,
}

/// The helper that made something: views and networks of two helpers do not go together.
#[derive(Debug)]
pub(crate) struct Maker(Weak<Started>);

impl Maker {
    pub(crate) fn of(started: &Arc<Started>) -> Self {
        Self(Arc::downgrade(started))
    }

    pub(crate) fn is(&self, started: &Arc<Started>) -> bool {
        std::ptr::eq(self.0.as_ptr(), Arc::as_ptr(started))
    }
}

impl Started {
    /// The one that there is, or a new one if it has ended.
    ///
    /// # Errors
    ///
    /// The new one cannot be started, or holds commands less well: who opened a team agreed to the level of the first.
    pub(crate) fn get(at_most: Level) -> Result<Arc<Self>, Failure> {
        let mut helpers = HELPERS.hold();
        let before = match helpers.get(&at_most) {
            Some(started) if started.helper.is_alive() => return Ok(started.clone()),
            ended => ended.map(|ended| ended.helper.level()),
        };
        GROUPS.get_or_init(ControlGroups::begin);
        let helper = Helper::start(at_most)?;
        if let Some(before) = before {
            require_level(before, helper.level())?;
        }
        let started = Self::of(helper);
        started
            .is_replacement
            .store(before.is_some(), Ordering::Relaxed);
        let started = Arc::new(started);
        helpers.insert(at_most, started.clone());
        Ok(started)
    }

    /// The one that there is.
    pub(crate) fn known(at_most: Level) -> Option<Arc<Self>> {
        HELPERS.hold().get(&at_most).cloned()
    }

    fn of(helper: Helper) -> Self {
        Self {
            helper,
            networks: Mutex::default(),
            closed: Mutex::default(),
            sentinel: Mutex::default(),
            is_proven: AtomicBool::new(false),
            is_replacement: AtomicBool::new(false),
        }
    }

    /// A sandbox at a level that was proven.
    pub(crate) fn proven(at_most: Level, directory: &Path) -> Result<Arc<Self>, Failure> {
        let started = Self::get(at_most)?;
        if started.is_proven.load(Ordering::Relaxed) {
            return Ok(started);
        }
        let started = match (
            started.helper.prove(directory),
            started.helper.level().below(),
        ) {
            (Ok(_), _) => started,
            (Err(failure), None) => return Err(failure),
            (Err(failure), Some(below)) => {
                let (helper, _) = Helper::start_proven(below, directory)?;
                let started = Arc::new(Self::of(helper.at_this_level_because(failure)));
                let mut helpers = HELPERS.hold();
                helpers.insert(at_most, started.clone());
                started
            }
        };
        started.is_proven.store(true, Ordering::Relaxed);
        Ok(started)
    }

    /// Whether nothing was said yet about the helper that this one replaces. True once.
    pub(crate) fn is_first_of_replacement(&self) -> bool {
        self.is_replacement.swap(false, Ordering::Relaxed)
    }

    /// A control group for a command of this place; `None` where there are none, or nothing is limited.
    pub(crate) fn group(
        &self,
        place: &Place,
        limits: &CommandLimits,
        of_member: &MemberLimits,
    ) -> Result<Option<ControlGroup>, Failure> {
        let groups = GROUPS.get().and_then(Option::as_ref);
        let groups = groups.filter(|_| self.helper.level() != Level::Off);
        groups
            .map(|groups| groups.make(place, limits, of_member))
            .transpose()
    }

    pub(crate) fn has_control_groups(&self) -> bool {
        GROUPS.get().is_some_and(Option::is_some) && self.helper.level() != Level::Off
    }

    /// One for all who connect nowhere: they are git, which the program runs. None where commands have no namespaces.
    pub(crate) fn closed(&self) -> Result<Option<Arc<OwnedFd>>, Failure> {
        if self.helper.level() != Level::Full {
            return Ok(None);
        }
        let mut closed = self.closed.hold();
        if closed.is_none() {
            *closed = Some(Arc::new(self.networks()?.unserved()?));
        }
        Ok(closed.clone())
    }

    /// Has this place looked after if this program is killed, until nobody holds the other end of what is returned.
    pub(crate) fn look_after(&self, root: &Path, dirs: &GuardDirs) -> Result<OwnedFd, Failure> {
        let step = || "have the place looked after".to_owned();
        let (ours, theirs) = rustix::pipe::pipe_with(PipeFlags::CLOEXEC).step(step)?;
        let ask = LookAfter {
            root: root.to_owned(),
            dirs: dirs.clone(),
            host: std::process::id(),
        };
        let mut sentinel = self.sentinel.hold();
        let is_asked = sentinel
            .as_ref()
            .is_some_and(|socket| message::send(socket, &ask, &[ours.as_fd()]).is_ok());
        if !is_asked {
            // There is none yet, or something killed it.
            let socket = self.helper.sentinel()?;
            message::send(&socket, &ask, &[ours.as_fd()]).step(step)?;
            *sentinel = Some(socket);
        }
        Ok(theirs)
    }

    pub(crate) fn networks(&self) -> Result<Arc<Networks>, Failure> {
        let mut networks = self.networks.hold();
        if let Some(networks) = &*networks {
            return Ok(networks.clone());
        }
        let made = Arc::new(self.helper.networks()?);
        *networks = Some(made.clone());
        Ok(made)
    }
}

/// A helper that replaces one must be as good.
fn require_level(before: Level, now: Level) -> Result<(), Failure> {
    if now >= before {
        return Ok(());
    }
    Err(Failure::new(
        "hold commands as well as before",
        format!(
            "its helper ended, and a new one reaches only the level '{now}', not '{before}'; open the team again"
        ),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_helper_holds_commands_as_well_as_the_one_before_or_they_do_not_run() {
        let levels = [Level::Off, Level::None, Level::Landlock, Level::Full];
        for (at, before) in levels.into_iter().enumerate() {
            for (other, now) in levels.into_iter().enumerate() {
                assert_eq!(
                    require_level(before, now).is_ok(),
                    other >= at,
                    "{before} {now}"
                );
            }
        }
    }
}
