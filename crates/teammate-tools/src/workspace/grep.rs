//! `grep`: searches file contents by regular expression, with ripgrep's own parts.

use std::{io, os::fd::OwnedFd, path::Path};

use grep_matcher::LineTerminator;
use grep_regex::{RegexMatcher, RegexMatcherBuilder};
use grep_searcher::{BinaryDetection, Searcher, SearcherBuilder};
use schemars::JsonSchema;
use serde::Deserialize;
use teammate_core::{
    port::{Action, Target, ToolContext, Workspace},
    tool::{EffectClass, Outcome},
};
use teammate_process::blocking::{self, CancelFlag};

use crate::{
    beneath::{Intent, ResolvedPath, open_regular, open_root, resolve},
    typed_tool::{Reply, TypedTool},
    workspace::search::{FoundPath, Listing, SearchBase, SearchPattern, walk},
};

mod matches;

use matches::Matches;

/// How many lines or files are shown.
const ENTRIES_MAX: usize = 500;
const CONTEXT_MAX: usize = 20;
/// A file with a longer line is not searched.
const HEAP_BYTES_MAX: usize = 32 << 20;

pub(super) struct Grep;

#[derive(Deserialize, JsonSchema)]
pub(super) struct Input {
    pattern: String,
    #[serde(default)]
    path: SearchBase,
    #[serde(default)]
    glob: Option<String>,
    #[serde(default, alias = "output_mode")]
    output: OutputMode,
    #[serde(default, alias = "-C")]
    context: usize,
    #[serde(default, alias = "-i")]
    ignore_case: bool,
    #[serde(default)]
    hidden: bool,
    #[serde(default, rename = "-A")]
    #[schemars(skip)]
    after: Option<usize>,
    #[serde(default, rename = "-B")]
    #[schemars(skip)]
    before: Option<usize>,
    /// How many entries are shown; 0: as many as can be.
    #[serde(default)]
    #[schemars(skip)]
    head_limit: Option<usize>,
}

impl Input {
    fn entries_max(&self) -> usize {
        let wanted = self.head_limit.filter(|limit| *limit > 0);
        wanted.unwrap_or(ENTRIES_MAX).min(ENTRIES_MAX)
    }
}

// What is shown of a file that matches.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum OutputMode {
    #[default]
    #[serde(alias = "content")]
    Lines,
    #[serde(alias = "files_with_matches")]
    Files,
    Count,
}

impl TypedTool for Grep {
    type Input = Input;
    const NAME: &'static str = "grep";
    const DESCRIPTION: &'static str = "Search files by regular expression (Rust, per line). No binaries; hidden and \
        git-ignored files only with hidden.";
    const CLASS: EffectClass = EffectClass::Reads;

    fn action(&self, input: &Input, context: &ToolContext) -> Result<Action, Outcome> {
        let place = resolve(&context.workspace, input.path.as_str(), Intent::Look)?;
        let glob = input.glob.iter().map(|glob| format!(" in {glob}"));
        let place_part = Some(place.display_path().display().to_string())
            .filter(|shown| !shown.is_empty())
            .map(|shown| format!(" below {shown}"));
        let summary: String = std::iter::once(input.pattern.clone())
            .chain(glob)
            .chain(place_part)
            .collect();
        Ok(Action {
            target: Target::Path(place.location()),
            shows: format!("search for {summary}"),
            summary,
        })
    }

    async fn run(&self, input: Input, context: &ToolContext) -> Reply {
        let workspace = context.workspace.clone();
        blocking::run(move |stop| {
            GrepSearch::new(&input, &workspace, stop).and_then(GrepSearch::run)
        })
        .await
    }
}

/// One search on its way.
struct GrepSearch<'a> {
    input: &'a Input,
    workspace: &'a Workspace,
    stop: &'a CancelFlag,
    place: ResolvedPath,
    matcher: RegexMatcher,
    searcher: Searcher,
    names: Option<SearchPattern>,
    listing: Listing,
    files: usize,
    /// Files that could not be searched.
    unread: usize,
    /// A note on lines that were left out.
    note: String,
}

