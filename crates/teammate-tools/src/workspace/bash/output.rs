//! The output of a command: all of it while it is short; else its head, lines that look like errors, and its tail, and the
//! whole in a file. Progress bars are folded. What runs in the background prints into its file from the start, unfolded, so that it
//! can be read meanwhile.

use std::{
    io,
    path::{Path, PathBuf},
};

use teammate_core::{port::ToolContext, tool::FULL_OUTPUT_IN};
use teammate_process::{blocking, resolved};
use tokio::{fs::File, io::AsyncWriteExt as _};

use super::{
    error_lines::{self, ErrorLines},
    progress::ProgressFold,
    redact::StreamRedactor,
};
use crate::{display::display_path, filed::output_file};

/// How much a model is shown.
pub(crate) const SHOWN_BYTES_MAX: usize = 10_000;
/// How much of the beginning, and of the end, if that is not all.
const HALF: usize = (SHOWN_BYTES_MAX - error_lines::BYTES_MAX) / 2;
/// How much is kept in a file.
const SPILL_BYTES_MAX: u64 = 256 << 20;

/// Collects output in bounded memory.
pub(crate) struct BoundedOutput {
    /// Everything up to the limit; the beginning of it once there is more.
    head: Vec<u8>,
    /// The last bytes once there is more.
    tail: Vec<u8>,
    errors: ErrorLines,
    total: u64,
    lines: u64,
    /// Whether the last line has no end yet.
    is_mid_line: bool,
    kept: SpillFile,
    path: PathBuf,
    shown_path: PathBuf,
    hiding: StreamRedactor,
    /// Of the output that nobody reads meanwhile.
    fold: Option<ProgressFold>,
}

/// The output of a command.
pub(crate) struct CommandOutput {
    /// The text for the model.
    pub(crate) text: String,
    pub(crate) bytes: u64,
    pub(crate) lines: u64,
    /// The file with all of it, if the text has not.
    pub(crate) file: Option<String>,
}

/// Where the whole goes.
enum SpillFile {
    /// Nowhere yet: it is short.
    NotNeeded,
    In {
        file: File,
        bytes: u64,
    },
    Failed(io::Error),
}

impl SpillFile {
    fn of(created: io::Result<File>) -> Self {
        match created {
            Ok(file) => Self::In { file, bytes: 0 },
            Err(error) => Self::Failed(error),
        }
    }
}

impl BoundedOutput {
    /// Nothing yet. A file is named after the call, and made only if one is needed.
    pub(crate) fn new(context: &ToolContext) -> Self {
        Self::into(output_file(context, "txt"), context)
    }

    /// Nothing yet, in a file that is there at once.
    pub(super) async fn streamed(path: PathBuf, context: &ToolContext) -> Self {
        let mut output = Self::into(path, context);
        output.fold = None;
        output.kept = SpillFile::of(create(&output.path).await);
        output
    }

    fn into(path: PathBuf, context: &ToolContext) -> Self {
        Self {
            head: Vec::new(),
            tail: Vec::new(),
            errors: ErrorLines::default(),
            total: 0,
            lines: 0,
            is_mid_line: false,
            kept: SpillFile::NotNeeded,
            shown_path: display_path(&path, context),
            path,
            hiding: StreamRedactor::new(context.secrets.clone()),
            fold: Some(ProgressFold::default()),
        }
    }

    /// Takes what was printed next.
    pub(crate) async fn push(&mut self, bytes: &[u8]) {
        let bytes = self.hiding.take(bytes);
        match &mut self.fold {
            Some(fold) => {
                let bytes = fold.take(&bytes);
                self.take(&bytes).await;
            }
            None => self.take(&bytes).await,
        }
    }

    async fn take(&mut self, bytes: &[u8]) {
        let was_short = self.is_short();
        self.total += bytes.len() as u64;
        self.lines += bytes.iter().filter(|byte| **byte == b'\n').count() as u64;
        self.is_mid_line = bytes.last().map_or(self.is_mid_line, |last| *last != b'\n');
        self.errors.take(bytes, HALF as u64);
        self.spill(bytes).await;
        if was_short {
            self.head.extend_from_slice(bytes);
        } else {
            self.tail.extend_from_slice(bytes);
        }
        if was_short && !self.is_short() {
            if matches!(self.kept, SpillFile::NotNeeded) {
                self.kept = SpillFile::of(create(&self.path).await);
                let whole = std::mem::take(&mut self.head);
                self.spill(&whole).await;
                self.head = whole;
            }
            self.tail = self.head.split_off(HALF);
        }
        if self.tail.len() > 8 * HALF {
            self.tail.drain(..self.tail.len() - HALF);
        }
    }

