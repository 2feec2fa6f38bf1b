//! The host's end of what holds a command: while it is open the command lives. The kernel closes it with the host, whatever
//! the host dies of. The other end is the `keeper`'s.

use std::{
    io::{self, Read as _, Write as _},
    net::Shutdown,
    os::{
        fd::{AsRawFd as _, OwnedFd},
        unix::{net::UnixStream, process::CommandExt as _},
    },
    path::Path,
    process::{Command, Stdio},
    sync::OnceLock,
    time::Duration,
};

use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};

use super::{
    containment::{Confines, Containment},
    errors::Errors,
    keeper,
    plan::{Plan, Way},
    room::{Right, Room},
    sys,
};

/// How long a keeper, and the end of what was killed, is waited for. Only a process stuck in the kernel takes that long.
const END: Duration = Duration::from_secs(2);

/// Holds all that one command started. Dropped, it ends them without waiting.
#[derive(Debug)]
pub(crate) struct Leash {
    line: UnixStream,
    /// None if it has nothing left to keep. Looked up when it is needed: most have not.
    keeper: OnceLock<Option<OwnedFd>>,
    hold: Hold,
}

/// How they are held.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Hold {
    Room,
    Descendants,
}

impl Leash {
    /// A command that has this one started by a keeper, with this output. None if all there is here is marks.
    pub(super) fn tie(
        shell: &[&str],
        (output, errors): (&io::PipeWriter, Option<&Errors>),
        confines: &Confines,
        (dir, team_dir): (&Path, &Path),
    ) -> io::Result<Option<(Command, Self)>> {
        let way = match confines.containment() {
            Containment::Namespace { in_user_namespace } => {
                let mut room = Room::new(right(*in_user_namespace), dir)?;
                confines.put_up(&mut room, dir, team_dir)?;
                Way::Room(room)
            }
            Containment::Descendants { .. } => Way::Descendants,
            Containment::Marks { .. } => return Ok(None),
        };
        Self::tied(shell, (output, errors), way).map(Some)
    }

    fn tied(
        shell: &[&str],
        (output, errors): (&io::PipeWriter, Option<&Errors>),
        way: Way,
    ) -> io::Result<(Command, Self)> {
        let program = keeper::program()
            .ok_or_else(|| io::Error::other("this program cannot be a keeper of commands"))?;
        let (line, keepers) = UnixStream::pair()?;
        // It says its number at once, or never.
        line.set_read_timeout(Some(END))?;
        let hold = match way {
            Way::Room(_) => Hold::Room,
            Way::Descendants => Hold::Descendants,
        };
        let (name, arguments) = shell
            .split_first()
            .ok_or_else(|| io::Error::other("there is no command"))?;
        let plan = Plan {
            way,
            has_errors_apart: errors.is_some(),
            program: name.into(),
            arguments: arguments.iter().map(Into::into).collect(),
        };
        let mut command = Command::new(program);
        command
            .arg0(keeper::NAME)
            .stdin(OwnedFd::from(keepers))
            .stdout(output.try_clone()?)
            .stderr(Stdio::from(plan.written(errors)?));
        let leash = Self {
            line,
            keeper: OnceLock::new(),
            hold,
        };
        Ok((command, leash))
    }

    /// Those who may still be there. The value that the command was started from must have been dropped.
    fn keeper(&self) -> Option<&OwnedFd> {
        self.keeper.get_or_init(|| self.look_up()).as_ref()
    }

    fn look_up(&self) -> Option<OwnedFd> {
        let mut number = [0; 4];
        (&self.line).read_exact(&mut number).ok()?;
        let keeper = Pid::from_raw(i32::from_ne_bytes(number))?;
        let found = pidfd_open(keeper, PidfdFlags::empty()).ok()?;
        // Had it ended before that, the number might be another's by now; the stand-in says so.
        self.line.set_nonblocking(true).ok()?;
        let has_ended = (&self.line).read_exact(&mut number).is_ok()
            && i32::from_ne_bytes(number) == keeper::NOBODY;
        (!has_ended).then_some(found)
    }

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
        match (self.hold, self.keeper()) {
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
        let Some(keeper) = self.keeper() else {
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

/// Starts a shell that looks whether the table of processes fits.
fn probe(way: Way) -> io::Result<()> {
    let (mut reader, output) = io::pipe()?;
    let look =
        "read -r me rest </proc/self/stat && test \"$me\" = $$ -a -r /proc/thread-self/children";
    let (mut command, leash) = Leash::tied(&["/bin/sh", "-c", look], (&output, None), way)?;
    let mut child = command.spawn()?;
    drop((command, output));
    let mut said = String::new();
    reader.read_to_string(&mut said)?;
    let status = child.wait()?;
    leash.end();
    if status.success() {
        Ok(())
    } else {
        let said = said
            .lines()
            .next()
            .unwrap_or("its table of processes cannot be read");
        Err(io::Error::other(said.to_owned()))
    }
}
