//! Makes a file or replaces it as a whole, at once. It replaces only content that its writer knows, and keeps what the writer does
//! not see of it: line ends, byte order mark, permission bits. Whether the place may be written at all is not decided here.

use std::{borrow::Cow, io, sync::Arc};

use teammate_core::{cause::Cause, secrets::Secrets, tool::Outcome};
use teammate_process::blocking::CancelFlag;

use super::{
    file_change::Foreseen,
    file_locks::AllowedChanges,
    known::{FileReader, FileVersion, KnownFiles, Now, RequiredKnowledge},
    text_encoding::TextEncoding,
    text_file::{WholeFile, read_whole},
    text_form::TextForm,
};
use crate::{
    beneath::{ExpectedFile, Placed, ResolvedPath},
    typed_tool::Reply,
};

/// How often a write is judged anew because another process changed the file meanwhile.
const TRIES_MAX: usize = 5;

/// One write.
pub(crate) struct WholeWrite {
    /// The writer, as others read it: a tool, or a member's external agent.
    pub(crate) by: &'static str,
    pub(crate) place: ResolvedPath,
    pub(crate) content: String,
    pub(crate) known: KnownFiles,
    pub(crate) reader: FileReader,
    pub(crate) call: Cause,
    pub(crate) secrets: Arc<Secrets>,
    /// Whom to tell before content comes to a guarded place; nothing for a writer that writes to no such place.
    pub(crate) allowed: Option<AllowedChanges>,
}

/// The file that a write replaces, which its writer knows.
pub(super) struct ReplacedFile {
    file: WholeFile,
    text: String,
    encoding: TextEncoding,
    version: FileVersion,
}

impl WholeWrite {
    /// Looks at the file that is there now, if it may be replaced.
    pub(super) fn looked_at(&self) -> Result<Option<ReplacedFile>, Outcome> {
        let shown = self.place.display_path().display();
        let Some(file) = read_whole(&self.place)? else {
            return Ok(None);
        };
        let encoding = TextEncoding::of(&file.bytes);
        let Some(text) = encoding.decode(&file.bytes).map(Cow::into_owned) else {
            return Err(Outcome::error(format!(
                "'{shown}' was not written: what it holds is not UTF-8 text, nor UTF-16 by its mark, and its encoding would be lost. Change it with \
                a shell command, or remove it with one first if it is to be UTF-8 text."
            )));
        };
        let version = FileVersion::of(&file.bytes);
        let wanted = TextForm::of(&text).apply(&self.content);
        // Nothing is lost by these; what is read-only is refused as such.
        if !text.is_empty() && *text != *wanted && !file.is_read_only {
            let now = Now {
                path: self.place.full(),
                version: version.clone(),
                changed_at: file.changed_at,
            };
            let wanted = FileVersion::of(&encoding.encode(&wanted));
            let judged = self.known.judge(
                &self.reader,
                &now,
                RequiredKnowledge::AllLines,
                (&wanted, &self.call),
            );
            judged.map_err(|why| Outcome::error(format!("'{shown}' was not written: {why}")))?;
        }
        Ok(Some(ReplacedFile {
            file,
            text,
            encoding,
            version,
        }))
    }

    /// Writes, unless it is stopped before. Blocks.
    pub(crate) fn run(&self, stop: &CancelFlag) -> Reply {
        let shown = self.place.display_path().display();
        for _ in 0..TRIES_MAX {
            let old = self.looked_at()?;
            let form = old
                .as_ref()
                .map(|old| (TextForm::of(&old.text), old.encoding));
            let (form, encoding) = form.unwrap_or_default();
            let text = form.apply(&self.content);
            let bytes = encoding.encode(&text);
            let put = self.put(old.as_ref(), &bytes, stop);
            match put.map_err(|why| Outcome::error(format!("'{shown}' was not written: {why}.")))? {
                Placed::Done => return Ok(self.done(old.as_ref(), form, (&text, &bytes))),
                Placed::NotExpected => {}
            }
        }
        Err(Outcome::error(format!(
            "'{shown}' was not written: another program keeps changing it. Try again in a moment."
        )))
    }

    /// Puts the new content there if the file still is as it was looked at.
    fn put(&self, old: Option<&ReplacedFile>, new: &[u8], stop: &CancelFlag) -> io::Result<Placed> {
        let staged = self.place.stage(new)?;
        let is_executable = old.is_some_and(|old| old.file.is_executable);
        if let Some(allowed) = &self.allowed {
            allowed.allow(self.place.full(), new, is_executable);
        }
        let is_old = |file| old.map_or(Ok(false), |old| old.version.is_in(file));
        let expected = match old {
            Some(_) => ExpectedFile::File(&is_old),
            None => ExpectedFile::Nothing,
        };
        stop.run_unless_cancelled(|| staged.commit_over(&expected))
            .unwrap_or(Ok(Placed::Done))
    }

    fn done(
        &self,
        old: Option<&ReplacedFile>,
        form: TextForm,
        (text, bytes): (&str, &[u8]),
    ) -> Outcome {
        let path = self.place.display_path();
        let full = self.place.full();
        let note = match old {
            Some(old) => format!(
                "replaced {} bytes{}{}",
                old.file.bytes.len(),
                form.kept(),
                old.encoding.kept()
            ),
            None if self.known.knew(&self.reader, full) => {
                "new file: the one that you knew was gone".to_owned()
            }
            None => "new file".to_owned(),
        };
        let new = FileVersion::of(bytes);
        self.known.wrote(&self.reader, full, self.by, new);
        let before = old.map_or("", |old| &old.text);
        let change = Foreseen::default().done(path, before, text, &self.secrets);
        let (bytes, shown) = (bytes.len(), path.display());
        Outcome {
            change: Some(Box::new(change)),
            ..Outcome::ok(format!("Wrote {bytes} bytes to {shown} ({note})"))
        }
    }
}
