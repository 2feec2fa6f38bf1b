//! Text from the web as a model is shown it: fenced, and where it is long, its beginning, with the whole in a file.

use std::{io, path::PathBuf};

use teammate_core::{fence::fenced, port::ToolContext, tool::FULL_OUTPUT_IN};
use teammate_process::{blocking, resolved};
use tokio::{fs::File, io::AsyncWriteExt as _};

use crate::{display::display_path, filed::output_file};

/// How much of it a model is shown, in bytes.
const SHOWN_BYTES_MAX: usize = 20_000;

/// The text between fences that say where it is `from`.
pub(super) async fn shown(from: &str, text: &str, context: &ToolContext) -> String {
    let text = context.secrets.redact(text);
    if text.len() <= SHOWN_BYTES_MAX {
        return fenced("fetched", from, &text);
    }
    let start = beginning(&text);
    let path = output_file(context, "md");
    let where_kept = match keep(path.clone(), text.as_bytes()).await {
        Ok(()) => format!(
            "{FULL_OUTPUT_IN}{}; read or search it there",
            display_path(&path, context).display()
        ),
        Err(error) => format!("the whole output could not be kept: {error}"),
    };
    format!(
        "{}\n[... {} of {} bytes left out; {where_kept} ...]",
        fenced("fetched", from, start),
        text.len() - start.len(),
        text.len()
    )
}

/// As much as is shown: whole lines, if they are not too long.
fn beginning(text: &str) -> &str {
    let mut end = SHOWN_BYTES_MAX;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let start = &text[..end];
    match start.rfind('\n') {
        Some(line) if line > SHOWN_BYTES_MAX / 2 => &start[..line],
        Some(_) | None => start,
    }
}

async fn keep(path: PathBuf, bytes: &[u8]) -> io::Result<()> {
    let file = blocking::run(move |_| resolved::new_file(&path)).await?;
    let mut file = File::from_std(file);
    file.write_all(bytes).await?;
    file.flush().await
}
