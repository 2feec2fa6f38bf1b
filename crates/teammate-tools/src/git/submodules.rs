//! The submodules of a repository: git goes into them when it looks for changes, and does what their own configuration says.

use std::path::{Path, PathBuf};

use super::{ProgramsError, reader::Reader};

/// The longest list of files that is read, in bytes.
const LIST_BYTES_MAX: u64 = 1 << 30;
/// The most that are looked at.
const SUBMODULES_MAX: usize = 100;

/// Paths of those that are checked out, with the names they have in the repository.
pub(super) fn read(reader: &Reader<'_>) -> Result<Vec<(String, PathBuf)>, ProgramsError> {
    let list = ["ls-files", "--stage", "--full-name", "-z", "--", ":/"];
    let is_submodule = |entry: &[u8]| entry.starts_with(b"160000 ");
    let found = match reader.run_for(&list, LIST_BYTES_MAX, is_submodule) {
        Ok(found) => found,
        // Without files there are none.
        Err(ProgramsError::Unreadable(_)) => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    if found.is_empty() {
        return Ok(Vec::new());
    }
    let top = reader.line(&["rev-parse", "--show-toplevel"])?;
    let paths = found.split(|byte| *byte == 0).filter_map(|entry| {
        let at = entry.iter().position(|byte| *byte == b'\t')?;
        str::from_utf8(&entry[at + 1..]).ok()
    });
    let there: Vec<_> = paths
        .map(|path| (path.to_owned(), Path::new(&top).join(path)))
        .filter(|(_, dir)| dir.join(".git").exists())
        .take(SUBMODULES_MAX + 1)
        .collect();
    if there.len() > SUBMODULES_MAX {
        return Err(ProgramsError::TooLong);
    }
    Ok(there)
}
