//! `edit_file`: replaces a piece of text in a file.
//!
//! Edits of one file wait for each other, each reads what the one before left, and the file is compared once more
//! before it is replaced, so that no change by another is lost, whoever made it.

use std::path::Path;

use serde::Deserialize;
use teammate_core::{
    port::{Action, BoxFuture, Target, Tool, ToolContext},
    tool::{EffectClass, Outcome, ToolCall, ToolSpec},
};

use crate::{
    beneath::{Intent, Place, resolve},
    blocking::{self, Stop},
    spec::spec,
    world::{
        FileLocks,
        text::{diff, read_whole},
    },
};

mod replace;

use replace::{Replace, Replaced};

/// How often an edit is made anew because another process changed the file meanwhile.
const TRIES_MAX: usize = 5;

/// The tool.
pub struct EditFile {
    spec: ToolSpec,
    locks: FileLocks,
}

#[derive(Deserialize)]
struct Input {
    #[serde(alias = "file_path")]
    path: String,
    #[serde(alias = "old_string")]
    old_text: String,
    #[serde(alias = "new_string")]
    new_text: String,
    #[serde(default, alias = "replace_all")]
    all: bool,
}

impl EditFile {
    /// Shares `locks` with the other tools that change files.
    pub fn new(locks: FileLocks) -> Self {
        Self {
            spec: spec!("edit_file", EffectClass::Writes),
            locks,
        }
    }
}

impl Tool for EditFile {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn action(&self, call: &ToolCall, context: &ToolContext) -> Result<Action, Outcome> {
        let (input, place) = find(call, context)?;
        let old = read_whole(&place)?;
        let edited = edit(&input, place.shown(), old.as_deref())?;
        let old = old
            .as_deref()
            .map(String::from_utf8_lossy)
            .unwrap_or_default();
        let shows = diff(place.shown(), &old, &edited.text);
        let lines = |sign: char| {
            let is_changed = |line: &&str| line.starts_with(sign);
            shows.lines().skip(2).filter(is_changed).count()
        };
        Ok(Action {
            summary: format!(
                "{} (+{} -{})",
                place.shown().display(),
                lines('+'),
                lines('-')
            ),
            target: Target::Path(place.location()),
            shows,
        })
    }

    fn run<'a>(&'a self, call: &'a ToolCall, context: &'a ToolContext) -> BoxFuture<'a, Outcome> {
        Box::pin(async move {
            let (input, place) = match find(call, context) {
                Ok(found) => found,
                Err(outcome) => return outcome,
            };
            let lock = self.locks.lock(place.full()).await;
            blocking::run(move |stop| {
                let _lock = lock;
                change(&input, &place, stop).unwrap_or_else(|outcome| outcome)
            })
            .await
        })
    }
}

fn find(call: &ToolCall, context: &ToolContext) -> Result<(Input, Place), Outcome> {
    let input: Input = call.input.parse()?;
    let place = resolve(&context.workspace, &input.path, Intent::Change)?;
    Ok((input, place))
}

fn change(input: &Input, place: &Place, stop: &Stop) -> Result<Outcome, Outcome> {
    let shown = place.shown().display();
    let failed = |why: std::io::Error| Outcome::error(format!("'{shown}' was not edited: {why}."));
    for _ in 0..TRIES_MAX {
        let old = read_whole(place)?;
        let edited = edit(input, place.shown(), old.as_deref())?;
        let staged = place.stage(edited.text.as_bytes()).map_err(failed)?;
        if read_whole(place)? != old {
            continue;
        }
        stop.unless_set(|| staged.commit())
            .unwrap_or(Ok(()))
            .map_err(failed)?;
        return Ok(Outcome::ok(match (old, edited.count) {
            (None, _) => format!("Created {shown}"),
            (Some(_), 0 | 1) => format!("Edited {shown}"),
            (Some(_), count) => format!("Edited {shown} ({count} places)"),
        }));
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
