//! The host's end of the helper and of its views.

use std::{
    env, fs, io,
    os::{
        fd::{AsFd as _, BorrowedFd, OwnedFd},
        unix::process::CommandExt as _,
    },
    path::PathBuf,
    process::{Child, Command, Stdio},
    sync::OnceLock,
};

use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    net::{AddressFamily, SocketFlags, SocketType, socketpair},
    process::geteuid,
};

use crate::{
    account::Share,
    failure::{Failure, Step as _},
    inside::{self, FromHelper, FromView, ToHelper},
    level::Level,
    limits::MemberLimits,
    message,
    network::{Network, Networks},
    order::{Order, Run, Shared},
    policy::Policy,
    probe::Targets,
    running::Running,
    streams::Streams,
};

static PROGRAM: OnceLock<PathBuf> = OnceLock::new();

/// To be called first in a program that starts a [`Helper`], before it has a second thread: the program is started again as
/// that helper. As such it does not return.
pub fn begin() {
    if env::args_os()
        .next()
        .is_some_and(|name| name == inside::NAME)
    {
        match take_stdin() {
            Ok(socket) => inside::run(socket),
            // Without a host there is nothing to help.
            Err(_) => std::process::exit(1),
        }
    }
    helper_is(PathBuf::from("/proc/self/exe"));
}

/// The socket that stands in the place of the standard input, which is nothing from now on: no child has a copy of it there.
fn take_stdin() -> io::Result<OwnedFd> {
    let socket = io::stdin().as_fd().try_clone_to_owned()?;
    let nothing = fs::File::open("/dev/null")?;
    rustix::stdio::dup2_stdin(nothing)?;
    Ok(socket)
}

/// Another program that begins with [`begin`] is started as the helper. The first to say so counts.
pub fn helper_is(program: PathBuf) {
    let _ = PROGRAM.set(program);
}

/// A process that may make namespaces and knows no secrets. Dropped, it ends; commands that run go on until they are let go.
#[derive(Debug)]
pub struct Helper {
    process: Process,
    level: Level,
    because: Option<Failure>,
}

/// The helper's process and the socket to it.
#[derive(Debug)]
struct Process {
    socket: OwnedFd,
    child: Child,
}

impl Helper {
    /// Starts the helper, at the best level that this machine allows, but no better than this. What is missing for a better one
    /// is in [`Helper::because`].
    ///
    /// # Errors
    ///
    /// It cannot be started at all.
    pub fn start(at_most: Level) -> Result<Self, Failure> {
        // Root where it may not have a user namespace does without.
        let ways = [
            (Level::Full, true),
            (Level::Full, false),
            (Level::Landlock, false),
            (Level::None, false),
            (Level::Off, false),
        ];
        let mut because = None;
        for (level, in_user_namespace) in ways {
            let is_possible = in_user_namespace || level != Level::Full || geteuid().is_root();
            // Nothing is switched off because nothing else could be had.
            let is_wanted = level != Level::Off || at_most == Level::Off;
            if level > at_most || !is_possible || !is_wanted {
                continue;
            }
            match Self::try_start(level, in_user_namespace) {
                Ok(helper) => return Ok(Self { because, ..helper }),
                Err(failure) => because = because.or(Some(failure)),
            }
        }
        Err(because.unwrap_or_else(|| Failure::new("start the helper", "there is no way")))
    }

    /// How well commands are held.
    pub fn level(&self) -> Level {
        self.level
    }

    /// Why they are held no better, if that was tried.
    pub fn because(&self) -> Option<&Failure> {
        self.because.as_ref()
    }

    /// False when it has ended, whatever of.
    pub(crate) fn is_alive(&self) -> bool {
        let mut watched = [PollFd::new(&self.process.socket, PollFlags::IN)];
        // It says nothing that was not asked for: what can be read is its end.
        matches!(poll(&mut watched, Some(&Timespec::default())), Ok(0))
    }

    /// It was started at this level because of that.
    pub(crate) fn at_this_level_because(mut self, because: Failure) -> Self {
        self.because = Some(because);
        self
    }

