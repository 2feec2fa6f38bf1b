//! A repository's hooks: files that can be run in the directory where git looks for them.

use std::{
    fs::{self, File},
    io::{self, Read as _},
    os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _},
    path::Path,
};

/// The longest that is read, in bytes.
const BYTES_MAX: u64 = 1 << 20;

/// Their names and contents, by name. None where there is no such directory.
pub(super) fn read(dir: &Path) -> io::Result<Vec<(String, Vec<u8>)>> {
    let entries = match fs::read_dir(dir) {
        Ok(entries) => entries,
        Err(error) if is_absent(&error) => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let mut hooks = Vec::new();
    for entry in entries {
        let entry = entry?;
        // None of git's has a name with a dot in it; the samples have.
        let Ok(name) = entry.file_name().into_string() else {
            continue;
        };
        if !name.contains('.') && can_be_run(&entry.path()) {
            hooks.push((name, content(&entry.path())?));
        }
    }
    hooks.sort();
    Ok(hooks)
}

fn is_absent(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
    )
}

fn can_be_run(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}

fn content(path: &Path) -> io::Result<Vec<u8>> {
    let mut options = File::options();
    // Something else may have come into its place.
    let file = options
        .read(true)
        .custom_flags(rustix::fs::OFlags::NONBLOCK.bits().cast_signed())
        .open(path)?;
    let mut bytes = Vec::new();
    file.take(BYTES_MAX + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > BYTES_MAX {
        let why = format!("the hook {} is longer than 1 MiB", path.display());
        return Err(io::Error::other(why));
    }
    Ok(bytes)
}
