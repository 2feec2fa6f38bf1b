//! `write_file`: makes a file or replaces it as a whole, at once. It replaces only content that its caller knows, and keeps what
//! the caller does not see of it: line ends, byte order mark, permission bits.

use std::{io, sync::Arc};

use schemars::JsonSchema;
use serde::Deserialize;
use teammate_core::{
    cause::Cause,
    port::{Action, BoxFuture, Target, ToolContext},
    secrets::Secrets,
    tool::{EffectClass, Outcome},
};

use crate::{
    beneath::{Expected, Intent, Placed, ResolvedPath, resolve},
    blocking::{self, CancelFlag},
    process::TeamSandbox,
    typed_tool::{Reply, TypedTool},
    workspace::{
        allowed_changes::AllowedChanges,
        file_change::Foreseen,
        file_locks::FileLocks,
        known::{KnownFiles, Needs, Now, Reader, Version},
        text_file::{WholeFile, read_whole},
        text_form::TextForm,
    },
};

/// How often a write is judged anew because another process changed the file meanwhile.
const TRIES_MAX: usize = 5;

/// Shares its locks with the other tools that change files, and what members know.
pub(super) struct WriteFile(
    pub(super) FileLocks,
    pub(super) KnownFiles,
    pub(super) TeamSandbox,
);

#[derive(Clone, Deserialize, JsonSchema)]
pub(super) struct Input {
    #[serde(alias = "file_path")]
    path: String,
    content: String,
}

impl TypedTool for WriteFile {
    type Input = Input;
    const NAME: &'static str = "write_file";
    const DESCRIPTION: &'static str =
        "Create or wholly replace a file; change a part with {tool:edit_file}.";
    const CLASS: EffectClass = EffectClass::Writes;

    fn action(&self, input: &Input, context: &ToolContext) -> Result<Action, Outcome> {
        let place = resolve(&context.workspace, &input.path, Intent::Change)?;
        let shown = place.display_path().display();
        let verb = if place.open().is_ok() {
            "replace"
        } else {
            "create"
        };
        Ok(Action {
            shows: format!("{verb} {shown} with:\n{}", input.content),
            summary: format!("{shown} ({} bytes)", input.content.len()),
            target: Target::Path(place.location()),
        })
    }

    /// Refuses, before anybody is asked, what would replace content that the caller does not know.
    fn preview<'a>(
        &'a self,
        input: &Input,
        action: &Action,
        context: &'a ToolContext,
    ) -> Option<BoxFuture<'a, Result<Action, Outcome>>> {
        let (input, action) = (input.clone(), action.clone());
        Some(Box::pin(async move {
            let write = self.write(&input, context)?;
            blocking::run(move |_| write.looked_at().map(|_| action)).await
        }))
    }

    async fn run(&self, input: Input, context: &ToolContext) -> Reply {
        let write = self.write(&input, context)?;
        let lock = self.0.lock(write.place.full()).await;
        blocking::run(move |stop| {
            let _lock = lock;
            write.run(stop)
        })
        .await
    }
}

impl WriteFile {
    fn write(&self, input: &Input, context: &ToolContext) -> Result<Write, Outcome> {
        Ok(Write {
            place: resolve(&context.workspace, &input.path, Intent::Change)?,
            content: input.content.clone(),
            known: self.1.clone(),
            reader: Reader::of(&context.caller),
            call: context.caller.call.clone(),
            secrets: context.secrets.clone(),
            allowed: AllowedChanges::of(&self.2, &context.workspace),
        })
    }
}

/// One call.
struct Write {
    place: ResolvedPath,
    content: String,
    known: KnownFiles,
    reader: Reader,
    call: Cause,
    secrets: Arc<Secrets>,
    allowed: AllowedChanges,
}

/// The file that a call replaces, which its caller knows.
struct Replaced {
    file: WholeFile,
    version: Version,
}

impl Replaced {
    fn text(&self) -> &str {
        // It was looked at.
        str::from_utf8(&self.file.bytes).unwrap_or_default()
    }
}

impl Write {
    /// What is there now, if it may be replaced.
    fn looked_at(&self) -> Result<Option<Replaced>, Outcome> {
        let shown = self.place.display_path().display();
        let Some(file) = read_whole(&self.place)? else {
            return Ok(None);
        };
        let Ok(text) = str::from_utf8(&file.bytes) else {
            return Err(Outcome::error(format!(
                "'{shown}' was not written: what it holds is not UTF-8 text, and its encoding would be lost. Change it with \
                a shell command, or remove it with one first if it is to be UTF-8 text."
            )));
        };
        let version = Version::of(&file.bytes);
        let wanted = TextForm::of(text).apply(&self.content);
        // Nothing is lost by these; what is read-only is refused as such.
        if !text.is_empty() && text != wanted && !file.is_read_only {
            let now = Now {
                path: self.place.full(),
                version: version.clone(),
                changed_at: file.changed_at,
            };
            let wanted = Version::of(wanted.as_bytes());
            let judged =
                self.known
                    .judge(&self.reader, &now, Needs::AllLines, (&wanted, &self.call));
            judged.map_err(|why| Outcome::error(format!("'{shown}' was not written: {why}")))?;
        }
        Ok(Some(Replaced { file, version }))
    }

    fn run(&self, stop: &CancelFlag) -> Reply {
        let shown = self.place.display_path().display();
        for _ in 0..TRIES_MAX {
            let old = self.looked_at()?;
            let form = old.as_ref().map(|old| TextForm::of(old.text()));
            let form = form.unwrap_or_default();
            let text = form.apply(&self.content);
            let put = self.put(old.as_ref(), text.as_bytes(), stop);
            match put.map_err(|why| Outcome::error(format!("'{shown}' was not written: {why}.")))? {
                Placed::Done => return Ok(self.done(old.as_ref(), form, &text)),
                Placed::NotExpected => {}
            }
        }
        Err(Outcome::error(format!(
            "'{shown}' was not written: another program keeps changing it. Try again in a moment."
        )))
    }

    /// Puts the new content there if the file still is as it was looked at.
    fn put(&self, old: Option<&Replaced>, new: &[u8], stop: &CancelFlag) -> io::Result<Placed> {
        let staged = self.place.stage(new)?;
        let is_executable = old.is_some_and(|old| old.file.is_executable);
        self.allowed.allow(self.place.full(), new, is_executable);
        let is_old = |file| old.map_or(Ok(false), |old| old.version.is_in(file));
        let expected = match old {
            Some(_) => Expected::File(&is_old),
            None => Expected::Nothing,
        };
        stop.run_unless_cancelled(|| staged.commit_over(&expected))
            .unwrap_or(Ok(Placed::Done))
    }

    fn done(&self, old: Option<&Replaced>, form: TextForm, text: &str) -> Outcome {
        let path = self.place.display_path();
        let full = self.place.full();
        let note = match old {
            Some(old) => format!("replaced {} bytes{}", old.file.bytes.len(), form.kept()),
            None if self.known.knew(&self.reader, full) => {
                "new file: the one that you knew was gone".to_owned()
            }
            None => "new file".to_owned(),
        };
        let new = Version::of(text.as_bytes());
        self.known.wrote(&self.reader, full, WriteFile::NAME, new);
        let before = old.map_or("", Replaced::text);
        let change = Foreseen::default().done(path, before, text, &self.secrets);
        let (bytes, shown) = (text.len(), path.display());
        Outcome {
            change: Some(Box::new(change)),
            ..Outcome::ok(format!("Wrote {bytes} bytes to {shown} ({note})"))
        }
    }
}
