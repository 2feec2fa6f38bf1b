//! `write_file`: makes a file or replaces it as a whole, at once ([`WholeWrite`]).

use schemars::JsonSchema;
use serde::Deserialize;
use teammate_core::{
    port::{Action, BoxFuture, Target, ToolContext},
    tool::{EffectClass, Outcome},
};
use teammate_process::{TeamSandbox, blocking};

use crate::{
    beneath::{Intent, resolve},
    typed_tool::{Reply, TypedTool},
    workspace::{
        file_locks::{AllowedChanges, FileLocks},
        known::{FileReader, KnownFiles},
        whole_write::WholeWrite,
    },
};

/// Shares its locks with the other tools that change files, and what members know.
pub(crate) struct WriteFile(
    pub(super) FileLocks,
    pub(super) KnownFiles,
    pub(super) TeamSandbox,
);

#[derive(Clone, Deserialize, JsonSchema)]
pub(crate) struct Input {
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

    /// Refuses, before anybody is asked, what would replace content that the caller does not know.
    fn preview<'a>(
        &'a self,
        input: &Input,
        action: &Action,
        context: &'a ToolContext,
    ) -> Option<BoxFuture<'a, Result<Action, Outcome>>> {
        let (input, action) = (input.clone(), action.clone());
        Some(Box::pin(async move {
            let write = self.write(&input, context)?;
            blocking::run(move |_| write.looked_at().map(|_| action)).await
        }))
    }

    async fn run(&self, input: Input, context: &ToolContext) -> Reply {
        let write = self.write(&input, context)?;
        let lock = self.0.lock(write.place.full()).await;
        blocking::run(move |stop| {
            let _lock = lock;
            write.run(stop)
        })
        .await
    }
}

impl WriteFile {
    fn write(&self, input: &Input, context: &ToolContext) -> Result<WholeWrite, Outcome> {
        Ok(WholeWrite {
            by: WriteFile::NAME,
            place: resolve(&context.workspace, &input.path, Intent::Change)?,
            content: input.content.clone(),
            known: self.1.clone(),
            reader: FileReader::of(&context.caller),
            call: context.caller.call.clone(),
            secrets: context.secrets.clone(),
            allowed: Some(AllowedChanges::of(&self.2, &context.workspace)),
        })
    }
}
