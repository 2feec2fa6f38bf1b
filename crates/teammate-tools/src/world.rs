//! Tools that touch the world: the shell, files, search.

mod bash;
mod edit_file;
mod file_locks;
mod glob;
mod grep;
mod read_file;
mod search;
mod text;
mod write_file;

pub use bash::Bash;
pub(crate) use bash::{Output, SHOWN_BYTES_MAX};
pub use edit_file::EditFile;
pub use file_locks::FileLocks;
pub use glob::Glob;
pub use grep::Grep;
pub use read_file::ReadFile;
pub use write_file::WriteFile;
