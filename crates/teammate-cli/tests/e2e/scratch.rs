//! Where tests write: in memory where there is room, for hundreds of small directories and their syncs take half of the time on a disk.

use std::path::Path;

use tempfile::TempDir;

/// Linux keeps it in memory.
const MEMORY: &str = "/dev/shm";

/// A container may have 64 MiB; some tests write more at the same time.
const MEMORY_FREE_MIN: u64 = 4 << 30;

/// A new directory; in `TMPDIR`, if that is set.
pub(crate) fn dir() -> TempDir {
    let is_chosen = std::env::var_os("TMPDIR").is_some();
    let in_memory = (!is_chosen && free(MEMORY.as_ref()) >= MEMORY_FREE_MIN)
        .then(|| tempfile::tempdir_in(MEMORY).ok());
    in_memory
        .flatten()
        .unwrap_or_else(|| tempfile::tempdir().unwrap())
}

fn free(dir: &Path) -> u64 {
    rustix::fs::statvfs(dir).map_or(0, |about| about.f_bavail * about.f_frsize)
}
