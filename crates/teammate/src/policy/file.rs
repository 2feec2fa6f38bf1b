//! The file of the policy, which only root can have written: it and all directories above it are root's, and nobody else can
//! change them.

use std::{
    fs::{File, Metadata},
    io::{self, Read as _},
    os::unix::fs::MetadataExt as _,
    path::Path,
};

use rustix::fs::{Mode, OFlags};

/// How long it may be, in bytes.
const BYTES_MAX: u64 = 1024 * 1024;
/// The user that must own the file.
const ROOT: u32 = 0;
/// The permission to write, of the group and of others.
const WRITE_OF_OTHERS: u32 = 0o022;

/// Its text; `None` if it is not there. An error is why it cannot be used.
pub(super) fn read(path: &Path) -> Result<Option<String>, String> {
    // Not followed if it is a link; a pipe is not waited for.
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let file = match rustix::fs::open(path, flags, Mode::empty()) {
        Ok(file) => File::from(file),
        Err(rustix::io::Errno::NOENT | rustix::io::Errno::NOTDIR) => return Ok(None),
        Err(rustix::io::Errno::LOOP) => return Err("it is a link".to_owned()),
        Err(error) => return Err(io::Error::from(error).to_string()),
    };
    let found = file.metadata().map_err(|error| error.to_string())?;
    if !found.is_file() {
        return Err("it is not a plain file".to_owned());
    }
    check_owner("it", &found)?;
    for dir in path.ancestors().skip(1) {
        let found = dir
            .symlink_metadata()
            .map_err(|error| format!("{}: {error}", dir.display()))?;
        check_owner(&dir.display().to_string(), &found)?;
    }
    let mut text = String::new();
    let read = file.take(BYTES_MAX + 1).read_to_string(&mut text);
    match read {
        Ok(length) if length as u64 > BYTES_MAX => {
            Err(format!("it has more than {BYTES_MAX} bytes"))
        }
        Ok(_) => Ok(Some(text)),
        Err(error) => Err(error.to_string()),
    }
}

fn check_owner(what: &str, found: &Metadata) -> Result<(), String> {
    if found.uid() != ROOT {
        return Err(format!(
            "{what} belongs to user {}, not to root",
            found.uid()
        ));
    }
    if found.mode() & WRITE_OF_OTHERS != 0 {
        return Err(format!("others than root can write {what}"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::{
        fs,
        os::unix::fs::{PermissionsExt as _, chown, symlink},
    };

    use super::*;

    fn refuses(path: &Path, why: &str) {
        let found = read(path).unwrap_err();
        assert!(found.contains(why), "{found}");
    }

    #[test]
    fn only_a_plain_file_of_root_is_read() {
        if !rustix::process::geteuid().is_root() {
            println!("skipped: only root can make files of root");
            return;
        }
        // Below the system's temporary directory others can write.
        let dir = tempfile::TempDir::new_in(env!("CARGO_MANIFEST_DIR")).unwrap();
        let dir = dir.path().canonicalize().unwrap();
        let path = dir.join("policy.toml");
        assert_eq!(read(&path), Ok(None));
        assert_eq!(read(&path.join("below")), Ok(None));
        fs::write(&path, "x = 1\n").unwrap();
        if dir
            .ancestors()
            .all(|dir| check_owner("", &dir.metadata().unwrap()).is_ok())
        {
            assert_eq!(read(&path), Ok(Some("x = 1\n".to_owned())));
        } else {
            println!(
                "skipped: a directory above {} is not root's alone",
                dir.display()
            );
        }
        fs::set_permissions(&path, fs::Permissions::from_mode(0o664)).unwrap();
        refuses(&path, "others than root can write it");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
        chown(&path, Some(12345), None).unwrap();
        refuses(&path, "belongs to user 12345");
        let link = dir.join("link.toml");
        symlink(&path, &link).unwrap();
        refuses(&link, "it is a link");
        refuses(&dir, "not a plain file");
        let below = dir.join("open/policy.toml");
        fs::create_dir(dir.join("open")).unwrap();
        fs::write(&below, "").unwrap();
        fs::set_permissions(dir.join("open"), fs::Permissions::from_mode(0o777)).unwrap();
        refuses(&below, "open");
    }
}
