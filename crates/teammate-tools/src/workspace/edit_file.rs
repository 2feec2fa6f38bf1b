//! `edit_file`: replaces a piece of text in a file.
//!
//! Edits of one file wait for each other, each reads what the one before left, and the file is compared as it is replaced, so
//! that no other change is lost. A text that occurs once is safe to replace in a file that changed since, and in one that was
//! never read: the rest stays. Where all places are replaced, the caller must know the file.

use std::{borrow::Cow, io, path::Path, sync::Arc};

use schemars::JsonSchema;
use serde::Deserialize;
use teammate_core::{
    cause::Cause,
    port::{Action, BoxFuture, Target, ToolContext},
    secrets::Secrets,
    tool::{EffectClass, Outcome},
};
use teammate_process::{
    TeamSandbox,
    blocking::{self, CancelFlag},
};

use crate::{
    beneath::{ExpectedFile, Intent, Placed, ResolvedPath, resolve},
    typed_tool::{Reply, TypedTool},
    workspace::{
        file_change::Foreseen,
        file_locks::{AllowedChanges, FileLocks},
        known::{FileReader, FileVersion, KnownFiles, Now, RequiredKnowledge},
        text_encoding::TextEncoding,
        text_file::{WholeFile, read_whole},
        text_form::TextForm,
    },
};

mod near_miss;
mod replace;

use replace::{Replace, ReplacedText};

/// How often an edit is made anew because another process changed the file meanwhile.
const TRIES_MAX: usize = 5;

/// Shares its locks with the other tools that change files, and what members know.
pub(crate) struct EditFile(
    pub(super) FileLocks,
    pub(super) KnownFiles,
    pub(super) TeamSandbox,
);

#[derive(Clone, Deserialize, JsonSchema)]
pub(crate) struct Input {
    #[serde(alias = "file_path")]
    path: String,
    #[serde(alias = "old_string")]
    old_text: String,
    #[serde(alias = "new_string")]
    new_text: String,
    #[serde(default, alias = "replace_all")]
    all: bool,
    #[serde(skip)]
    #[schemars(skip)]
    foreseen: Foreseen,
}

impl Input {
    fn place(&self, context: &ToolContext) -> Result<ResolvedPath, Outcome> {
        Ok(resolve(&context.workspace, &self.path, Intent::Change)?)
    }
}

impl TypedTool for EditFile {
    type Input = Input;
    const NAME: &'static str = "edit_file";
    const DESCRIPTION: &'static str = "Replace old_text: exact and occurring once (all: everywhere). Empty old_text \
        fills a new or empty file.";
    const CLASS: EffectClass = EffectClass::Writes;

    fn action(&self, input: &Input, context: &ToolContext) -> Result<Action, Outcome> {
        let place = input.place(context)?;
        let shown = place.display_path().display().to_string();
        Ok(Action {
            target: Target::Path(place.location()),
            shows: format!("edit {shown}"),
            summary: shown,
        })
    }

    /// The diff.
    fn preview<'a>(
        &'a self,
        input: &Input,
        action: &Action,
        context: &'a ToolContext,
    ) -> Option<BoxFuture<'a, Result<Action, Outcome>>> {
        let (input, target) = (input.clone(), action.target.clone());
        Some(Box::pin(async move {
            let edit = self.edit(input, context)?;
            blocking::run(move |_| edit.preview(target)).await
        }))
    }

    async fn run(&self, input: Input, context: &ToolContext) -> Reply {
        let edit = self.edit(input, context)?;
        let lock = self.0.lock(edit.place.full()).await;
        blocking::run(move |stop| {
            let _lock = lock;
            edit.run(stop)
        })
        .await
    }
}

impl EditFile {
    fn edit(&self, input: Input, context: &ToolContext) -> Result<EditCall, Outcome> {
        Ok(EditCall {
            place: input.place(context)?,
            input,
            known: self.1.clone(),
            reader: FileReader::of(&context.caller),
            call: context.caller.call.clone(),
            secrets: context.secrets.clone(),
            allowed: AllowedChanges::of(&self.2, &context.workspace),
        })
    }
}

/// One call.
struct EditCall {
    place: ResolvedPath,
    input: Input,
    known: KnownFiles,
    reader: FileReader,
    call: Cause,
    secrets: Arc<Secrets>,
    allowed: AllowedChanges,
}

/// A file as it is, and what is to be made of it.
struct Edited {
    old: Option<WholeFile>,
    before: FileVersion,
    encoding: TextEncoding,
    new: ReplacedText,
    /// Changes of the file since the caller saw it, in words.
    news: Option<String>,
}

impl Edited {
    fn old_text(&self) -> Cow<'_, str> {
        let old = self.old.as_ref();
        let text = old.and_then(|old| self.encoding.decode(&old.bytes));
        text.unwrap_or_default()
    }

    fn new_bytes(&self) -> Cow<'_, [u8]> {
        self.encoding.encode(&self.new.text)
    }
}

