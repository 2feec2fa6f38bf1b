//! The files that members know: what each last saw of each file, and who changed the file since, so that nobody replaces what
//! it does not know.
//!
//! It is kept in memory, for this process. A member that goes on in another process has seen nothing there: then the first
//! change of an existing file is refused once too often, and nothing is lost. Whether a file may be opened at all is not decided
//! here.

mod commands;
mod unseen;
mod version;

use std::{
    collections::HashMap,
    hash::Hash,
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
    time::SystemTime,
};

use teammate_core::{Incarnation, MemberName, cause::Cause, lock::Hold, port::Caller};

use commands::Commands;
pub(super) use unseen::Unseen;
use unseen::{Changed, UnseenWhy};
pub(crate) use version::FileVersion;
pub(super) use version::VersionReader;

/// Of how many files it is remembered what a member saw, over all members. What was forgotten was not read.
const SEEN_MAX: usize = 4_096;
/// Of how many files it is remembered who wrote them last.
const WRITES_MAX: usize = 4_096;
/// The most single lines remembered, over all files; they tell the size of a difference.
const LINES_MAX: usize = 4_000_000;
/// The most parts of one file that are remembered as read.
const PARTS_MAX: usize = 64;

/// A reader: a conversation of a member. A subagent has its own.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct FileReader {
    member: MemberName,
    incarnation: Incarnation,
    subagent: Option<Cause>,
}

impl FileReader {
    /// A member's own conversation.
    pub(crate) fn of_member(member: MemberName, incarnation: Incarnation) -> Self {
        Self {
            member,
            incarnation,
            subagent: None,
        }
    }

    pub(crate) fn of(caller: &Caller) -> Self {
        Self {
            member: caller.name.clone(),
            incarnation: caller.incarnation,
            subagent: caller.subagent.clone(),
        }
    }
}

/// A file of the disk as it is now.
#[derive(Debug, Clone)]
pub(super) struct Now<'a> {
    pub(super) path: &'a Path,
    pub(super) version: FileVersion,
    pub(super) changed_at: Option<SystemTime>,
}

/// Lines of a file that were shown.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ShownLines {
    /// The first, from 1.
    pub(crate) first: u64,
    pub(crate) count: u64,
    /// How many the file has.
    pub(crate) of: u64,
    /// Whether some of them are longer than what was shown.
    pub(crate) is_cut: bool,
}

/// The knowledge that a change takes for granted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RequiredKnowledge {
    /// Every line of the file: all of it is replaced.
    AllLines,
    /// That the file is as it was: all places are replaced that are like one.
    SameVersion,
}

/// The files that members know, one memory for all tools of a team in this process. Cheap to clone; all clones are one.
#[derive(Debug, Clone, Default)]
pub(crate) struct KnownFiles(Arc<Mutex<KnownContents>>);

#[derive(Debug, Default)]
struct KnownContents {
    files: HashMap<(FileReader, PathBuf), (u64, FileKnowledge)>,
    writes: HashMap<PathBuf, (u64, LastWrite)>,
    commands: Commands,
    lines: usize,
    clock: u64,
}

/// The knowledge of one reader about one file.
#[derive(Debug, Default)]
struct FileKnowledge {
    seen: Option<(FileVersion, SeenParts)>,
    refused: Option<RefusedChange>,
}

/// How much of a file was seen.
#[derive(Debug, Clone, PartialEq, Eq)]
enum SeenParts {
    Whole,
    /// These lines: the first, and the one after the last; in order, not touching.
    Lines(Vec<(u64, u64)>),
}

/// A change that was refused, so that saying it again lets it pass.
#[derive(Debug)]
struct RefusedChange {
    over: FileVersion,
    wanted: FileVersion,
    call: Cause,
}

/// The last write of a file by a tool.
#[derive(Debug)]
struct LastWrite {
    member: MemberName,
    tool: &'static str,
    version: FileVersion,
}

