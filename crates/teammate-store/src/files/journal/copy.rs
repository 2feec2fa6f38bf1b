//! Journals outside of a team: reads unproven ones, writes sealed ones.

use std::{io, path::Path, sync::Arc};

use teammate_core::port::{Disk, JournalRead, Record, Seal};

use super::{
    FileJournal,
    found::FoundDamage,
    position::{LineFault, Position, ReadStep},
};
use crate::{
    files::lines::{FileLines, LINE_READ_MAX},
    wire::{
        self,
        chain::{Head, LineDigest, Log},
        record,
    },
};

/// The writer of a journal, by its seals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Provenance {
    /// There is no journal, or not one complete line in it.
    Empty,
    /// At least one line has a valid seal.
    Proven,
    /// No line has a valid seal.
    Unproven,
}

/// The content in a journal's place, by any process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JournalContent {
    Missing,
    /// A file that holds nothing.
    Empty,
    /// A file without one line that reads as a record.
    Unreadable,
    /// At least one line reads as a record.
    Records,
}

impl FileJournal {
    /// Tells what is in the place of a journal. Reads up to the first record.
    pub fn content(disk: &dyn Disk, path: &Path) -> io::Result<JournalContent> {
        let mut file = match disk.open_read(path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Ok(JournalContent::Missing);
            }
            Err(error) => return Err(error),
        };
        if file.is_empty()? {
            return Ok(JournalContent::Empty);
        }
        let mut lines = FileLines::from(&mut *file, 0);
        while let Some(line) = lines.next()? {
            let text = line.text.map(wire::without_leading_nuls);
            if line.is_whole && text.is_some_and(|text| record::read(text).is_ok()) {
                return Ok(JournalContent::Records);
            }
        }
        Ok(JournalContent::Unreadable)
    }

    /// Tells from the seals who wrote the journal in this file. Reads up to the first line with a valid
    /// seal.
    pub fn provenance(
        disk: &dyn Disk,
        path: &Path,
        seal: Option<Arc<dyn Seal>>,
    ) -> io::Result<Provenance> {
        let mut file = match disk.open_read(path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Provenance::Empty),
            Err(error) => return Err(error),
        };
        let log = seal.map(Log::journal);
        let mut provenance = Provenance::Empty;
        let mut lines = FileLines::from(&mut *file, 0);
        while let Some(line) = lines.next()? {
            if !line.is_whole {
                break;
            }
            let text = line
                .text
                .map(wire::without_leading_nuls)
                .unwrap_or_default();
            match &log {
                Some(log) if log.opened(text).is_some() => return Ok(Provenance::Proven),
                Some(_) => provenance = Provenance::Unproven,
                None => return Ok(Provenance::Unproven),
            }
        }
        Ok(provenance)
    }

    /// Reads a journal of any version, from any writer: checksums are checked and numbers must rise, but
    /// nothing proves the writer. Empty if there is no file.
    pub fn read_unproven(disk: &dyn Disk, path: &Path) -> io::Result<JournalRead> {
        let (mut found, mut records) = (FoundDamage::from(0, path), Vec::new());
        let mut file = match disk.open_read(path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Ok(JournalRead::default());
            }
            Err(error) => return Err(error),
        };
        let (mut next, mut floor) = (0, 0);
        let mut lines = FileLines::from(&mut *file, 0);
        while let Some(line) = lines.next()? {
            if !line.is_whole {
                break;
            }
            let read = match line.text {
                Some(text) => record::read(text),
                None => Err(format!("it has more than {LINE_READ_MAX} bytes")),
            };
            let number = next;
            next += 1;
            let step = match read {
                Ok(record) if record.number < floor || record.number == u64::MAX => {
                    ReadStep::no_record(LineFault::Repeated {
                        number: record.number,
                    })
                }
                Ok(record) => {
                    floor = record.number + 1;
                    next = floor;
                    ReadStep::of(record)
                }
                Err(why) => ReadStep::no_record(LineFault::Unreadable { number, why }),
            };
            records.extend(found.add(number, step));
        }
        let damaged = found.damaged(None);
        Ok(JournalRead { records, damaged })
    }

    /// Writes the records with their own numbers as a sealed journal and syncs the file. Replaces an
    /// existing file, not atomically: write beside the journal and rename. Returns the head to be
    /// remembered.
    pub fn write_sealed(
        disk: &dyn Disk,
        path: &Path,
        records: &[Record],
        seal: Arc<dyn Seal>,
    ) -> io::Result<Option<Head>> {
        let log = Log::journal(seal);
        disk.write(path, b"")?;
        let mut file = disk.open_append(path)?;
        let mut place = Position::START;
        for record in records {
            let object = record::write(record);
            let line = log.line(&object, place.prev());
            file.append(format!("{line}\n").as_bytes())?;
            place.last = Some(Head {
                number: record.number,
                digest: LineDigest::of(line.as_bytes()),
            });
        }
        file.sync()?;
        Ok(place.last)
    }
}
