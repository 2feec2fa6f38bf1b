//! Asks git what runs nothing, and waits for the answer, but not for long.

use std::{
    ffi::OsString,
    io::{self, BufRead as _, BufReader, PipeReader, Read as _},
    os::{fd::AsFd as _, unix::ffi::OsStringExt as _},
    path::Path,
    sync::{LazyLock, mpsc},
    thread,
    time::Duration,
};

use teammate_sandbox::{CommandLimits, Ended, Failure, Order, Place, Sandbox, Streams};

use super::{ProgramsError, environment};

/// The longest that reading may take. A file of the configuration may be a pipe that nobody writes to.
pub(super) const GIT_TIMEOUT: Duration = Duration::from_secs(5);
/// The longest answer, in bytes.
pub(super) const BYTES_MAX: u64 = 4 << 20;
/// How much is kept of what git says is wrong, in bytes.
const WHY_BYTES_MAX: u64 = 1 << 12;

/// What reads writes nothing, anywhere: it needs no rules.
static READING: LazyLock<Sandbox> = LazyLock::new(Sandbox::default);

/// Where git is asked.
pub(crate) struct Reader<'a> {
    pub(crate) dir: &'a Path,
    pub(crate) environment: &'a [(String, String)],
    /// Options before git's command that say where the repository is.
    pub(crate) options: &'a [&'a str],
}

impl Reader<'_> {
    /// All that git prints.
    pub(crate) fn run(&self, arguments: &[&str]) -> Result<Vec<u8>, ProgramsError> {
        self.run_for(arguments, BYTES_MAX, |_| true)
    }

    /// A path that git prints in a line.
    pub(super) fn line(&self, arguments: &[&str]) -> Result<OsString, ProgramsError> {
        let mut line = self.run(arguments)?;
        line.pop_if(|last| *last == b'\n');
        Ok(OsString::from_vec(line))
    }

    /// Of entries that end with a zero those that are wanted. All together may be `bytes_max` long.
    pub(super) fn run_for(
        &self,
        arguments: &[&str],
        bytes_max: u64,
        is_wanted: fn(&[u8]) -> bool,
    ) -> Result<Vec<u8>, ProgramsError> {
        let own = [
            ("safe.bareRepository", "explicit"),
            ("core.fsmonitor", "false"),
        ];
        let inherited = environment::inherited(self.environment);
        let mut environment = environment::with_settings(inherited, own);
        let more = [
            ("LC_ALL", "C"),
            ("GIT_OPTIONAL_LOCKS", "0"),
            ("GIT_NO_LAZY_FETCH", "1"),
        ];
        environment.extend(more.map(|(name, value)| (name.to_owned(), value.to_owned())));
        let words = self.options.iter().chain(arguments);
        let order = Order {
            program: "git".into(),
            arguments: words.map(Into::into).collect(),
            environment,
            directory: self.dir.to_owned(),
            limits: CommandLimits::default(),
        };
        let (out, out_writer) = io::pipe().map_err(ProgramsError::NoGit)?;
        let (err, err_writer) = io::pipe().map_err(ProgramsError::NoGit)?;
        let streams = Streams::to(out_writer.as_fd(), err_writer.as_fd());
        let place = Place::to_read(self.dir);
        let mut running = READING
            .start(&place, order, streams, None)
            .map_err(no_git)?;
        drop((out_writer, err_writer));
        let said = read_output((out, err), bytes_max, is_wanted);
        if said.is_err() {
            running.end();
        }
        let ended = running.ended_within(GIT_TIMEOUT).map_err(no_git)?;
        let is_ok = matches!(ended, Some(Ended::Program(status)) if status.success());
        let said = said?;
        if said.is_too_long {
            return Err(ProgramsError::TooLong);
        }
        if is_ok {
            return Ok(said.out);
        }
        let why = String::from_utf8_lossy(&said.err);
        let why = why.lines().next().unwrap_or("it gives no reason");
        Err(ProgramsError::Unreadable(why.to_owned()))
    }
}

/// Git did not run.
fn no_git(failure: Failure) -> ProgramsError {
    let kind = if failure.is_no_program() {
        io::ErrorKind::NotFound
    } else {
        io::ErrorKind::Other
    };
    ProgramsError::NoGit(io::Error::new(kind, failure))
}

#[derive(Default)]
struct ReadOutput {
    out: Vec<u8>,
    err: Vec<u8>,
    is_too_long: bool,
}

/// What it prints until it ends, but no more than the limits.
fn read_output(
    (out, err): (PipeReader, PipeReader),
    bytes_max: u64,
    is_wanted: fn(&[u8]) -> bool,
) -> Result<ReadOutput, ProgramsError> {
    let (tell, told) = mpsc::channel();
    thread::spawn(move || {
        let mut said = ReadOutput::default();
        let mut out = BufReader::new(out.take(bytes_max + 1));
        let (mut entry, mut length) = (Vec::new(), 0);
        // What cannot be read is missed when it has ended.
        while let Ok(count @ 1..) = out.read_until(0, &mut entry) {
            length += count as u64;
            if is_wanted(&entry) {
                said.out.append(&mut entry);
            }
            entry.clear();
        }
        drop(out);
        said.is_too_long = length > bytes_max;
        let _ = err.take(WHY_BYTES_MAX).read_to_end(&mut said.err);
        // If the receiver was dropped, it took too long.
        let _ = tell.send(said);
    });
    told.recv_timeout(GIT_TIMEOUT)
        .map_err(|_| ProgramsError::TooSlow)
}
