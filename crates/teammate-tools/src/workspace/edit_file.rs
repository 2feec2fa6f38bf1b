//! `edit_file`: replaces a piece of text in a file.
//!
//! Edits of one file wait for each other, each reads what the one before left, and the file is
//! compared once more before it is replaced, so that no other change is lost.

use std::path::Path;

use schemars::JsonSchema;
use serde::Deserialize;
use teammate_core::{
    port::{Action, BoxFuture, Target, ToolContext},
    secrets::Secrets,
    tool::{EffectClass, Outcome},
};

use crate::{
    beneath::{Intent, ResolvedPath, resolve},
    blocking::{self, CancelFlag},
    typed_tool::{Reply, TypedTool},
    workspace::{file_change::Foreseen, file_locks::FileLocks, text_file::read_whole},
};

mod replace;

use replace::{Replace, Replaced};

/// How often an edit is made anew because another process changed the file meanwhile.
const TRIES_MAX: usize = 5;

/// Shares its locks with the other tools that change files.
pub(super) struct EditFile(pub(super) FileLocks);

#[derive(Clone, Deserialize, JsonSchema)]
pub(super) struct Input {
    #[serde(alias = "file_path")]
    path: String,
    #[serde(alias = "old_string")]
    old_text: String,
    #[serde(alias = "new_string")]
    new_text: String,
    #[serde(default, alias = "replace_all")]
    all: bool,
    #[serde(skip)]
    #[schemars(skip)]
    foreseen: Foreseen,
}

impl Input {
    fn place(&self, context: &ToolContext) -> Result<ResolvedPath, Outcome> {
        Ok(resolve(&context.workspace, &self.path, Intent::Change)?)
    }
}

impl TypedTool for EditFile {
    type Input = Input;
    const NAME: &'static str = "edit_file";
    const DESCRIPTION: &'static str = "Replace old_text: exact and occurring once (all: everywhere). Empty old_text \
        fills a new or empty file.";
    const CLASS: EffectClass = EffectClass::Writes;

    fn action(&self, input: &Input, context: &ToolContext) -> Result<Action, Outcome> {
        let place = input.place(context)?;
        let shown = place.display_path().display().to_string();
        Ok(Action {
            target: Target::Path(place.location()),
            shows: format!("edit {shown}"),
            summary: shown,
        })
    }

    /// The diff.
    fn preview<'a>(
        &'a self,
        input: &Input,
        action: &Action,
        context: &'a ToolContext,
    ) -> Option<BoxFuture<'a, Result<Action, Outcome>>> {
        let (input, target) = (input.clone(), action.target.clone());
        Some(Box::pin(async move {
            let place = input.place(context)?;
            blocking::run(move |_| preview(&input, &place, target)).await
        }))
    }

    async fn run(&self, input: Input, context: &ToolContext) -> Reply {
        let place = input.place(context)?;
        let (lock, secrets) = (self.0.lock(place.full()).await, context.secrets.clone());
        blocking::run(move |stop| {
            let _lock = lock;
            change(&input, &place, &secrets, stop)
        })
        .await
    }
}

fn preview(input: &Input, place: &ResolvedPath, target: Target) -> Result<Action, Outcome> {
    let old = read_whole(place)?;
    let edited = edit(input, place.display_path(), old.as_deref())?;
    let old = old
        .as_deref()
        .map(String::from_utf8_lossy)
        .unwrap_or_default();
    let shown = place.display_path();
    let change = input.foreseen.look(shown, &old, &edited.text);
    let (added, removed) = (change.added, change.removed);
    Ok(Action {
        summary: format!("{} (+{added} -{removed})", shown.display()),
        target,
        shows: change.diff,
    })
}

fn change(
    input: &Input,
    place: &ResolvedPath,
    secrets: &Secrets,
    stop: &CancelFlag,
) -> Result<Outcome, Outcome> {
    let shown = place.display_path().display();
    let failed = |why: std::io::Error| Outcome::error(format!("'{shown}' was not edited: {why}."));
    for _ in 0..TRIES_MAX {
        let old = read_whole(place)?;
        let edited = edit(input, place.display_path(), old.as_deref())?;
        let staged = place.stage(edited.text.as_bytes()).map_err(failed)?;
        if read_whole(place)? != old {
            continue;
        }
        stop.run_unless_cancelled(|| staged.commit())
            .unwrap_or(Ok(()))
            .map_err(failed)?;
        let before = String::from_utf8_lossy(old.as_deref().unwrap_or_default());
        let path = place.display_path();
        let change = input.foreseen.done(path, &before, &edited.text, secrets);
        let done = Outcome::ok(match (&old, edited.count) {
            (None, _) => format!("Created {shown}"),
            (Some(_), 0 | 1) => format!("Edited {shown}"),
            (Some(_), count) => format!("Edited {shown} ({count} places)"),
        });
        return Ok(Outcome {
            change: Some(Box::new(change)),
            ..done
        });
    }
    Err(Outcome::error(format!(
        "'{shown}' was not edited: another program keeps changing it. Try again in a moment."
    )))
}

/// The new text of a file that holds `old`.
fn edit(input: &Input, shown: &Path, old: Option<&[u8]>) -> Result<Replaced, Outcome> {
    let shown = shown.display();
    let replace = Replace {
        old: &input.old_text,
        new: &input.new_text,
        all: input.all,
    };
    let old = match old {
        None if input.old_text.is_empty() => "",
        None => {
            return Err(Outcome::error(format!(
                "'{shown}' does not exist; write it as a new file, or search for its name."
            )));
        }
        Some(bytes) => std::str::from_utf8(bytes).map_err(|_| {
            Outcome::error(format!(
                "'{shown}' is not UTF-8 text, so it is not edited this way; use a shell command."
            ))
        })?,
    };
    replace
        .within(old)
        .map_err(|why| Outcome::error(format!("'{shown}' was not edited: {why}.")))
}
