//! A file that people wrote down for agents or programs, with its whole content: the same bytes are shown, hashed for the user's
//! yes, and used. Each kind of file is understood where that kind is: agents, commands, hooks, settings.

use std::path::Path;

use ring::digest::Context;

use super::{
    Plugin, PluginFile,
    parts::feed,
    source_dir::{self, SourceDir},
};

/// The most bytes of a file that is used.
const BYTES_MAX: usize = 64 * 1024;

/// The most files of a directory that are used.
const FILES_MAX: usize = 200;

/// A file, read but not trusted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextFile {
    /// Its name for people: `.claude/agents/reviewer.md`.
    pub shown: String,
    /// Its name without directory and extension.
    pub(super) stem: String,
    /// The beginning of each name that it gives, if it comes with a plug-in.
    prefix: String,
    bytes: Vec<u8>,
}

impl TextFile {
    /// A text of the program.
    pub(super) fn built_in(shown: String, text: &str) -> Self {
        Self {
            shown,
            stem: String::new(),
            prefix: String::new(),
            bytes: text.as_bytes().to_vec(),
        }
    }

    /// A file of a workspace, which must be resolved; `None` if there is none. An error is why it is not used.
    pub(super) fn of_workspace(workspace: &Path, name: &str) -> Result<Option<Self>, String> {
        let bytes = source_dir::read(&workspace.join(name), workspace, BYTES_MAX)
            .map_err(|why| format!("{name} {why}; it is not used"))?;
        Ok(bytes.map(|bytes| Self {
            shown: name.to_owned(),
            stem: String::new(),
            prefix: String::new(),
            bytes,
        }))
    }

    /// The Markdown files of a directory, in order.
    pub(super) fn markdown(
        folder: Result<Option<SourceDir>, String>,
        notices: &mut Vec<String>,
    ) -> Vec<Self> {
        let folder = match folder {
            Ok(Some(folder)) => folder,
            Ok(None) => return Vec::new(),
            Err(notice) => {
                notices.push(notice);
                return Vec::new();
            }
        };
        let names = folder.names();
        let files = names
            .iter()
            .filter_map(|file| Some((file, file.strip_suffix(".md")?)));
        let mut found = Vec::new();
        for (file, stem) in files.take(FILES_MAX) {
            match folder.read(file, BYTES_MAX) {
                Ok(Some(bytes)) => found.push(Self {
                    shown: folder.shown(file),
                    stem: stem.to_owned(),
                    prefix: String::new(),
                    bytes,
                }),
                Ok(None) => {}
                Err(notice) => notices.push(notice),
            }
        }
        found
    }

    /// Markdown files of a plug-in, with its directory in the places for that.
    pub(super) fn of_plugin(plugin: &Plugin, files: Vec<PluginFile<'_>>) -> Vec<Self> {
        let files = files.into_iter().take(FILES_MAX);
        files
            .map(|file| Self {
                shown: plugin.shown(file.name),
                stem: file.below.trim_end_matches(".md").to_owned(),
                prefix: plugin.named(""),
                bytes: plugin
                    .filled(&String::from_utf8_lossy(file.bytes))
                    .into_bytes(),
            })
            .collect()
    }

    /// The whole name of what it calls `name`.
    pub(super) fn named(&self, name: &str) -> String {
        format!("{}{name}", self.prefix)
    }

    /// Its text, or why it has none that can be used.
    pub(super) fn text(&self) -> Result<String, String> {
        source_dir::bounded_text(&self.bytes, BYTES_MAX)
    }

    /// Gives its name and content to a hash.
    pub(super) fn feed(&self, context: &mut Context) {
        feed(context, [self.shown.as_bytes(), &self.bytes]);
    }
}
