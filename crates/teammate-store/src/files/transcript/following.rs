//! Reads a transcript on from where an earlier reading stopped. Only a chain that goes on without a doubt is read so; where anything
//! does not fit, the whole transcript is read, as if for the first time.

use std::io;

use teammate_core::{
    MemberName,
    port::{DiskFile, ReadMark, TranscriptError},
    transcript::Entry,
};

use super::{FileTranscripts, failed, failed_to};
use crate::{
    files::lines::FileLines,
    wire::{
        self,
        chain::{LineDigest, Log},
        entry,
    },
};

impl FileTranscripts {
    pub(super) fn peek_from_now(
        &self,
        owner: &MemberName,
        mark: &ReadMark,
    ) -> Result<(Vec<Entry>, ReadMark), TranscriptError> {
        self.require_lockable(owner)?;
        let found = self.open_to_read(owner).and_then(|file| match file {
            Some(mut file) => self.read_on(owner, mark, &mut *file),
            None => Ok(None),
        });
        match found.map_err(|error| failed(owner, failed_to("read it")(error)))? {
            Some(found) => Ok(found),
            None => {
                let (entries, place) = self.peek_whole(owner)?;
                Ok(mark.behind(entries, place))
            }
        }
    }

    /// Nothing if the file does not go on from there.
    fn read_on(
        &self,
        owner: &MemberName,
        mark: &ReadMark,
        file: &mut dyn DiskFile,
    ) -> io::Result<Option<(Vec<Entry>, ReadMark)>> {
        let Some((mut at, last)) = mark.place.clone() else {
            return Ok(None);
        };
        let Ok(mut last) = LineDigest::try_from(last) else {
            return Ok(None);
        };
        if file.len()? < at {
            return Ok(None);
        }
        let log = Log::transcript(self.seal.clone(), owner);
        let mut entries = Vec::new();
        let mut lines = FileLines::from(file, at);
        while let Some(line) = lines.next()? {
            if !line.is_whole {
                break;
            }
            let text = line.text.and_then(wire::text);
            let follows = text.and_then(|text| {
                let linked = log.opened(text).filter(|linked| linked.prev == last)?;
                Some((linked.digest, entry::read(text).ok()?))
            });
            let Some((digest, entry)) = follows else {
                return Ok(None);
            };
            entries.extend(entry);
            (at, last) = (line.end, digest);
        }
        let read_on = mark.read_on(entries.len(), (at, last.to_string()));
        Ok(Some((entries, read_on)))
    }
}