impl<'a> GrepSearch<'a> {
    fn new(
        input: &'a Input,
        workspace: &'a Workspace,
        stop: &'a CancelFlag,
    ) -> Result<Self, Outcome> {
        let matcher = RegexMatcherBuilder::new()
            .case_insensitive(input.ignore_case)
            .multi_line(true)
            .crlf(true)
            .build(&input.pattern)
            .map_err(|error| {
                Outcome::error(format!(
                    "The pattern is not a regular expression for one line: {error}\nPut a backslash before \
                     ( ) [ ] {{ }} . * + ? ^ $ | to find the character itself; look-around and \
                     back-references are not supported."
                ))
            })?;
        let searcher = SearcherBuilder::new()
            .line_terminator(LineTerminator::crlf())
            .binary_detection(BinaryDetection::quit(0))
            .before_context(input.before.unwrap_or(input.context).min(CONTEXT_MAX))
            .after_context(input.after.unwrap_or(input.context).min(CONTEXT_MAX))
            .heap_limit(Some(HEAP_BYTES_MAX))
            .build();
        Ok(Self {
            place: resolve(workspace, input.path.as_str(), Intent::Look)?,
            names: input
                .glob
                .as_deref()
                .map(matching_at_any_depth)
                .transpose()?,
            input,
            workspace,
            stop,
            matcher,
            searcher,
            listing: Listing::default(),
            files: 0,
            unread: 0,
            note: String::new(),
        })
    }

    fn run(mut self) -> Result<Outcome, Outcome> {
        let shown = self.input.path.as_str();
        let failed =
            |why: io::Error| Outcome::error(format!("'{shown}' cannot be searched: {why}."));
        let base = self.place.full().to_owned();
        let opened = self.place.open().map_err(failed)?;
        if opened.metadata().map_err(failed)?.is_file() {
            let path = self.place.display_path().to_owned();
            self.search(&path, &opened).map_err(failed)?;
        } else {
            let root = open_root(&base).map_err(failed)?;
            self.search_below(&root, &base);
        }
        if let (0, Some(names)) = (self.listing.entries(), &self.names) {
            names.require_glob()?;
        }
        Ok(self.outcome())
    }

    fn search_below(&mut self, root: &OwnedFd, base: &Path) {
        let mut tree = walk(self.workspace, base, self.input.hidden, self.stop);
        for FoundPath { below, is_file, .. } in tree.by_ref() {
            if self.listing.is_full() {
                return;
            }
            let names = self.names.as_ref();
            if !is_file || names.is_some_and(|names| !names.is_match(&below)) {
                continue;
            }
            let path = self.place.display_path().join(&below);
            let searched = open_regular(root, &below).and_then(|file| self.search(&path, &file));
            self.unread += usize::from(searched.is_err());
        }
        self.note = tree.note();
    }

    fn search(&mut self, path: &Path, file: &std::fs::File) -> io::Result<()> {
        self.files += 1;
        let path = path.display().to_string();
        let show = (self.input.output, self.input.entries_max());
        let mut matches = Matches::new(&path, show, self.stop, &mut self.listing);
        self.searcher
            .search_file(&self.matcher, file, &mut matches)?;
        matches.end();
        Ok(())
    }

    fn outcome(self) -> Outcome {
        let mut text = if self.listing.entries() == 0 {
            format!(
                "No matches for {} ({} files searched; hidden and git-ignored ones need hidden: true).",
                self.input.pattern, self.files
            )
        } else {
            let advice = "narrow the pattern, the path or the glob, or ask for output: files";
            self.listing.text(false, advice)
        };
        if self.unread > 0 {
            text.push_str(&format!("\n({} files could not be searched)", self.unread));
        }
        Outcome::ok(text + &self.note)
    }
}

/// A pattern without a slash is one for names, in whatever directory.
fn matching_at_any_depth(glob: &str) -> Result<SearchPattern, Outcome> {
    if glob.contains('/') {
        SearchPattern::parse(glob)
    } else {
        SearchPattern::parse(&format!("**/{glob}"))
    }
}
