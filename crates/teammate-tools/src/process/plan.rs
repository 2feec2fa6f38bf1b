//! What a keeper goes by: how it holds, and what it is to start. The host writes it, the keeper reads it.
//!
//! Words that end with a zero. It comes in a file without a name, so that it does not stand in the table of processes, where
//! a command that looks for others by their arguments would find its own keeper.

use std::{
    ffi::{CString, OsString},
    fs::File,
    io::{self, Read as _, Seek as _, Write as _},
    os::{
        fd::AsFd as _,
        unix::ffi::{OsStrExt as _, OsStringExt as _},
    },
};

use super::{
    errors::{self, Errors},
    room::{Right, Room, Wall},
};

/// How the keeper sees to it that all end.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// They live in a room of their own, which ends with the keeper.
    Room(Room),
    /// It kills them one by one.
    Descendants,
}

/// What a keeper goes by.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Plan {
    pub(super) way: Way,
    /// Whether what the command says of errors goes into the plan's file, after it, and not with its output.
    pub(super) has_errors_apart: bool,
    pub(super) program: OsString,
    pub(super) arguments: Vec<OsString>,
}

const ROOM: &[u8] = b"room";
const ROOM_OF_USER: &[u8] = b"room of a user";
const DESCENDANTS: &[u8] = b"descendants";
const OPEN: &[u8] = b"open";
const CLOSED: &[u8] = b"closed";
const HIDDEN: &[u8] = b"hidden";
const RUN: &[u8] = b"run";
const RUN_APART: &[u8] = b"run, errors apart";

impl Plan {
    /// A file without a name that holds it: the one for errors, if there is one.
    pub(super) fn written(&self, errors: Option<&Errors>) -> io::Result<File> {
        let mut text = Vec::new();
        for word in self.words() {
            text.extend_from_slice(word);
            text.push(0);
        }
        let mut file = if let Some(errors) = errors {
            errors.begin_at(text.len() as u64);
            errors.file()?
        } else {
            let flags = rustix::fs::MemfdFlags::CLOEXEC;
            File::from(rustix::fs::memfd_create("plan", flags)?)
        };
        file.write_all(&text)?;
        file.rewind()?;
        Ok(file)
    }

    /// The one in this process's standard errors.
    pub(super) fn heard() -> io::Result<Self> {
        let mut text = Vec::new();
        let file = io::stderr().as_fd().try_clone_to_owned()?;
        File::from(file).read_to_end(&mut text)?;
        Self::read(&text).ok_or_else(|| io::Error::other("keepers are started by teammate only"))
    }

    /// Called by the keeper, whose standard errors are the plan's file: what is written there from here on fits, or is lost.
    pub(super) fn make_room_for_errors() -> io::Result<()> {
        let file = File::from(io::stderr().as_fd().try_clone_to_owned()?);
        let read = (&file).stream_position()?;
        file.set_len(read + errors::BYTES_MAX)?;
        Ok(rustix::fs::fcntl_add_seals(
            &file,
            rustix::fs::SealFlags::GROW,
        )?)
    }

    fn words(&self) -> Vec<&[u8]> {
        let mut words = match &self.way {
            Way::Descendants => vec![DESCENDANTS],
            Way::Room(room) => {
                let word = match room.right {
                    Right::Own => ROOM,
                    Right::UserNamespace => ROOM_OF_USER,
                };
                let mut words = vec![word, room.dir.as_bytes()];
                for (wall, dir) in &room.walls {
                    let word = match wall {
                        Wall::Open => OPEN,
                        Wall::Closed => CLOSED,
                        Wall::Hidden => HIDDEN,
                    };
                    words.extend([word, dir.as_bytes()]);
                }
                words
            }
        };
        let run = if self.has_errors_apart {
            RUN_APART
        } else {
            RUN
        };
        words.extend([run, self.program.as_bytes()]);
        words.extend(self.arguments.iter().map(|word| word.as_bytes()));
        words
    }

    fn read(text: &[u8]) -> Option<Self> {
        let mut words = text.strip_suffix(&[0])?.split(|byte| *byte == 0);
        let way = words.next()?;
        let run;
        let way = if way == DESCENDANTS {
            run = words.next()?;
            Way::Descendants
        } else {
            let right = match way {
                ROOM => Right::Own,
                ROOM_OF_USER => Right::UserNamespace,
                _ => return None,
            };
            let dir = CString::new(words.next()?).ok()?;
            let mut walls = Vec::new();
            loop {
                let word = words.next()?;
                let wall = match word {
                    OPEN => Wall::Open,
                    CLOSED => Wall::Closed,
                    HIDDEN => Wall::Hidden,
                    _ => {
                        run = word;
                        break;
                    }
                };
                walls.push((wall, CString::new(words.next()?).ok()?));
            }
            Way::Room(Room { right, dir, walls })
        };
        let has_errors_apart = match run {
            RUN => false,
            RUN_APART => true,
            _ => return None,
        };
        let mut rest = words.map(|word| OsString::from_vec(word.to_vec()));
        Some(Self {
            way,
            has_errors_apart,
            program: rest.next()?,
            arguments: rest.collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let mut room = Room::new(Right::UserNamespace, Path::new("/w/run")).unwrap();
        room.wall(Wall::Closed, Path::new("/w/.team")).unwrap();
        room.wall(Wall::Open, Path::new("run")).unwrap();
        for way in [Way::Room(room), Way::Descendants] {
            let plan = Plan {
                has_errors_apart: way == Way::Descendants,
                way,
                program: "/bin/sh".into(),
                arguments: vec!["-c".into(), "".into(), "run\nrun".into()],
            };
            let mut text = Vec::new();
            plan.written(None).unwrap().read_to_end(&mut text).unwrap();
            assert_eq!(Plan::read(&text), Some(plan));
            assert_eq!(Plan::read(&text[..text.len() - 1]), None);
        }
        assert_eq!(Plan::read(b""), None);
    }
}