    fn is_short(&self) -> bool {
        self.total <= SHOWN_BYTES_MAX as u64
    }

    async fn spill(&mut self, chunk: &[u8]) {
        if let SpillFile::In { file, bytes } = &mut self.kept {
            let room = usize::try_from(SPILL_BYTES_MAX - *bytes).unwrap_or(usize::MAX);
            let chunk = &chunk[..chunk.len().min(room)];
            let written = file.write_all(chunk).await;
            // Others may be reading it.
            match written.and(file.flush().await) {
                Ok(()) => *bytes += chunk.len() as u64,
                Err(error) => self.kept = SpillFile::Failed(error),
            }
        }
    }

    /// Finishes reading: the output.
    pub(crate) async fn finish(mut self) -> CommandOutput {
        let mut rest = self.hiding.rest();
        if let Some(fold) = &mut self.fold {
            rest = [fold.take(&rest), fold.rest()].concat();
        }
        self.take(&rest).await;
        if self.is_short() {
            let text = String::from_utf8_lossy(&self.head).into_owned();
            return self.printed(text, None);
        }
        let head = whole_chars_before(&self.head);
        let tail = &self.tail[self.tail.len().saturating_sub(HALF)..];
        let tail = whole_chars_after(tail);
        let left_out = self.total - (head.len() + tail.len()) as u64;
        let mut file_kept = None;
        let where_kept = match &mut self.kept {
            SpillFile::NotNeeded => String::new(),
            SpillFile::In { file, bytes } => match file.flush().await {
                Ok(()) if *bytes < self.total => format!(
                    "the first {bytes} bytes are in {}; read or search it there",
                    self.shown_path.display()
                ),
                Ok(()) => {
                    let path = self.shown_path.display().to_string();
                    let said = format!("{FULL_OUTPUT_IN}{path}; read or search it there");
                    file_kept = Some(path);
                    said
                }
                Err(error) => format!("the whole output could not be kept: {error}"),
            },
            SpillFile::Failed(error) => format!("the whole output could not be kept: {error}"),
        };
        let mut errors = self.errors.before(self.total - tail.len() as u64);
        if !errors.is_empty() {
            errors.insert_str(0, "[Among these, lines that look like errors:]\n");
            errors.push_str("[The end:]\n");
        }
        let text = format!(
            "{}\n[... {left_out} of {} bytes left out here; {where_kept} ...]\n{errors}{}",
            String::from_utf8_lossy(head),
            self.total,
            String::from_utf8_lossy(tail)
        );
        self.printed(text, file_kept)
    }

    fn printed(&self, text: String, file: Option<String>) -> CommandOutput {
        CommandOutput {
            text,
            bytes: self.total,
            lines: self.lines + u64::from(self.is_mid_line),
            file,
        }
    }
}

/// A new file, readable by the user only. The call may have been interrupted once and run again: its output replaces the other.
async fn create(path: &Path) -> io::Result<File> {
    let path = path.to_owned();
    let file = blocking::run(move |_| resolved::new_file(&path)).await?;
    Ok(File::from_std(file))
}

/// Without a character that was cut at the end.
fn whole_chars_before(bytes: &[u8]) -> &[u8] {
    let is_cut = |back: &usize| {
        let end = &bytes[bytes.len().saturating_sub(*back)..];
        std::str::from_utf8(end).is_err_and(|error| error.error_len().is_none())
    };
    match (1..=3).find(is_cut) {
        Some(back) => &bytes[..bytes.len().saturating_sub(back)],
        None => bytes,
    }
}

/// Without the rest of a character that was cut at the start.
fn whole_chars_after(bytes: &[u8]) -> &[u8] {
    let rest = bytes
        .iter()
        .take(3)
        .take_while(|byte| **byte & 0xc0 == 0x80);
    &bytes[rest.count()..]
}
