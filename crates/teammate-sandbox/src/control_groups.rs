//! Control groups (cgroups(7), version 2), where this program may make some: the kernel counts in them what a command uses
//! together, and what all commands of a member do. Elsewhere a command's first process looks now and then.
//!
//! ```text
//! the program's group ── program            the program itself, where it may not stay beside groups with limits
//!                     └─ teammate-PID ── 1  the commands of a member
//!                                        └─ 1, 2, 3 ...  one command each
//! ```

use std::{
    collections::HashMap,
    fs, io,
    os::fd::{AsFd, BorrowedFd, OwnedFd},
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering},
    },
};

use rustix::fs::{Mode, OFlags};
use teammate_core::lock::Hold;

use crate::{
    failure::{Failure, Step as _},
    limits::{CommandLimits, Limit, MemberLimits},
    place::Place,
};

/// Where systems have the hierarchy: alone, or beside that of version 1.
const PLACES: [&str; 2] = ["/sys/fs/cgroup", "/sys/fs/cgroup/unified"];
/// How the program's own groups begin; its number is behind it.
const NAME: &str = "teammate-";

/// The counts that the kernel can keep in a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Controller {
    Memory,
    Pids,
}

/// The groups of this program.
#[derive(Debug)]
pub(crate) struct ControlGroups {
    top: PathBuf,
    controllers: Vec<Controller>,
    /// By [`Place::owner`].
    members: Mutex<HashMap<PathBuf, PathBuf>>,
    count: AtomicU64,
    /// Groups that could not be removed yet: the kernel was still ending what was in them.
    left: Mutex<Vec<PathBuf>>,
}

/// The group of one command. Dropped, all in it are killed.
#[derive(Debug)]
pub(crate) struct ControlGroup {
    dir: PathBuf,
    file: OwnedFd,
    all: Arc<ControlGroups>,
}

impl Controller {
    const ALL: [Self; 2] = [Self::Memory, Self::Pids];

    fn name(self) -> &'static str {
        match self {
            Self::Memory => "memory",
            Self::Pids => "pids",
        }
    }
}

impl ControlGroups {
    /// Makes a group for the program's commands, if the system lets it and counts anything. Removes what killed programs left.
    /// May move this process into a group of its own below the one that it is in, if nobody else is there.
    pub(crate) fn begin() -> Option<Arc<Self>> {
        let own = PLACES
            .iter()
            .find_map(|place| own_group(Path::new(place)))?;
        sweep(&own);
        let there = words_of(&own.join("cgroup.controllers"));
        let mut controllers = Controller::ALL.to_vec();
        controllers.retain(|controller| there.iter().any(|name| name == controller.name()));
        if controllers.is_empty() {
            return None;
        }
        count_below(&own, &controllers).ok()?;
        let top = own.join(format!("{NAME}{}", std::process::id()));
        make(&top).ok()?;
        count_below(&top, &controllers).ok()?;
        Some(Arc::new(Self {
            top,
            controllers,
            members: Mutex::default(),
            count: AtomicU64::default(),
            left: Mutex::default(),
        }))
    }

    /// A group for a command of this place, in that of its member.
    pub(crate) fn make(
        self: &Arc<Self>,
        place: &Place,
        limits: &CommandLimits,
        of_member: &MemberLimits,
    ) -> Result<ControlGroup, Failure> {
        self.remove_left();
        let around = self.of_member(place.owner(), of_member)?;
        let number = self.count.fetch_add(1, Ordering::Relaxed);
        let dir = around.join(number.to_string());
        make(&dir).step_at("make the control group", &dir)?;
        let limited = self
            .limit(&dir, limits.total_memory_bytes, limits.processes)
            .and_then(|()| self.end_as_a_whole(&dir))
            .and_then(|()| Ok(rustix::fs::open(&dir, GROUP, Mode::empty())?));
        match limited {
            Ok(file) => Ok(ControlGroup {
                dir,
                file,
                all: self.clone(),
            }),
            Err(error) => {
                self.remove(dir.clone());
                Err(error).step_at("limit the control group", &dir)
            }
        }
    }

    fn of_member(&self, owner: &Path, limits: &MemberLimits) -> Result<PathBuf, Failure> {
        let mut members = self.members.hold();
        if let Some(dir) = members.get(owner) {
            return Ok(dir.clone());
        }
        let dir = self.top.join(members.len().to_string());
        let made = make(&dir)
            .and_then(|()| count_below(&dir, &self.controllers))
            .and_then(|()| self.limit(&dir, limits.memory_bytes, limits.processes));
        made.step_at("make the control group", &dir)?;
        members.insert(owner.to_owned(), dir.clone());
        Ok(dir)
    }

