//! `glob`: finds files by the pattern of their paths.

use serde::Deserialize;
use teammate_core::{
    port::{Action, BoxFuture, Target, Tool, ToolContext, Workspace},
    tool::{EffectClass, Outcome, ToolCall, ToolSpec},
};

use crate::{
    beneath::{Intent, resolve},
    blocking::{self, Stop},
    spec::spec,
    world::search::{Base, Listing, pattern, walk},
};

/// How many paths are shown.
const PATHS_MAX: usize = 500;

/// The tool.
pub struct Glob {
    spec: ToolSpec,
}

#[derive(Deserialize)]
struct Input {
    pattern: String,
    #[serde(default)]
    path: Base,
    #[serde(default)]
    hidden: bool,
}

impl Glob {
    /// The tool; it has no state.
    pub fn new() -> Self {
        Self {
            spec: spec!("glob", EffectClass::Reads),
        }
    }
}

impl Default for Glob {
    fn default() -> Self {
        Self::new()
    }
}

impl Tool for Glob {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn action(&self, call: &ToolCall, context: &ToolContext) -> Result<Action, Outcome> {
        let input: Input = call.input.parse()?;
        let place = resolve(&context.workspace, input.path.as_str(), Intent::Look)?;
        let whole = place.shown().as_os_str().is_empty();
        let summary = if whole {
            input.pattern.clone()
        } else {
            format!("{} in {}", input.pattern, place.shown().display())
        };
        Ok(Action {
            target: Target::Path(place.location()),
            shows: format!("list files like {summary}"),
            summary,
        })
    }

    fn run<'a>(&'a self, call: &'a ToolCall, context: &'a ToolContext) -> BoxFuture<'a, Outcome> {
        Box::pin(async move {
            let input: Input = match call.input.parse() {
                Ok(input) => input,
                Err(outcome) => return outcome,
            };
            let workspace = context.workspace.clone();
            blocking::run(move |stop| list(&input, &workspace, stop).unwrap_or_else(|error| error))
                .await
        })
    }
}

fn list(input: &Input, workspace: &Workspace, stop: &Stop) -> Result<Outcome, Outcome> {
    let wanted = pattern(&input.pattern)?;
    let place = resolve(workspace, input.path.as_str(), Intent::Look)?;
    if !place.full().is_dir() {
        return Err(Outcome::error(format!(
            "'{}' is not a directory; path is where the search begins.",
            input.path.as_str()
        )));
    }
    let mut listing = Listing::default();
    let mut tree = walk(workspace, place.full(), input.hidden);
    for entry in tree.by_ref() {
        if stop.is_set() {
            break;
        }
        let Ok(below) = entry.path().strip_prefix(place.full()) else {
            continue;
        };
        if entry.depth() > 0 && wanted.is_match(below) {
            let is_dir = entry.file_type().is_some_and(|kind| kind.is_dir());
            let end = if is_dir { "/" } else { "" };
            let path = place.shown().join(below);
            listing.add(&format!("{}{end}", path.display()), PATHS_MAX);
        }
    }
    if listing.entries() == 0 {
        return Ok(Outcome::ok(format!(
            "No files match {}. **/ stands for any directories; hidden and git-ignored files need hidden: true.{}",
            input.pattern,
            tree.note()
        )));
    }
    let text = listing.text(true, "narrow the pattern or the path");
    Ok(Outcome::ok(text + &tree.note()))
}
