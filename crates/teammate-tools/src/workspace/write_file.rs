//! `write_file`: makes a file or replaces it as a whole, at once.

use schemars::JsonSchema;
use serde::Deserialize;
use teammate_core::{
    event::FileChange,
    port::{Action, Target, ToolContext},
    secrets::Secrets,
    tool::{EffectClass, Outcome},
};

use crate::{
    beneath::{Intent, ResolvedPath, resolve},
    blocking::{self, CancelFlag},
    typed_tool::{Reply, TypedTool},
    workspace::{
        file_change::{Foreseen, replaced},
        file_locks::FileLocks,
        text_file::read_whole,
    },
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
        let (lock, secrets) = (self.0.lock(place.full()).await, context.secrets.clone());
        let work = move |stop: &CancelFlag| {
            let _lock = lock;
            write(&place, &input.content, &secrets, stop)
        };
        Ok(blocking::run(work).await)
    }
}

fn write(place: &ResolvedPath, content: &str, secrets: &Secrets, stop: &CancelFlag) -> Outcome {
    let shown = place.display_path().display();
    let before = read_whole(place);
    let written = place.stage(content.as_bytes()).and_then(|staged| {
        let replaced = staged.replaces();
        let committed = stop.run_unless_cancelled(|| staged.commit());
        committed.unwrap_or(Ok(())).map(|()| replaced)
    });
    let bytes = content.len();
    let done = match written {
        Ok(Some(old)) => Outcome::ok(format!(
            "Wrote {bytes} bytes to {shown} (replaced {old} bytes)"
        )),
        Ok(None) => Outcome::ok(format!("Wrote {bytes} bytes to {shown} (new file)")),
        Err(error) => return Outcome::error(format!("'{shown}' was not written: {error}.")),
    };
    let before = before
        .as_ref()
        .map(|old| old.as_deref().unwrap_or_default());
    Outcome {
        change: Some(Box::new(change(place, before.ok(), content, secrets))),
        ..done
    }
}

/// What was changed, if the file held `before`. It is `None` if that cannot be compared.
fn change(
    place: &ResolvedPath,
    before: Option<&[u8]>,
    content: &str,
    secrets: &Secrets,
) -> FileChange {
    let path = place.display_path();
    match before.map(str::from_utf8) {
        Some(Ok(before)) => Foreseen::default().done(path, before, content, secrets),
        Some(Err(_)) | None => replaced(path, content),
    }
}
