//! Keeps git from running untrusted programs of a repository: each setting that names a program is
//! overridden for the one command.
//!
//! What the command can do without is switched off. What it would need is not skipped, for that would commit what a filter
//! was to encrypt: filters are overridden so that git fails where it would have run one, merge drivers by one of our own that
//! fails. Hooks are looked at before.

use std::collections::BTreeSet;

use teammate_core::port::WorktreeError;

use crate::programs::{Program, ProgramsError};

/// The most names that an error holds.
const NAMES_MAX: usize = 10;

/// The words that our own merge driver prints before the number of the one that it stands for.
const NEEDED: &str = "teammate: not trusted merge driver ";

/// Where the program keeps references of its own.
pub(crate) const OWN_REFERENCES: &str = "refs/teammate/";

/// The programs of a repository that must not run.
pub(crate) struct ProgramGuard(Vec<Program>);

impl ProgramGuard {
    pub(super) fn new(untrusted: Vec<Program>) -> Self {
        Self(untrusted)
    }

    /// Whether some of them change the content of files: filters and merge drivers.
    pub(crate) fn is_about_files(&self) -> bool {
        let mut programs = self.0.iter();
        programs.any(|program| {
            program
                .within("filter")
                .or(program.within("merge"))
                .is_some()
        })
    }

    /// Those that a command would run for sure, or for all that can be known.
    pub(super) fn refuse_hooks(&self, args: &[&str]) -> Result<(), WorktreeError> {
        let hooks = hooks_of(args);
        let is_needed = |program: &&Program| {
            program.hook().is_some_and(|hook| hooks.contains(&hook))
                || (!hooks.is_empty() && program.within("hook").is_some())
                // What such a file holds is known only where its condition is met, which may be the new worktree.
                || (!hooks.is_empty() && program.within("includeif").is_some())
        };
        refuse(self.0.iter().filter(is_needed))
    }

    /// The settings that override the repository's for a command.
    pub(super) fn settings(&self, args: &[&str]) -> Vec<(String, String)> {
        let overridden = self.0.iter().enumerate();
        let mut settings: Vec<_> = overridden
            .flat_map(|(at, program)| over(program, at))
            .collect();
        let is_about_hooks =
            |program: &Program| program.hook().is_some() || program.name == "core.hookspath";
        // Those that may run do, where something changes.
        if hooks_of(args).is_empty() || self.0.iter().any(is_about_hooks) {
            settings.push(("core.hooksPath".to_owned(), "/dev/null".to_owned()));
        }
        settings
    }

    /// Git failed: was it for want of one of them?
    pub(super) fn refuse_what_was_needed(&self, err: &str) -> Result<(), WorktreeError> {
        let is_missed = |(at, program): &(usize, &Program)| {
            if let Some(filter) = program.within("filter") {
                err.contains(&format!("filter '{filter}' failed"))
                    || err.contains(&format!("filter {filter} failed"))
            } else {
                program.within("merge").is_some() && err.contains(&needed(*at))
            }
        };
        let missed = self.0.iter().enumerate().filter(is_missed);
        refuse(missed.map(|(_, program)| program))
    }

    /// One of these filters is needed for sure.
    pub(crate) fn refuse_filters(&self, needed: &BTreeSet<&str>) -> Result<(), WorktreeError> {
        let is_needed = |program: &&Program| {
            let filter = program.within("filter");
            filter.is_some_and(|filter| needed.contains(filter))
        };
        refuse(self.0.iter().filter(is_needed))
    }
}

/// The configuration itself could not be read, so nothing is known of it.
pub(super) fn unreadable(why: ProgramsError) -> WorktreeError {
    match why {
        ProgramsError::NoGit(why) => WorktreeError::NoGit(why.to_string()),
        ProgramsError::TooSlow
        | ProgramsError::TooLong
        | ProgramsError::Unreadable(_)
        | ProgramsError::Hook(_) => super::failed("use the repository's configuration", why),
    }
}

/// The hooks that a command runs, if they are there. None for one that only looks.
fn hooks_of(args: &[&str]) -> &'static [&'static str] {
    match args {
        ["worktree", "add", ..] => &[
            "post-checkout",
            "post-index-change",
            "reference-transaction",
        ],
        ["merge", "--abort"] => &["post-index-change", "reference-transaction"],
        ["merge", ..] => &[
            "pre-merge-commit",
            "prepare-commit-msg",
            "commit-msg",
            "post-merge",
            "post-index-change",
            "reference-transaction",
        ],
        // The program's own book-keeping is nobody's reference.
        ["update-ref", reference, ..] if reference.starts_with(OWN_REFERENCES) => &[],
        ["update-ref", ..] => &["reference-transaction"],
        _ => &[],
    }
}

fn over(program: &Program, at: usize) -> Vec<(String, String)> {
    let name = &program.name;
    let one = |value: &str| vec![(name.clone(), value.to_owned())];
    if let Some(filter) = program.within("filter") {
        let with = |word: &str, value: &str| (format!("filter.{filter}.{word}"), value.to_owned());
        return vec![
            with("clean", ""),
            with("smudge", ""),
            with("process", ""),
            with("required", "true"),
        ];
    }
    if program.within("merge").is_some() {
        return one(&format!("echo '{}' >&2; exit 255", needed(at)));
    }
    match name.split('.').next().unwrap_or_default() {
        "pager" => one("false"),
        "protocol" => one("never"),
        "submodule" => one("none"),
        // No alias is used, no address is contacted, and no condition can be taken back. For hooks see above.
        "alias" | "includeif" | "remote" | "url" => vec![],
        _ if program.hook().is_some() => vec![],
        _ => one(""),
    }
}

fn needed(at: usize) -> String {
    format!("{NEEDED}{at}.")
}

fn refuse<'a>(programs: impl Iterator<Item = &'a Program>) -> Result<(), WorktreeError> {
    let names: BTreeSet<&str> = programs.map(|program| &*program.name).collect();
    if names.is_empty() {
        return Ok(());
    }
    let names = names
        .into_iter()
        .take(NAMES_MAX)
        .map(str::to_owned)
        .collect();
    Err(WorktreeError::Untrusted(names))
}
