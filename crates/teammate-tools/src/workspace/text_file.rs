//! Files as text: what may be edited.

use std::{
    fs::File,
    io::{self, Read as _},
};

use teammate_core::tool::Outcome;

use crate::beneath::ResolvedPath;

/// The largest file that is edited as a whole.
const EDITED_BYTES_MAX: u64 = 16 << 20;

/// The bytes of the regular file at `place`; nothing if there is no file.
pub(super) fn read_whole(place: &ResolvedPath) -> Result<Option<Vec<u8>>, Outcome> {
    let shown = place.display_path().display();
    let failed = |why: io::Error| Outcome::error(format!("'{shown}' cannot be read: {why}."));
    let file = match place.open() {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(failed(error)),
    };
    let kind = file.metadata().map_err(failed)?;
    if !kind.is_file() {
        return Err(Outcome::error(format!("'{shown}' is not a regular file.")));
    }
    if kind.len() > EDITED_BYTES_MAX {
        return Err(Outcome::error(format!(
            "'{shown}' has {} bytes, too many to edit this way; use a shell command, for example sed.",
            kind.len()
        )));
    }
    read_to_end(file).map(Some).map_err(failed)
}

fn read_to_end(mut file: File) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    Ok(bytes)
}