    fn try_start(level: Level, in_user_namespace: bool) -> Result<Self, Failure> {
        let program = PROGRAM
            .get()
            .ok_or_else(|| Failure::new("start the helper", "main does not call begin()"))?;
        let (socket, theirs) = pair()?;
        let child = Command::new(program)
            .arg0(inside::NAME)
            .env_clear()
            .current_dir("/")
            .stdin(theirs)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .step(|| "start the helper".into())?;
        let mut helper = Self {
            process: Process { socket, child },
            level,
            because: None,
        };
        helper.process.introduce(level, in_user_namespace)?;
        if level == Level::Full {
            // A view that cannot be made here is found out now, and not by the first command.
            helper.view(Policy::default())?;
        }
        Ok(helper)
    }

    /// Begins to make networks for commands.
    pub fn networks(&self) -> Result<Networks, Failure> {
        let (socket, theirs) = pair()?;
        message::send(&self.process.socket, &ToHelper::Networks, &[theirs.as_fd()])
            .step(|| "speak to the helper".into())?;
        Ok(Networks::new(socket))
    }

    /// Begins to look after places whose host is killed: places are named on this socket.
    pub(crate) fn sentinel(&self) -> Result<OwnedFd, Failure> {
        let (socket, theirs) = pair()?;
        message::send(&self.process.socket, &ToHelper::Sentinel, &[theirs.as_fd()])
            .step(|| "speak to the helper".into())?;
        Ok(socket)
    }

    /// Has it close this after us.
    pub(crate) fn closes_last(&self, held: BorrowedFd<'_>) {
        // Where it has ended, we close it ourselves.
        let _ = message::send(&self.process.socket, &ToHelper::CloseLast, &[held]);
    }

    /// Makes a view; takes some milliseconds.
    pub fn view(&self, policy: Policy) -> Result<View, Failure> {
        self.view_with(policy, None)
    }

    /// A view whose processes hold this as long as they are there.
    pub(crate) fn view_with(
        &self,
        policy: Policy,
        token: Option<BorrowedFd<'_>>,
    ) -> Result<View, Failure> {
        if let Some(moved) = policy.moved() {
            return Err(Failure::new(
                format!("hold {}", moved.display()),
                "something else is there now",
            ));
        }
        let (socket, theirs) = pair()?;
        let plan = ToHelper::View(Box::new(policy.sent()));
        let given: Vec<_> = [theirs.as_fd()].into_iter().chain(token).collect();
        message::send(&self.process.socket, &plan, &given).step(|| "speak to the helper".into())?;
        drop(theirs);
        match message::receive(&socket).step(|| "hear the view".into())? {
            Some((FromView::Ready, _)) => Ok(View { socket, policy }),
            Some((FromView::Failed(failure), _)) => Err(failure),
            None => Err(Failure::new("make the view", "the helper has ended")),
        }
    }
}

impl Process {
    fn introduce(&mut self, level: Level, in_user_namespace: bool) -> Result<(), Failure> {
        self.say(&ToHelper::Begin {
            level,
            in_user_namespace,
        })?;
        loop {
            match self.hear()? {
                FromHelper::Unshared => {
                    map_users(self.child.id()).step(|| "map users".into())?;
                    self.say(&ToHelper::Mapped)?;
                }
                FromHelper::Ready => return Ok(()),
                FromHelper::Failed(failure) => return Err(failure),
            }
        }
    }

    fn say(&self, message: &ToHelper) -> Result<(), Failure> {
        message::send(&self.socket, message, &[]).step(|| "speak to the helper".into())
    }

