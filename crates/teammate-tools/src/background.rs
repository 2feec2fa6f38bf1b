//! Tools for background jobs. They touch the caller's own jobs only (the lead's: everybody's), and so belong to the team's
//! tools; what starts a job needs its own permission.

mod task_output;
mod task_stop;

use std::{io, path::Path, sync::Arc};

use teammate_core::{
    port::{JobReport, Tool, ToolContext},
    team::{Job, JobEnd},
};
use teammate_process::{blocking, resolved};
use tokio::{
    fs::File,
    io::{AsyncReadExt as _, AsyncSeekExt as _},
};

use crate::{display::display_path, typed_tool::typed, workspace::SHOWN_BYTES_MAX};

/// Those of every member.
pub(crate) fn shared() -> Vec<Arc<dyn Tool>> {
    vec![typed(task_output::TaskOutput), typed(task_stop::TaskStop)]
}

/// A job as the model reads it: its state, and what it has printed.
async fn job_text(view: &JobReport, context: &ToolContext) -> String {
    let state = match (&view.job.end, &view.outcome) {
        (Some(end), _) => format!("has ended: {end}"),
        (None, Some(_)) => "has ended".to_owned(),
        (None, None) => "is running".to_owned(),
    };
    let path = display_path(&view.output, context).display().to_string();
    let output = match (&view.outcome, &view.elsewhere) {
        (Some(outcome), _) => outcome.text(),
        (None, Some(worker)) => format!("(that file is on worker '{worker}': ask its member)"),
        (None, None) => match output_tail(&view.output, &path).await {
            Ok(text) if text.is_empty() => "(no output so far)".to_owned(),
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                "(no output so far)".to_owned()
            }
            Err(error) => format!("(its output cannot be read: {error})"),
        },
    };
    let (id, title) = (view.job.id, &view.job.title);
    format!("{id} ({title}) {state}. Its output is in {path}:\n{output}")
}

/// The caller's jobs, a line each.
fn listed(jobs: &[Job]) -> String {
    let lines: Vec<String> = jobs
        .iter()
        .map(|job| {
            let state = job
                .end
                .as_ref()
                .map_or("running".to_owned(), JobEnd::to_string);
            format!("{} ({}'s): {state}: {}", job.id, job.owner, job.title)
        })
        .collect();
    if lines.is_empty() {
        "You have no jobs.".to_owned()
    } else {
        lines.join("\n")
    }
}

/// The end of a file, as much as a model is shown at once.
async fn output_tail(path: &Path, shown: &str) -> io::Result<String> {
    let path = path.to_owned();
    let mut file = File::from_std(blocking::run(move |_| resolved::open_file(&path)).await?);
    let length = file.metadata().await?.len();
    let from = length.saturating_sub(SHOWN_BYTES_MAX as u64);
    file.seek(io::SeekFrom::Start(from)).await?;
    let mut bytes = Vec::new();
    file.take(SHOWN_BYTES_MAX as u64)
        .read_to_end(&mut bytes)
        .await?;
    let text = String::from_utf8_lossy(&bytes);
    Ok(if from == 0 {
        text.into_owned()
    } else {
        format!(
            "[... the first {from} of {length} bytes left out here; {shown} has all ...]\n{text}"
        )
    })
}
