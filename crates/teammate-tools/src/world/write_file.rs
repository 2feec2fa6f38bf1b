//! `write_file`: makes a file or replaces it as a whole, at once.

use serde::Deserialize;
use teammate_core::{
    port::{Action, BoxFuture, Target, Tool, ToolContext},
    tool::{EffectClass, Outcome, ToolCall, ToolSpec},
};

use crate::{
    beneath::{Intent, Place, resolve},
    blocking::{self, Stop},
    spec::spec,
    world::FileLocks,
};

/// The tool.
pub struct WriteFile {
    spec: ToolSpec,
    locks: FileLocks,
}

#[derive(Deserialize)]
struct Input {
    #[serde(alias = "file_path")]
    path: String,
    content: String,
}

impl WriteFile {
    /// Shares `locks` with the other tools that change files.
    pub fn new(locks: FileLocks) -> Self {
        Self {
            spec: spec!("write_file", EffectClass::Writes),
            locks,
        }
    }
}

impl Tool for WriteFile {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn action(&self, call: &ToolCall, context: &ToolContext) -> Result<Action, Outcome> {
        let input: Input = call.input.parse()?;
        let place = resolve(&context.workspace, &input.path, Intent::Change)?;
        let shown = place.shown().display();
        let verb = if place.open().is_ok() {
            "replace"
        } else {
            "create"
        };
        Ok(Action {
            shows: format!("{verb} {shown} with:\n{}", input.content),
            summary: format!("{shown} ({} bytes)", input.content.len()),
            target: Target::Path(place.location()),
        })
    }

    fn run<'a>(&'a self, call: &'a ToolCall, context: &'a ToolContext) -> BoxFuture<'a, Outcome> {
        Box::pin(async move {
            let found = call.input.parse::<Input>().and_then(|input| {
                let place = resolve(&context.workspace, &input.path, Intent::Change)?;
                Ok((input, place))
            });
            let (input, place) = match found {
                Ok(found) => found,
                Err(outcome) => return outcome,
            };
            let lock = self.locks.lock(place.full()).await;
            blocking::run(move |stop| {
                let _lock = lock;
                write(&place, &input.content, stop)
            })
            .await
        })
    }
}

fn write(place: &Place, content: &str, stop: &Stop) -> Outcome {
    let shown = place.shown().display();
    let written = place.stage(content.as_bytes()).and_then(|staged| {
        let replaced = staged.replaces();
        let committed = stop.unless_set(|| staged.commit());
        committed.unwrap_or(Ok(())).map(|()| replaced)
    });
    let bytes = content.len();
    match written {
        Ok(Some(old)) => Outcome::ok(format!(
            "Wrote {bytes} bytes to {shown} (replaced {old} bytes)"
        )),
        Ok(None) => Outcome::ok(format!("Wrote {bytes} bytes to {shown} (new file)")),
        Err(error) => Outcome::error(format!("'{shown}' was not written: {error}.")),
    }
}
