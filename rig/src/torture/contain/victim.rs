//! Which process is killed: the host, or one of those that hold its commands.

use std::fs;

use rustix::process::{Pid, Signal, kill_process};

/// What is killed, before the host is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Victim {
    /// Nothing but the host.
    Host,
    /// The process that makes views and networks.
    Helper,
    /// The first process of the command.
    First,
}

impl Victim {
    /// Kills it; false if it has not begun yet. Nothing is to be done if the victim is the host.
    pub(super) fn kill(self, host: Pid) -> bool {
        let found = match self {
            Self::Host => return true,
            // The host starts nothing else itself: views are the helper's children, commands theirs.
            Self::Helper => children(host).into_iter().next(),
            Self::First => descendants(host).into_iter().find(is_first),
        };
        found.is_some_and(|found| kill_process(found, Signal::KILL).is_ok())
    }
}

fn descendants(of: Pid) -> Vec<Pid> {
    let mut all = children(of);
    let mut seen = 0;
    while let Some(process) = all.get(seen).copied() {
        all.extend(children(process));
        seen += 1;
    }
    all
}

fn children(of: Pid) -> Vec<Pid> {
    let tasks = fs::read_dir(format!("/proc/{}/task", of.as_raw_nonzero()));
    let tasks = tasks.into_iter().flatten().flatten();
    let lists = tasks.map(|task| fs::read_to_string(task.path().join("children")));
    let numbers = lists.flatten().collect::<String>();
    numbers
        .split_whitespace()
        .filter_map(|number| Pid::from_raw(number.parse().ok()?))
        .collect()
}

/// Whether it is the first of a process namespace.
fn is_first(process: &Pid) -> bool {
    let path = format!("/proc/{}/status", process.as_raw_nonzero());
    let status = fs::read_to_string(path).unwrap_or_default();
    let inside = status
        .lines()
        .find_map(|line| line.strip_prefix("NSpid:"))
        .map(|numbers| numbers.split_whitespace().skip(1).collect::<Vec<_>>());
    inside.is_some_and(|inside| inside.last() == Some(&"1"))
}
