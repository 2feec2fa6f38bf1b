//! A file of entries that the program changes: the user's `mcp.json`, or a workspace's `.mcp.json`. What else is in it stays.

use std::{
    fs,
    io::{self, Write as _},
    path::{Path, PathBuf},
};

use serde_json::{Map, Value, json};
use teammate_store::disk::read_regular_text;

/// The key of the entries.
const SERVERS: &str = "mcpServers";

/// A file of entries.
#[derive(Debug, Clone)]
pub struct ServersFile(PathBuf);

/// Why a file of entries was not changed.
#[derive(Debug, thiserror::Error)]
pub enum ServersFileError {
    /// It cannot be read or written.
    #[error("{} cannot be changed: {error}", path.display())]
    Files {
        /// Which.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// It is not what it should be.
    #[error("{} is no file of MCP servers ({why}); nothing was changed", path.display())]
    Shape {
        /// Which.
        path: PathBuf,
        /// Why.
        why: String,
    },
}

impl ServersFile {
    /// This one, there or not.
    pub fn at(path: PathBuf) -> Self {
        Self(path)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Sets the entry of this name; true if there was another.
    ///
    /// # Errors
    ///
    /// Nothing was changed.
    pub fn set(&self, name: &str, entry: Value) -> Result<bool, ServersFileError> {
        self.change(|servers| servers.insert(name.to_owned(), entry).is_some())
    }

    /// Removes the entry of this name; false if there is none.
    ///
    /// # Errors
    ///
    /// Nothing was changed.
    pub fn remove(&self, name: &str) -> Result<bool, ServersFileError> {
        match self.0.exists() {
            true => self.change(|servers| servers.shift_remove(name).is_some()),
            false => Ok(false),
        }
    }

    fn change(
        &self,
        change: impl FnOnce(&mut Map<String, Value>) -> bool,
    ) -> Result<bool, ServersFileError> {
        let shape = |why: String| ServersFileError::Shape {
            path: self.0.clone(),
            why,
        };
        let text = match read_regular_text(&self.0) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => "{}".to_owned(),
            Err(error) => return Err(self.failed(error)),
        };
        let mut whole: Value =
            serde_json::from_str(&text).map_err(|error| shape(error.to_string()))?;
        let top = whole
            .as_object_mut()
            .ok_or_else(|| shape("it is no object".to_owned()))?;
        let servers = top.entry(SERVERS).or_insert_with(|| json!({}));
        let servers = servers
            .as_object_mut()
            .ok_or_else(|| shape(format!("{SERVERS} is no object")))?;
        let was_there = change(servers);
        self.write(&whole).map_err(|error| self.failed(error))?;
        Ok(was_there)
    }

    /// Wholly or not at all; readable by no other user, as values may be keys.
    fn write(&self, whole: &Value) -> io::Result<()> {
        use std::os::unix::fs::OpenOptionsExt as _;
        if let Some(dir) = self.0.parent() {
            fs::create_dir_all(dir)?;
        }
        // Where a link stands, the file that it leads to is changed.
        let path = self.0.canonicalize().unwrap_or_else(|_| self.0.clone());
        let new = path.with_extension(format!("json.{}.tmp", std::process::id()));
        let mut options = fs::OpenOptions::new();
        let mut file = options
            .write(true)
            .create(true)
            .truncate(true)
            .mode(0o600)
            .open(&new)?;
        file.write_all(serde_json::to_string_pretty(whole)?.as_bytes())?;
        file.write_all(b"\n")?;
        file.sync_all()?;
        if let Ok(known) = fs::metadata(&path) {
            fs::set_permissions(&new, known.permissions())?;
        }
        fs::rename(&new, &path)
    }

    fn failed(&self, error: io::Error) -> ServersFileError {
        ServersFileError::Files {
            path: self.0.clone(),
            error,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_is_set_and_removed_and_the_rest_stays() {
        let dir = tempfile::tempdir().unwrap();
        let file = ServersFile::at(dir.path().join("below/mcp.json"));
        assert!(!file.remove("x").unwrap());
        assert!(!file.set("x", json!({ "command": "a" })).unwrap());
        let text = fs::read_to_string(file.path()).unwrap();
        let mut whole: Value = serde_json::from_str(&text).unwrap();
        whole["other"] = json!([1]);
        fs::write(file.path(), whole.to_string()).unwrap();
        assert!(file.set("x", json!({ "command": "b" })).unwrap());
        assert!(!file.set("y", json!({ "url": "http://y" })).unwrap());
        assert!(file.remove("x").unwrap());
        let text = fs::read_to_string(file.path()).unwrap();
        let whole: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(
            whole,
            json!({ "mcpServers": { "y": { "url": "http://y" } }, "other": [1] })
        );
    }

    #[test]
    fn what_is_no_such_file_is_left_alone() {
        let dir = tempfile::tempdir().unwrap();
        for text in ["", "[]", "{\"mcpServers\": []}", "{ // comment\n}"] {
            let file = ServersFile::at(dir.path().join("mcp.json"));
            fs::write(file.path(), text).unwrap();
            let refused = file.set("x", json!({}));
            assert!(
                matches!(refused, Err(ServersFileError::Shape { .. })),
                "{text}"
            );
            assert_eq!(fs::read_to_string(file.path()).unwrap(), text);
        }
    }
}