    fn hear(&self) -> Result<FromHelper, Failure> {
        match message::receive(&self.socket).step(|| "hear the helper".into())? {
            Some((message, _)) => Ok(message),
            None => Err(Failure::new("hear the helper", "it has ended")),
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It ends when the socket closes; waiting takes its entry out of the table of processes.
        let (ours, _theirs) = match pair() {
            Ok(pair) => pair,
            Err(_) => return,
        };
        drop(std::mem::replace(&mut self.socket, ours));
        let _ = self.child.wait();
    }
}

fn pair() -> Result<(OwnedFd, OwnedFd), Failure> {
    socketpair(
        AddressFamily::UNIX,
        SocketType::SEQPACKET,
        SocketFlags::CLOEXEC,
        None,
    )
    .step(|| "make a socket".into())
}

/// Everybody who is known here is known there under the same number; an ordinary user may map itself only.
fn map_users(helper: u32) -> io::Result<()> {
    let file = |name: &str| format!("/proc/{helper}/{name}");
    if geteuid().is_root() {
        fs::write(file("uid_map"), same("/proc/self/uid_map")?)?;
        fs::write(file("gid_map"), same("/proc/self/gid_map")?)
    } else {
        let user = geteuid().as_raw();
        let group = rustix::process::getegid().as_raw();
        fs::write(file("setgroups"), "deny")?;
        fs::write(file("uid_map"), format!("{user} {user} 1"))?;
        fs::write(file("gid_map"), format!("{group} {group} 1"))
    }
}

/// The numbers of our own map, each as itself.
fn same(map: &str) -> io::Result<String> {
    let map = fs::read_to_string(map)?;
    let lines = map.lines().filter_map(|line| {
        let mut words = line.split_whitespace();
        let first = words.next()?;
        let count = words.nth(1)?;
        Some(format!("{first} {first} {count}\n"))
    });
    Ok(lines.collect())
}

/// The file system as some commands see it. Dropped, it starts no more; those that run go on.
#[derive(Debug)]
pub struct View {
    socket: OwnedFd,
    policy: Policy,
}

/// The namespaces that were made for a command, in which it begins.
#[derive(Clone, Copy, Default)]
pub(crate) struct Joins<'a> {
    pub(crate) network: Option<BorrowedFd<'a>>,
    pub(crate) group: Option<BorrowedFd<'a>>,
    pub(crate) share: Option<(&'a Share, MemberLimits)>,
}

impl View {
    /// Whether it still shows the files that it was made from, and runs.
    pub(crate) fn is_current(&self) -> bool {
        let mut watched = [PollFd::new(&self.socket, PollFlags::IN)];
        matches!(poll(&mut watched, Some(&Timespec::default())), Ok(0)) && self.policy.is_current()
    }

    /// Starts a command without input, in this network or in the view's.
    ///
    /// # Errors
    ///
    /// A file or directory that a wall stands on is not the one it was, or the view has ended. What fails later is heard from
    /// [`Running::ended`].
    pub fn run(
        &self,
        order: &Order,
        output: BorrowedFd<'_>,
        errors: BorrowedFd<'_>,
        network: Option<Network>,
    ) -> Result<Running, Failure> {
        let joins = Joins {
            network: network.as_ref().and_then(Network::namespace),
            ..Joins::default()
        };
        let running = self.start(order, Streams::to(output, errors), joins, None)?;
        Ok(running.with(network))
    }

    /// Starts a command, or the probes in its place.
    pub(crate) fn start(
        &self,
        order: &Order,
        streams: Streams<'_>,
        joins: Joins<'_>,
        probes: Option<Targets>,
    ) -> Result<Running, Failure> {
        if let Some(moved) = self.policy.moved() {
            return Err(Failure::new(
                format!("hold {}", moved.display()),
                "something else is there now",
            ));
        }
        let run = Run {
            has_input: streams.input.is_some(),
            has_network: joins.network.is_some(),
            has_control_group: joins.group.is_some(),
            share: joins.share.map(|(share, limits)| Shared {
                number: share.number(),
                limits,
            }),
            probes,
        };
        let (leash, theirs) = Running::leash(order)?;
        let descriptors: Vec<_> = [theirs.as_fd(), streams.output, streams.errors]
            .into_iter()
            .chain(streams.input)
            .chain(joins.network)
            .chain(joins.group)
            .chain(joins.share.map(|(share, _)| share.as_fd()))
            .collect();
        message::send(&self.socket, &run, &descriptors).step(|| "speak to the view".into())?;
        Ok(leash)
    }
}
