//! The helper: a process that the program starts before it knows a secret, with an empty environment. It may make namespaces, and
//! makes a process for each view.

use std::os::fd::{AsFd as _, OwnedFd};

use rustix::process::{DumpableBehavior, set_dumpable_behavior};
use serde::{Deserialize, Serialize};

use super::{
    landlock, networks, readable, sentinel,
    sys::{self, Cloned, Waited},
    views,
};
use crate::{
    failure::{Failure, Step as _},
    level::Level,
    message,
    policy::ViewPlan,
};

/// The name under which the program is started as the helper.
pub(crate) const NAME: &str = "teammate-sandbox";

/// To the helper.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum ToHelper {
    /// Begin, at this level; in a user namespace or as the user that it is.
    Begin {
        level: Level,
        in_user_namespace: bool,
    },
    /// The user namespace knows its users.
    Mapped,
    /// Make a view; its socket comes with it, and what its processes are to hold as long as they are there.
    View(Box<ViewPlan>),
    /// Begin to make networks; the socket on which they are asked for comes with it.
    Networks,
    /// Begin to look after places whose host may be killed; the socket on which they are named comes with it.
    Sentinel,
    /// Close what comes with it when the host has: with the next such thing, or at the end.
    CloseLast,
}

/// From the helper.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum FromHelper {
    /// It is in its user namespace, which knows no users yet.
    Unshared,
    /// It can make views.
    Ready,
    /// It can do nothing.
    Failed(Failure),
}

/// Serves the host at the other end of this socket until that closes. Does not return.
pub(crate) fn run(socket: OwnedFd) -> ! {
    let begun = begin(&socket);
    let answer = match &begun {
        Ok(_) => FromHelper::Ready,
        Err(failure) => FromHelper::Failed(failure.clone()),
    };
    let is_heard = message::send(&socket, &answer, &[]).is_ok();
    let (Ok((level, children)), true) = (begun, is_heard) else {
        sys::exit(0)
    };
    let child = serve(&socket, &children);
    // The host sees the helper's end by its socket: nobody else may hold that.
    drop((socket, children));
    match child {
        None => sys::exit(0),
        Some(Child::View {
            socket,
            plan,
            token,
        }) => views::run((socket, token), &plan, level),
        Some(Child::Networks { socket }) => networks::run(&socket),
        Some(Child::Sentinel { socket }) => sentinel::run(&socket),
    }
}

/// What a new child of the helper becomes.
enum Child {
    View {
        socket: OwnedFd,
        plan: Box<ViewPlan>,
        token: Option<OwnedFd>,
    },
    Networks {
        socket: OwnedFd,
    },
    Sentinel {
        socket: OwnedFd,
    },
}

fn begin(socket: &OwnedFd) -> Result<(Level, OwnedFd), Failure> {
    // Ctrl-C in the terminal is for the host.
    let children = sys::watch_children().step(|| "watch children".into())?;
    let step = || "hear the host".to_owned();
    let Some((
        ToHelper::Begin {
            level,
            in_user_namespace,
        },
        _,
    )) = message::receive(socket).step(step)?
    else {
        return Err(Failure::new("begin", "the host says something else"));
    };
    if level == Level::Landlock && !landlock::is_known() {
        return Err(Failure::new("begin", "the kernel has no Landlock"));
    }
    if in_user_namespace {
        sys::unshare(libc::CLONE_NEWUSER).step(|| "make a user namespace".into())?;
        message::send(socket, &FromHelper::Unshared, &[]).step(step)?;
        let Some((ToHelper::Mapped, _)) = message::receive(socket).step(step)? else {
            return Err(Failure::new("begin", "the host says something else"));
        };
    }
    // A process that may signal it may not look into it. Only now: its files in /proc were the user's until here, and the host wrote
    // to them.
    set_dumpable_behavior(DumpableBehavior::NotDumpable).step(|| "close the helper".into())?;
    Ok((level, children))
}

/// Returns in the helper when the host has let go, and in each child.
fn serve(socket: &OwnedFd, children: &OwnedFd) -> Option<Child> {
    let mut closed_last: Option<OwnedFd> = None;
    loop {
        let [from_host, from_children] = readable([socket.as_fd(), children.as_fd()], None)?;
        if from_children {
            let _ = rustix::io::read(children.as_fd(), &mut [0; 128]);
            while let Ok(Waited::Ended { .. }) = sys::reap() {}
        }
        if from_host {
            let (asked, descriptors) = message::receive(socket).ok()??;
            // What comes without a socket was not sent by our host.
            let mut descriptors = descriptors.into_iter();
            let theirs = descriptors.next()?;
            if matches!(asked, ToHelper::CloseLast) {
                drop(closed_last.replace(theirs));
                continue;
            }
            match sys::clone_into(0, None).step(|| "start a process".into()) {
                Ok(Cloned::Parent { .. }) => {}
                // It holds nothing of what the helper closes.
                Ok(Cloned::Child) => return Child::of(asked, theirs, descriptors.next()),
                Err(failure) => refuse(&asked, &theirs, failure),
            }
        }
    }
}

impl Child {
    fn of(asked: ToHelper, socket: OwnedFd, token: Option<OwnedFd>) -> Option<Self> {
        match asked {
            ToHelper::View(plan) => Some(Self::View {
                socket,
                plan,
                token,
            }),
            ToHelper::Networks => Some(Self::Networks { socket }),
            ToHelper::Sentinel => Some(Self::Sentinel { socket }),
            ToHelper::Begin { .. } | ToHelper::Mapped | ToHelper::CloseLast => None,
        }
    }
}

fn refuse(asked: &ToHelper, theirs: &OwnedFd, failure: Failure) {
    match asked {
        ToHelper::View(_) => {
            let _ = message::send(theirs, &views::FromView::Failed(failure), &[]);
        }
        // The host finds its socket closed.
        ToHelper::Networks
        | ToHelper::Sentinel
        | ToHelper::Begin { .. }
        | ToHelper::Mapped
        | ToHelper::CloseLast => {}
    }
}
