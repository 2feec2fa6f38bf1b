//! Tools that touch the world: the shell, files, search.

mod bash;
mod edit_file;
mod file_change;
mod file_locks;
mod glob;
mod grep;
mod known;
mod read_file;
mod search;
mod text_encoding;
mod text_file;
mod text_form;
mod whole_write;
mod write_file;

use std::sync::Arc;

use teammate_core::port::Tool;
use teammate_process::TeamSandbox;

pub(crate) use bash::{Bash, BoundedOutput, SHOWN_BYTES_MAX};
pub(crate) use edit_file::EditFile;
pub(crate) use known::{FileReader, FileVersion, KnownFiles, RunningMark, ShownLines};
pub(crate) use read_file::ReadFile;
pub(crate) use whole_write::WholeWrite;
pub(crate) use write_file::WriteFile;

use crate::typed_tool::typed;

/// Those beside the shell.
pub(crate) fn files(known: &KnownFiles, sandbox: &TeamSandbox) -> Vec<Arc<dyn Tool>> {
    let locks = file_locks::FileLocks::default();
    let (read, write, edit) = (known.clone(), known.clone(), known.clone());
    vec![
        typed(read_file::ReadFile(read)),
        typed(write_file::WriteFile(locks.clone(), write, sandbox.clone())),
        typed(edit_file::EditFile(locks, edit, sandbox.clone())),
        typed(glob::Glob),
        typed(grep::Grep),
    ]
}
