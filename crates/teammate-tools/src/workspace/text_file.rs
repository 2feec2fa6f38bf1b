//! Files as text: what may be edited.

use std::{
    fs::File,
    io::{self, Read as _},
    os::unix::fs::PermissionsExt as _,
    time::SystemTime,
};

use teammate_core::tool::Outcome;

use crate::beneath::ResolvedPath;

/// The largest file that is edited as a whole.
const EDITED_BYTES_MAX: u64 = 16 << 20;

/// A regular file, read as a whole.
pub(super) struct WholeFile {
    pub(super) bytes: Vec<u8>,
    pub(super) changed_at: Option<SystemTime>,
    /// Nobody may write it.
    pub(super) is_read_only: bool,
    /// It can be run as a program.
    pub(super) is_executable: bool,
}

/// The regular file at `place`; nothing if there is no file.
pub(super) fn read_whole(place: &ResolvedPath) -> Result<Option<WholeFile>, Outcome> {
    let shown = place.display_path().display();
    let failed = |why: io::Error| Outcome::error(format!("'{shown}' cannot be read: {why}."));
    let file = match place.open() {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(failed(error)),
    };
    let kind = file.metadata().map_err(failed)?;
    if kind.is_dir() {
        return Err(Outcome::error(format!(
            "'{shown}' is a directory; give the path of a file."
        )));
    }
    if !kind.is_file() {
        return Err(Outcome::error(format!("'{shown}' is not a regular file.")));
    }
    if kind.len() > EDITED_BYTES_MAX {
        return Err(Outcome::error(format!(
            "'{shown}' has {} bytes, too many to change this way; use a shell command, for example sed.",
            kind.len()
        )));
    }
    let bytes = read_to_end(file).map_err(failed)?;
    Ok(Some(WholeFile {
        bytes,
        changed_at: kind.modified().ok(),
        is_read_only: kind.permissions().readonly(),
        is_executable: kind.permissions().mode() & 0o111 != 0,
    }))
}

fn read_to_end(mut file: File) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    Ok(bytes)
}
