//! Reads which programs a repository has git run. What reads them is git itself, in two commands that run nothing.

use std::{
    collections::BTreeSet,
    io::{self, Read as _},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::mpsc,
    thread,
    time::Duration,
};

use super::{environment, hooks, settings::Setting};

/// The longest that reading may take. A file of the configuration may be a pipe that nobody writes to.
const LIMIT: Duration = Duration::from_secs(5);
/// The longest configuration that is read, in bytes.
const BYTES_MAX: u64 = 4 << 20;
/// The most programs that are taken for meant.
const PROGRAMS_MAX: usize = 200;

/// A program that a repository has git run.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Program {
    /// The key of the setting, or `hooks/` and the name of the hook.
    pub name: String,
    /// The setting's value, or the hook's content.
    pub value: Vec<u8>,
}

impl Program {
    /// The name of the hook, if it is one.
    pub(crate) fn hook(&self) -> Option<&str> {
        self.name.strip_prefix("hooks/")
    }

    /// What is between the section and `filter.`, `merge.` and the like, if it is of that section.
    pub(crate) fn within(&self, section: &str) -> Option<&str> {
        let setting = Setting {
            key: &self.name,
            value: None,
        };
        let is_of_section = self.name.split('.').next() == Some(section);
        setting.middle().filter(|_| is_of_section)
    }
}

/// All programs that a repository has git run, by name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Programs(BTreeSet<Program>);

/// Why they are not known.
#[derive(Debug, thiserror::Error)]
pub enum ProgramsError {
    /// Git is not there.
    #[error("git cannot be run: {0}")]
    NoGit(io::Error),
    /// Git did not answer in time.
    #[error("reading it took longer than {} seconds", LIMIT.as_secs())]
    TooSlow,
    /// There is more than anybody means.
    #[error("it is longer than {} MiB or names more than {PROGRAMS_MAX} programs", BYTES_MAX >> 20)]
    TooLong,
    /// Git does not understand it.
    #[error("git cannot read it: {0}")]
    Unreadable(String),
    /// A hook cannot be read.
    #[error("a hook cannot be read: {0}")]
    Hook(io::Error),
}

impl Programs {
    /// Those of the repository that git finds in `dir`; none where there is no repository.
    pub fn read(dir: &Path, environment: &[(String, String)]) -> Result<Self, ProgramsError> {
        Self::read_with(dir, environment, &[])
    }

    /// The same with options before git's command that say where the repository is, such as `-C`.
    pub(crate) fn read_with(
        dir: &Path,
        environment: &[(String, String)],
        options: &[&str],
    ) -> Result<Self, ProgramsError> {
        let reader = Reader {
            dir,
            environment,
            options,
        };
        let listed = reader.run(&["config", "--list", "--show-scope", "--includes", "-z"])?;
        let settings = settings(&listed)?;
        let mut programs = of_the_repository(&settings);
        if !is_the_user_s(&settings, "core.hookspath")
            && let Some(dir) = reader.hooks_dir()?
        {
            let hooks = hooks::read(&dir).map_err(ProgramsError::Hook)?;
            programs.extend(hooks.into_iter().map(|(name, value)| Program {
                name: format!("hooks/{name}"),
                value,
            }));
        }
        if programs.len() > PROGRAMS_MAX {
            return Err(ProgramsError::TooLong);
        }
        Ok(Self(programs))
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// By name.
    pub fn iter(&self) -> impl Iterator<Item = &Program> {
        self.0.iter()
    }

    /// As a set.
    pub fn into_set(self) -> BTreeSet<Program> {
        self.0
    }

    pub(super) fn into_list(self) -> Vec<Program> {
        self.0.into_iter().collect()
    }
}

/// A setting and whose it is.
struct Listed<'a> {
    is_the_user_s: bool,
    setting: Setting<'a>,
}

