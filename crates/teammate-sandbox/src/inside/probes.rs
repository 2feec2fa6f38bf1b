//! Tries what a command must not be able to do. It runs in a command's place, behind all its walls, but as this program.

use std::{
    fs::{self, File},
    net::{Ipv4Addr, TcpStream},
    os::fd::OwnedFd,
    path::Path,
    time::Duration,
};

use rustix::{
    mount::{MountFlags, mount},
    process::{Pid, getpid, test_kill_process},
};

use super::{Walls, shell, sys};
use crate::{
    failure::{Failure, Step as _},
    order::Order,
    probe::{Attempt, Targets},
};

/// How long an answer of the machine's loopback is waited for. A network of its own answers at once.
const CONNECT_LIMIT: Duration = Duration::from_millis(100);

/// Puts up a command's walls, tries everything and writes down what succeeded.
pub(super) fn run(
    targets: &Targets,
    order: &Order,
    output: OwnedFd,
    walls: &Walls,
) -> Result<(), Failure> {
    shell::prepare(order, walls)?;
    let probes = Attempt::ALL.into_iter();
    let succeeded: Vec<Attempt> = probes.filter(|probe| succeeds(*probe, targets)).collect();
    serde_json::to_writer(File::from(output), &succeeded)
        .map_err(std::io::Error::from)
        .step(|| "tell what a command can do".into())
}

fn succeeds(probe: Attempt, targets: &Targets) -> bool {
    let opens_for_writing = |path: &Path| File::options().write(true).open(path).is_ok();
    match probe {
        Attempt::WriteOutside => opens_for_writing(&targets.outside),
        Attempt::ReadHidden => fs::read(&targets.hidden).is_ok(),
        Attempt::RenameAncestor => {
            let elsewhere = targets.ancestor.with_extension("moved");
            fs::rename(&targets.ancestor, elsewhere).is_ok()
        }
        Attempt::SignalHost => host(targets).is_some_and(|host| test_kill_process(host).is_ok()),
        Attempt::SeeHost => {
            let own = fs::read_link("/proc/self/ns/pid");
            // Where it cannot be seen which one it is, it may be the host's.
            own.map_or(true, |own| own == targets.processes)
                || host(targets).is_some_and(|host| of_process(host, "").exists())
        }
        Attempt::ReadHostMemory => {
            host(targets).is_some_and(|host| File::open(of_process(host, "mem")).is_ok())
        }
        Attempt::ConnectToHost => {
            let address = (Ipv4Addr::LOCALHOST, targets.port).into();
            TcpStream::connect_timeout(&address, CONNECT_LIMIT).is_ok()
        }
        Attempt::ReadKernelLog => File::open("/dev/kmsg").is_ok(),
        Attempt::ChangeKernel => opens_for_writing(Path::new("/proc/sys/kernel/core_pattern")),
        Attempt::UseKeys => sys::find_key_ring().is_ok(),
        Attempt::Mount => mount("tmpfs", "/tmp", "tmpfs", MountFlags::empty(), None).is_ok(),
        Attempt::MakeUserNamespace => sys::unshare(libc::CLONE_NEWUSER).is_ok(),
    }
}

/// The host's number, unless that is so low that a process of this command could have it.
fn host(targets: &Targets) -> Option<Pid> {
    let host = Pid::from_raw(i32::try_from(targets.host).ok()?)?;
    (host.as_raw_nonzero() > getpid().as_raw_nonzero() || is_in_namespace(targets)).then_some(host)
}

/// Whether the host's numbers are also ours.
fn is_in_namespace(targets: &Targets) -> bool {
    fs::read_link("/proc/self/ns/pid").is_ok_and(|own| own == targets.processes)
}

fn of_process(process: Pid, name: &str) -> std::path::PathBuf {
    Path::new("/proc")
        .join(process.as_raw_nonzero().to_string())
        .join(name)
}
