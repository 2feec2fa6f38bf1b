//! The simulated machine: its processes, what they see, and what the disk surely holds.

use std::{
    collections::BTreeMap,
    io,
    ops::Range,
    path::{Path, PathBuf},
};

use super::Fault;

/// What changes the disk.
#[derive(Debug, Clone, Copy)]
pub(super) enum Operation<'a> {
    Create(&'a Path),
    CreateDirs(&'a Path),
    Append(usize, &'a [u8]),
    Truncate(usize, usize),
    Sync(usize),
    SyncDir(&'a Path),
    Rename(&'a Path, &'a Path),
    Remove(&'a Path),
}

#[derive(Clone, Default)]
pub(super) struct Machine {
    files: Vec<Content>,
    /// What processes see.
    names: BTreeMap<PathBuf, Node>,
    /// What survives a power cut whatever happens.
    durable: BTreeMap<PathBuf, Node>,
    /// What separates the two, in order.
    pending: Vec<NameChange>,
    processes: Vec<Process>,
    locks: BTreeMap<PathBuf, u64>,
    pub(super) ignores_syncs: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Node {
    Dir,
    File(usize),
}

#[derive(Clone)]
enum NameChange {
    Add(PathBuf, Node),
    Remove(PathBuf),
    Rename {
        from: PathBuf,
        to: PathBuf,
        node: Node,
        /// Whether each end's directory was synced since.
        is_gone: bool,
        is_there: bool,
    },
}

#[derive(Clone, Default)]
struct Content {
    live: Vec<u8>,
    durable: Vec<u8>,
    /// What separates the two, in order.
    pending: Vec<DataChange>,
    /// Bytes that a failed sync has lost: processes see them, the disk never gets them.
    lost: Vec<Range<usize>>,
}

#[derive(Clone)]
enum DataChange {
    Append(Vec<u8>),
    Truncate(usize),
}

#[derive(Clone, Default)]
struct Process {
    operations: u64,
    plan: BTreeMap<u64, Fault>,
    is_dead: bool,
}

fn crashed() -> io::Error {
    io::Error::other("the process has crashed")
}

impl Machine {
    pub(super) fn start_process(&mut self) -> u64 {
        self.processes.push(Process::default());
        self.processes.len() as u64 - 1
    }

    fn process(&mut self, id: u64) -> &mut Process {
        // Ids are given by `start_process` alone.
        &mut self.processes[usize::try_from(id).unwrap_or(usize::MAX)]
    }

    pub(super) fn operations(&mut self, id: u64) -> u64 {
        self.process(id).operations
    }

    pub(super) fn plan(&mut self, id: u64, at: u64, fault: Fault) {
        self.process(id).plan.insert(at, fault);
    }

    pub(super) fn is_dead(&mut self, id: u64) -> bool {
        self.process(id).is_dead
    }

    pub(super) fn alive(&self, id: u64) -> io::Result<()> {
        match self
            .processes
            .get(usize::try_from(id).unwrap_or(usize::MAX))
        {
            Some(process) if !process.is_dead => Ok(()),
            Some(_) | None => Err(crashed()),
        }
    }

    pub(super) fn kill(&mut self, id: u64) {
        self.process(id).is_dead = true;
        self.locks.retain(|_, holder| *holder != id);
    }

    pub(super) fn lock(&mut self, id: u64, path: &Path) -> bool {
        let is_free = !self.locks.contains_key(path);
        if is_free {
            self.locks.insert(path.to_owned(), id);
        }
        is_free
    }

    pub(super) fn unlock(&mut self, id: u64, path: &Path) {
        // A dead process' locks are free already, and another may hold them by now.
        if self.locks.get(path) == Some(&id) {
            self.locks.remove(path);
        }
    }

    pub(super) fn change(&mut self, id: u64, operation: Operation<'_>) -> io::Result<()> {
        self.alive(id)?;
        let process = self.process(id);
        let fault = process.plan.remove(&process.operations);
        process.operations += 1;
        match fault {
            None => self.apply(operation),
            Some(Fault::Error(kind)) => {
                self.lose(operation);
                Err(kind.into())
            }
            Some(Fault::ShortWrite) => {
                self.half(operation)?;
                Err(io::ErrorKind::StorageFull.into())
            }
            Some(Fault::Crash) => {
                self.kill(id);
                Err(crashed())
            }
            Some(Fault::CrashMidway) => {
                match operation {
                    Operation::Append(..) => self.half(operation)?,
                    _ => self.apply(operation)?,
                }
                self.kill(id);
                Err(crashed())
            }
        }
    }

    fn half(&mut self, operation: Operation<'_>) -> io::Result<()> {
        match operation {
            Operation::Append(file, bytes) => {
                self.apply(Operation::Append(file, &bytes[..bytes.len() / 2]))
            }
            _ => Ok(()),
        }
    }

    fn lose(&mut self, operation: Operation<'_>) {
        if let Operation::Sync(file) = operation {
            let content = &mut self.files[file];
            let end = content.live.len();
            content.lost.push(content.durable.len().min(end)..end);
        }
    }

    fn apply(&mut self, operation: Operation<'_>) -> io::Result<()> {
        match operation {
            Operation::Create(path) => self.create(path),
            Operation::CreateDirs(path) => self.create_dirs(path),
            Operation::Append(file, bytes) => {
                self.files[file].append(bytes);
                Ok(())
            }
            Operation::Truncate(file, len) => {
                self.files[file].truncate(len);
                Ok(())
            }
            Operation::Sync(file) => {
                if !self.ignores_syncs {
                    self.files[file].sync();
                }
                Ok(())
            }
            Operation::SyncDir(path) => self.sync_dir(path),
            Operation::Rename(from, to) => self.rename(from, to),
            Operation::Remove(path) => self.remove(path),
        }
    }

    fn create(&mut self, path: &Path) -> io::Result<()> {
        if !path.parent().is_some_and(|parent| self.is_dir(parent)) {
            return Err(io::ErrorKind::NotFound.into());
        }
        let node = Node::File(self.files.len());
        self.files.push(Content::default());
        self.add(path, node);
        Ok(())
    }

    fn create_dirs(&mut self, path: &Path) -> io::Result<()> {
        let mut above: Vec<&Path> = path.ancestors().collect();
        above.reverse();
        for dir in above {
            match self.names.get(dir) {
                Some(Node::Dir) => {}
                Some(Node::File(_)) => return Err(io::ErrorKind::NotADirectory.into()),
                None if dir.parent().is_none() => {}
                None => self.add(dir, Node::Dir),
            }
        }
        Ok(())
    }

    fn add(&mut self, path: &Path, node: Node) {
        self.names.insert(path.to_owned(), node);
        self.pending.push(NameChange::Add(path.to_owned(), node));
    }

    fn rename(&mut self, from: &Path, to: &Path) -> io::Result<()> {
        if !to.parent().is_some_and(|parent| self.is_dir(parent)) {
            return Err(io::ErrorKind::NotFound.into());
        }
        let node = self.names.remove(from).ok_or(io::ErrorKind::NotFound)?;
        self.names.insert(to.to_owned(), node);
        self.pending.push(NameChange::Rename {
            from: from.to_owned(),
            to: to.to_owned(),
            node,
            is_gone: false,
            is_there: false,
        });
        Ok(())
    }

    fn remove(&mut self, path: &Path) -> io::Result<()> {
        self.file(path)?.ok_or(io::ErrorKind::NotFound)?;
        self.names.remove(path);
        self.pending.push(NameChange::Remove(path.to_owned()));
        Ok(())
    }

    fn sync_dir(&mut self, dir: &Path) -> io::Result<()> {
        if !self.is_dir(dir) {
            return Err(io::ErrorKind::NotFound.into());
        }
        if self.ignores_syncs {
            return Ok(());
        }
        let durable = &mut self.durable;
        let is_in = |path: &Path| path.parent() == Some(dir);
        self.pending.retain_mut(|change| match change {
            NameChange::Add(path, node) => {
                let synced = is_in(path);
                if synced {
                    durable.insert(path.clone(), *node);
                }
                !synced
            }
            NameChange::Remove(path) => {
                let synced = is_in(path);
                if synced {
                    durable.remove(path);
                }
                !synced
            }
            NameChange::Rename {
                from,
                to,
                node,
                is_gone,
                is_there,
            } => {
                if is_in(to) && !*is_there {
                    *is_there = true;
                    durable.insert(to.clone(), *node);
                }
                if is_in(from) && !*is_gone {
                    *is_gone = true;
                    durable.remove(from);
                }
                !(*is_gone && *is_there)
            }
        });
        Ok(())
    }

    /// The file of that name, if there is one.
    pub(super) fn file(&self, path: &Path) -> io::Result<Option<usize>> {
        match self.names.get(path) {
            Some(Node::File(file)) => Ok(Some(*file)),
            Some(Node::Dir) => Err(io::ErrorKind::InvalidInput.into()),
            None => Ok(None),
        }
    }

    pub(super) fn content(&self, file: usize) -> &[u8] {
        &self.files[file].live
    }

    pub(super) fn is_dir(&self, path: &Path) -> bool {
        path.parent().is_none() || self.names.get(path) == Some(&Node::Dir)
    }

    pub(super) fn exists(&self, path: &Path) -> bool {
        path.parent().is_none() || self.names.contains_key(path)
    }

    pub(super) fn list(&self, dir: &Path) -> Vec<PathBuf> {
        let is_in = |path: &&PathBuf| path.parent() == Some(dir);
        self.names.keys().filter(is_in).cloned().collect()
    }

    /// The machine as it may start again after a power cut.
    pub(super) fn after_power_cut(&self, seed: u64) -> Self {
        let mut luck = Luck::new(seed);
        let mut names = self.durable.clone();
        for change in &self.pending {
            change.maybe(&mut names, &mut luck);
        }
        let all = names.clone();
        names.retain(|path, _| {
            let mut above = path.ancestors().skip(1);
            above.all(|dir| dir.parent().is_none() || all.get(dir) == Some(&Node::Dir))
        });
        Self {
            files: self
                .files
                .iter()
                .map(|file| file.maybe(&mut luck))
                .collect(),
            durable: names.clone(),
            names,
            pending: Vec::new(),
            processes: Vec::new(),
            locks: BTreeMap::new(),
            ignores_syncs: self.ignores_syncs,
        }
    }
}

impl NameChange {
    fn maybe(&self, names: &mut BTreeMap<PathBuf, Node>, luck: &mut Luck) {
        match self {
            Self::Add(path, node) => {
                if luck.keeps() {
                    names.insert(path.clone(), *node);
                }
            }
            Self::Remove(path) => {
                if luck.keeps() {
                    names.remove(path);
                }
            }
            Self::Rename {
                from,
                to,
                node,
                is_gone,
                is_there,
            } => {
                // The new name may come without the old one going, but the old one goes only after the new one came,
                // or when its directory alone was synced.
                let comes = *is_there || luck.keeps();
                if comes {
                    names.insert(to.clone(), *node);
                }
                if !*is_gone && comes && luck.keeps() && names.get(from) == Some(node) {
                    names.remove(from);
                }
            }
        }
    }
}

impl Content {
    fn append(&mut self, bytes: &[u8]) {
        self.live.extend_from_slice(bytes);
        self.pending.push(DataChange::Append(bytes.to_vec()));
    }

    fn truncate(&mut self, len: usize) {
        self.live.truncate(len);
        self.pending.push(DataChange::Truncate(len));
        for range in &mut self.lost {
            *range = range.start.min(len)..range.end.min(len);
        }
    }

    fn sync(&mut self) {
        self.pending.clear();
        self.durable.clone_from(&self.live);
        for range in &self.lost {
            self.durable[range.clone()].fill(0);
        }
    }

    /// The file as it may be after a power cut: some of what was not synced, the last of it torn, or with a hole.
    fn maybe(&self, luck: &mut Luck) -> Self {
        let mut bytes = self.durable.clone();
        let kept = luck.up_to(self.pending.len());
        for (at, change) in self.pending.iter().enumerate() {
            match change {
                DataChange::Append(new) if at < kept => bytes.extend_from_slice(new),
                DataChange::Append(new) if at == kept => {
                    bytes.extend_from_slice(&new[..luck.up_to(new.len())]);
                }
                DataChange::Truncate(len) if at < kept => bytes.truncate(*len),
                DataChange::Append(_) | DataChange::Truncate(_) => {}
            }
        }
        let unsynced = bytes.len().saturating_sub(self.durable.len());
        if luck.tears() && unsynced > 0 {
            let hole = self.durable.len() + luck.up_to(unsynced);
            bytes[hole..].fill(0);
        }
        for range in &self.lost {
            let end = range.end.min(bytes.len());
            bytes[range.start.min(end)..end].fill(0);
        }
        Self {
            live: bytes.clone(),
            durable: bytes,
            pending: Vec::new(),
            lost: Vec::new(),
        }
    }
}

/// What the power cut leaves: nothing, everything, or by chance.
struct Luck {
    seed: u64,
    state: u64,
}

impl Luck {
    fn new(seed: u64) -> Self {
        Self { seed, state: seed }
    }

    /// SplitMix64.
    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn keeps(&mut self) -> bool {
        match self.seed {
            0 => false,
            1 => true,
            _ => self.next().is_multiple_of(2),
        }
    }

    fn tears(&mut self) -> bool {
        self.seed > 1 && self.next().is_multiple_of(3)
    }

    /// A number from 0 to `most`.
    fn up_to(&mut self, most: usize) -> usize {
        match self.seed {
            0 => 0,
            1 => most,
            _ => usize::try_from(self.next() % (most as u64 + 1)).unwrap_or_default(),
        }
    }
}
