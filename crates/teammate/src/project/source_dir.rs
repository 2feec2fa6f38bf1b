//! Reads files that may have been planted: nothing outside of a root, nothing but plain files, nothing without
//! end.

use std::{
    fs::{self, OpenOptions},
    io::{self, Read as _},
    path::{Path, PathBuf},
};

use teammate_store::disk::open_regular;
use teammate_tools::instructions::{files_below, names, plain_text};

/// A directory with texts, and how it is called.
#[derive(Debug)]
pub(super) struct SourceDir {
    path: PathBuf,
    /// The path above its files for a reader: `.claude/agents`, or the whole path if it is the user's.
    shown: String,
    /// `in the workspace` or `of the user`.
    whose: &'static str,
}

impl SourceDir {
    /// A directory of the workspace; it must not lead out of it. `None` if there is none.
    pub(super) fn of_workspace(root: &Path, below: &str) -> Result<Option<Self>, String> {
        let Some(path) = resolved(&root.join(below)).map_err(|error| at(below, &error))? else {
            return Ok(None);
        };
        if !path.starts_with(root) {
            return Err(format!(
                "{below} points outside the workspace; it is not read"
            ));
        }
        Ok(Self::at(path, below.to_owned(), "in the workspace"))
    }

    /// A directory of the user, wherever a link may lead.
    pub(super) fn of_user(config: &Path, below: &str) -> Result<Option<Self>, String> {
        let path = config.join(below);
        let shown = path.display().to_string();
        let found = resolved(&path).map_err(|error| at(&shown, &error))?;
        Ok(found.and_then(|path| Self::at(path, shown, "of the user")))
    }

    fn at(path: PathBuf, shown: String, whose: &'static str) -> Option<Self> {
        path.is_dir().then_some(Self { path, shown, whose })
    }

    /// How a file in it is called.
    pub(super) fn shown(&self, below: &str) -> String {
        format!("{}/{below}", self.shown)
    }

    /// A file's provenance.
    pub(super) fn origin(&self, below: &str) -> String {
        format!("{}/{below} {}", self.shown, self.whose)
    }

    /// The names of what is in it, in order.
    pub(super) fn names(&self) -> Vec<String> {
        names(&self.path)
    }

    /// A file in it; `None` if there is none. A link may lead to somewhere else in it.
    pub(super) fn read(&self, below: &str, max: usize) -> Result<Option<Vec<u8>>, String> {
        let read = read(&self.path.join(below), &self.path, max);
        read.map_err(|why| format!("{} {why}; it is not used", self.shown(below)))
    }

    /// The files below one of its directories, as paths below that; links are not followed.
    pub(super) fn files(&self, below: &str, deep: usize, max: usize) -> Vec<String> {
        files_below(&self.path.join(below), deep, max)
    }
}

/// At most `max` bytes of a plain file within `root`, and one more if it is longer. `None` if there is none.
pub(super) fn read(path: &Path, root: &Path, max: usize) -> Result<Option<Vec<u8>>, String> {
    let Some(path) = resolved(path).map_err(|error| cannot(&error))? else {
        return Ok(None);
    };
    if !path.starts_with(root) {
        return Err("points outside its directory".to_owned());
    }
    let data = fs::metadata(&path).map_err(|error| cannot(&error))?;
    if !data.is_file() {
        return Err("is no file".to_owned());
    }
    let mut bytes = Vec::new();
    let read = open_regular(OpenOptions::new().read(true), &path).and_then(|file| {
        let mut some = file.take(max as u64 + 1);
        some.read_to_end(&mut bytes)
    });
    read.map_err(|error| cannot(&error))?;
    Ok(Some(bytes))
}

/// The text of a file of at most `max` bytes, or why it has none.
pub(super) fn bounded_text(bytes: &[u8], max: usize) -> Result<String, String> {
    match bytes.len() > max {
        true => Err(format!("is longer than {max} bytes")),
        false => plain_text(bytes),
    }
}

fn resolved(path: &Path) -> io::Result<Option<PathBuf>> {
    match path.canonicalize() {
        Ok(path) => Ok(Some(path)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        // A file where a directory should be: there is none.
        Err(error) if error.kind() == io::ErrorKind::NotADirectory => Ok(None),
        Err(error) => Err(error),
    }
}

fn at(shown: &str, error: &io::Error) -> String {
    format!("{shown} {}", cannot(error))
}

fn cannot(error: &io::Error) -> String {
    format!("cannot be read ({error})")
}
