//! Tells git that the team's directory is none of its business: in the repository's own exclude file, which is not shared, never
//! in a file of the user. No link is followed to it, and nothing but a file is opened.

use std::{
    fs::File,
    io::{self, Read as _, Write as _},
    os::fd::OwnedFd,
    path::Path,
};

use rustix::{
    fs::{FileType, Mode, OFlags, fchmod, fstat, mkdirat, open, openat},
    io::Errno,
};
use teammate_core::port::WorktreeError;

use super::{WorkspaceRepo, repository::Repository};
use crate::git::failed;

/// The longest file that is taken for one, in bytes.
const BYTES_MAX: u64 = 4 << 20;

/// Where a repository has no `info`, the sandbox puts an empty directory in its place, in which nobody writes.
const STAND_IN_MODE: u32 = 0o555;

impl WorkspaceRepo {
    pub(crate) fn exclude(&self, repository: &Repository) -> Result<(), WorktreeError> {
        let Ok(own) = self.team_dir.strip_prefix(&self.root) else {
            // It lies elsewhere.
            return Ok(());
        };
        let line = pattern(&repository.prefix.join(own)) + "/";
        add_line(&repository.common_dir, &line).map_err(|error| {
            let path = repository.common_dir.join("info/exclude");
            let what = format!("be told in {} to ignore the team", path.display());
            failed(&what, error)
        })
    }
}

/// The path as a pattern that means it and nothing else.
pub(super) fn pattern(path: &Path) -> String {
    let mut pattern = String::from("/");
    for c in path.to_string_lossy().chars() {
        if "\\*?[ ".contains(c) {
            pattern.push('\\');
        }
        pattern.push(c);
    }
    pattern
}

/// Adds the line to `info/exclude` in the repository's directory, if it is not there.
pub(super) fn add_line(repository: &Path, line: &str) -> io::Result<()> {
    let mut file = exclude_file(repository)?;
    let mut text = Vec::new();
    (&mut file).take(BYTES_MAX + 1).read_to_end(&mut text)?;
    if text.len() as u64 > BYTES_MAX {
        return Err(io::Error::other("it is longer than 4 MiB"));
    }
    if text
        .split(|byte| *byte == b'\n')
        .any(|l| l == line.as_bytes())
    {
        return Ok(());
    }
    let gap = if text.is_empty() || text.ends_with(b"\n") {
        ""
    } else {
        "\n"
    };
    // At once, so that a line of somebody else who writes now stays whole.
    file.write_all(format!("{gap}{line}\n").as_bytes())
}

fn exclude_file(repository: &Path) -> io::Result<File> {
    let directory = OFlags::DIRECTORY | OFlags::CLOEXEC;
    let repository = open(repository, directory, Mode::empty())?;
    match mkdirat(&repository, "info", Mode::from(0o777)) {
        Ok(()) | Err(Errno::EXIST) => {}
        Err(error) => return Err(error.into()),
    }
    let info = openat(
        &repository,
        "info",
        directory | OFlags::NOFOLLOW,
        Mode::empty(),
    );
    let info = info.map_err(|error| no_link("info", "directory", error))?;
    if fstat(&info)?.st_mode & 0o7777 == STAND_IN_MODE {
        fchmod(&info, Mode::from(0o755))?;
    }
    // A pipe would wait for somebody at its other end.
    let flags = OFlags::RDWR
        | OFlags::APPEND
        | OFlags::CREATE
        | OFlags::NOFOLLOW
        | OFlags::NONBLOCK
        | OFlags::NOCTTY
        | OFlags::CLOEXEC;
    let file: OwnedFd = openat(&info, "exclude", flags, Mode::from(0o666))
        .map_err(|error| no_link("exclude", "file", error))?;
    if FileType::from_raw_mode(fstat(&file)?.st_mode) == FileType::RegularFile {
        Ok(file.into())
    } else {
        Err(io::Error::other("it is no file; put a file in its place"))
    }
}

fn no_link(name: &str, kind: &str, error: Errno) -> io::Error {
    match error {
        Errno::LOOP | Errno::NOTDIR => io::Error::other(format!(
            "'{name}' is a link, which is not followed; put a {kind} in its place"
        )),
        error => error.into(),
    }
}

#[cfg(test)]
mod tests {
    use std::{fs, os::unix::fs::PermissionsExt as _};

    use super::*;

    #[test]
    fn a_pattern_means_one_directory_only() {
        assert_eq!(pattern(Path::new(".team")), "/.team");
        assert_eq!(pattern(Path::new("a [b]*/.team")), "/a\\ \\[b]\\*/.team");
    }

    #[test]
    fn a_line_is_added_once_and_after_whole_lines() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("info/exclude");
        add_line(dir.path(), "/.team/").unwrap();
        add_line(dir.path(), "/.team/").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "/.team/\n");
        fs::write(&path, "*.o").unwrap();
        add_line(dir.path(), "/.team/").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "*.o\n/.team/\n");
    }

    #[test]
    fn the_sandbox_s_empty_directory_becomes_one_that_its_owner_writes() {
        let dir = tempfile::tempdir().unwrap();
        let info = dir.path().join("info");
        fs::create_dir(&info).unwrap();
        let mode = |mode| fs::set_permissions(&info, fs::Permissions::from_mode(mode)).unwrap();
        let found = || fs::metadata(&info).unwrap().permissions().mode() & 0o7777;
        mode(STAND_IN_MODE);
        add_line(dir.path(), "/.team/").unwrap();
        assert_eq!(found(), 0o755);
        // Another mode is its owner's own choice.
        mode(0o750);
        add_line(dir.path(), "/.team/").unwrap();
        assert_eq!(found(), 0o750);
    }

    #[test]
    fn nothing_but_a_file_of_the_repository_is_written_to() {
        let dir = tempfile::tempdir().unwrap();
        let (repository, outside) = (dir.path().join("r"), dir.path().join("outside"));
        let exclude = repository.join("info/exclude");
        fs::create_dir_all(repository.join("info")).unwrap();
        fs::create_dir(&outside).unwrap();
        fs::write(outside.join("exclude"), "theirs\n").unwrap();
        std::os::unix::fs::symlink(outside.join("exclude"), &exclude).unwrap();
        let why = |path: &Path| add_line(path, "/.team/").unwrap_err().to_string();
        assert!(why(&repository).contains("'exclude' is a link"));
        fs::remove_file(&exclude).unwrap();
        rustix::fs::mknodat(
            rustix::fs::CWD,
            &exclude,
            FileType::Fifo,
            Mode::from(0o600),
            0,
        )
        .unwrap();
        assert!(why(&repository).contains("it is no file"));
        fs::remove_dir_all(repository.join("info")).unwrap();
        std::os::unix::fs::symlink(&outside, repository.join("info")).unwrap();
        assert!(why(&repository).contains("'info' is a link"));
        let theirs = fs::read_to_string(outside.join("exclude")).unwrap();
        assert_eq!(theirs, "theirs\n");
    }
}
