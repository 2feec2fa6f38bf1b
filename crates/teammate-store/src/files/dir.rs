//! The paths below a team's directory.

use std::{
    io,
    path::{Path, PathBuf},
    sync::Arc,
};

use teammate_core::{MemberName, board::TaskId, port::Disk, request::RequestId};

/// A team's directory.
#[derive(Debug, Clone)]
pub struct TeamDir(Arc<Path>);

impl TeamDir {
    /// Makes the directory and its fixed content, durably, with a `.gitignore` that ignores it all.
    pub fn create(disk: &dyn Disk, root: impl Into<PathBuf>) -> io::Result<Self> {
        let dir = Self::at(root);
        for inner in [
            dir.inbox_dir().join(".lock"),
            dir.claimed_dirs(),
            dir.inbox_dir().join(".bad"),
            dir.agents_dir(),
        ] {
            disk.create_dir_all(&inner)?;
        }
        let ignore = dir.ignore();
        if !disk.exists(&ignore) {
            disk.write(&ignore, b"*\n")?;
        }
        // Sync also if all of it existed: the process that made it may have died before its sync.
        disk.sync_dir(&dir.inbox_dir())?;
        disk.sync_dir(&dir.0)?;
        // Two levels up, for teams in a directory of teams. A directory that we may not read is not ours
        // to sync; a `TeamDisk` cannot reach them and has synced its own name.
        for above in dir.0.ancestors().skip(1).take(2) {
            match disk.sync_dir(above) {
                Ok(()) => {}
                Err(error)
                    if matches!(
                        error.kind(),
                        io::ErrorKind::PermissionDenied | io::ErrorKind::InvalidInput
                    ) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(dir)
    }

    /// A directory that is not accessed yet.
    pub fn at(root: impl Into<PathBuf>) -> Self {
        Self(root.into().into())
    }

    /// The directory itself.
    pub fn path(&self) -> &Path {
        &self.0
    }

    pub(super) fn ignore(&self) -> PathBuf {
        self.0.join(".gitignore")
    }

    /// The journal.
    pub fn journal(&self) -> PathBuf {
        self.0.join("journal.jsonl")
    }

    pub(super) fn journal_lock(&self) -> PathBuf {
        self.0.join("journal.lock")
    }

    pub(super) fn journal_quarantine(&self) -> PathBuf {
        self.0.join("journal.bad")
    }

    /// The event log.
    pub fn events(&self) -> PathBuf {
        self.0.join("events.jsonl")
    }

    /// The rotated event log.
    pub fn old_events(&self) -> PathBuf {
        self.0.join("events.1.jsonl")
    }

    /// Held by the process that runs the team.
    pub(crate) fn host_lock(&self) -> PathBuf {
        self.0.join("host.lock")
    }

    /// Which process that is.
    pub(super) fn host_name(&self) -> PathBuf {
        self.0.join("host.json")
    }

    /// The view file of the roster.
    pub fn config(&self) -> PathBuf {
        self.0.join("config.json")
    }

    /// The directory of the tasks' view files.
    pub fn tasks_dir(&self) -> PathBuf {
        self.0.join("tasks")
    }

    /// The view file of a task.
    pub fn task(&self, id: TaskId) -> PathBuf {
        self.tasks_dir().join(format!("{}.json", id.number()))
    }

    /// The directory of the plans' view files.
    pub(crate) fn plans_dir(&self) -> PathBuf {
        self.0.join("plans")
    }

    /// The view file of a plan.
    pub fn plan(&self, member: &MemberName, request: RequestId) -> PathBuf {
        self.plans_dir().join(format!("{member}-{request}.md"))
    }

    /// The archive of ended groups.
    pub fn archive(&self) -> PathBuf {
        self.0.join("archive")
    }

    /// The directory of long tool outputs.
    pub fn outputs_dir(&self) -> PathBuf {
        self.0.join("outputs")
    }

    /// The directory of the members' worktrees.
    pub(crate) fn worktrees_dir(&self) -> PathBuf {
        self.0.join("worktrees")
    }

    /// The directory of the inboxes.
    pub fn inbox_dir(&self) -> PathBuf {
        self.0.join("inbox")
    }

    /// A member's unread mail.
    pub fn inbox(&self, owner: &MemberName) -> PathBuf {
        self.inbox_dir().join(format!("{owner}.jsonl"))
    }

    pub(super) fn inbox_lock(&self, owner: &MemberName) -> PathBuf {
        self.inbox_dir().join(".lock").join(owner.as_str())
    }

    pub(super) fn claimed_dir(&self, owner: &MemberName) -> PathBuf {
        self.claimed_dirs().join(owner.as_str())
    }

    pub(super) fn claimed(&self, owner: &MemberName, number: u64) -> PathBuf {
        self.claimed_dir(owner).join(format!("{number}.jsonl"))
    }

    /// The quarantine of a member's mailbox.
    pub fn inbox_quarantine(&self, owner: &MemberName) -> PathBuf {
        self.inbox_dir().join(".bad").join(format!("{owner}.jsonl"))
    }

    pub(super) fn claimed_dirs(&self) -> PathBuf {
        self.inbox_dir().join(".claimed")
    }

    pub(super) fn agents_dir(&self) -> PathBuf {
        self.0.join("agents")
    }

    pub(super) fn agent_dir(&self, owner: &MemberName) -> PathBuf {
        self.agents_dir().join(owner.as_str())
    }

    /// The names that have a transcript directory, members or not.
    pub fn owners(&self, disk: &dyn Disk) -> io::Result<Vec<MemberName>> {
        let paths = disk.list(&self.0.join("agents"))?;
        let name = |path: &PathBuf| MemberName::parse(path.file_name()?.to_str()?).ok();
        Ok(paths.iter().filter_map(name).collect())
    }

    /// A member's transcript.
    pub fn transcript(&self, owner: &MemberName) -> PathBuf {
        self.agent_dir(owner).join("transcript.jsonl")
    }

    pub(super) fn transcript_quarantine(&self, owner: &MemberName) -> PathBuf {
        self.agent_dir(owner).join("transcript.bad.jsonl")
    }

    pub(super) fn owner_lock(&self, owner: &MemberName) -> PathBuf {
        self.agent_dir(owner).join("owner.lock")
    }
}

/// Makes a directory and syncs the one above it.
pub(super) fn durable_dir(disk: &dyn Disk, path: &Path) -> io::Result<()> {
    disk.create_dir_all(path)?;
    path.parent().map_or(Ok(()), |parent| disk.sync_dir(parent))
}
