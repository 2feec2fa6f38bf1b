//! Git: what its environment holds, and a reader that asks it what runs nothing, and waits for the answer, but not for long.
//!
//! Settings are given by `GIT_CONFIG_COUNT`, which takes names as they are, whatever is in them.

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

use crate::environment::{Environment, forced_no_terminal, with_no_terminal};

const COUNT: &str = "GIT_CONFIG_COUNT";

/// Variables for git that say where the user's own configuration is. The program's git inherits no others.
const OF_THE_USER: [&str; 3] = [
    "GIT_CONFIG_GLOBAL",
    "GIT_CONFIG_SYSTEM",
    "GIT_CONFIG_NOSYSTEM",
];

/// Settings of members' own git, and of the git that reads: no directory is a repository merely because it looks like one,
/// and no program is started to watch files.
const PLAIN: [(&str, &str); 2] = [
    ("safe.bareRepository", "explicit"),
    ("core.fsmonitor", "false"),
];

/// The environment with these settings for git after those that it gives already.
pub fn with_settings<'a>(
    environment: impl IntoIterator<Item = (String, String)>,
    settings: impl IntoIterator<Item = (&'a str, &'a str)>,
) -> Environment {
    let mut environment: Environment = environment.into_iter().collect();
    let given = environment
        .iter()
        .position(|(name, _)| name == COUNT)
        .map(|at| environment.remove(at).1);
    let mut count: usize = given.and_then(|count| count.parse().ok()).unwrap_or(0);
    for (key, value) in settings {
        environment.push((format!("GIT_CONFIG_KEY_{count}"), key.to_owned()));
        environment.push((format!("GIT_CONFIG_VALUE_{count}"), value.to_owned()));
        count += 1;
    }
    environment.push((COUNT.to_owned(), count.to_string()));
    environment
}

/// The environment of members' commands.
pub fn for_members(environment: &[(String, String)]) -> Environment {
    with_settings(with_no_terminal(environment), PLAIN)
}

/// The environment of the program's own git: what it inherits of this one, and no terminal.
pub fn inherited(environment: &[(String, String)]) -> Environment {
    let is_inherited = |name: &str| !name.starts_with("GIT_") || OF_THE_USER.contains(&name);
    let kept = environment.iter().filter(|(name, _)| is_inherited(name));
    forced_no_terminal(kept.cloned())
}

/// The longest that reading may take. A file of the configuration may be a pipe that nobody writes to.
pub const GIT_TIMEOUT: Duration = Duration::from_secs(5);
/// The longest answer, in bytes.
pub const BYTES_MAX: u64 = 4 << 20;
/// How much is kept of what git says is wrong, in bytes.
const WHY_BYTES_MAX: u64 = 1 << 12;

/// The sandbox of what only reads: it writes nothing, anywhere, and needs no rules.
static READING: LazyLock<Sandbox> = LazyLock::new(Sandbox::default);

/// Why git gave no answer.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    #[error("git cannot be run: {0}")]
    NoGit(io::Error),
    /// Git did not answer in time.
    #[error("reading it took longer than {} seconds", GIT_TIMEOUT.as_secs())]
    TooSlow,
    /// The answer is longer than the limit.
    #[error("it is longer than {} MiB", BYTES_MAX >> 20)]
    TooLong,
    /// Git does not understand it.
    #[error("git cannot read it: {0}")]
    Unreadable(String),
}

/// Where git is asked.
pub struct Reader<'a> {
    /// The directory that git runs in.
    pub dir: &'a Path,
    /// The environment of the program that asks.
    pub environment: &'a [(String, String)],
    /// Options before git's command that say where the repository is.
    pub options: &'a [&'a str],
}

impl Reader<'_> {
    /// All that git prints.
    pub fn run(&self, arguments: &[&str]) -> Result<Vec<u8>, ReadError> {
        self.run_for(arguments, BYTES_MAX, |_| true)
    }

    /// A path that git prints in a line.
    pub fn line(&self, arguments: &[&str]) -> Result<OsString, ReadError> {
        let mut line = self.run(arguments)?;
        line.pop_if(|last| *last == b'\n');
        Ok(OsString::from_vec(line))
    }

    /// Of entries that end with a zero those that are wanted. All together may be `bytes_max` long.
    pub fn run_for(
        &self,
        arguments: &[&str],
        bytes_max: u64,
        is_wanted: fn(&[u8]) -> bool,
    ) -> Result<Vec<u8>, ReadError> {
        let mut environment = with_settings(inherited(self.environment), PLAIN);
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
        let (out, out_writer) = io::pipe().map_err(ReadError::NoGit)?;
        let (err, err_writer) = io::pipe().map_err(ReadError::NoGit)?;
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
            return Err(ReadError::TooLong);
        }
        if is_ok {
            return Ok(said.out);
        }
        let why = String::from_utf8_lossy(&said.err);
        let why = why.lines().next().unwrap_or("it gives no reason");
        Err(ReadError::Unreadable(why.to_owned()))
    }
}

/// Git did not run.
fn no_git(failure: Failure) -> ReadError {
    let kind = if failure.is_no_program() {
        io::ErrorKind::NotFound
    } else {
        io::ErrorKind::Other
    };
    ReadError::NoGit(io::Error::new(kind, failure))
}

#[derive(Default)]
struct ReadOutput {
    out: Vec<u8>,
    err: Vec<u8>,
    is_too_long: bool,
}

/// Reads the output of a program until it ends, but no more than the limits.
fn read_output(
    (out, err): (PipeReader, PipeReader),
    bytes_max: u64,
    is_wanted: fn(&[u8]) -> bool,
) -> Result<ReadOutput, ReadError> {
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
        .map_err(|_| ReadError::TooSlow)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_come_after_those_of_the_user() {
        let own = [
            (COUNT, "1"),
            ("GIT_CONFIG_KEY_0", "a.b"),
            ("GIT_CONFIG_VALUE_0", "c"),
        ];
        let own = own.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let all = with_settings(own, [("filter.a=b.clean", "")]);
        let has = |name: &str, value: &str| all.contains(&(name.to_owned(), value.to_owned()));
        assert!(has(COUNT, "2") && has("GIT_CONFIG_KEY_0", "a.b"));
        assert!(has("GIT_CONFIG_KEY_1", "filter.a=b.clean") && has("GIT_CONFIG_VALUE_1", ""));
    }

    #[test]
    fn of_git_s_variables_only_the_place_of_the_user_s_configuration_is_inherited() {
        let given = ["PATH", "GIT_DIR", "GIT_CONFIG_COUNT", "GIT_CONFIG_GLOBAL"];
        let given = given.map(|name| (name.to_owned(), "x".to_owned()));
        let all = inherited(&given).into_iter();
        let names: Vec<String> = all
            .filter(|(_, value)| value == "x")
            .map(|(name, _)| name)
            .collect();
        assert_eq!(names, ["PATH", "GIT_CONFIG_GLOBAL"]);
    }
}
