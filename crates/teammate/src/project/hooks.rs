//! The hooks of a workspace: `.teammate/hooks.json`, and the scripts that it may name below `.teammate/hooks`. Read, but not
//! trusted: they are a part of what [`ProjectSettings`](super::ProjectSettings) hashes. Scripts elsewhere in the workspace are
//! trusted one by one ([`HookScripts`]).

use std::path::Path;

use ring::digest::Context;
use teammate_core::hook::{HookFile, HookOrigin};

use super::{HookScripts, TextFile, tree::Tree};

/// Where they are.
pub const PROJECT_HOOKS_FILE: &str = ".teammate/hooks.json";

/// Where their scripts are, which are trusted with them.
pub const PROJECT_HOOKS_DIR: &str = ".teammate/hooks";

/// The hooks of a workspace.
#[derive(Debug)]
pub struct ProjectHooks {
    text: TextFile,
    /// An error is why they cannot be used.
    scripts: Result<Tree, String>,
    file: Result<HookFile, String>,
    named: HookScripts,
}

impl ProjectHooks {
    /// Those of a workspace, which must be resolved; `None` if it has no file of them.
    pub(super) fn read(workspace: &Path, notices: &mut Vec<String>) -> Option<Self> {
        let file = TextFile::of_workspace(workspace, PROJECT_HOOKS_FILE);
        let text = file.unwrap_or_else(|notice| {
            notices.push(notice);
            None
        })?;
        let scripts = Tree::read(&workspace.join(PROJECT_HOOKS_DIR));
        let scripts = scripts.map_err(|error| error.to_string());
        let file = parsed(&text, &scripts);
        let hooks = file.iter().flat_map(|file| &file.hooks);
        let named = HookScripts::of(hooks.map(|hook| &*hook.command), workspace);
        Some(Self {
            text,
            scripts,
            file,
            named,
        })
    }

    /// The parsed file, or why it cannot be parsed.
    ///
    /// # Errors
    ///
    /// Why nothing of it is used.
    pub fn file(&self) -> Result<&HookFile, &str> {
        self.file.as_ref().map_err(|why| &**why)
    }

    /// The files of the workspace that its commands name, as they are now.
    pub fn named(&self) -> &HookScripts {
        &self.named
    }

    /// The scripts that are trusted with it, by their paths in the workspace.
    pub fn scripts(&self) -> Vec<String> {
        let files = self.scripts.as_ref().map_or(&[][..], Tree::files);
        files
            .iter()
            .map(|file| format!("{PROJECT_HOOKS_DIR}/{}", file.name))
            .collect()
    }

    /// Gives its whole content to a hash.
    pub(super) fn feed(&self, context: &mut Context) {
        self.text.feed(context);
        if let Ok(scripts) = &self.scripts {
            scripts.feed(context);
        }
    }
}

fn parsed(text: &TextFile, scripts: &Result<Tree, String>) -> Result<HookFile, String> {
    let shown = |why: &str| format!("{PROJECT_HOOKS_FILE} {why}");
    if let Err(why) = scripts {
        return Err(shown(&format!("cannot be used: {why}")));
    }
    let text = text.text().map_err(|why| shown(&why))?;
    let origin = HookOrigin::Project(PROJECT_HOOKS_FILE.to_owned());
    HookFile::read(&text, &origin).map_err(|error| error.to_string())
}
