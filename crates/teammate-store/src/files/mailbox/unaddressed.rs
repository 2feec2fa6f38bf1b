//! Finds inboxes that belong to no member. Nothing reads them, so the user gets a warning.

use std::{
    io,
    path::{Path, PathBuf},
};

use teammate_core::{MemberName, port::Disk};

use crate::files::TeamDir;

/// The most bytes of an inbox whose lines are counted.
const COUNTED_BYTES_MAX: u64 = 1024 * 1024;

/// An inbox that belongs to no member.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnaddressedMail {
    pub path: PathBuf,
    /// The recipient's name, from the file name.
    pub name: String,
    /// How many lines it has; `None` if it is too long to count, or cannot be read.
    pub lines: Option<usize>,
}

impl UnaddressedMail {
    /// One sentence for the user: what is there, and what to do about it.
    pub fn describe(&self) -> String {
        let Self { path, name, lines } = self;
        let messages = match lines {
            None => "mail".to_owned(),
            Some(1) => "1 message".to_owned(),
            Some(lines) => format!("{lines} messages"),
        };
        let way = match MemberName::teammate(name) {
            Ok(_) => format!("spawn '{name}' to have it heard, or read and remove the file"),
            Err(_) => "no member can have that name; read and remove the file".to_owned(),
        };
        format!(
            "{messages} for '{name}', which is no member, in {}: {way}",
            path.display()
        )
    }
}

impl TeamDir {
    /// All inboxes with mail whose name is no member's, sorted by name.
    pub fn unaddressed_mail(
        &self,
        disk: &dyn Disk,
        is_member: impl Fn(&str) -> bool,
    ) -> io::Result<Vec<UnaddressedMail>> {
        let mut found = Vec::new();
        for path in disk.list(&self.inbox_dir())? {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let Some(name) = name.strip_suffix(".jsonl").map(str::to_owned) else {
                continue;
            };
            if is_member(&name) {
                continue;
            }
            let lines = lines(disk, &path);
            if lines != Some(0) {
                found.push(UnaddressedMail { path, name, lines });
            }
        }
        Ok(found)
    }
}

fn lines(disk: &dyn Disk, path: &Path) -> Option<usize> {
    let mut file = disk.open_read(path).ok()?;
    if file.len().ok()? > COUNTED_BYTES_MAX {
        return None;
    }
    let bytes = file.read_from(0).ok()?;
    let lines = bytes.split(|byte| *byte == b'\n');
    Some(lines.filter(|line| !line.trim_ascii().is_empty()).count())
}
