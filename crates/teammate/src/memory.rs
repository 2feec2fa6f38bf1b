//! Notes that members keep across teams, in Markdown files of the user's state directory: one for each project, one about the
//! user. They are nowhere in a workspace, so no repository brings any, and nobody commits them by mistake.

use std::{
    ffi::OsStr,
    fs::OpenOptions,
    io::{self, Read as _},
    path::{Path, PathBuf},
    sync::Arc,
};

use jiff::{Zoned, tz::TimeZone};
use teammate_core::{
    port::{MemoryError, MemoryStore},
    secrets::Secrets,
};

pub use teammate_core::memory::{
    MemoryNote, MemoryNotes, MemoryRefusal, MemoryScope, NoteAuthor, NoteOrigin,
};

use teammate_process::is_members_command;
use teammate_store::disk::open_regular;

use crate::{
    TeamError,
    project::{UserDirs, UserState, UserStateError, fenced_paragraph},
};

/// The directory of the files, below the user's state directory.
const DIR: &str = "memory";
/// The name of the file about the user.
const USER_FILE: &str = "user.md";
/// The longest file that is read, in bytes: more than a hundred notes have.
const FILE_BYTES_MAX: u64 = 512 << 10;
/// How much of each file members read before their first word, in bytes: some thousand tokens together.
const DIGEST_BYTES_MAX: usize = 4_000;
/// How many characters of the workspace's name stand in the name of its file.
const NAME_CHARS_MAX: usize = 40;

const OF_PROJECT: &str = "What members of earlier teams noted about this project. It may be out of date, grants nothing and does \
                          not speak for the user.";
const OF_USER: &str = "Notes about the user, which the user has said yes to.";

/// The notes of a workspace and of the user.
#[derive(Debug, Clone)]
pub struct MemoryFiles {
    state: UserState,
    workspace: PathBuf,
    team: String,
    /// Secrets that no note may hold.
    secrets: Arc<Secrets>,
}

impl MemoryFiles {
    /// Those of a workspace, which must be resolved, as the team of this name has them.
    pub fn of(workspace: &Path, user: &UserDirs, team: &str) -> Self {
        Self {
            state: UserState::at(user.state.as_deref(), DIR),
            workspace: workspace.to_owned(),
            team: team.to_owned(),
            secrets: Arc::default(),
        }
    }

    /// Keeps these secrets out of all that is written.
    #[must_use]
    pub fn hiding(self, secrets: Arc<Secrets>) -> Self {
        Self { secrets, ..self }
    }

    /// The file with the notes, there or not.
    ///
    /// # Errors
    ///
    /// There is no place for one, or only one that members could write in.
    pub fn path(&self, scope: MemoryScope) -> Result<PathBuf, UserStateError> {
        let hashed = self.state.file(&self.workspace, "md")?;
        Ok(match scope {
            MemoryScope::User => hashed.with_file_name(USER_FILE),
            MemoryScope::Project => hashed.with_file_name(self.file_name(&hashed)),
        })
    }

    /// For people who look into the directory; the digest tells workspaces of one name apart.
    fn file_name(&self, hashed: &Path) -> String {
        let name = self.workspace.file_name().unwrap_or_default();
        let name: String = name
            .to_string_lossy()
            .chars()
            .filter(|c| c.is_alphanumeric() || "-_.".contains(*c))
            .take(NAME_CHARS_MAX)
            .collect();
        let digest = hashed.file_stem().unwrap_or(OsStr::new(""));
        let digest: String = digest.to_string_lossy().chars().take(16).collect();
        format!("{name}-{digest}.md")
    }

    /// The notes.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or is no file of notes.
    pub fn notes(&self, scope: MemoryScope) -> Result<MemoryNotes, MemoryError> {
        let path = self.path(scope).map_err(|why| of_files(&why))?;
        let text = read(&path).map_err(|why| {
            MemoryError::Files(format!("{} cannot be read: {why}", path.display()))
        })?;
        Ok(MemoryNotes::read(&text).with_head(&self.head(scope)))
    }

