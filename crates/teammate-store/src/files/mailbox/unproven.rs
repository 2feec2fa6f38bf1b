//! Reads mail without a key, as it claims to be.

use std::{io, path::Path};

use teammate_core::{MemberName, Message, port::Disk};

use super::FileMailbox;
use crate::{
    files::lines::FileLines,
    wire::{self, mail},
};

impl FileMailbox {
    /// Reads a file of `owner`'s mailbox of any version, from any writer; each message as it claims to
    /// be. Skips lines that are no messages. Empty if there is no file.
    pub fn read_unproven(
        disk: &dyn Disk,
        path: &Path,
        owner: &MemberName,
    ) -> io::Result<Vec<Message>> {
        let mut file = match disk.open_read(path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(error),
        };
        let (mut messages, mut number) = (Vec::new(), 0_u64);
        let mut lines = FileLines::from(&mut *file, 0);
        while let Some(line) = lines.next()? {
            number += 1;
            if let Some(text) = line.text.and_then(wire::text) {
                let read = mail::read_unproven(text, owner, &format!("unproven/{number}"));
                messages.extend(read.ok());
            }
        }
        Ok(messages)
    }
}