impl KnownFiles {
    /// A reader was shown these lines of a file.
    pub(crate) fn read(
        &self,
        reader: &FileReader,
        path: &Path,
        version: FileVersion,
        shown: ShownLines,
    ) {
        let mut known = self.0.hold();
        let mut parts = match known.seen(reader, path) {
            // Parts of another version say nothing about this one.
            Some((seen, parts)) if *seen == version => parts.clone(),
            Some(_) | None => SeenParts::Lines(Vec::new()),
        };
        parts.add(shown);
        known.set_seen(reader, path, version, parts);
    }

    /// Whether a reader may put `wanted` in the place of what is there now. What it does not know is refused once: asking for the
    /// same again, after it could read the refusal, lets it pass.
    pub(super) fn judge(
        &self,
        reader: &FileReader,
        now: &Now<'_>,
        needs: RequiredKnowledge,
        (wanted, call): (&FileVersion, &Cause),
    ) -> Result<(), Unseen> {
        let mut known = self.0.hold();
        let why = match known.seen(reader, now.path) {
            None => UnseenWhy::NeverRead,
            Some((seen, _)) if *seen != now.version => UnseenWhy::Changed(seen.to(&now.version)),
            Some((_, SeenParts::Whole)) => return Ok(()),
            Some((_, SeenParts::Lines(lines))) => match needs {
                RequiredKnowledge::SameVersion => return Ok(()),
                RequiredKnowledge::AllLines => {
                    UnseenWhy::ReadInPart(lines.iter().map(|(from, until)| until - from).sum())
                }
            },
        };
        let changed = known.changed(reader, now);
        let entry = known.entry(reader, now.path);
        let is_again = entry.refused.as_ref().is_some_and(|refused| {
            refused.over == now.version
                && refused.wanted == *wanted
                && !refused.call.is_of_same_answer(call)
        });
        if is_again {
            return Ok(());
        }
        entry.refused = Some(RefusedChange {
            over: now.version.clone().without_lines(),
            wanted: wanted.clone().without_lines(),
            call: call.clone(),
        });
        Err(Unseen {
            why,
            lines: now.version.line_count(),
            bytes: now.version.bytes(),
            changed,
        })
    }

    /// The news of a file that a reader saw, in words; nothing if it is as it was, or was never read.
    pub(super) fn news(&self, reader: &FileReader, now: &Now<'_>) -> Option<String> {
        let known = self.0.hold();
        let (seen, _) = known.seen(reader, now.path)?;
        (*seen != now.version).then(|| {
            let difference = seen.to(&now.version);
            Changed::since(difference, &known.changed(reader, now))
        })
    }

    /// Whether a reader saw something in a file that is not there any more.
    pub(super) fn knew(&self, reader: &FileReader, path: &Path) -> bool {
        let known = self.0.hold();
        known
            .seen(reader, path)
            .is_some_and(|(seen, _)| seen.bytes() > 0)
    }

    /// A reader has replaced a whole file.
    pub(super) fn wrote(
        &self,
        reader: &FileReader,
        path: &Path,
        tool: &'static str,
        new: FileVersion,
    ) {
        let mut known = self.0.hold();
        known.set_written(reader, path, tool, &new);
        known.set_seen(reader, path, new, SeenParts::Whole);
    }

    /// A reader has changed a part of a file that held `old`. It knows all of it only if it did before.
    pub(super) fn edited(
        &self,
        reader: &FileReader,
        path: &Path,
        tool: &'static str,
        (old, new): (&FileVersion, FileVersion),
    ) {
        let mut known = self.0.hold();
        let parts = match known.seen(reader, path) {
            Some((seen, SeenParts::Whole)) if seen == old => SeenParts::Whole,
            Some(_) | None => SeenParts::Lines(Vec::new()),
        };
        known.set_written(reader, path, tool, &new);
        known.set_seen(reader, path, new, parts);
    }

    /// A command of a member begins. It ends when what is returned is dropped.
    pub(crate) fn command(&self, member: &MemberName, text: String) -> RunningMark {
        let number = self
            .0
            .hold()
            .commands
            .begin(member.clone(), text, SystemTime::now());
        RunningMark {
            known: self.clone(),
            number,
        }
    }
}

/// A command that may change files.
#[derive(Debug)]
pub(crate) struct RunningMark {
    known: KnownFiles,
    number: u64,
}

