//! Runs git without surprises: contained like a member's command, without what the repository would have it run, no
//! questions, no network, no pager, no upkeep in the background, English words, limits of time and size.

mod contained;
mod guard;

use std::path::{Path, PathBuf};

use teammate_core::port::WorktreeError;
use teammate_process::{
    TeamSandbox, WORKTREES, blocking,
    environment::Environment,
    git::{inherited, with_settings},
};
use teammate_sandbox::Content;

pub(crate) use self::guard::OWN_REFERENCES;
use self::{
    contained::{GitFailure, GitJob},
    guard::ProgramGuard,
};
use crate::programs::{Programs, TrustedPrograms};

/// How much of git's complaint is passed on.
const WHY_CHARS_MAX: usize = 600;

const SETTINGS: [(&str, &str); 11] = [
    ("safe.bareRepository", "explicit"),
    ("protocol.allow", "never"),
    ("core.fsmonitor", "false"),
    ("core.quotePath", "false"),
    ("color.ui", "false"),
    ("gc.auto", "0"),
    ("maintenance.auto", "false"),
    ("submodule.recurse", "false"),
    ("diff.ignoreSubmodules", "dirty"),
    ("diff.submodule", "short"),
    ("advice.detachedHead", "false"),
];

const VARIABLES: [(&str, &str); 7] = [
    ("LC_ALL", "C"),
    // Looking must not be in the way of a member who commits.
    ("GIT_OPTIONAL_LOCKS", "0"),
    // Worktrees are mounts of their own in the hidden directory of the team.
    ("GIT_DISCOVERY_ACROSS_FILESYSTEM", "1"),
    ("GIT_MERGE_AUTOEDIT", "no"),
    // Nothing is fetched: it would be the repository that says from where, and by what program.
    ("GIT_NO_LAZY_FETCH", "1"),
    ("GIT_ALLOW_PROTOCOL", ""),
    // A filter of Git LFS takes what is here, and leaves a pointer for the rest.
    ("GIT_LFS_SKIP_SMUDGE", "1"),
];

pub(crate) struct Git {
    environment: Environment,
    root: PathBuf,
    team_dir: PathBuf,
    /// Nothing below is taken for a part of the repository above it.
    ceiling: PathBuf,
    sandbox: TeamSandbox,
    trusted: TrustedPrograms,
}

/// Input and variables of a run of git, besides its arguments.
#[derive(Default)]
pub(crate) struct RunWith<'a> {
    pub(crate) input: Vec<u8>,
    /// Variables of its environment, besides the usual ones.
    pub(crate) variables: &'a [(&'a str, &'a str)],
    /// The directory of the repository whose programs must not run, where that is not the one it runs in.
    pub(crate) repository: Option<&'a Path>,
}

/// The output of git, byte for byte.
pub(crate) struct GitBytes {
    pub(crate) is_ok: bool,
    pub(crate) out: Vec<u8>,
    pub(crate) err: String,
}

impl GitBytes {
    /// The output of git, if it succeeded; the error says that `what` could not be done.
    pub(crate) fn bytes(self, what: &str) -> Result<Vec<u8>, WorktreeError> {
        match self.is_ok {
            true => Ok(self.out),
            false => Err(GitOutput::from(self).refused(what)),
        }
    }

    /// The output as text; errors as [`bytes`](Self::bytes).
    pub(crate) fn text(self, what: &str) -> Result<String, WorktreeError> {
        GitOutput::from(self).ok(what)
    }
}

impl From<GitBytes> for GitOutput {
    fn from(said: GitBytes) -> Self {
        Self {
            is_ok: said.is_ok,
            out: String::from_utf8_lossy(&said.out).into_owned(),
            err: said.err,
        }
    }
}

