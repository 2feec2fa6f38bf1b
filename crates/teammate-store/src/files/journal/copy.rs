//! Journals without a team around them: reading one that nothing proves, and writing a sealed one.

use std::{io, path::Path, sync::Arc};

use teammate_core::port::{Disk, JournalRead, Record, Seal};

use super::{
    FileJournal,
    found::Found,
    place::{Fault, Place, Step},
};
use crate::{
    files::lines::{LINE_READ_MAX, Lines},
    wire::{
        self,
        chain::{Digest, Head, Log},
        record,
    },
};

/// Whose a journal is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Provenance {
    /// It is not there, or not one whole line was ever written to it.
    Empty,
    /// At least one of its lines bears the seal.
    Proven,
    /// None of its lines does.
    Unproven,
}

impl FileJournal {
    /// Whose the journal in this file is, by a seal; without one, only whether there is anything. Reads up to the first line
    /// that bears the seal.
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
        let mut lines = Lines::from(&mut *file, 0);
        while let Some(line) = lines.next()? {
            if !line.is_whole {
                break;
            }
            let text = line.text.map(wire::past_zeros).unwrap_or_default();
            match &log {
                Some(log) if log.opened(text).is_some() => return Ok(Provenance::Proven),
                Some(_) => provenance = Provenance::Unproven,
                None => return Ok(Provenance::Unproven),
            }
        }
        Ok(provenance)
    }

    /// Reads a journal of any version and of anybody. Checksums are checked and numbers rise, but nothing proves who wrote it.
    /// Empty if there is none.
    pub fn read_unproven(disk: &dyn Disk, path: &Path) -> io::Result<JournalRead> {
        let mut found = Found::from(0, path);
        let mut file = match disk.open_read(path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(found.read(None)),
            Err(error) => return Err(error),
        };
        let (mut next, mut floor) = (0, 0);
        let mut lines = Lines::from(&mut *file, 0);
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
                    Step::no_record(Fault::Repeated {
                        number: record.number,
                    })
                }
                Ok(record) => {
                    floor = record.number + 1;
                    next = floor;
                    Step::of(record)
                }
                Err(why) => Step::no_record(Fault::Unreadable { number, why }),
            };
            found.add(number, step);
        }
        Ok(found.read(None))
    }

    /// Writes these records as a sealed journal into a new file, with their own numbers, and syncs its content. A file that is
    /// there is replaced, not atomically: write beside the journal and rename. Returns the head to be remembered.
    pub fn write_sealed(
        disk: &dyn Disk,
        path: &Path,
        records: &[Record],
        seal: Arc<dyn Seal>,
    ) -> io::Result<Option<Head>> {
        let log = Log::journal(seal);
        disk.write(path, b"")?;
        let mut file = disk.open_append(path)?;
        let mut place = Place::START;
        for record in records {
            let object = record::object(record.number, record.at, &record.events);
            let line = log.line(&object, place.prev());
            file.append(format!("{line}\n").as_bytes())?;
            place.last = Some(Head {
                number: record.number,
                digest: Digest::of(line.as_bytes()),
            });
        }
        file.sync()?;
        Ok(place.last)
    }
}