impl Drop for RunningMark {
    fn drop(&mut self) {
        let mut known = self.known.0.hold();
        known.commands.end(self.number, SystemTime::now());
    }
}

impl KnownContents {
    fn seen(&self, reader: &FileReader, path: &Path) -> Option<&(FileVersion, SeenParts)> {
        let (_, entry) = self.files.get(&(reader.clone(), path.to_owned()))?;
        entry.seen.as_ref()
    }

    fn entry(&mut self, reader: &FileReader, path: &Path) -> &mut FileKnowledge {
        self.clock += 1;
        let clock = self.clock;
        if let Some((_, gone)) = make_room(&mut self.files, SEEN_MAX) {
            self.lines -= lines_of(&gone);
        }
        let key = (reader.clone(), path.to_owned());
        let (used, entry) = self.files.entry(key).or_default();
        *used = clock;
        entry
    }

    fn set_seen(
        &mut self,
        reader: &FileReader,
        path: &Path,
        version: FileVersion,
        parts: SeenParts,
    ) {
        let more = version.line_count().unwrap_or(0);
        let room = LINES_MAX - self.lines.min(LINES_MAX);
        let version = match more > room {
            true => version.without_lines(),
            false => version,
        };
        let entry = self.entry(reader, path);
        let before = lines_of(entry);
        *entry = FileKnowledge {
            seen: Some((version, parts)),
            refused: None,
        };
        let after = lines_of(entry);
        self.lines = self.lines + after - before;
    }

    fn set_written(&mut self, by: &FileReader, path: &Path, tool: &'static str, new: &FileVersion) {
        self.clock += 1;
        make_room(&mut self.writes, WRITES_MAX);
        let written = LastWrite {
            member: by.member.clone(),
            tool,
            version: new.clone().without_lines(),
        };
        self.writes.insert(path.to_owned(), (self.clock, written));
    }

    /// The one who made a file what it is, as far as that is known.
    fn changed(&self, reader: &FileReader, now: &Now<'_>) -> Changed {
        let written = self.writes.get(now.path).map(|(_, written)| written);
        let by = match written {
            Some(written) if written.version == now.version => {
                match written.member == reader.member {
                    true => format!("by your own {}", written.tool),
                    false => format!("by {}'s {}", written.member, written.tool),
                }
            }
            Some(_) | None => {
                let commands = now.changed_at;
                match commands.and_then(|at| self.commands.at(at, &reader.member)) {
                    Some(commands) => format!("maybe by {commands}"),
                    None => "by no tool or command of this team that is known: by the user or \
                        another program"
                        .to_owned(),
                }
            }
        };
        Changed {
            by,
            ago: now.changed_at.and_then(|at| at.elapsed().ok()),
        }
    }
}

fn lines_of(entry: &FileKnowledge) -> usize {
    let lines = entry.seen.as_ref();
    lines.map_or(0, |(seen, _)| seen.line_count().unwrap_or(0))
}

/// Takes out what was used least recently if there are `max`.
fn make_room<K: Clone + Eq + Hash, V>(
    map: &mut HashMap<K, (u64, V)>,
    max: usize,
) -> Option<(u64, V)> {
    if map.len() < max {
        return None;
    }
    let oldest = map.iter().min_by_key(|(_, (used, _))| *used);
    let oldest = oldest.map(|(key, _)| key.clone())?;
    map.remove(&oldest)
}

impl SeenParts {
    /// These lines were seen, too.
    fn add(&mut self, shown: ShownLines) {
        let Self::Lines(parts) = self else { return };
        if !shown.is_cut && parts.len() < PARTS_MAX {
            parts.push((shown.first, shown.first + shown.count));
        }
        parts.sort_unstable();
        let mut joined: Vec<(u64, u64)> = Vec::new();
        for (from, until) in parts.drain(..) {
            match joined.last_mut() {
                Some((_, end)) if *end >= from => *end = until.max(*end),
                Some(_) | None => joined.push((from, until)),
            }
        }
        *parts = joined;
        let is_whole = match **parts {
            [(first, until)] => first <= 1 && until > shown.of,
            _ => false,
        };
        if is_whole || (shown.of == 0 && !shown.is_cut) {
            *self = Self::Whole;
        }
    }
}
