//! Long outputs of tools that are not part of this crate, in the same files as those of commands.

use std::{io::Write as _, path::PathBuf};

use teammate_core::port::{BoxFuture, OutputFiles, ToolContext};
use teammate_process::{blocking, resolved};

use crate::display::display_path;

/// Files in the team's directory of outputs.
#[derive(Debug, Clone, Copy, Default)]
pub struct FiledOutputs;

impl OutputFiles for FiledOutputs {
    fn file<'a>(
        &'a self,
        text: String,
        context: &'a ToolContext,
    ) -> BoxFuture<'a, Result<PathBuf, String>> {
        Box::pin(async move {
            let path = output_file(context, "txt");
            let to = path.clone();
            let write = move |_: &_| resolved::new_file(&to)?.write_all(text.as_bytes());
            let written = blocking::run(write).await;
            written.map_err(|error| error.to_string())?;
            Ok(display_path(&path, context))
        })
    }
}

/// Where the whole of what a call gives is kept, by the call's name.
pub(crate) fn output_file(context: &ToolContext, extension: &str) -> PathBuf {
    let call = context.caller.call.as_str().chars().map(|c| match c {
        'a'..='z' | 'A'..='Z' | '0'..='9' | '-' | '_' => c,
        _ => '_',
    });
    let call: String = call.take(80).collect();
    let name = format!("{}-{call}.{extension}", context.caller.name);
    context.workspace.outputs.join(name)
}
