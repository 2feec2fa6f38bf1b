//! Opens files by path that are no team's: the user's state, their configuration, what a workspace
//! brings. Only regular files, so that a named pipe under a known name is an error and not a hang.
//!
//! Links are followed, since people keep their configuration elsewhere.

use std::{
    fs::{self, File, FileType, OpenOptions},
    io::{self, Read as _},
    os::unix::fs::{FileTypeExt as _, OpenOptionsExt as _},
    path::Path,
};

use rustix::fs::OFlags;

use super::unfit::{FileKind, UnfitFile, opening};

/// Opens a regular file with these options; flags that they set themselves do not count.
///
/// Errors: [`UnfitFile`] if something else has that name, a link that leads nowhere included.
pub fn open_regular(options: &OpenOptions, path: &Path) -> io::Result<File> {
    open_with(options, OFlags::NONBLOCK, path)
}

/// Reads a regular file whole.
///
/// Errors: [`UnfitFile`] if something else has that name.
pub fn read_regular(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open_regular(OpenOptions::new().read(true), path)?.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Reads a regular file of text whole.
///
/// Errors: [`UnfitFile`] if something else has that name; it is no UTF-8.
pub fn read_regular_text(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    open_regular(OpenOptions::new().read(true), path)?.read_to_string(&mut text)?;
    Ok(text)
}

/// Opens with these flags of `open`.
pub(super) fn open_with(options: &OpenOptions, flags: OFlags, path: &Path) -> io::Result<File> {
    let flags = i32::try_from(flags.bits()).map_err(io::Error::other)?;
    let file = match options.clone().custom_flags(flags).open(path) {
        Ok(file) => file,
        Err(why) => {
            let unfit = expected_file(path).err();
            return Err(unfit.unwrap_or_else(|| opening(path, why)));
        }
    };
    let found = kind(file.metadata()?.file_type());
    if found == FileKind::File {
        return Ok(file);
    }
    Err(unfit(path, found))
}

/// An error that says what is there, if it is no regular file.
fn expected_file(path: &Path) -> io::Result<()> {
    let Ok(named) = fs::symlink_metadata(path) else {
        return Ok(());
    };
    let named = named.file_type();
    // A link that leads to something is what it leads to.
    let found = match fs::metadata(path) {
        Ok(found) => kind(found.file_type()),
        Err(why) if why.kind() == io::ErrorKind::PermissionDenied => return Ok(()),
        Err(_) => kind(named),
    };
    if found == FileKind::File {
        return Ok(());
    }
    Err(unfit(path, found))
}

fn unfit(path: &Path, found: FileKind) -> io::Error {
    UnfitFile::Kind {
        path: path.to_owned(),
        found,
        wanted: FileKind::File,
    }
    .into()
}

fn kind(found: FileType) -> FileKind {
    [
        (found.is_file(), FileKind::File),
        (found.is_dir(), FileKind::Directory),
        (found.is_symlink(), FileKind::Link),
        (found.is_fifo(), FileKind::Fifo),
        (found.is_socket(), FileKind::Socket),
        (
            found.is_block_device() || found.is_char_device(),
            FileKind::Device,
        ),
    ]
    .into_iter()
    .find_map(|(is_so, kind)| is_so.then_some(kind))
    .unwrap_or(FileKind::Unknown)
}

#[cfg(test)]
mod tests {
    use std::os::unix::{fs::symlink, net::UnixListener};

    use rustix::fs::{CWD, FileType, Mode};

    use super::*;

    #[test]
    fn what_is_no_regular_file_is_refused_by_name_and_never_waited_for() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        rustix::fs::mknodat(CWD, at("pipe"), FileType::Fifo, Mode::RWXU, 0).unwrap();
        fs::create_dir(at("dir")).unwrap();
        symlink(at("nowhere"), at("dangling")).unwrap();
        let _socket = UnixListener::bind(at("socket")).unwrap();
        for (name, said) in [
            ("pipe", "is a named pipe, not a regular file; move it away"),
            ("dir", "is a directory"),
            ("dangling", "is a symbolic link"),
            ("socket", "is a socket"),
        ] {
            for options in [
                OpenOptions::new().read(true),
                OpenOptions::new().write(true),
                OpenOptions::new().read(true).append(true),
            ] {
                let why = open_regular(options, &at(name)).unwrap_err();
                let why = why.to_string();
                assert!(why.contains(said), "{name}: {why}");
                assert!(why.contains(&at(name).display().to_string()), "{why}");
            }
        }
        let missing = read_regular(&at("missing")).unwrap_err();
        assert_eq!(missing.kind(), io::ErrorKind::NotFound);
        fs::write(at("file"), "text").unwrap();
        symlink(at("file"), at("link")).unwrap();
        assert_eq!(read_regular_text(&at("link")).unwrap(), "text");
    }
}
