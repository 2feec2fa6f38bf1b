//! The keeper: a process between the host and a command that ends all the command started, whatever that did to get away.
//!
//! ```text
//! host ── stand-in ── keeper ── shell ── ...
//! ```
//!
//! The stand-in is the host's child and ends as the shell ends, when it ends. The keeper stays until the last process has
//! ended, or until its end of the leash says that it is over: the host let go, or died in whatever way. In a process
//! namespace the keeper is the first process, with which the kernel ends all others. Elsewhere it adopts the orphans among its
//! descendants and kills until there is none.
//!
//! Both are forks of the program that the host starts in the shell's place: itself once more, or another one that begins with
//! [`keep_if_asked`]. That costs less than forks of the host, which may be large, and nothing that the host knows is in their
//! memory.

use std::{
    env, fs, io,
    os::unix::process::CommandExt as _,
    path::PathBuf,
    process::{Command, Stdio},
    sync::OnceLock,
};

use super::{
    NO_SHELL, NOT_STARTED,
    plan::{Plan, Way},
    sys::{self, Fd, Forked, Waited},
};

/// The name under which a keeper is started.
pub(super) const NAME: &str = "teammate-keeper";
/// What the keeper hears on its leash: ask all to stop.
pub(super) const ASK: u8 = b'?';

/// What the host hears from the stand-in in the end, if the keeper has ended. Before, it hears its number.
pub(super) const NOBODY: i32 = 0;

/// The keeper's exit code if the host asked it to end.
const TOLD: i32 = 128 + libc::SIGKILL;
/// How long those who were killed are waited for before the next look, in milliseconds.
const ROUND: i32 = 1;

static PROGRAM: OnceLock<PathBuf> = OnceLock::new();

/// To be called first in a program whose members' commands are to be held, before it has a second thread: the program is
/// started again, by itself, as the keeper of each. As such a keeper it does not return.
///
/// A program that does not call this finds what commands left by marks only.
pub fn keep_if_asked() {
    if env::args_os().next().is_some_and(|name| name == NAME) {
        let why = match Plan::heard().and_then(|plan| begin(&plan)) {
            Ok(never) => match never {},
            Err(why) => why,
        };
        // Who reads the output reads this.
        let _ = sys::write(1, format!("{NOT_STARTED}{why}\n").as_bytes());
        sys::exit(NO_SHELL);
    }
    keepers_are(PathBuf::from("/proc/self/exe"));
}

/// Another program is the keeper. The first to say so counts.
pub fn keepers_are(program: PathBuf) {
    // A second request asks for the same thing.
    let _ = PROGRAM.set(program);
}

/// The program that is the keeper.
pub(super) fn program() -> Option<&'static PathBuf> {
    PROGRAM.get()
}

/// What cannot be: what is begun does not return.
enum Never {}

/// With the leash as input, the command's output as output, and the plan's file as errors.
fn begin(plan: &Plan) -> io::Result<Never> {
    if plan.has_errors_apart {
        Plan::make_room_for_errors()?;
    } else {
        sys::duplicate(1, 2)?;
    }
    // A keeper hears on its leash only.
    let mask = sys::block_signals()?;
    if let Way::Room(room) = &plan.way {
        room.unshare()?;
    }
    let (told, tell) = sys::pipe()?;
    if let Forked::Parent { child } = sys::fork()? {
        stand_in(told, child);
    }
    match &plan.way {
        Way::Room(room) => room.furnish()?,
        Way::Descendants => sys::adopt_orphans()?,
    }
    let ended = sys::children_ended()?;
    if let Forked::Parent { child } = sys::fork()? {
        let (shell, way) = (child, &plan.way);
        let keeper = Keeper {
            shell,
            is_told: false,
            way,
        };
        keeper.keep(tell, ended);
    }
    // A group with a number in its own namespace, where the stand-in's has none; and no terminal: what is written to the
    // person's passes the program, and nothing is typed into it.
    sys::lead_session()?;
    if let Way::Room(room) = &plan.way {
        room.enter()?;
    }
    sys::restore_signals(&mask)?;
    let why = Command::new(&plan.program)
        .args(&plan.arguments)
        .stdin(Stdio::null())
        .exec();
    Err(why)
}

