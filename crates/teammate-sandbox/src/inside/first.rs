//! The first process of a command: it makes what belongs to this command alone, starts the program, and ends with the last
//! process or with the leash. With it, the kernel ends all others.

use std::{
    io::{Read as _, Write as _},
    os::{
        fd::{AsFd as _, OwnedFd},
        unix::net::UnixStream,
    },
};

use rustix::{
    mount::{MountFlags, mount, mount_remount},
    process::{DumpableBehavior, set_dumpable_behavior},
    thread::{LinkNameSpaceType, move_into_link_name_space},
};

use super::{
    Walls, probes, processes, readable, shell,
    sys::{self, Cloned, Waited},
    watch::{Share, Watch},
};
use crate::{
    failure::{Failure, Step as _},
    level::Level,
    order::{Order, Report, STOP},
    probe::Targets,
};

/// How long an order may be, in bytes.
const ORDER_BYTES_MAX: u32 = 8 << 20;

/// The kernel takes no lower number as a namespace's highest process. The watch ends what has more than a lower limit.
const PID_MAX_LEAST: u32 = 301;

/// What the first process was given.
pub(super) struct Command {
    pub(super) input: Option<OwnedFd>,
    pub(super) output: OwnedFd,
    pub(super) errors: OwnedFd,
    pub(super) network: Option<OwnedFd>,
    pub(super) share: Option<Share>,
    /// What is tried instead of the program.
    pub(super) probes: Option<Targets>,
}

/// Runs the command. Called in the first process of a new process namespace; does not return.
pub(super) fn run(leash: OwnedFd, command: Command, walls: &Walls) -> ! {
    let leash = UnixStream::from(leash);
    match start(&leash, command, walls) {
        Ok(first) => first.keep(),
        Err(failure) => {
            report(&leash, &Report::Failed(failure));
            sys::exit(1)
        }
    }
}

/// Tells the host. If it does not hear it, it is gone, and this command ends next.
pub(super) fn report(mut leash: &UnixStream, report: &Report) {
    let Ok(text) = serde_json::to_vec(report) else {
        return;
    };
    let length = u32::try_from(text.len()).unwrap_or_default().to_ne_bytes();
    let _ = leash.write_all(&[&length[..], &text].concat());
}

fn start<'a>(
    leash: &'a UnixStream,
    mut command: Command,
    walls: &Walls,
) -> Result<First<'a>, Failure> {
    set_dumpable_behavior(DumpableBehavior::NotDumpable)
        .step(|| "close the first process".into())?;
    let order = read_order(leash)?;
    if let Some(network) = &command.network {
        move_into_link_name_space(network.as_fd(), Some(LinkNameSpaceType::Network))
            .step(|| "enter the network".into())?;
    }
    match walls.level {
        Level::Full => furnish(&order)?,
        Level::Landlock | Level::None | Level::Off => {
            sys::adopt_orphans().step(|| "adopt orphans".into())?;
        }
    }
    let children = sys::watch_children().step(|| "watch children".into())?;
    match sys::clone_into(0, None).step(|| "start the program".into())? {
        Cloned::Parent { child } => {
            let share = command.share.take();
            drop(command);
            Ok(First {
                leash,
                shell: child,
                children,
                level: walls.level,
                watch: Watch::new(&order.limits, share, walls.level),
            })
        }
        Cloned::Child => {
            let tried = match &command.probes {
                Some(targets) => probes::run(targets, &order, command.output, walls),
                None => {
                    let streams = (command.input, command.output, command.errors);
                    Err(shell::become_program(&order, streams, walls))
                }
            };
            match tried {
                Ok(()) => sys::exit(0),
                Err(failure) => {
                    report(leash, &Report::Failed(failure));
                    sys::exit(crate::NOT_STARTED)
                }
            }
        }
    }
}

fn read_order(mut leash: &UnixStream) -> Result<Order, Failure> {
    let mut length = [0; 4];
    leash
        .read_exact(&mut length)
        .step(|| "read the order".into())?;
    let length = u32::from_ne_bytes(length);
    if length > ORDER_BYTES_MAX {
        return Err(Failure::new("read the order", "it is too long"));
    }
    let mut text = Vec::new();
    let read = leash.take(length.into()).read_to_end(&mut text);
    read.step(|| "read the order".into())?;
    serde_json::from_slice(&text).map_err(|error| Failure::new("read the order", error.to_string()))
}

