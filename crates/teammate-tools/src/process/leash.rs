//! The host's end of what holds a command: while it is open the command lives. The kernel closes it with the host, whatever
//! the host dies of. The other end is the `keeper`'s.

use std::{
    io::{self, Read as _, Write as _},
    net::Shutdown,
    os::{
        fd::{AsRawFd as _, OwnedFd},
        unix::net::UnixStream,
    },
    path::Path,
    process::Command,
    time::Duration,
};

use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};

use super::{
    containment::{Confines, Containment},
    keeper::{self, Plan, Way},
    room::{Right, Room},
    sys,
};

/// How long the end of what was killed is waited for. Only a process stuck in the kernel takes that long.
const END: Duration = Duration::from_secs(2);

/// Holds all that one command started. Dropped, it ends them without waiting.
#[derive(Debug)]
pub(crate) struct Leash {
    line: UnixStream,
    /// None if it had nothing left to keep at once.
    keeper: Option<OwnedFd>,
    hold: Hold,
}

/// How they are held.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Hold {
    Room,
    Descendants,
}

/// A leash for a command that has not been started.
#[derive(Debug)]
pub(crate) struct Loose {
    line: UnixStream,
    hold: Hold,
}

impl Loose {
    /// Has the command started by a keeper. None if all there is here is marks.
    pub(super) fn tie(
        command: &mut Command,
        confines: &Confines,
        (dir, team_dir): (&Path, &Path),
    ) -> io::Result<Option<Self>> {
        let way = match confines.containment() {
            Containment::Namespace { in_user_namespace } => {
                let mut room = Room::new(right(*in_user_namespace), dir)?;
                confines.put_up(&mut room, dir, team_dir)?;
                Way::Room(room)
            }
            Containment::Descendants { .. } => Way::Descendants,
            Containment::Marks { .. } => return Ok(None),
        };
        Self::tied(command, way).map(Some)
    }

    fn tied(command: &mut Command, way: Way) -> io::Result<Self> {
        let (line, leash) = UnixStream::pair()?;
        let hold = match way {
            Way::Room(_) => Hold::Room,
            Way::Descendants => Hold::Descendants,
        };
        let plan = Plan { way, leash };
        sys::before_exec(command, move || plan.begin());
        Ok(Self { line, hold })
    }

    /// When the command has been started, and the value it was started from was dropped.
    pub(super) fn take(mut self) -> io::Result<Leash> {
        let mut number = [0; 4];
        self.line.read_exact(&mut number)?;
        let keeper = Pid::from_raw(i32::from_ne_bytes(number))
            .ok_or_else(|| io::Error::other("the command's keeper has no number"))?;
        // A keeper with nothing left to keep may have ended by now.
        let keeper = pidfd_open(keeper, PidfdFlags::empty()).ok();
        Ok(Leash {
            line: self.line,
            keeper,
            hold: self.hold,
        })
    }
}

impl Leash {
    /// Asks all to stop; false if that has to be done by their marks.
    pub(super) fn ask_to_stop(&self) -> bool {
        match self.hold {
            // If the keeper has ended, so have they.
            Hold::Room => {
                let _ = (&self.line).write_all(&[keeper::ASK]);
                true
            }
            Hold::Descendants => false,
        }
    }

    /// Kills all and waits until they are gone.
    pub(super) fn end(&self) {
        match (self.hold, &self.keeper) {
            (Hold::Room, Some(keeper)) => {
                // It may have ended by itself, which is what is wanted.
                let _ = pidfd_send_signal(keeper, Signal::KILL);
            }
            // It has to do the killing itself.
            (Hold::Descendants, Some(_)) | (_, None) => {}
        }
        let _ = self.line.shutdown(Shutdown::Both);
        self.is_over_within(END);
    }

    /// Whether anything is left.
    pub(super) fn is_alive(&self) -> bool {
        !self.is_over_within(Duration::ZERO)
    }

    /// Whether nobody can have got away.
    pub(super) fn is_sure(&self) -> bool {
        match self.hold {
            Hold::Room => true,
            Hold::Descendants => false,
        }
    }

    /// Waits until all have ended, but not for longer than this.
    pub(super) fn is_over_within(&self, limit: Duration) -> bool {
        let Some(keeper) = &self.keeper else {
            return true;
        };
        let millis = i32::try_from(limit.as_millis()).unwrap_or(i32::MAX);
        sys::wait_for([keeper.as_raw_fd()], millis).is_ok_and(|[is_over]| is_over)
    }
}

fn right(in_user_namespace: bool) -> Right {
    if in_user_namespace {
        Right::UserNamespace
    } else {
        Right::Own
    }
}

/// Tries what this machine allows, from the best on.
pub(super) fn probe_room() -> Result<bool, String> {
    let in_room = |right| Room::new(right, Path::new("/")).and_then(|room| probe(Way::Room(room)));
    match (in_room(Right::Own), in_room(Right::UserNamespace)) {
        (Ok(()), _) => Ok(false),
        (Err(_), Ok(())) => Ok(true),
        (Err(_), Err(why)) => Err(format!("namespaces are refused: {why}")),
    }
}

/// The same for a keeper without a room.
pub(super) fn probe_descendants() -> Result<(), String> {
    probe(Way::Descendants).map_err(|why| format!("keepers are refused: {why}"))
}

/// Starts a shell that looks whether the table of processes fits, and can be killed with what it left.
fn probe(way: Way) -> io::Result<()> {
    let mut command = Command::new("/bin/sh");
    command.args([
        "-c",
        "read -r me rest </proc/self/stat && test \"$me\" = $$ -a -r /proc/thread-self/children",
    ]);
    command.stdin(std::process::Stdio::null());
    command.stderr(std::process::Stdio::null());
    let loose = Loose::tied(&mut command, way)?;
    let mut child = command.spawn()?;
    drop(command);
    let leash = loose.take();
    let status = child.wait()?;
    leash?.end();
    if status.success() {
        Ok(())
    } else {
        Err(io::Error::other("its table of processes cannot be read"))
    }
}
