//! `--attach`: files that go with a job or a message.

use std::path::{Path, PathBuf};

use clap::Args;
use teammate::attachments::{AttachError, Attachments, read_attachments};

/// Files that go with a text.
#[derive(Args, Default)]
pub(crate) struct Attach {
    /// Show the recipient this picture (PNG, JPEG, GIF, WebP) or PDF document; can be given several times
    #[arg(long, value_name = "FILE")]
    attach: Vec<PathBuf>,
}

impl Attach {
    /// Reads the files. Relative paths are the shell's.
    pub(crate) async fn read(self, workspace: &Path) -> Result<Attachments, AttachError> {
        read_attachments(workspace, self.attach).await
    }
}