    fn limit(&self, dir: &Path, memory: Option<u64>, processes: Option<u32>) -> io::Result<()> {
        if let Some(most) = memory.filter(|_| self.controllers.contains(&Controller::Memory)) {
            fs::write(dir.join("memory.max"), most.to_string())?;
            // Where the kernel does not count swap, it is not limited.
            let _ = fs::write(dir.join("memory.swap.max"), "0");
        }
        if let Some(most) = processes.filter(|_| self.controllers.contains(&Controller::Pids)) {
            // The first process of a command is not its own.
            let most = most.saturating_add(1);
            fs::write(dir.join("pids.max"), most.to_string())?;
        }
        Ok(())
    }

    /// A command that is too large, or the largest of a member that has too much, ends as a whole.
    fn end_as_a_whole(&self, command: &Path) -> io::Result<()> {
        match self.controllers.contains(&Controller::Memory) {
            true => fs::write(command.join("memory.oom.group"), "1"),
            false => Ok(()),
        }
    }

    fn remove(&self, dir: PathBuf) {
        if fs::remove_dir(&dir).is_err() {
            self.left.hold().push(dir);
        }
    }

    fn remove_left(&self) {
        self.left.hold().retain(|dir| fs::remove_dir(dir).is_err());
    }
}

impl Drop for ControlGroups {
    fn drop(&mut self) {
        self.remove_left();
        remove_empty(&self.top);
    }
}

impl ControlGroup {
    /// The limit for which the kernel ended it, if it did.
    pub(crate) fn exceeded(&self) -> Option<Limit> {
        let events = fs::read_to_string(self.dir.join("memory.events")).unwrap_or_default();
        let kills = |line: &str| line.strip_prefix("oom_kill ")?.parse::<u64>().ok();
        let is_killed = events.lines().filter_map(kills).any(|count| count > 0);
        is_killed.then_some(Limit::Memory)
    }
}

impl AsFd for ControlGroup {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.file.as_fd()
    }
}

impl Drop for ControlGroup {
    fn drop(&mut self) {
        // If it cannot be written, nobody is there, or the kernel is older than 5.14: then the leash ends them all the same.
        let _ = fs::write(self.dir.join("cgroup.kill"), "1");
        self.all.remove(std::mem::take(&mut self.dir));
    }
}

const GROUP: OFlags = OFlags::DIRECTORY
    .union(OFlags::RDONLY)
    .union(OFlags::CLOEXEC);

/// The group that this process is in, if the hierarchy is here.
fn own_group(place: &Path) -> Option<PathBuf> {
    let found = rustix::fs::statfs(place).ok()?;
    if found.f_type != libc::CGROUP2_SUPER_MAGIC {
        return None;
    }
    let text = fs::read_to_string("/proc/self/cgroup").ok()?;
    let path = text.lines().find_map(|line| line.strip_prefix("0::/"))?;
    Some(place.join(path))
}

/// Lets the kernel count in the groups below this one. Groups below one with processes are not counted, but for the root:
/// if this process is alone, it moves.
fn count_below(group: &Path, controllers: &[Controller]) -> io::Result<()> {
    let file = group.join("cgroup.subtree_control");
    let wanted: String = controllers
        .iter()
        .map(|controller| format!("+{} ", controller.name()))
        .collect();
    let busy = match fs::write(&file, &wanted) {
        Err(error) if error.raw_os_error() == Some(libc::EBUSY) => error,
        written => return written,
    };
    let own = std::process::id().to_string();
    if words_of(&group.join("cgroup.procs")) != [own.clone()] {
        return Err(busy);
    }
    let program = group.join("program");
    make(&program)?;
    fs::write(program.join("cgroup.procs"), own)?;
    fs::write(&file, &wanted)
}

/// Removes what programs left that are gone.
fn sweep(own: &Path) {
    for found in fs::read_dir(own).into_iter().flatten().flatten() {
        let name = found.file_name();
        let number = name.to_str().and_then(|name| name.strip_prefix(NAME));
        if number.is_some_and(|number| !Path::new("/proc").join(number).exists()) {
            remove_empty(&found.path());
        }
    }
}

/// Removes a group with all below it in which nobody is.
fn remove_empty(group: &Path) {
    for found in fs::read_dir(group).into_iter().flatten().flatten() {
        if found.file_type().is_ok_and(|kind| kind.is_dir()) {
            remove_empty(&found.path());
        }
    }
    // If somebody is in it, it stays, and with it those above.
    let _ = fs::remove_dir(group);
}

fn make(group: &Path) -> io::Result<()> {
    match fs::create_dir(group) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        made => made,
    }
}

fn words_of(file: &Path) -> Vec<String> {
    let text = fs::read_to_string(file).unwrap_or_default();
    text.split_whitespace().map(str::to_owned).collect()
}
