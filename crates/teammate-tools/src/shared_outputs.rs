//! Long outputs that members on other machines can read: what a call keeps in a file is put with the team's objects as well, and a
//! kept output that is not here is fetched before a call that names it runs.
//!
//! The newest are kept, so that outputs never take the room of work. What cannot be put or fetched changes no outcome.

use std::{
    io::{Read as _, Write as _},
    path::Path,
    sync::Arc,
};

use serde::Deserialize;
use teammate_core::{
    port::{BoxFuture, ObjectStore, ObjectStoreError, ReadyCall, Tool, ToolContext},
    tool::{Outcome, ToolInput, ToolSpec},
};
use teammate_process::{blocking, resolved};
use uuid::Uuid;

use crate::filed::output_file;

/// The beginning of the names of such objects. A moment follows, so that the oldest comes first, then the file's name.
const PREFIX: &str = "output/";
/// How many hexadecimal digits a moment has.
const MOMENT_DIGITS: usize = 12;
/// The most outputs that are kept there.
const OUTPUTS_MAX: usize = 64;
/// The most bytes of one that is put there.
const BYTES_MAX: u64 = 4 << 20;
/// The endings of files with outputs.
const ENDINGS: [&str; 2] = ["txt", "md"];

/// A tool whose long outputs are shared, and that reads those of others.
pub(crate) struct Sharing {
    tool: Arc<dyn Tool>,
    outputs: SharedOutputs,
}

/// The outputs of one team.
#[derive(Clone)]
struct SharedOutputs(Arc<dyn ObjectStore>);

/// The part of a call's input that may name an output.
#[derive(Deserialize)]
struct Named {
    #[serde(alias = "file_path")]
    path: Option<String>,
}

impl Sharing {
    pub(crate) fn new(tool: Arc<dyn Tool>, objects: Arc<dyn ObjectStore>) -> Self {
        let outputs = SharedOutputs(objects);
        Self { tool, outputs }
    }
}

impl Tool for Sharing {
    fn spec(&self) -> &ToolSpec {
        self.tool.spec()
    }

    fn is_offered(&self) -> bool {
        self.tool.is_offered()
    }

    fn stands_for(&self, input: &ToolInput) -> Result<Option<(String, ToolInput)>, Outcome> {
        self.tool.stands_for(input)
    }

    fn only_looks(&self, input: &ToolInput) -> bool {
        self.tool.only_looks(input)
    }

    fn read<'a>(
        &'a self,
        input: &ToolInput,
        context: &'a ToolContext,
    ) -> Result<ReadyCall<'a>, Outcome> {
        let ready = self.tool.read(input, context)?;
        let missing = missing(input, context);
        let run: BoxFuture<'a, Outcome> = Box::pin(async move {
            if let Some(name) = missing {
                // Then the tool says that it is not there.
                let _ = self.outputs.fetch(&name, context).await;
            }
            let outcome = ready.run.await;
            // It can be read here all the same.
            let _ = self.outputs.share(context).await;
            outcome
        });
        Ok(ReadyCall { run, ..ready })
    }
}

/// The kept output that a call names and that is not on this machine.
fn missing(input: &ToolInput, context: &ToolContext) -> Option<String> {
    let path = input.parse::<Named>().ok()?.path?;
    let workspace = &context.workspace;
    let path = workspace.root.join(path);
    let name = path.strip_prefix(&workspace.outputs).ok()?.to_str()?;
    let is_name = !name.is_empty() && !name.contains(['/', '\\']) && !name.starts_with('.');
    (is_name && !path.exists()).then(|| name.to_owned())
}

impl SharedOutputs {
    /// Puts what this call has kept where others find it.
    async fn share(&self, context: &ToolContext) -> Result<(), ObjectStoreError> {
        for path in ENDINGS.map(|ending| output_file(context, ending)) {
            let Some(name) = path.file_name().and_then(|name| name.to_str()) else {
                continue;
            };
            let name = name.to_owned();
            let Some(bytes) = blocking::run(move |_| content(&path)).await else {
                continue;
            };
            let moment = Uuid::now_v7().simple().to_string();
            let name = format!("{PREFIX}{}/{name}", &moment[..MOMENT_DIGITS]);
            self.0.put(&name, bytes).await?;
            let names = self.0.names(PREFIX).await?;
            for old in names.iter().take(names.len().saturating_sub(OUTPUTS_MAX)) {
                self.0.remove(old).await?;
            }
        }
        Ok(())
    }

    async fn fetch(&self, name: &str, context: &ToolContext) -> Result<(), ObjectStoreError> {
        let names = self.0.names(PREFIX).await?;
        let is_it = |known: &&String| known.rsplit('/').next() == Some(name);
        let Some(known) = names.iter().rfind(is_it) else {
            return Ok(());
        };
        if let Some(bytes) = self.0.get(known).await? {
            let path = context.workspace.outputs.join(name);
            let write = move |_: &_| resolved::new_file(&path)?.write_all(&bytes);
            let written = blocking::run(write).await;
            written.map_err(|error| ObjectStoreError(error.to_string()))?;
        }
        Ok(())
    }
}

/// The content of a kept output, if there is one and it is not too large.
fn content(path: &Path) -> Option<Vec<u8>> {
    let file = resolved::open_file(path).ok()?;
    if file.metadata().ok()?.len() > BYTES_MAX {
        return None;
    }
    let mut bytes = Vec::new();
    file.take(BYTES_MAX).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}
