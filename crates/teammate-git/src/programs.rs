//! Programs that git would run because a repository says so: in its configuration, and its hooks. What reads them is git
//! itself, in commands that run nothing.
//!
//! The configuration of a repository is not the user's: it comes with an archive, and any command can write it. What the
//! *user's* configuration names (scope `global` and `system`, and what the environment gives) is the user's choice and is
//! left alone. Everything else is the repository's: scope `local` and `worktree`, and every file that these include,
//! wherever it is.

mod hooks;
mod settings;

use std::{
    collections::BTreeSet,
    fmt, io,
    path::{Path, PathBuf},
    sync::Arc,
};

use teammate_process::git::{BYTES_MAX, GIT_TIMEOUT, ReadError, Reader};

use self::settings::GitSetting;

/// How deep submodules are looked into.
const DEPTH_MAX: usize = 4;
/// The longest list of files that is read for submodules, in bytes.
const LIST_BYTES_MAX: u64 = 1 << 30;
/// The most submodules of one repository that are looked at.
const SUBMODULES_MAX: usize = 100;
/// The most programs that are taken for meant.
const PROGRAMS_MAX: usize = 200;

/// A program that a repository has git run.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Program {
    /// The key of the setting, or `hooks/` and the name of the hook; before it the path and a colon, if it is a submodule's.
    pub name: String,
    /// The setting's value, or the hook's content.
    pub value: Vec<u8>,
}

impl Program {
    pub(crate) fn hook(&self) -> Option<&str> {
        self.name.strip_prefix("hooks/")
    }

