//! The simulated machine: its processes, what they see, and what the disk surely holds.

use std::{
    collections::BTreeMap,
    io,
    path::{Path, PathBuf},
};

use super::{
    Fault,
    content::Content,
    directory::{DirEntry, NameChange},
    rng::SimRng,
};

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
    names: BTreeMap<PathBuf, DirEntry>,
    /// What survives a power cut whatever happens.
    durable: BTreeMap<PathBuf, DirEntry>,
    /// What separates the two, in order.
    pending: Vec<NameChange>,
    processes: Vec<Process>,
    locks: BTreeMap<PathBuf, u64>,
    pub(super) ignores_syncs: bool,
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

    pub(super) fn check_dead(&mut self, id: u64) -> bool {
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

    pub(super) fn is_locked(&self, path: &Path) -> bool {
        self.locks.contains_key(path)
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
            self.files[file].lose();
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
        let node = DirEntry::File(self.files.len());
        self.files.push(Content::default());
        self.add(path, node);
        Ok(())
    }

    fn create_dirs(&mut self, path: &Path) -> io::Result<()> {
        let mut above: Vec<&Path> = path.ancestors().collect();
        above.reverse();
        for dir in above {
            match self.names.get(dir) {
                Some(DirEntry::Dir) => {}
                Some(DirEntry::File(_)) => return Err(io::ErrorKind::NotADirectory.into()),
                None if dir.parent().is_none() => {}
                None => self.add(dir, DirEntry::Dir),
            }
        }
        Ok(())
    }

    fn add(&mut self, path: &Path, node: DirEntry) {
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
        self.pending.retain_mut(|change| !change.sync(dir, durable));
        Ok(())
    }

    /// The file of that name, if there is one.
    pub(super) fn file(&self, path: &Path) -> io::Result<Option<usize>> {
        match self.names.get(path) {
            Some(DirEntry::File(file)) => Ok(Some(*file)),
            Some(DirEntry::Dir) => Err(io::ErrorKind::InvalidInput.into()),
            None => Ok(None),
        }
    }

    pub(super) fn content(&self, file: usize) -> &[u8] {
        &self.files[file].live
    }

    pub(super) fn is_dir(&self, path: &Path) -> bool {
        path.parent().is_none() || self.names.get(path) == Some(&DirEntry::Dir)
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
        let mut luck = SimRng::new(seed);
        let mut names = self.durable.clone();
        for change in &self.pending {
            change.after_power_cut(&mut names, &mut luck);
        }
        let all = names.clone();
        names.retain(|path, _| {
            let mut above = path.ancestors().skip(1);
            above.all(|dir| dir.parent().is_none() || all.get(dir) == Some(&DirEntry::Dir))
        });
        Self {
            files: self
                .files
                .iter()
                .map(|file| file.after_power_cut(&mut luck))
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
