//! A view's process: it makes the view, then a copy of it for each command.

use std::{
    collections::HashMap,
    os::fd::{AsFd as _, OwnedFd},
    time::Duration,
};

use rustix::{
    event::{PollFd, PollFlags, poll},
    io::Errno,
};
use serde::{Deserialize, Serialize};

use super::{
    Walls,
    first::{self, Command},
    landlock, processes, readable, seccomp,
    sys::{self, Cloned, Waited},
    view,
    watch::Share,
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

/// Makes the view and serves commands in it until the host lets go. Does not return. The token is held by this process and the
/// first process of each command until they end: who has its other end sees when all are gone.
pub(super) fn run((socket, token): (OwnedFd, Option<OwnedFd>), plan: &ViewPlan, level: Level) -> ! {
    let made = make(plan, level);
    let answer = match &made {
        Ok(_) => FromView::Ready,
        Err(failure) => FromView::Failed(failure.clone()),
    };
    let is_heard = message::send(&socket, &answer, &[]).is_ok();
    let (Ok((walls, children)), true) = (made, is_heard) else {
        sys::exit(0)
    };
    // As long as it is here the host does not take the command for ended: the kernel may still be at it.
    let mut leashes = HashMap::new();
    let child = serve(&socket, &walls, &children, &mut leashes);
    // The host sees the view's end by its socket: nobody else may hold that.
    drop(socket);
    match child {
        None => {
            await_ends(&mut leashes, &children, level);
            sys::exit(0)
        }
        Some(Child { leash, command }) => {
            // Copies of other commands' leashes end here: with them those would seem to run as long as this one.
            drop((leashes, children));
            let _token = token;
            first::run(leash, command, &walls)
        }
    }
}

/// The first process of a command.
struct Child {
    leash: OwnedFd,
    command: Command,
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

/// Returns in the view when the host has let go, and in each child.
fn serve(
    socket: &OwnedFd,
    walls: &Walls,
    children: &OwnedFd,
    leashes: &mut HashMap<i32, OwnedFd>,
) -> Option<Child> {
    loop {
        let [from_host, from_children] = readable([socket.as_fd(), children.as_fd()], None)?;
        if from_children {
            let _ = rustix::io::read(children, &mut [0; 128]);
            reap(leashes, walls.level);
        }
        if from_host {
            let (run, descriptors) = message::receive::<Run>(socket).ok()??;
            let given = Given::of(run, descriptors)?;
            if let Some(child) = begin(given, leashes, walls.level) {
                return Some(child);
            }
        }
    }
}

/// Keeps the leashes of commands that go on after the host let go of their view, until each has ended with all it started.
fn await_ends(leashes: &mut HashMap<i32, OwnedFd>, children: &OwnedFd, level: Level) {
    loop {
        reap(leashes, level);
        let mut watched = [PollFd::new(children, PollFlags::IN)];
        if leashes.is_empty() || !matches!(poll(&mut watched, None), Ok(_) | Err(Errno::INTR)) {
            return;
        }
        let _ = rustix::io::read(children, &mut [0; 128]);
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

/// What the host gives for a command.
struct Given {
    leash: OwnedFd,
    group: Option<OwnedFd>,
    command: Command,
}

impl Given {
    /// `None` if descriptors are missing, which says that the host is not ours.
    fn of(run: Run, descriptors: Vec<OwnedFd>) -> Option<Self> {
        let mut descriptors = descriptors.into_iter();
        let leash = descriptors.next()?;
        let (output, errors) = (descriptors.next()?, descriptors.next()?);
        let input = match run.has_input {
            true => Some(descriptors.next()?),
            false => None,
        };
        let network = match run.has_network {
            true => Some(descriptors.next()?),
            false => None,
        };
        let group = match run.has_control_group {
            true => Some(descriptors.next()?),
            false => None,
        };
        let share = match run.share {
            Some(share) => Some(Share {
                records: descriptors.next()?.into(),
                number: share.number,
                limits: share.limits,
                is_written: false,
            }),
            None => None,
        };
        let command = Command {
            share,
            probes: run.probes,
            input,
            output,
            errors,
            network,
        };
        Some(Self {
            leash,
            group,
            command,
        })
    }
}

/// Starts the first process of a command, and returns it in that process.
fn begin(given: Given, leashes: &mut HashMap<i32, OwnedFd>, level: Level) -> Option<Child> {
    let Given {
        leash,
        group,
        command,
    } = given;
    let group = group.as_ref().map(|group| group.as_fd());
    let namespaces = match level {
        Level::Full => NAMESPACES,
        Level::Landlock | Level::None | Level::Off => 0,
    };
    match sys::clone_into(namespaces, group).step(|| "make namespaces".into()) {
        Ok(Cloned::Parent { child }) => {
            leashes.insert(child, leash);
            None
        }
        Ok(Cloned::Child) => Some(Child { leash, command }),
        Err(failure) => {
            first::report(&leash.into(), &Report::Failed(failure));
            None
        }
    }
}
