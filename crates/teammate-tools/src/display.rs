//! How a path is shown to a model, relative to its workspace where it is below that; a job with the path of its output; and the
//! beginning of a text.

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

/// The first line of `text`, at most `max` characters, for a line on a screen.
pub(crate) fn one_line(text: &str, max: usize) -> String {
    let line = text.trim().lines().next().unwrap_or_default();
    let whole = line.len() == text.trim().len() && line.chars().count() <= max;
    let mut short: String = line.chars().take(max).collect();
    if !whole {
        short.push_str("...");
    }
    short
}
