//! The helper: a process that the program starts before it knows a secret, with an empty environment. It may make namespaces, and
//! makes a process for each view.

use std::os::fd::{AsFd as _, OwnedFd};

use rustix::{
    event::{PollFd, PollFlags, poll},
    process::{DumpableBehavior, set_dumpable_behavior},
};
use serde::{Deserialize, Serialize};

use super::{
    landlock, networks,
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
    /// Make a view; its socket comes with it.
    View(ViewPlan),
    /// Begin to make networks; the socket on which they are asked for comes with it.
    Networks,
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
pub(crate) fn run(socket: &OwnedFd) -> ! {
    let begun = begin(socket);
    let answer = match &begun {
        Ok(_) => FromHelper::Ready,
        Err(failure) => FromHelper::Failed(failure.clone()),
    };
    let is_heard = message::send(socket, &answer, &[]).is_ok();
    if let (Ok((level, children)), true) = (begun, is_heard) {
        serve(socket, level, &children);
    }
    sys::exit(0)
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

fn serve(socket: &OwnedFd, level: Level, children: &OwnedFd) {
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
            let _ = rustix::io::read(children.as_fd(), &mut [0; 128]);
            while let Ok(Waited::Ended { .. }) = sys::reap() {}
        }
        if from_host {
            match message::receive(socket) {
                Ok(Some((ToHelper::View(plan), descriptors))) => {
                    make_view(&plan, level, descriptors);
                }
                Ok(Some((ToHelper::Networks, descriptors))) => make_networks(descriptors),
                Ok(Some((ToHelper::Begin { .. } | ToHelper::Mapped, _)) | None) | Err(_) => return,
            }
        }
    }
}

fn make_view(plan: &ViewPlan, level: Level, descriptors: Vec<OwnedFd>) {
    let Some(view) = descriptors.into_iter().next() else {
        return;
    };
    match sys::clone_into(0, None) {
        Ok(Cloned::Parent { .. }) => {}
        Ok(Cloned::Child) => views::run(&view, plan, level),
        Err(error) => {
            let failure = Err::<(), _>(error).step(|| "start a view".into());
            if let Err(failure) = failure {
                let _ = message::send(&view, &views::FromView::Failed(failure), &[]);
            }
        }
    }
}

fn make_networks(descriptors: Vec<OwnedFd>) {
    let Some(socket) = descriptors.into_iter().next() else {
        return;
    };
    // If it cannot be started the host finds its socket closed.
    if let Ok(Cloned::Child) = sys::clone_into(0, None) {
        networks::run(&socket)
    }
}
