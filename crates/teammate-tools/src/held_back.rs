//! Files that commands wrote where they would decide what programs do later, and that the guard holds: the member reads that they
//! are held, the user is asked with what is in them, and their answer is carried out, also when it comes after a restart. What
//! sees such files and moves them away is the sandbox's guard.

mod note;
mod question;

use std::{
    collections::BTreeMap,
    io,
    path::{Path, PathBuf},
    time::SystemTime,
};

use teammate_core::{
    MemberName,
    cause::Cause,
    fence::escaped,
    port::{
        BoxFuture, LaterQuestion, OpenQuestion, OpenQuestions, SettleAnswer, ToolContext,
        UserAnswer,
    },
};
use teammate_process::{TeamSandbox, blocking};
use teammate_sandbox::HeldFile;

use self::note::HeldNote;

/// The asker, as tools are called.
const BY: &str = "sandbox";
/// How many files one question shows, and one sentence names. More than that is nobody's to read at once.
const FILES_MAX: usize = 20;

/// The files that are held for one team. Cheap to clone.
#[derive(Debug, Clone)]
pub struct HeldBack {
    sandbox: TeamSandbox,
    root: PathBuf,
    team_dir: PathBuf,
}

/// A file that is held, and who is asked about it.
#[derive(Debug)]
pub struct HeldBackFile {
    file: HeldFile,
    note: Option<HeldNote>,
}

/// The user's word about a held file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HeldState {
    /// Nothing yet: they are asked, or will be when the team is opened.
    Open,
    Refused,
}

impl HeldBack {
    /// Those of the team in `team_dir` of the workspace `root`.
    pub fn new(sandbox: TeamSandbox, (root, team_dir): (&Path, &Path)) -> Self {
        Self {
            sandbox,
            root: root.to_owned(),
            team_dir: team_dir.to_owned(),
        }
    }

    /// All, in the order of their numbers. Blocks.
    pub fn list(&self) -> Vec<HeldBackFile> {
        let held = self.sandbox.held((&self.root, &self.team_dir)).into_iter();
        held.map(|file| HeldBackFile {
            note: HeldNote::read(&file),
            file,
        })
        .collect()
    }

    fn open_questions(&self) -> Vec<OpenQuestion> {
        let mut asked: BTreeMap<Cause, (HeldNote, Vec<HeldFile>)> = BTreeMap::new();
        let mut found: BTreeMap<PathBuf, HeldNote> = BTreeMap::new();
        for HeldBackFile { file, note } in self.list() {
            let note = note.unwrap_or_else(|| {
                let root = file.root().to_owned();
                let note = found.entry(root).or_insert_with(HeldNote::found).clone();
                note.write(&file);
                note
            });
            if !note.is_refused() {
                let call = note.caller().call;
                let (_, files) = asked.entry(call).or_insert((note, Vec::new()));
                files.push(file);
            }
        }
        let asked = asked.into_values();
        asked
            .filter_map(|(note, files)| {
                Some(OpenQuestion {
                    caller: note.caller(),
                    place: files.first()?.root().to_owned(),
                    question: later(files, &note, &self.team_dir),
                })
            })
            .collect()
    }
}

impl OpenQuestions for HeldBack {
    fn left_open(&self) -> BoxFuture<'_, Vec<OpenQuestion>> {
        let kept = self.clone();
        Box::pin(blocking::run(move |_| kept.open_questions()))
    }
}

impl HeldBackFile {
    /// Names it among those that are held for the team. No number is used twice.
    pub fn number(&self) -> u32 {
        self.file.number()
    }

    /// Where it was written, below the workspace or worktree.
    pub fn name(&self) -> &Path {
        self.file.name()
    }

    /// The workspace or worktree in which it was written.
    pub fn root(&self) -> &Path {
        self.file.root()
    }

    /// Where it is now.
    pub fn held_at(&self) -> PathBuf {
        self.file.held_at()
    }

    /// When it was held.
    pub fn since(&self) -> Option<SystemTime> {
        self.file.held_since()
    }

    /// Whose command wrote it, where that is known.
    pub fn writer(&self) -> Option<&MemberName> {
        self.note.as_ref()?.writer()
    }