/// File systems of this command's own: its processes, terminals and shared memory.
fn furnish(order: &Order) -> Result<(), Failure> {
    let plain = MountFlags::NOSUID | MountFlags::NODEV | MountFlags::NOEXEC;
    mount("proc", "/proc", "proc", plain, Some(c"hidepid=ptraceable"))
        .step(|| "mount /proc".into())?;
    if let Some(processes) = order.limits.processes
        && super::has_own_process_limit()
    {
        let highest = processes.max(PID_MAX_LEAST);
        std::fs::write("/proc/sys/kernel/pid_max", highest.to_string())
            .step(|| "limit processes".into())?;
    }
    mount_remount("/proc", plain | MountFlags::RDONLY | MountFlags::BIND, "")
        .step(|| "make /proc read-only".into())?;
    let terminals = Some(c"newinstance,ptmxmode=0666,mode=620");
    let no_files = MountFlags::NOSUID | MountFlags::NOEXEC;
    mount("devpts", "/dev/pts", "devpts", no_files, terminals).step(|| "mount /dev/pts".into())?;
    let memory = Some(c"mode=1777");
    let shared = MountFlags::NOSUID | MountFlags::NODEV;
    mount("tmpfs", "/dev/shm", "tmpfs", shared, memory).step(|| "mount /dev/shm".into())
}

/// The first process once the program runs.
struct First<'a> {
    leash: &'a UnixStream,
    /// The program's process.
    shell: i32,
    /// Readable when one of its children has ended.
    children: OwnedFd,
    level: Level,
    watch: Option<Watch>,
}

impl First<'_> {
    /// Takes leave of all that end, until the last one has or the host lets go.
    fn keep(mut self) -> ! {
        while self.reap() {
            let pause = self.watch.as_ref().map(Watch::pause);
            let watched = [self.leash.as_fd(), self.children.as_fd()];
            let Some([from_host, from_children]) = readable(watched, pause.as_ref()) else {
                break;
            };
            if from_host && !self.hears() {
                break;
            }
            if from_children {
                // What it says is known: somebody has ended.
                let _ = rustix::io::read(&self.children, &mut [0; 128]);
            }
            if let Some(limit) = self.watch.as_mut().and_then(Watch::look) {
                report(self.leash, &Report::Limit(limit));
                break;
            }
        }
        if let Some(watch) = &mut self.watch {
            watch.end(&processes::all(self.level));
        }
        match self.level {
            // The kernel ends all others with this one.
            Level::Full => {}
            Level::Landlock | Level::None | Level::Off => processes::kill_descendants(self.level),
        }
        sys::exit(0)
    }

    /// False when the last one has ended.
    fn reap(&mut self) -> bool {
        let mut ended = None;
        let is_any_left = loop {
            match sys::reap() {
                Ok(Waited::Ended { child, status }) if child == self.shell => ended = Some(status),
                Ok(Waited::Ended { .. }) => {}
                Ok(Waited::NoneYet) => break true,
                Ok(Waited::NoChildren) | Err(_) => break false,
            }
        };
        if let Some(status) = ended {
            let is_last = !is_any_left;
            if let Some(watch) = self.watch.as_mut().filter(|_| is_last) {
                // Before the host hears of it, and starts the next one.
                watch.end(&[]);
            }
            report(self.leash, &Report::Ended { status, is_last });
        }
        is_any_left
    }

    /// False when the host has let go.
    fn hears(&self) -> bool {
        let mut word = [0];
        let mut leash = self.leash;
        let is_word = matches!(leash.read(&mut word), Ok(1));
        if is_word && word == [STOP] {
            // A suspended program hears nothing until it goes on.
            for signal in [libc::SIGTERM, libc::SIGCONT] {
                match self.level {
                    Level::Full => sys::signal_all(signal),
                    Level::Landlock | Level::None | Level::Off => {
                        for process in processes::all(self.level) {
                            sys::signal(process, signal);
                        }
                    }
                }
            }
        }
        is_word
    }
}
