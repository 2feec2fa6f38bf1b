//! A view's process: it makes the view, then a copy of it for each command.

use std::{
    collections::HashMap,
    os::fd::{AsFd as _, OwnedFd},
    time::Duration,
};

use rustix::event::{PollFd, PollFlags, poll};
use serde::{Deserialize, Serialize};

use super::{
    Walls,
    first::{self, Command},
    landlock, processes, seccomp,
    sys::{self, Cloned, Waited},
    view,
};
use crate::{
    failure::{Failure, Step as _},
    level::Level,
    message,
    order::{Report, Run},
    policy::ViewPlan,
};

/// What the host hears of a view.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum FromView {
    /// It is made.
    Ready,
    /// It cannot be made.
    Failed(Failure),
}

/// How often processes are killed that a first process left. Only one that is stuck in the kernel stays for so long.
const STRAYS_TRIES: usize = 1_000;

/// Namespaces of each command's own.
const NAMESPACES: i32 =
    libc::CLONE_NEWPID | libc::CLONE_NEWNS | libc::CLONE_NEWIPC | libc::CLONE_NEWUTS;

/// Makes the view and serves commands in it until the host lets go. Does not return.
pub(super) fn run(socket: &OwnedFd, plan: &ViewPlan, level: Level) -> ! {
    let made = make(plan, level);
    let answer = match &made {
        Ok(_) => FromView::Ready,
        Err(failure) => FromView::Failed(failure.clone()),
    };
    let is_heard = message::send(socket, &answer, &[]).is_ok();
    if let (Ok((walls, children)), true) = (made, is_heard) {
        serve(socket, &walls, &children);
    }
    sys::exit(0)
}

fn make(plan: &ViewPlan, level: Level) -> Result<(Walls, OwnedFd), Failure> {
    let filters = seccomp::Filters::new()?;
    let landlock = match level {
        Level::Full => {
            view::build(plan)?;
            landlock::in_namespaces(plan)?
        }
        Level::Landlock => landlock::alone(plan)?,
        Level::None | Level::Off => None,
    };
    let walls = Walls {
        level,
        landlock,
        filters,
    };
    sys::adopt_orphans().step(|| "adopt orphans".into())?;
    let children = sys::watch_children().step(|| "watch children".into())?;
    Ok((walls, children))
}

/// Returns when the host has let go. Commands that run go on: their leashes say when they end.
fn serve(socket: &OwnedFd, walls: &Walls, children: &OwnedFd) {
    // As long as it is here the host does not take the command for ended: the kernel may still be at it.
    let mut leashes: HashMap<i32, OwnedFd> = HashMap::new();
    loop {
        let mut watched = [
            PollFd::new(socket, PollFlags::IN),
            PollFd::new(children, PollFlags::IN),
        ];
        if poll(&mut watched, None).is_err_and(|error| error != rustix::io::Errno::INTR) {
            return;
        }
        let [from_host, from_children] = watched.map(|watched| !watched.revents().is_empty());
        if from_children {
            let _ = rustix::io::read(children, &mut [0; 128]);
            reap(&mut leashes, walls.level);
        }
        if from_host {
            match message::receive::<Run>(socket) {
                Ok(Some((run, descriptors))) => {
                    begin(run, descriptors, &mut leashes, walls);
                }
                Ok(None) | Err(_) => return,
            }
        }
    }
}

/// Lets go of commands that have ended. Where a first process can be killed by its own command, what it leaves is killed before
/// the host hears of an end.
fn reap(leashes: &mut HashMap<i32, OwnedFd>, level: Level) {
    let mut ended = Vec::new();
    for _ in 0..STRAYS_TRIES {
        while let Ok(Waited::Ended { child, .. }) = sys::reap() {
            ended.push(child);
        }
        let mut strays = match level {
            // The kernel has ended them.
            Level::Full => Vec::new(),
            Level::Landlock | Level::None | Level::Off => processes::own_children(),
        };
        strays.retain(|child| !leashes.contains_key(child));
        if strays.is_empty() {
            break;
        }
        for process in processes::with_descendants(strays) {
            sys::signal(process, libc::SIGKILL);
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    for child in ended {
        leashes.remove(&child);
    }
}

/// Starts the first process of a command.
/// `None` if descriptors are missing, which says that the host is not ours.
fn begin(
    run: Run,
    descriptors: Vec<OwnedFd>,
    leashes: &mut HashMap<i32, OwnedFd>,
    walls: &Walls,
) -> Option<()> {
    let mut descriptors = descriptors.into_iter();
    let (leash, output, errors) = (
        descriptors.next()?,
        descriptors.next()?,
        descriptors.next()?,
    );
    let network = if run.has_network {
        Some(descriptors.next()?)
    } else {
        None
    };
    let group = if run.has_control_group {
        Some(descriptors.next()?)
    } else {
        None
    };
    let group = group.as_ref().map(|group| group.as_fd());
    let namespaces = match walls.level {
        Level::Full => NAMESPACES,
        Level::Landlock | Level::None | Level::Off => 0,
    };
    match sys::clone_into(namespaces, group).step(|| "make namespaces".into()) {
        Ok(Cloned::Parent { child }) => {
            leashes.insert(child, leash);
        }
        Ok(Cloned::Child) => {
            // Copies of other commands' leashes: with them those would seem to run as long as this one.
            leashes.clear();
            let command = Command {
                probes: run.probes,
                output,
                errors,
                network,
            };
            first::run(leash, command, walls)
        }
        Err(failure) => {
            first::report(&leash.into(), &Report::Failed(failure));
        }
    }
    Some(())
}