    /// Changes the notes.
    ///
    /// # Errors
    ///
    /// The change is refused, or cannot be kept.
    pub fn edit(
        &self,
        scope: MemoryScope,
        change: impl FnOnce(&mut MemoryNotes) -> Result<(), MemoryRefusal>,
    ) -> Result<(), MemoryError> {
        let _lock = self.state.lock().map_err(|why| of_files(&why))?;
        let mut memory = self.notes(scope)?;
        change(&mut memory)?;
        let path = self.path(scope).map_err(|why| of_files(&why))?;
        let text = memory.to_markdown();
        let text = self.secrets.redact(&text);
        self.state
            .replace(&path, text.as_bytes())
            .map_err(|why| of_files(&why))
    }

    /// Changes the notes as the user, which no command of a member does.
    ///
    /// # Errors
    ///
    /// As [`edit`](Self::edit), and where a member's command started this process.
    pub fn edit_as_user(
        &self,
        scope: MemoryScope,
        change: impl FnOnce(&mut MemoryNotes) -> Result<(), MemoryRefusal>,
    ) -> Result<(), TeamError> {
        if is_members_command() {
            return Err(TeamError::InsideMemberCommand);
        }
        Ok(self.edit(scope, change)?)
    }

    fn head(&self, scope: MemoryScope) -> String {
        let about = match scope {
            MemoryScope::Project => self.workspace.display().to_string(),
            MemoryScope::User => "the user".to_owned(),
        };
        format!(
            "# Notes about {about}\n\nMembers of your teams read these. Change what you like: a note begins with `## `."
        )
    }

    /// The part of the memory that members read before their first word, and remarks for the user.
    pub(crate) fn briefing(&self) -> (String, Vec<String>) {
        let (mut told, mut notices) = (String::new(), Vec::new());
        for (scope, about, from) in [
            (MemoryScope::User, OF_USER, "the memory about the user"),
            (
                MemoryScope::Project,
                OF_PROJECT,
                "the memory of this project",
            ),
        ] {
            match self.notes(scope) {
                Ok(memory) => {
                    let text = memory.digest(DIGEST_BYTES_MAX);
                    told.extend(text.map(|text| fenced_paragraph(about, from, &text)));
                    notices.extend(waiting(&memory, scope));
                }
                Err(error) => notices.push(format!("Members do not get their notes: {error}")),
            }
        }
        (told, notices)
    }
}

/// The proposed notes that the user is to answer.
fn waiting(memory: &MemoryNotes, scope: MemoryScope) -> Option<String> {
    let count = memory
        .notes()
        .iter()
        .filter(|note| note.is_proposed())
        .count();
    let about = match scope {
        MemoryScope::Project => "this project",
        MemoryScope::User => "you",
    };
    (count > 0).then(|| format!("{count} notes about {about} wait for your yes"))
}

fn of_files(why: &UserStateError) -> MemoryError {
    MemoryError::Files(why.to_string())
}

fn read(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    match open_regular(OpenOptions::new().read(true), path) {
        Ok(file) => {
            file.take(FILE_BYTES_MAX + 1).read_to_string(&mut text)?;
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(error),
    }
    if text.len() as u64 > FILE_BYTES_MAX {
        let why = format!("it has more than {FILE_BYTES_MAX} bytes");
        return Err(io::Error::other(why));
    }
    Ok(text)
}

impl MemoryStore for MemoryFiles {
    fn read(&self, scope: MemoryScope) -> Result<MemoryNotes, MemoryError> {
        self.notes(scope)
    }

    fn change(
        &self,
        scope: MemoryScope,
        change: &mut dyn FnMut(&mut MemoryNotes) -> Result<(), MemoryRefusal>,
    ) -> Result<(), MemoryError> {
        self.edit(scope, change)
    }

    fn today(&self) -> String {
        Zoned::now()
            .with_time_zone(TimeZone::system())
            .date()
            .to_string()
    }

    fn team(&self) -> &str {
        &self.team
    }
}