/// Git's message.
pub(crate) struct GitOutput {
    pub(crate) is_ok: bool,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Git {
    pub(crate) fn new(
        environment: Environment,
        (root, team_dir): (PathBuf, PathBuf),
        sandbox: TeamSandbox,
        trusted: TrustedPrograms,
    ) -> Self {
        Self {
            ceiling: team_dir.join(WORKTREES),
            environment,
            root,
            team_dir,
            sandbox,
            trusted,
        }
    }

    /// Runs git in a directory, to whatever end. If it needs an untrusted program of the repository, that
    /// is the error.
    pub(crate) async fn run(&self, dir: &Path, args: &[&str]) -> Result<GitOutput, WorktreeError> {
        let said = self.run_with(dir, args, RunWith::default()).await?;
        Ok(said.into())
    }

    /// Runs git with an input and more variables, and returns the bytes that it prints.
    pub(crate) async fn run_with(
        &self,
        dir: &Path,
        args: &[&str],
        with: RunWith<'_>,
    ) -> Result<GitBytes, WorktreeError> {
        let guard = self.guard(with.repository.unwrap_or(dir)).await?;
        guard.refuse_hooks(args)?;
        let settings = guard.settings(args);
        let settings = settings.iter().map(|(key, value)| (&**key, &**value));
        let mut environment = with_settings(inherited(&self.environment), settings.chain(SETTINGS));
        let usual = VARIABLES.into_iter();
        // The first of two would count.
        let usual =
            usual.filter(|(name, _)| !with.variables.iter().any(|(given, _)| given == name));
        environment.extend(usual.map(|(name, value)| (name.to_owned(), value.to_owned())));
        let ceiling = self.ceiling.to_string_lossy().into_owned();
        environment.push(("GIT_CEILING_DIRECTORIES".to_owned(), ceiling));
        let given = with.variables.iter();
        environment.extend(given.map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
        let job = GitJob {
            args,
            dir,
            dirs: (&self.root, &self.team_dir),
            environment,
            input: with.input,
            sandbox: &self.sandbox,
        };
        let said = job.run().await.map_err(|why| why.of(args, dir))?;
        if !said.is_ok {
            guard.refuse_what_was_needed(&said.err)?;
        }
        Ok(said)
    }

    /// Has what the repository has written down, before a member comes that adds to it.
    pub(crate) fn write_down(&self) {
        // If it cannot be, its commits are not known, and the user is asked about more.
        self.sandbox.write_down_of((&self.root, &self.team_dir));
    }

    /// Whether this content may be under this name, which is relative to the workspace.
    pub(crate) fn knows(&self, name: &str, content: &Content<'_>) -> bool {
        self.sandbox
            .knows((&self.root, &self.team_dir), name, content)
    }

    /// The user has said yes to it.
    pub(crate) fn accept(&self, name: &str, content: &Content<'_>) {
        self.sandbox
            .accept((&self.root, &self.team_dir), name, content);
    }

    /// Whether a hook would refuse such a command, for those who want to know before they begin.
    pub(crate) async fn may(&self, dir: &Path, args: &[&str]) -> Result<(), WorktreeError> {
        self.guard(dir).await?.refuse_hooks(args)
    }

    /// Which of the repository's programs must not run.
    pub(crate) async fn guard(&self, dir: &Path) -> Result<ProgramGuard, WorktreeError> {
        let (dir, environment, trusted) = (
            dir.to_owned(),
            self.environment.clone(),
            self.trusted.clone(),
        );
        if !dir.is_dir() {
            return Err(failed(
                "work there",
                format!("{} is no directory", dir.display()),
            ));
        }
        let programs = blocking::run(move |_| {
            let programs = Programs::read_flat(&dir, &environment)?;
            Ok(trusted.untrusted(programs))
        });
        programs
            .await
            .map(ProgramGuard::new)
            .map_err(guard::unreadable)
    }

    /// Runs git and returns what it prints; `what` says what could not be done if it fails.
    pub(crate) async fn run_ok(
        &self,
        what: &str,
        dir: &Path,
        args: &[&str],
    ) -> Result<String, WorktreeError> {
        self.run(dir, args).await?.ok(what)
    }

    /// Runs git and returns the one line that it prints, if it succeeds.
    pub(crate) async fn query(
        &self,
        dir: &Path,
        args: &[&str],
    ) -> Result<Option<String>, WorktreeError> {
        let said = self.run(dir, args).await?;
        Ok(said.is_ok.then(|| said.out.trim_end().to_owned()))
    }
}

impl GitFailure {
    fn of(self, args: &[&str], dir: &Path) -> WorktreeError {
        match self {
            Self::NoGit(why) => WorktreeError::NoGit(why),
            Self::Io(why) => failed(&format!("work in {}", dir.display()), why),
            Self::Limit(why) => failed(args.first().unwrap_or(&"run"), why),
        }
    }
}

impl GitOutput {
    fn ok(self, what: &str) -> Result<String, WorktreeError> {
        match self.is_ok {
            true => Ok(self.out),
            false => Err(self.refused(what)),
        }
    }

    /// It did not work.
    pub(crate) fn refused(&self, what: &str) -> WorktreeError {
        let why = if self.err.trim().is_empty() {
            &self.out
        } else {
            &self.err
        };
        let lines: Vec<&str> = why
            .lines()
            .map(str::trim)
            .filter(|line| !line.is_empty() && !line.starts_with("hint:"))
            .collect();
        if let Some(object) = lines.iter().find_map(|line| unfetched_object(line)) {
            return WorktreeError::NotFetched {
                what: what.to_owned(),
                lacks: vec![format!("object {object}")],
            };
        }
        let why: String = lines.join("; ").chars().take(WHY_CHARS_MAX).collect();
        failed(what, why)
    }
}

/// The object that a partial clone would have had to fetch, if this line of git's says so.
fn unfetched_object(line: &str) -> Option<&str> {
    let (_, rest) = line.split_once("could not fetch ")?;
    rest.strip_suffix(" from promisor remote")
}

pub(crate) fn failed(what: &str, why: impl std::fmt::Display) -> WorktreeError {
    WorktreeError::Failed {
        what: what.to_owned(),
        why: why.to_string(),
    }
}