/// Reads `SCOPE NUL KEY LF VALUE NUL ...`.
fn settings(listed: &[u8]) -> Result<Vec<Listed<'_>>, ProgramsError> {
    let mut words = listed.split(|byte| *byte == 0);
    let mut settings = Vec::new();
    while let (Some(scope), Some(entry)) = (words.next(), words.next()) {
        let mut parts = entry.splitn(2, |byte| *byte == b'\n');
        let key = str::from_utf8(parts.next().unwrap_or_default())
            .map_err(|_| ProgramsError::Unreadable("a name in it is not UTF-8".to_owned()))?;
        settings.push(Listed {
            is_the_user_s: matches!(scope, b"global" | b"system" | b"command"),
            setting: Setting {
                key,
                value: parts.next(),
            },
        });
    }
    Ok(settings)
}

/// What the user's own configuration says in the same words is the user's.
fn of_the_repository(settings: &[Listed<'_>]) -> BTreeSet<Program> {
    let (own, others): (Vec<_>, Vec<_>) = settings.iter().partition(|found| found.is_the_user_s);
    let own: BTreeSet<_> = own
        .iter()
        .map(|found| (found.setting.key, found.setting.value))
        .collect();
    let others = others.into_iter().map(|found| found.setting);
    others
        .filter(|setting| setting.is_program() && !own.contains(&(setting.key, setting.value)))
        .map(|setting| Program {
            name: setting.key.to_owned(),
            value: setting.value.unwrap_or_default().to_owned(),
        })
        .collect()
}

/// Whether the value that counts, the last, is the user's.
fn is_the_user_s(settings: &[Listed<'_>], key: &str) -> bool {
    let last = settings.iter().rfind(|found| found.setting.key == key);
    last.is_some_and(|found| found.is_the_user_s)
}

struct Reader<'a> {
    dir: &'a Path,
    environment: &'a [(String, String)],
    options: &'a [&'a str],
}

impl Reader<'_> {
    /// Where git looks for hooks, if there is a repository.
    fn hooks_dir(&self) -> Result<Option<PathBuf>, ProgramsError> {
        use std::{ffi::OsStr, os::unix::ffi::OsStrExt as _};
        let find = ["rev-parse", "--path-format=absolute", "--git-path", "hooks"];
        match self.run(&find) {
            Ok(path) => {
                let path = path.strip_suffix(b"\n").unwrap_or(&path);
                Ok(Some(self.dir.join(OsStr::from_bytes(path))))
            }
            Err(ProgramsError::Unreadable(_)) => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn run(&self, arguments: &[&str]) -> Result<Vec<u8>, ProgramsError> {
        let own = [
            ("safe.bareRepository", "explicit"),
            ("core.fsmonitor", "false"),
        ];
        let inherited = environment::inherited(self.environment);
        let mut child = Command::new("git")
            .args(self.options)
            .args(arguments)
            .current_dir(self.dir)
            .env_clear()
            .envs(environment::with_settings(inherited, own))
            .env("LC_ALL", "C")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(ProgramsError::NoGit)?;
        let said = said(&mut child);
        if said.is_err() {
            // It may have ended by itself, which is what is wanted.
            let _ = child.kill();
        }
        let is_ok = child.wait().is_ok_and(|status| status.success());
        let (out, err) = said?;
        if out.len() as u64 > BYTES_MAX {
            return Err(ProgramsError::TooLong);
        }
        if is_ok {
            return Ok(out);
        }
        let why = String::from_utf8_lossy(&err);
        let why = why.lines().next().unwrap_or("it gives no reason");
        Err(ProgramsError::Unreadable(why.to_owned()))
    }
}

/// What it prints until it ends, but no more than the limits.
fn said(child: &mut Child) -> Result<(Vec<u8>, Vec<u8>), ProgramsError> {
    let (out, err) = (child.stdout.take(), child.stderr.take());
    let (tell, told) = mpsc::channel();
    thread::spawn(move || {
        let (mut text, mut why) = (Vec::new(), Vec::new());
        // What cannot be read is missed below.
        let _ = out.map(|out| out.take(BYTES_MAX + 1).read_to_end(&mut text));
        let _ = err.map(|err| err.take(1 << 12).read_to_end(&mut why));
        let _ = tell.send((text, why));
    });
    told.recv_timeout(LIMIT).map_err(|_| ProgramsError::TooSlow)
}
