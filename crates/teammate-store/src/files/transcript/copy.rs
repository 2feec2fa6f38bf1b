//! Transcripts outside of a team: reads unproven ones, writes sealed ones.

use std::{io, path::Path, sync::Arc};

use teammate_core::{
    MemberName,
    port::{Disk, Seal},
    transcript::Entry,
};

use super::FileTranscripts;
use crate::{
    files::lines::{FileLines, LINE_READ_MAX},
    wire::{
        self,
        chain::{Head, LineDigest, Log},
        entry,
    },
};

/// A transcript without valid seals.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct UnprovenTranscript {
    /// The readable entries, in order.
    pub entries: Vec<Entry>,
    /// The unreadable lines, in sentences for the user.
    pub damaged: Vec<String>,
}

impl FileTranscripts {
    /// Reads a transcript of any version, from any writer. Empty if there is no file.
    pub fn read_unproven(disk: &dyn Disk, path: &Path) -> io::Result<UnprovenTranscript> {
        let mut found = UnprovenTranscript::default();
        let mut file = match disk.open_read(path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(found),
            Err(error) => return Err(error),
        };
        let (mut number, mut lines) = (0_u64, FileLines::from(&mut *file, 0));
        while let Some(line) = lines.next()? {
            number += 1;
            if !line.is_whole {
                break;
            }
            let read = match line.text.map(wire::text) {
                Some(Some(text)) => entry::read(text),
                Some(None) => continue,
                None => Err(format!("it has more than {LINE_READ_MAX} bytes")),
            };
            match read {
                Ok(entry) => found.entries.extend(entry),
                Err(why) => found.damaged.push(format!(
                    "line {number} of {} cannot be read ({why})",
                    path.display()
                )),
            }
        }
        Ok(found)
    }

    /// Writes the entries as `owner`'s sealed transcript and syncs the file. Replaces an existing file,
    /// not atomically: write beside the transcript and rename. Returns the head to be remembered.
    pub fn write_sealed(
        disk: &dyn Disk,
        path: &Path,
        owner: &MemberName,
        entries: &[Entry],
        seal: Arc<dyn Seal>,
    ) -> io::Result<Head> {
        let log = Log::transcript(seal, owner);
        disk.write(path, b"")?;
        let mut file = disk.open_append(path)?;
        let line = log.line(&entry::header(owner), LineDigest::NONE);
        file.append(format!("{line}\n").as_bytes())?;
        let mut head = Head {
            number: 0,
            digest: LineDigest::of(line.as_bytes()),
        };
        for entry in entries {
            let line = log.line(&entry::to_json(entry), head.digest);
            file.append(format!("{line}\n").as_bytes())?;
            head = Head {
                number: head.number + 1,
                digest: LineDigest::of(line.as_bytes()),
            };
        }
        file.sync()?;
        Ok(head)
    }
}
