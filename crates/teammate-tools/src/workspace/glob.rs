//! `glob`: finds files by the pattern of their paths.

use schemars::JsonSchema;
use serde::Deserialize;
use teammate_core::{
    port::{Action, Target, ToolContext, Workspace},
    tool::{EffectClass, Outcome},
};
use teammate_process::blocking::{self, CancelFlag};

use crate::{
    beneath::{Intent, resolve},
    typed_tool::{Reply, TypedTool},
    workspace::search::{Listing, SearchBase, SearchPattern, walk},
};

/// How many paths are shown.
const PATHS_MAX: usize = 500;

pub(super) struct Glob;

#[derive(Deserialize, JsonSchema)]
pub(super) struct Input {
    pattern: String,
    /// Where to start.
    #[serde(default)]
    path: SearchBase,
    #[serde(default)]
    hidden: bool,
}

impl TypedTool for Glob {
    type Input = Input;
    const NAME: &'static str = "glob";
    const DESCRIPTION: &'static str = "Find files, sorted: `**/*.rs`, `src/*.{ts,tsx}`; `*` lists a directory. Hidden and \
        git-ignored files only with hidden.";
    const CLASS: EffectClass = EffectClass::Reads;

    fn action(&self, input: &Input, context: &ToolContext) -> Result<Action, Outcome> {
        let place = resolve(&context.workspace, input.path.as_str(), Intent::Look)?;
        let whole = place.display_path().as_os_str().is_empty();
        let summary = if whole {
            input.pattern.clone()
        } else {
            format!("{} in {}", input.pattern, place.display_path().display())
        };
        Ok(Action {
            target: Target::Path(place.location()),
            shows: format!("list files like {summary}"),
            summary,
        })
    }

    async fn run(&self, input: Input, context: &ToolContext) -> Reply {
        let workspace = context.workspace.clone();
        blocking::run(move |stop| list(&input, &workspace, stop)).await
    }
}

fn list(input: &Input, workspace: &Workspace, stop: &CancelFlag) -> Result<Outcome, Outcome> {
    let wanted = SearchPattern::parse(&input.pattern)?;
    let place = resolve(workspace, input.path.as_str(), Intent::Look)?;
    if !place.full().is_dir() {
        return Err(Outcome::error(format!(
            "'{}' is not a directory; path is where the search begins.",
            input.path.as_str()
        )));
    }
    let mut listing = Listing::default();
    let mut tree = walk(workspace, place.full(), input.hidden, stop);
    for found in tree.by_ref() {
        if wanted.is_match(&found.below) {
            let end = if found.is_dir { "/" } else { "" };
            let path = place.display_path().join(&found.below);
            listing.add(&format!("{}{end}", path.display()), PATHS_MAX);
        }
    }
    if listing.entries() == 0 {
        wanted.require_glob()?;
        return Ok(Outcome::ok(format!(
            "No files match {}. **/ stands for any directories; hidden and git-ignored files need hidden: true.{}",
            input.pattern,
            tree.note()
        )));
    }
    let text = listing.text(true, "narrow the pattern or the path");
    Ok(Outcome::ok(text + &tree.note()))
}