    /// The user's word.
    pub fn state(&self) -> HeldState {
        match self.note.as_ref().is_some_and(HeldNote::is_refused) {
            true => HeldState::Refused,
            false => HeldState::Open,
        }
    }

    /// By which call they are asked.
    pub fn asked_by(&self) -> Option<Cause> {
        let note = self.note.as_ref()?;
        Some(note.caller().call.part(BY))
    }

    /// The new lines, with a few lines around them.
    pub fn difference(&self) -> String {
        question::shown(&self.file)
    }

    /// The user says yes: it is put where it was written.
    ///
    /// # Errors
    ///
    /// It changed since it was listed, or something else stands there by now: it stays held.
    pub fn take(&self) -> io::Result<()> {
        self.file.put_in_place()
    }

    /// The user says that nobody needs it: it is removed for good.
    ///
    /// # Errors
    ///
    /// It cannot be removed.
    pub fn drop_for_good(&self) -> io::Result<()> {
        self.file.remove()
    }
}

/// The remark for the member; empty if nothing was held. The user is asked meanwhile, and their yes puts the files in place.
pub(crate) fn remark(mut held: Vec<HeldFile>, context: &ToolContext) -> String {
    let Some(first) = held.first() else {
        return String::new();
    };
    let at = first.held_at();
    let at = at.parent().and_then(Path::parent).unwrap_or(&at).to_owned();
    // As they are listed after a restart.
    held.sort_by_key(HeldFile::number);
    let names = names(&held);
    let note = HeldNote::of(&context.caller);
    held.iter().for_each(|held| note.write(held));
    let question = later(held, &note, &context.workspace.team_dir);
    let asked = match context.team.ask_user_later(question) {
        true => {
            "The user is asked now, with its content; after a yes it stands there, and you get mail when they have answered."
        }
        false => "Nobody can be asked now; it stays held until the user has looked at it.",
    };
    format!(
        "[Held back: {names}. Such a file decides what programs of the user do later, so what is new in it counts only after the \
         user's yes. {asked} Until then what was there before does. Do not write it again; go on. It is kept in {}.]\n",
        at.display()
    )
}

fn later(held: Vec<HeldFile>, note: &HeldNote, team_dir: &Path) -> LaterQuestion {
    LaterQuestion {
        ask: question::question(&held, note.writer(), &team_dir.join("held")),
        settle: settle(held, note.clone()),
    }
}

/// Carries out the answer. What cannot be put there stays where it is held.
fn settle(held: Vec<HeldFile>, mut note: HeldNote) -> SettleAnswer {
    Box::new(move |answer| {
        Box::pin(blocking::run(move |_| match answer {
            UserAnswer::Yes(words) => Some(placed(&held, &words)),
            UserAnswer::No(because) => {
                note.refuse();
                held.iter().for_each(|held| note.write(held));
                let because = match because.is_empty() {
                    true => String::new(),
                    false => format!(" ({because})"),
                };
                Some(format!(
                    "The user said no to {}{because}: it is not put there. Do not write it again in another form; ask, or go on \
                     without it.",
                    names(&held)
                ))
            }
            UserAnswer::Unanswered => {
                note.count_try();
                held.iter().for_each(|held| note.write(held));
                None
            }
        }))
    })
}

fn placed(held: &[HeldFile], words: &str) -> String {
    let mut failed = String::new();
    let mut placed = Vec::new();
    for held in held {
        match held.put_in_place() {
            Ok(()) => placed.push(held.clone()),
            Err(error) => {
                let name = escaped(&held.name().display().to_string());
                failed += &format!(" {name} is not there and stays held: {error}.");
            }
        }
    }
    let mut said = match placed.is_empty() {
        true => "The user said yes to what a command wrote.".to_owned(),
        false => format!(
            "The user said yes to {}: it stands there now.",
            names(&placed)
        ),
    };
    said += &failed;
    if !words.is_empty() {
        said += &format!(" They add: {words}");
    }
    said
}

/// The first of them by name, and how many more there are.
fn names(held: &[HeldFile]) -> String {
    let names = held.iter().take(FILES_MAX);
    let names: Vec<String> = names
        .map(|held| held.name().display().to_string())
        .collect();
    let names = escaped(&names.join(", "));
    match held.len().saturating_sub(FILES_MAX) {
        0 => names,
        more => format!("{names} and {more} more"),
    }
}
