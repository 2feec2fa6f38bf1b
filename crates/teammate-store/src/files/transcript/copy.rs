//! Transcripts without a team around them: reading one that nothing proves, and writing a sealed one.

use std::{io, path::Path, sync::Arc};

use teammate_core::{
    MemberName,
    port::{Disk, Seal},
    transcript::Entry,
};

use super::FileTranscripts;
use crate::{
    files::lines::{LINE_READ_MAX, Lines},
    wire::{
        self,
        chain::{Digest, Head, Log},
        entry,
    },
};

/// A transcript that nothing proves.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct UnprovenTranscript {
    /// What could be read, in order.
    pub entries: Vec<Entry>,
    /// The lines that could not, in sentences for a person.
    pub damaged: Vec<String>,
}

impl FileTranscripts {
    /// Reads a transcript of any version and of anybody. Empty if there is none.
    pub fn read_unproven(disk: &dyn Disk, path: &Path) -> io::Result<UnprovenTranscript> {
        let mut found = UnprovenTranscript::default();
        let mut file = match disk.open_read(path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(found),
            Err(error) => return Err(error),
        };
        let (mut number, mut lines) = (0_u64, Lines::from(&mut *file, 0));
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

    /// Writes these entries as `owner`'s sealed transcript into a new file and syncs its content. A file that is there is
    /// replaced, not atomically: write beside the transcript and rename. Returns the head to be remembered.
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
        let line = log.line(&entry::header(owner), Digest::NONE);
        file.append(format!("{line}\n").as_bytes())?;
        let mut head = Head {
            number: 0,
            digest: Digest::of(line.as_bytes()),
        };
        for entry in entries {
            let line = log.line(&entry::object(entry), head.digest);
            file.append(format!("{line}\n").as_bytes())?;
            head = Head {
                number: head.number + 1,
                digest: Digest::of(line.as_bytes()),
            };
        }
        file.sync()?;
        Ok(head)
    }
}
