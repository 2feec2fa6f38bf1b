//! Tools that touch the world: the shell, files, search.

mod bash;
mod edit_file;
mod file_change;
mod file_locks;
mod glob;
mod grep;
mod read_file;
mod search;
mod text_file;
mod write_file;

use std::sync::Arc;

use teammate_core::port::Tool;

pub(crate) use bash::{Bash, Output, SHOWN_BYTES_MAX, output_file};
pub(crate) use search::has_sound_ignore_files;

use crate::typed_tool::typed;

/// Those beside the shell.
pub(crate) fn files() -> Vec<Arc<dyn Tool>> {
    let locks = file_locks::FileLocks::default();
    vec![
        typed(read_file::ReadFile),
        typed(write_file::WriteFile(locks.clone())),
        typed(edit_file::EditFile(locks)),
        typed(glob::Glob),
        typed(grep::Grep),
    ]
}
