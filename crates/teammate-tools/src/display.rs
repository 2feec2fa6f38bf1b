//! How a path is shown to a model, relative to its workspace where it is below that; and a job with the path of its output.

use std::path::{Path, PathBuf};

use teammate_core::port::{JobReport, ToolContext};

/// The path as the caller writes it.
pub(crate) fn display_path(path: &Path, context: &ToolContext) -> PathBuf {
    let within = path.strip_prefix(&context.workspace.root);
    within.unwrap_or(path).to_owned()
}

/// A job was started; `output` says what is in its file.
pub(crate) fn job_started(view: &JobReport, output: &str, context: &ToolContext) -> String {
    format!(
        "Started in the background as job {}. {output} {}. You get a notice when it ends; {} shows or stops it.",
        view.job.id,
        display_path(&view.output, context).display(),
        context.tool_names.of("task_output")
    )
}
