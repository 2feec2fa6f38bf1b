//! The walk over the workspace that `glob` and `grep` share.

use std::path::{Path, PathBuf};

use globset::{GlobBuilder, GlobMatcher};
use ignore::{DirEntry, Walk, WalkBuilder};
use schemars::JsonSchema;
use serde::Deserialize;
use teammate_core::{port::Workspace, tool::Outcome};
use teammate_process::{DEPTH_MAX, blocking::CancelFlag, has_sound_ignore_files};

use crate::beneath::team_dirs;

// Where a search begins; the workspace by default.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(transparent)]
pub(super) struct SearchBase(String);

impl SearchBase {
    /// The path as written, never empty.
    pub(super) fn as_str(&self) -> &str {
        if self.0.is_empty() { "." } else { &self.0 }
    }
}

/// The files below a directory, sorted by path.
pub(super) struct FileTree<'a> {
    walk: Walk,
    base: &'a Path,
    stop: &'a CancelFlag,
    depth_max: usize,
    is_cut: bool,
}

/// A file, a directory or something else below that one.
pub(super) struct FoundPath {
    pub(super) below: PathBuf,
    pub(super) is_dir: bool,
    pub(super) is_file: bool,
}

/// Walks what is below `base`. Links are not followed; the team's directory, git's own and what
/// may not be read are left out, and so are hidden and git-ignored files unless `hidden` is set.
///
/// Ignore files are `.gitignore` and `.ignore`, and the user's own. A directory in which something else stands in the place of
/// one is left out; above `base`, none is used then.
pub(super) fn walk<'a>(
    workspace: &Workspace,
    base: &'a Path,
    hidden: bool,
    stop: &'a CancelFlag,
) -> FileTree<'a> {
    let (closed, teams) = (workspace.clone(), team_dirs(workspace));
    let within = base.strip_prefix(&workspace.root).unwrap_or(base);
    let obeys = !hidden && base.ancestors().all(has_sound_ignore_files);
    let depth_max = DEPTH_MAX.saturating_sub(within.components().count());
    let walk = WalkBuilder::new(base)
        .standard_filters(!hidden)
        .ignore(obeys)
        .git_ignore(obeys)
        // It is found through files of the repository that may name any other.
        .git_exclude(false)
        // The team's directory is ignored as a whole; a worktree in it is a repository, above which nothing is looked at.
        .require_git(workspace.root.starts_with(&workspace.team_dir))
        .follow_links(false)
        .max_depth(Some(depth_max))
        // What is in a directory that is left out is not come by: each place is judged once, for itself.
        .filter_entry(move |entry| {
            !teams.iter().any(|dir| entry.path() == dir)
                && (entry.depth() == 0 || entry.file_name() != ".git")
                && !closed.is_unreadable(entry.path())
                && (hidden
                    || !is_dir(entry)
                    || has_sound_ignore_files(entry.path())
                    || entry.depth() == 0)
        })
        .sort_by_file_name(Ord::cmp)
        .build();
    FileTree {
        walk,
        base,
        stop,
        depth_max,
        is_cut: false,
    }
}

fn is_dir(entry: &DirEntry) -> bool {
    entry.file_type().is_some_and(|kind| kind.is_dir())
}

impl Iterator for FileTree<'_> {
    type Item = FoundPath;

    /// The next file. Unreadable ones are left out, and all that come after the search was stopped.
    fn next(&mut self) -> Option<FoundPath> {
        loop {
            let entry = self.walk.by_ref().flatten().next()?;
            self.is_cut |= is_dir(&entry) && entry.depth() == self.depth_max;
            if self.stop.is_set() {
                return None;
            }
            if let Ok(below) = entry.path().strip_prefix(self.base)
                && entry.depth() > 0
            {
                let is_file = entry.file_type().is_some_and(|kind| kind.is_file());
                return Some(FoundPath {
                    below: below.to_owned(),
                    is_dir: is_dir(&entry),
                    is_file,
                });
            }
        }
    }
}

impl FileTree<'_> {
    /// A line that says so if there was more, too deep to be walked; otherwise nothing.
    pub(super) fn note(&self) -> String {
        if self.is_cut {
            format!("\n(what is more than {DEPTH_MAX} directories deep was left out)")
        } else {
            String::new()
        }
    }
}

/// Paths that a pattern means.
pub(super) struct SearchPattern {
    /// An error where the pattern makes sense with its brackets taken as they are only.
    glob: Result<GlobMatcher, globset::Error>,
    /// The pattern with its brackets taken as they are: web frameworks have directories such as `[id]`.
    literal: Option<GlobMatcher>,
}

impl SearchPattern {
    /// Reads one: `*` and `?` within one component, `**` for any number, `{a,b}` and `[a-z]`, which is also a name of itself.
    pub(super) fn parse(text: &str) -> Result<Self, Outcome> {
        let text = text.trim_start_matches("./");
        let literal = match text.contains('[') {
            true => matcher(&text.replace('[', "[[]")).ok(),
            false => None,
        };
        let pattern = Self {
            glob: matcher(text),
            literal,
        };
        match pattern.literal {
            Some(_) => Ok(pattern),
            None => pattern.require_glob().map(|()| pattern),
        }
    }

    /// Refuses what is no glob; for a pattern that found nothing by the name of itself either.
    pub(super) fn require_glob(&self) -> Result<(), Outcome> {
        self.glob.as_ref().map(drop).map_err(|error| {
            Outcome::error(format!(
                "The pattern is not a glob: {error}. Use for example **/*.rs or src/*.{{ts,tsx}}."
            ))
        })
    }

    pub(super) fn is_match(&self, path: &Path) -> bool {
        let mut both = self.glob.iter().chain(&self.literal);
        both.any(|glob| glob.is_match(path))
    }
}

fn matcher(text: &str) -> Result<GlobMatcher, globset::Error> {
    let glob = GlobBuilder::new(text).literal_separator(true).build()?;
    Ok(glob.compile_matcher())
}

/// Collects lines up to a limit, and counts on.
#[derive(Debug, Default)]
pub(super) struct Listing {
    text: String,
    entries: usize,
    shown: usize,
}

/// How many bytes of lines are shown.
const LISTED_BYTES_MAX: usize = 30_000;

impl Listing {
    /// Adds an entry of one or more lines if there is room.
    pub(super) fn add(&mut self, entry: &str, entries_max: usize) {
        self.entries += 1;
        let has_room = self.text.len() + entry.len() < LISTED_BYTES_MAX;
        // Once one was left out, all that follow are: the listing has no gaps.
        if self.shown + 1 == self.entries && self.entries <= entries_max && has_room {
            self.shown += 1;
            self.text.push_str(entry);
            self.text.push('\n');
        }
    }

    /// Whether no more entries are shown.
    pub(super) fn is_full(&self) -> bool {
        self.shown < self.entries
    }

    /// How many entries were added.
    pub(super) fn entries(&self) -> usize {
        self.entries
    }

    /// The lines, with a notice if some were left out. Whether all were counted is for
    /// the caller to know.
    pub(super) fn text(mut self, is_counted: bool, advice: &str) -> String {
        if self.is_full() {
            let shown = self.shown;
            let of = if is_counted {
                format!(" of {}", self.entries)
            } else {
                String::new()
            };
            self.text
                .push_str(&format!("[the first {shown}{of} are shown; {advice}]"));
        }
        self.text.trim_end_matches('\n').to_owned()
    }
}
