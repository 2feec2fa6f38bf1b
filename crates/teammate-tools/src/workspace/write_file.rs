//! `write_file`: makes a file or replaces it as a whole, at once.

use schemars::JsonSchema;
use serde::Deserialize;
use teammate_core::{
    port::{Action, Target, ToolContext},
    tool::{EffectClass, Outcome},
};

use crate::{
    beneath::{Intent, ResolvedPath, resolve},
    blocking::{self, CancelFlag},
    typed_tool::{Reply, TypedTool},
    workspace::file_locks::FileLocks,
};

/// Shares its locks with the other tools that change files.
pub(super) struct WriteFile(pub(super) FileLocks);

#[derive(Deserialize, JsonSchema)]
pub(super) struct Input {
    #[serde(alias = "file_path")]
    path: String,
    content: String,
}

impl TypedTool for WriteFile {
    type Input = Input;
    const NAME: &'static str = "write_file";
    const DESCRIPTION: &'static str =
        "Create or wholly replace a file; change a part with {tool:edit_file}.";
    const CLASS: EffectClass = EffectClass::Writes;

    fn action(&self, input: &Input, context: &ToolContext) -> Result<Action, Outcome> {
        let place = resolve(&context.workspace, &input.path, Intent::Change)?;
        let shown = place.display_path().display();
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

    async fn run(&self, input: Input, context: &ToolContext) -> Reply {
        let place = resolve(&context.workspace, &input.path, Intent::Change)?;
        let lock = self.0.lock(place.full()).await;
        let work = move |stop: &CancelFlag| {
            let _lock = lock;
            write(&place, &input.content, stop)
        };
        Ok(blocking::run(work).await)
    }
}

fn write(place: &ResolvedPath, content: &str, stop: &CancelFlag) -> Outcome {
    let shown = place.display_path().display();
    let written = place.stage(content.as_bytes()).and_then(|staged| {
        let replaced = staged.replaces();
        let committed = stop.run_unless_cancelled(|| staged.commit());
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