impl EditCall {
    /// Looks at the file, and what would be made of it if that may be done.
    fn looked_at(&self) -> Result<Edited, Outcome> {
        let old = read_whole(&self.place)?;
        let path = self.place.display_path();
        let bytes = old.as_ref().map(|old| &*old.bytes);
        let encoding = TextEncoding::of(bytes.unwrap_or_default());
        let new = edit(&self.input, path, bytes, encoding)?;
        let now = Now {
            path: self.place.full(),
            version: FileVersion::of(bytes.unwrap_or_default()),
            changed_at: old.as_ref().and_then(|old| old.changed_at),
        };
        if new.count > 1 {
            let wanted = FileVersion::of(&encoding.encode(&new.text));
            let judged = self.known.judge(
                &self.reader,
                &now,
                RequiredKnowledge::SameVersion,
                (&wanted, &self.call),
            );
            judged.map_err(|why| {
                let (shown, count) = (path.display(), new.count);
                Outcome::error(format!("'{shown}' was not edited in {count} places: {why}"))
            })?;
        }
        Ok(Edited {
            news: old.as_ref().and(self.known.news(&self.reader, &now)),
            before: now.version,
            encoding,
            old,
            new,
        })
    }

    fn preview(&self, target: Target) -> Result<Action, Outcome> {
        let edited = self.looked_at()?;
        let shown = self.place.display_path();
        let foreseen = &self.input.foreseen;
        let change = foreseen.look(shown, &edited.old_text(), &edited.new.text);
        let (added, removed) = (change.added, change.removed);
        Ok(Action {
            summary: format!("{} (+{added} -{removed})", shown.display()),
            target,
            shows: change.diff,
        })
    }

    fn run(&self, stop: &CancelFlag) -> Reply {
        let shown = self.place.display_path().display();
        for _ in 0..TRIES_MAX {
            let edited = self.looked_at()?;
            let put = self.put(&edited, stop);
            match put.map_err(|why| Outcome::error(format!("'{shown}' was not edited: {why}.")))? {
                Placed::Done => return Ok(self.done(&edited)),
                Placed::NotExpected => {}
            }
        }
        Err(Outcome::error(format!(
            "'{shown}' was not edited: another program keeps changing it. Try again in a moment."
        )))
    }

    /// Puts the new text there if the file still is as it was looked at.
    fn put(&self, edited: &Edited, stop: &CancelFlag) -> io::Result<Placed> {
        let new = edited.new_bytes();
        let staged = self.place.stage(&new)?;
        let is_executable = edited.old.as_ref().is_some_and(|old| old.is_executable);
        self.allowed.allow(self.place.full(), &new, is_executable);
        let is_old = |file| edited.before.is_in(file);
        let expected = match &edited.old {
            Some(_) => ExpectedFile::File(&is_old),
            None => ExpectedFile::Nothing,
        };
        stop.run_unless_cancelled(|| staged.commit_over(&expected))
            .unwrap_or(Ok(Placed::Done))
    }

    fn done(&self, edited: &Edited) -> Outcome {
        let (path, text) = (self.place.display_path(), &edited.new.text);
        let (full, new) = (self.place.full(), FileVersion::of(&edited.new_bytes()));
        let known = &self.known;
        match edited.before.bytes() {
            0 => known.wrote(&self.reader, full, EditFile::NAME, new),
            _ => known.edited(&self.reader, full, EditFile::NAME, (&edited.before, new)),
        }
        let foreseen = &self.input.foreseen;
        let change = foreseen.done(path, &edited.old_text(), text, &self.secrets);
        let shown = path.display();
        let done = match (&edited.old, edited.new.count) {
            (None, _) => format!("Created {shown}"),
            (Some(_), 0 | 1) => format!("Edited {shown}"),
            (Some(_), count) => format!("Edited {shown} ({count} places)"),
        };
        let news = edited.news.as_ref();
        let news = news.map_or_else(String::new, |news| {
            format!(". Note: {news}. Only the text that you gave was replaced")
        });
        Outcome {
            change: Some(Box::new(change)),
            ..Outcome::ok(done + &news)
        }
    }
}

/// The new text of a file that holds `old`.
fn edit(
    input: &Input,
    shown: &Path,
    old: Option<&[u8]>,
    encoding: TextEncoding,
) -> Result<ReplacedText, Outcome> {
    let shown = shown.display();
    let replace = Replace {
        old: &input.old_text,
        new: &input.new_text,
        all: input.all,
    };
    let old = match old {
        None if input.old_text.is_empty() => "".into(),
        None => {
            return Err(Outcome::error(format!(
                "'{shown}' does not exist; write it as a new file, or search for its name."
            )));
        }
        Some(bytes) => encoding.decode(bytes).ok_or_else(|| {
            Outcome::error(format!(
                "'{shown}' is not UTF-8 text, nor UTF-16 by its mark, so it is not edited this way; use a shell command."
            ))
        })?,
    };
    let edited = replace
        .within(&old)
        .map_err(|why| Outcome::error(format!("'{shown}' was not edited: {why}.")))?;
    let text = TextForm::of(&old).with_mark(edited.text.into());
    Ok(ReplacedText {
        text: text.into_owned(),
        ..edited
    })
}
