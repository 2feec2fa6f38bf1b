//! The last steps before the program takes over: it gives up every right that it does not need.

use std::{
    os::{
        fd::{AsFd as _, OwnedFd},
        unix::process::CommandExt as _,
    },
    path::Path,
    process::{Command, Stdio},
};

use rustix::{
    process::{Resource, Rlimit, geteuid, setrlimit, setsid},
    thread::{
        CapabilitySet, CapabilitySets, clear_ambient_capability_set,
        remove_capability_from_bounding_set, set_capabilities, set_no_new_privs,
    },
};

use super::{Walls, processes, sys};
use crate::{
    failure::{Failure, Step as _},
    level::Level,
    limits::CommandLimits,
    order::Order,
    policy::TMP_DIRS,
};

/// What root keeps: to own and change its files, and to be another user.
const OF_ROOT: CapabilitySet = CapabilitySet::CHOWN
    .union(CapabilitySet::DAC_OVERRIDE)
    .union(CapabilitySet::FOWNER)
    .union(CapabilitySet::FSETID)
    .union(CapabilitySet::KILL)
    .union(CapabilitySet::SETGID)
    .union(CapabilitySet::SETUID);

/// Returns only if the program could not be started.
pub(super) fn become_program(
    order: &Order,
    (input, output, errors): (Option<OwnedFd>, OwnedFd, OwnedFd),
    walls: &Walls,
) -> Failure {
    match prepare(order, walls) {
        Ok(()) => {}
        Err(failure) => return failure,
    }
    let error = Command::new(&order.program)
        .args(&order.arguments)
        .env_clear()
        .envs(order.environment.iter().map(|(name, value)| (name, value)))
        .stdin(input.map_or_else(Stdio::null, Stdio::from))
        .stdout(output)
        .stderr(errors)
        .exec();
    let never: Result<(), _> = Err(error);
    match never.step_at("run", &order.program) {
        Ok(()) => Failure::new("run", "it returned"),
        Err(failure) => with_own_tmp(failure, order, walls.level),
    }
}

/// Says so, where a program is not there because commands have a `/tmp` of their own.
fn with_own_tmp(failure: Failure, order: &Order, level: Level) -> Failure {
    let is_below_tmp = TMP_DIRS.iter().any(|dir| order.program.starts_with(dir));
    if level != Level::Full || !is_below_tmp || !failure.is_no_program() {
        return failure;
    }
    let why = format!(
        "{}. In the sandbox /tmp and /var/tmp are its own, so programs that lie there outside are not seen: move it to another \
         directory",
        failure.why
    );
    Failure { why, ..failure }
}

/// Puts on all walls and limits. The caller becomes the command.
pub(super) fn prepare(order: &Order, walls: &Walls) -> Result<(), Failure> {
    sys::reset_signals();
    setsid().step(|| "begin a session".into())?;
    sys::close_on_exec_from(3).step(|| "close descriptors".into())?;
    enter(&order.directory)?;
    if walls.level != Level::Off {
        limit(&order.limits, walls.level)?;
    }
    if walls.level == Level::Off {
        return Ok(());
    }
    set_no_new_privs(true).step(|| "give up new privileges".into())?;
    give_up_capabilities()?;
    if let Some(ruleset) = &walls.landlock {
        sys::restrict_self(ruleset.as_fd()).step(|| "put on Landlock rules".into())?;
    }
    walls.filters.apply()
}

/// What no later step takes back. A lower limit of the program's own stays.
fn limit(limits: &CommandLimits, level: Level) -> Result<(), Failure> {
    for (resource, limit) in [
        (Resource::Fsize, limits.file_bytes),
        (Resource::Data, limits.memory_bytes),
        (Resource::Nofile, limits.open_files),
        (Resource::Nproc, user_processes(limits, level)),
        (Resource::Cpu, limits.cpu_seconds),
        // No program of the machine's is run to look at a crash: 1 and not 0, which leaves those in.
        (Resource::Core, Some(1)),
    ] {
        let Some(limit) = limit else { continue };
        let before = rustix::process::getrlimit(resource);
        let lowest = |limit: u64, before: Option<u64>| {
            Some(before.map_or(limit, |before| limit.min(before)))
        };
        let maximum = match resource {
            // The signal that tells of the limit comes before the one that kills.
            Resource::Cpu => limit.saturating_add(1),
            _ => limit,
        };
        let limits = Rlimit {
            current: lowest(limit, before.current),
            maximum: lowest(maximum, before.maximum),
        };
        setrlimit(resource, limits).step(|| "limit what it may use".into())?;
    }
    Ok(())
}

/// How many processes the user may have where those of one command are not counted. It does not hold root.
fn user_processes(limits: &CommandLimits, level: Level) -> Option<u64> {
    if level == Level::Full && super::has_own_process_limit() {
        return None;
    }
    let own = limits.processes?;
    Some(processes::of_user().saturating_add(own.into()))
}

fn give_up_capabilities() -> Result<(), Failure> {
    let kept = if geteuid().is_root() {
        OF_ROOT
    } else {
        CapabilitySet::empty()
    };
    let step = || "give up capabilities".to_owned();
    for capability in CapabilitySet::all() {
        if !kept.contains(capability) {
            // Not all that the library knows are known to this kernel.
            match remove_capability_from_bounding_set(capability) {
                Ok(()) | Err(rustix::io::Errno::INVAL) => {}
                // Who has no capabilities gets none without new privileges, either.
                Err(rustix::io::Errno::PERM) if !geteuid().is_root() => {}
                Err(error) => return Err(error).step(step),
            }
        }
    }
    clear_ambient_capability_set().step(step)?;
    let sets = CapabilitySets {
        effective: kept,
        permitted: kept,
        inheritable: CapabilitySet::empty(),
    };
    set_capabilities(None, sets).step(step)
}

/// Where the command begins; also proves that the view has it.
fn enter(directory: &Path) -> Result<(), Failure> {
    let flags =
        rustix::fs::OFlags::PATH | rustix::fs::OFlags::DIRECTORY | rustix::fs::OFlags::CLOEXEC;
    let opened = rustix::fs::openat(rustix::fs::CWD, directory, flags, rustix::fs::Mode::empty())
        .step_at("begin in", directory)?;
    rustix::process::fchdir(opened).step_at("begin in", directory)
}
