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

use super::room::{Right, Room, Wall};

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

impl Plan {
    /// A file without a name that holds it.
    pub(super) fn written(&self) -> io::Result<File> {
        let mut text = Vec::new();
        for word in self.words() {
            text.extend_from_slice(word);
            text.push(0);
        }
        let flags = rustix::fs::MemfdFlags::CLOEXEC;
        let mut file = File::from(rustix::fs::memfd_create("plan", flags)?);
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
        words.extend([RUN, self.program.as_bytes()]);
        words.extend(self.arguments.iter().map(|word| word.as_bytes()));
        words
    }

    fn read(text: &[u8]) -> Option<Self> {
        let mut words = text.strip_suffix(&[0])?.split(|byte| *byte == 0);
        let way = words.next()?;
        let way = if way == DESCENDANTS {
            (words.next()? == RUN).then_some(Way::Descendants)?
        } else {
            let right = match way {
                ROOM => Right::Own,
                ROOM_OF_USER => Right::UserNamespace,
                _ => return None,
            };
            let dir = CString::new(words.next()?).ok()?;
            let mut walls = Vec::new();
            loop {
                let wall = match words.next()? {
                    OPEN => Wall::Open,
                    CLOSED => Wall::Closed,
                    HIDDEN => Wall::Hidden,
                    RUN => break,
                    _ => return None,
                };
                walls.push((wall, CString::new(words.next()?).ok()?));
            }
            Way::Room(Room { right, dir, walls })
        };
        let mut rest = words.map(|word| OsString::from_vec(word.to_vec()));
        Some(Self {
            way,
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
                way,
                program: "/bin/sh".into(),
                arguments: vec!["-c".into(), "".into(), "run\nrun".into()],
            };
            let mut text = Vec::new();
            plan.written().unwrap().read_to_end(&mut text).unwrap();
            assert_eq!(Plan::read(&text), Some(plan));
            assert_eq!(Plan::read(&text[..text.len() - 1]), None);
        }
        assert_eq!(Plan::read(b""), None);
    }
}