    /// The name between the section and `filter.`, `merge.` and the like, if it is of that section.
    pub(crate) fn within(&self, section: &str) -> Option<&str> {
        let setting = GitSetting {
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
    #[error("git cannot be run: {0}")]
    NoGit(io::Error),
    /// Git did not answer in time.
    #[error("reading it took longer than {} seconds", GIT_TIMEOUT.as_secs())]
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

impl From<ReadError> for ProgramsError {
    fn from(error: ReadError) -> Self {
        match error {
            ReadError::NoGit(why) => Self::NoGit(why),
            ReadError::TooSlow => Self::TooSlow,
            ReadError::TooLong => Self::TooLong,
            ReadError::Unreadable(why) => Self::Unreadable(why),
        }
    }
}

impl Programs {
    /// Those of the repository that git finds in `dir`, and of its submodules; none where there is no repository.
    pub fn read(dir: &Path, environment: &[(String, String)]) -> Result<Self, ProgramsError> {
        Self::read_with(dir, environment, &[])
    }

    /// Those of the repository with options before git's command that say where the repository is, such as `-C`.
    pub fn read_with(
        dir: &Path,
        environment: &[(String, String)],
        options: &[&str],
    ) -> Result<Self, ProgramsError> {
        let reader = Reader {
            dir,
            environment,
            options,
        };
        let mut programs = BTreeSet::new();
        within(&reader, "", DEPTH_MAX, &mut programs)?;
        Ok(Self(programs))
    }

    /// Reads the programs of a repository without its submodules.
    pub(crate) fn read_flat(
        dir: &Path,
        environment: &[(String, String)],
    ) -> Result<Self, ProgramsError> {
        own(&Reader {
            dir,
            environment,
            options: &[],
        })
        .map(Self)
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
}

/// The programs that the user trusts. Read each time, so that a new trust counts at once. By default there are
/// none.
#[derive(Clone, Default)]
pub struct TrustedPrograms(Option<Arc<AskTrusted>>);

type AskTrusted = dyn Fn() -> BTreeSet<Program> + Send + Sync;

impl TrustedPrograms {
    /// Those that `ask` returns. It may block for as long as reading some files takes.
    pub fn asking(ask: impl Fn() -> BTreeSet<Program> + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(ask)))
    }

    /// The untrusted programs among these.
    pub fn untrusted(&self, programs: Programs) -> Vec<Program> {
        let mut programs: Vec<_> = programs.0.into_iter().collect();
        if let Some(ask) = &self.0
            && !programs.is_empty()
        {
            let trusted = ask();
            programs.retain(|program| !trusted.contains(program));
        }
        programs
    }
}

impl fmt::Debug for TrustedPrograms {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TrustedPrograms")
    }
}

/// Adds those of a repository, whose path within the first is `path`, and of what is in it.
fn within(
    reader: &Reader<'_>,
    path: &str,
    depth: usize,
    programs: &mut BTreeSet<Program>,
) -> Result<(), ProgramsError> {
    let of = if path.is_empty() {
        String::new()
    } else {
        format!("{path}: ")
    };
    programs.extend(own(reader)?.into_iter().map(|program| Program {
        name: format!("{of}{}", program.name),
        value: program.value,
    }));
    if programs.len() > PROGRAMS_MAX || depth == 0 {
        return Err(ProgramsError::TooLong);
    }
    for (name, dir) in submodules(reader)? {
        let inner = Reader {
            dir: &dir,
            environment: reader.environment,
            options: &[],
        };
        within(&inner, &format!("{path}{name}/"), depth - 1, programs)?;
    }
    Ok(())
}

/// Paths of submodules that are checked out, with the names they have in the repository.
fn submodules(reader: &Reader<'_>) -> Result<Vec<(String, PathBuf)>, ProgramsError> {
    let list = ["ls-files", "--stage", "--full-name", "-z", "--", ":/"];
    let is_submodule = |entry: &[u8]| entry.starts_with(b"160000 ");
    let found = match reader.run_for(&list, LIST_BYTES_MAX, is_submodule) {
        Ok(found) => found,
        // Without files there are none.
        Err(ReadError::Unreadable(_)) => return Ok(Vec::new()),
        Err(error) => return Err(error.into()),
    };
    if found.is_empty() {
        return Ok(Vec::new());
    }
    let top = reader.line(&["rev-parse", "--show-toplevel"])?;
    let paths = found.split(|byte| *byte == 0).filter_map(|entry| {
        let at = entry.iter().position(|byte| *byte == b'\t')?;
        str::from_utf8(&entry[at + 1..]).ok()
    });
    let there: Vec<_> = paths
        .map(|path| (path.to_owned(), Path::new(&top).join(path)))
        .filter(|(_, dir)| dir.join(".git").exists())
        .take(SUBMODULES_MAX + 1)
        .collect();
    if there.len() > SUBMODULES_MAX {
        return Err(ProgramsError::TooLong);
    }
    Ok(there)
}

/// A repository's own.
fn own(reader: &Reader<'_>) -> Result<BTreeSet<Program>, ProgramsError> {
    let listed = reader.run(&["config", "--list", "--show-scope", "--includes", "-z"])?;
    let settings = settings(&listed)?;
    let mut programs = of_the_repository(&settings);
    if !is_the_user_s(&settings, "core.hookspath")
        && let Some(dir) = hooks_dir(reader)?
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
    Ok(programs)
}

/// Where git looks for hooks, if there is a repository.
fn hooks_dir(reader: &Reader<'_>) -> Result<Option<PathBuf>, ProgramsError> {
    let find = ["rev-parse", "--path-format=absolute", "--git-path", "hooks"];
    match reader.line(&find) {
        Ok(path) => Ok(Some(reader.dir.join(path))),
        Err(ReadError::Unreadable(_)) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// A setting and its scope.
struct ScopedSetting<'a> {
    is_the_user_s: bool,
    setting: GitSetting<'a>,
}

/// Reads `SCOPE NUL KEY LF VALUE NUL ...`.
fn settings(listed: &[u8]) -> Result<Vec<ScopedSetting<'_>>, ProgramsError> {
    let mut words = listed.split(|byte| *byte == 0);
    let mut settings = Vec::new();
    while let (Some(scope), Some(entry)) = (words.next(), words.next()) {
        let mut parts = entry.splitn(2, |byte| *byte == b'\n');
        let key = str::from_utf8(parts.next().unwrap_or_default())
            .map_err(|_| ProgramsError::Unreadable("a name in it is not UTF-8".to_owned()))?;
        settings.push(ScopedSetting {
            is_the_user_s: matches!(scope, b"global" | b"system" | b"command"),
            setting: GitSetting {
                key,
                value: parts.next(),
            },
        });
    }
    Ok(settings)
}

/// The programs of the repository, without those that the user's own configuration names in the same words.
fn of_the_repository(settings: &[ScopedSetting<'_>]) -> BTreeSet<Program> {
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
fn is_the_user_s(settings: &[ScopedSetting<'_>], key: &str) -> bool {
    let last = settings.iter().rfind(|found| found.setting.key == key);
    last.is_some_and(|found| found.is_the_user_s)
}
