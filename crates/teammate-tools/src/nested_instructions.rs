//! Instructions of directories below the workspace: they come with the first file of such a directory that a conversation
//! reads or changes. Those of the workspace and above it are in the briefing.
//!
//! They are read like any file of the workspace, so nothing outside of it and nothing that a rule denies is shown, and they
//! grant nothing.

use std::{
    collections::HashSet,
    io::Read as _,
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
};

use teammate_core::{
    fence::fenced,
    lock::Hold,
    port::{BoxFuture, ReadyCall, Target, Tool, ToolContext, Workspace},
    tool::{Outcome, OutcomePart, ToolInput, ToolSpec},
};
use teammate_process::blocking;

use crate::{
    beneath::{Intent, resolve},
    instructions::{
        CLAUDE, INSTRUCTION_FILES, OF_PROJECT, bounded, brought_in, has_imports, is_for_agents,
    },
    workspace::FileReader,
};

/// The most bytes that are shown of one file.
const FILE_BYTES_MAX: usize = 16 << 10;
/// The most bytes that come with one call.
const CALL_BYTES_MAX: usize = 32 << 10;
/// Of how many directories it is remembered who has read their notes; then that is forgotten, and they come once more.
const REMEMBERED_MAX: usize = 16_384;

/// A tool about a file, with what the file's directories have to say.
pub(crate) struct Instructed {
    tool: Arc<dyn Tool>,
    read: ReadDirs,
}

/// Which conversation has the notes of which directory. Clones are one.
///
/// A conversation that was made shorter, and one that began anew, is another: what was shown before is not in it.
#[derive(Clone, Default)]
pub(crate) struct ReadDirs(Arc<Mutex<HashSet<(FileReader, u64, PathBuf)>>>);

impl Instructed {
    pub(crate) fn new(tool: Arc<dyn Tool>, read: ReadDirs) -> Self {
        Self { tool, read }
    }
}

impl Tool for Instructed {
    fn spec(&self) -> &ToolSpec {
        self.tool.spec()
    }

    fn is_offered(&self) -> bool {
        self.tool.is_offered()
    }

    fn stands_for(&self, input: &ToolInput) -> Result<Option<(String, ToolInput)>, Outcome> {
        self.tool.stands_for(input)
    }

    fn only_looks(&self, input: &ToolInput) -> bool {
        self.tool.only_looks(input)
    }

    fn read<'a>(
        &'a self,
        input: &ToolInput,
        context: &'a ToolContext,
    ) -> Result<ReadyCall<'a>, Outcome> {
        let ready = self.tool.read(input, context)?;
        let file = match &ready.action.target {
            Target::Path(location) => Some(location.full.clone()),
            Target::Command(_) | Target::Host(_) | Target::Team => None,
        };
        let run: BoxFuture<'a, Outcome> = Box::pin(async move {
            let outcome = ready.run.await;
            match file {
                Some(file) if !outcome.is_error => self.with_notes(outcome, file, context).await,
                Some(_) | None => outcome,
            }
        });
        Ok(ReadyCall { run, ..ready })
    }
}

impl Instructed {
    async fn with_notes(
        &self,
        mut outcome: Outcome,
        file: PathBuf,
        context: &ToolContext,
    ) -> Outcome {
        let dirs = self.read.unread(&file, context);
        if dirs.is_empty() {
            return outcome;
        }
        let workspace = context.workspace.clone();
        let notes = blocking::run(move |_| DirectoryNotes::of(&workspace, &dirs, &file).text).await;
        if !notes.is_empty() {
            let notes = context.secrets.redact(&notes);
            match outcome.parts.last_mut() {
                Some(OutcomePart::Text(text)) => *text = format!("{}\n\n{notes}", text.trim_end()),
                Some(OutcomePart::Image { .. } | OutcomePart::Document { .. }) | None => {
                    outcome.parts.push(OutcomePart::Text(notes.into_owned()));
                }
            }
        }
        outcome
    }
}