/// Ends as the shell does.
fn stand_in(told: Fd, keeper: i32) -> ! {
    // If the host does not hear it, it is gone, and so will be the keeper.
    let tells = |number: i32| sys::write(LEASH, &number.to_ne_bytes()).is_ok();
    tells(keeper);
    let mut report = [0; REPORT];
    let heard = sys::keep_only(&[LEASH, told])
        .and_then(|()| sys::change_dir(c"/"))
        .and_then(|()| sys::read(TELL, &mut report));
    let status = heard
        .ok()
        .and_then(|length| Report::read(&report[..length]));
    match status {
        Some(Report {
            status,
            is_last: false,
        }) => sys::end_like(status),
        // There may be no process here that waits for orphans.
        Some(Report {
            status,
            is_last: true,
        }) => {
            let _ = sys::wait(keeper);
            tells(NOBODY);
            sys::end_like(status)
        }
        None => {
            let status = sys::wait(keeper).unwrap_or_default();
            tells(NOBODY);
            sys::end_like(status)
        }
    }
}

/// How the shell ended.
struct Report {
    status: i32,
    /// Nothing else is left.
    is_last: bool,
}

const REPORT: usize = 5;

impl Report {
    fn bytes(&self) -> [u8; REPORT] {
        let [a, b, c, d] = self.status.to_ne_bytes();
        [a, b, c, d, u8::from(self.is_last)]
    }

    fn read(bytes: &[u8]) -> Option<Self> {
        let [a, b, c, d, is_last] = *bytes else {
            return None;
        };
        Some(Self {
            status: i32::from_ne_bytes([a, b, c, d]),
            is_last: is_last != 0,
        })
    }
}

struct Keeper<'a> {
    shell: i32,
    /// True once the stand-in knows the shell's end.
    is_told: bool,
    way: &'a Way,
}

const LEASH: Fd = 0;
const TELL: Fd = 1;
const ENDED: Fd = 2;

impl Keeper<'_> {
    fn keep(mut self, tell: Fd, ended: Fd) -> ! {
        let is_ready = sys::keep_only(&[LEASH, tell, ended]).and_then(|()| sys::change_dir(c"/"));
        while is_ready.is_ok() {
            self.reap();
            let tell = if self.is_told { -1 } else { TELL };
            let Ok([leash, stand_in, ended]) = sys::wait_for([LEASH, tell, ENDED], -1) else {
                break;
            };
            // Somebody killed the stand-in, which is all of the command that can be seen from outside.
            if stand_in || leash && !self.hears() {
                break;
            }
            if ended {
                // What it says is known: somebody has ended.
                let _ = sys::read(ENDED, &mut [0; 128]);
            }
        }
        self.end()
    }

    /// Takes leave of all that have ended, and ends with the last.
    fn reap(&mut self) {
        let mut shell = None;
        let is_last = loop {
            match sys::reap() {
                Ok(Waited::Ended { child, status }) if child == self.shell => shell = Some(status),
                Ok(Waited::Ended { .. }) => {}
                Ok(Waited::NoneYet) => break false,
                Ok(Waited::NoChildren) | Err(_) => break true,
            }
        };
        if let Some(status) = shell {
            // If the stand-in is gone, that is seen next.
            let _ = sys::write(TELL, &Report { status, is_last }.bytes());
            sys::close(TELL);
            self.is_told = true;
        }
        if is_last {
            sys::exit(0);
        }
    }

    /// False if the leash has ended.
    fn hears(&self) -> bool {
        let mut word = [0];
        let is_word = matches!(sys::read(LEASH, &mut word), Ok(1..));
        if is_word && word == [ASK] {
            match self.way {
                Way::Room(_) => {
                    sys::signal(-1, libc::SIGTERM);
                    // A stopped program hears nothing until it goes on.
                    sys::signal(-1, libc::SIGCONT);
                }
                // The host does it: by their marks.
                Way::Descendants => {}
            }
        }
        is_word
    }

    fn end(&self) -> ! {
        match self.way {
            Way::Room(_) => {}
            Way::Descendants => kill_descendants(),
        }
        sys::exit(TOLD)
    }
}

/// Kills children, whose children become its own, until there are none.
fn kill_descendants() {
    loop {
        loop {
            match sys::reap() {
                Ok(Waited::Ended { .. }) => {}
                Ok(Waited::NoneYet) => break,
                Ok(Waited::NoChildren) | Err(_) => return,
            }
        }
        each_child(|child| sys::signal(child, libc::SIGKILL));
        // Descriptors are no matter here: it is a pause.
        let _ = sys::wait_for([-1], ROUND);
    }
}

/// The caller's children.
fn each_child(mut take: impl FnMut(i32)) {
    let children = fs::read_to_string("/proc/thread-self/children").unwrap_or_default();
    for child in children
        .split_whitespace()
        .filter_map(|number| number.parse().ok())
    {
        take(child);
    }
}