impl ReadDirs {
    /// The directories between the workspace and a file, from above, whose notes this conversation has not read. It has now.
    fn unread(&self, file: &Path, context: &ToolContext) -> Vec<PathBuf> {
        let root = &context.workspace.root;
        let above = file.parent().and_then(|dir| dir.strip_prefix(root).ok());
        let Some(above) = above else {
            return Vec::new();
        };
        let reader = FileReader::of(&context.caller);
        let since = context.caller.sources.whole_since();
        let mut read = self.0.hold();
        if read.len() > REMEMBERED_MAX {
            read.clear();
        }
        let dirs = above.ancestors().filter(|dir| !dir.as_os_str().is_empty());
        let mut new: Vec<PathBuf> = dirs
            .filter(|dir| read.insert((reader.clone(), since, root.join(dir))))
            .map(Path::to_owned)
            .collect();
        new.reverse();
        new
    }
}

/// The notes of some directories, as they are collected.
struct DirectoryNotes<'a> {
    workspace: &'a Workspace,
    /// Resolved paths of what was taken, or needs not be.
    taken: HashSet<PathBuf>,
    text: String,
}

impl<'a> DirectoryNotes<'a> {
    /// Those of `dirs`, without `file`, which is shown already.
    fn of(workspace: &'a Workspace, dirs: &[PathBuf], file: &Path) -> Self {
        let mut notes = Self {
            workspace,
            taken: HashSet::from([file.to_owned()]),
            text: String::new(),
        };
        for dir in dirs {
            for name in INSTRUCTION_FILES {
                notes.take(&dir.join(name));
            }
            for name in CLAUDE.files(&workspace.root.join(dir)) {
                notes.take_rule(&dir.join(CLAUDE.path).join(name));
            }
        }
        notes
    }

    /// A file of a directory of rules. One that is too long is not one rule, but cut it would be another.
    fn take_rule(&mut self, path: &Path) {
        let bytes = self.read_bytes(path);
        let bytes = bytes.filter(|bytes| bytes.len() <= FILE_BYTES_MAX);
        if let Some(Ok(Some(text))) = bytes.map(|bytes| CLAUDE.text(&bytes)) {
            self.add(path, &text);
        }
    }

    /// A file, and what it brings in.
    fn take(&mut self, path: &Path) {
        let Some(text) = self.read(path) else { return };
        self.add(path, &text);
        if has_imports(&path.to_string_lossy()) {
            let brought = brought_in(path, &text, |path| {
                is_for_agents(path).then(|| self.read(path)).flatten()
            });
            for (path, text) in brought {
                self.add(&path, &text);
            }
        }
    }

    fn add(&mut self, path: &Path, text: &str) {
        let path = path.display().to_string();
        if self.text.len() + text.len() > CALL_BYTES_MAX {
            let more = format!("({path} has notes of the project, too; read them there.)\n");
            self.text.push_str(&more);
            return;
        }
        if self.text.is_empty() {
            self.text = format!("{OF_PROJECT}\n");
        }
        self.text.push_str(&fenced("notes", &path, text));
        self.text.push('\n');
    }

    /// The text of a file; nothing if there is none, it is no text, or is not to be read.
    fn read(&mut self, path: &Path) -> Option<String> {
        let found = bounded(self.read_bytes(path)?, FILE_BYTES_MAX).ok()?;
        (!found.text.is_empty()).then_some(found.text)
    }

    /// The beginning of a file of the workspace that was not taken yet, and one byte more than is shown.
    fn read_bytes(&mut self, path: &Path) -> Option<Vec<u8>> {
        let place = resolve(self.workspace, path.to_str()?, Intent::Look).ok()?;
        if self.workspace.is_unreadable(place.full()) || !is_for_agents(place.display_path()) {
            return None;
        }
        let file = place.open().ok()?;
        let is_file = file.metadata().is_ok_and(|found| found.is_file());
        if !is_file || !self.taken.insert(place.full().to_owned()) {
            return None;
        }
        let mut bytes = Vec::new();
        let most = FILE_BYTES_MAX as u64 + 1;
        file.take(most).read_to_end(&mut bytes).ok()?;
        Some(bytes)
    }
}
