//! Plug-ins: directories of skills, agents, commands, hooks and servers that the user installed and said yes to as a whole. Each is
//! kept in the state directory with the hash of all that is in it; whatever differs from that is not used.
//!
//! Here is what a plug-in holds, as it is; what its files mean is read where such files of others are.

mod manifest;
mod name;
mod record;

use std::{
    fs, io,
    path::{Path, PathBuf},
};

pub use manifest::{Listed, Make, ManifestError};
pub use name::{PluginName, PluginNameError};
pub use record::{PluginRecord, PluginRecords};

use self::manifest::{Manifest, Part};
use super::{
    UserDirs,
    tree::{Tree, TreeError},
};

/// Variables in texts of a plug-in that stand for its directory.
const ROOT_PLACES: [&str; 2] = ["${CLAUDE_PLUGIN_ROOT}", "${extensionPath}"];

/// Skills, agents, commands, hooks and servers that the user installed together and trusts as one content, as they were read.
#[derive(Debug, Clone)]
pub struct Plugin {
    root: PathBuf,
    tree: Tree,
    manifest: Manifest,
}

/// A file of a plug-in.
#[derive(Debug, Clone, Copy)]
pub struct PluginFile<'a> {
    /// Its path below the directory in which such files are.
    pub below: &'a str,
    /// Its path in the plug-in.
    pub name: &'a str,
    /// The content of the file.
    pub bytes: &'a [u8],
}

/// Why a directory is no plug-in that can be used.
#[derive(Debug, thiserror::Error)]
pub enum PluginError {
    /// It cannot be taken as a whole.
    #[error(transparent)]
    Tree(#[from] TreeError),
    /// It does not say what it is.
    #[error(transparent)]
    Manifest(#[from] ManifestError),
}

impl Plugin {
    /// The plug-in in a directory.
    ///
    /// # Errors
    ///
    /// It is none, or it holds what could change without being changed.
    pub fn read(root: &Path) -> Result<Self, PluginError> {
        let tree = Tree::read(root)?;
        let manifest = Manifest::read(&tree)?;
        Ok(Self {
            root: root.to_owned(),
            tree,
            manifest,
        })
    }

    /// The name of the plug-in.
    pub fn name(&self) -> &PluginName {
        &self.manifest.name
    }

    /// Whose format it has.
    pub fn make(&self) -> Make {
        self.manifest.make
    }

    /// The version that its manifest names; empty if it names none.
    pub fn version(&self) -> &str {
        &self.manifest.version
    }

    /// The description in its manifest; empty if there is none.
    pub fn description(&self) -> &str {
        &self.manifest.description
    }

    /// Its directory.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The hash of all that is in it.
    pub fn hash(&self) -> String {
        self.tree.hash()
    }

    /// How many files it has.
    pub fn file_count(&self) -> usize {
        self.tree.files().len()
    }

    /// The name of a thing of it, which no other plug-in has.
    pub fn named(&self, name: &str) -> String {
        format!("{}:{name}", self.name())
    }

    /// How a file of it is called.
    pub fn shown(&self, name: &str) -> String {
        format!("{name} of the plug-in {}", self.name())
    }

    /// The files of its skills: all below a directory of skills.
    pub fn skill_files(&self) -> Vec<PluginFile<'_>> {
        self.below(&self.manifest.skills)
    }

    /// The files of its agents.
    pub fn agent_files(&self) -> Vec<PluginFile<'_>> {
        let files = self.below(&self.manifest.agents);
        files.into_iter().filter(is_markdown).collect()
    }

    /// The files of its commands.
    pub fn command_files(&self) -> Vec<PluginFile<'_>> {
        let files = self.below(&self.manifest.commands);
        files.into_iter().filter(is_markdown).collect()
    }

    /// The plug-in's context for members, and the file of it.
    pub fn context(&self) -> Option<(&str, &[u8])> {
        let name = self.manifest.context.as_deref()?;
        Some((name, self.tree.file(name)?))
    }

    /// The texts of its hooks.
    pub fn hooks(&self) -> Vec<String> {
        self.texts(&self.manifest.hooks)
    }

    /// The texts of its servers of tools, in the shape of `.mcp.json`, with its directory put in.
    pub fn servers(&self) -> Vec<String> {
        let texts = self.texts(&self.manifest.servers);
        let put = |text: String| self.with_root(&text, json_inner);
        texts.into_iter().map(put).collect()
    }

    /// A text of it with its directory in the places for that.
    pub fn filled(&self, text: &str) -> String {
        self.with_root(text, str::to_owned)
    }

    fn with_root(&self, text: &str, written: fn(&str) -> String) -> String {
        let root = written(&self.root.to_string_lossy());
        let places = ROOT_PLACES.iter();
        places.fold(text.to_owned(), |text, place| text.replace(place, &root))
    }

    fn texts(&self, parts: &[Part]) -> Vec<String> {
        let text = |part: &Part| match part {
            Part::File(name) => {
                let bytes = self.tree.file(name)?;
                Some(String::from_utf8_lossy(bytes).into_owned())
            }
            Part::Inline(value) => Some(value.to_string()),
        };
        parts.iter().filter_map(text).collect()
    }

    fn below<'a>(&'a self, dirs: &[String]) -> Vec<PluginFile<'a>> {
        let mut found = Vec::new();
        for dir in dirs {
            let files = self.tree.files().iter().filter_map(|file| {
                let below = match dir.as_str() {
                    "" => &file.name,
                    dir if file.name == *dir => file.name.rsplit('/').next()?,
                    dir => file.name.strip_prefix(dir)?.strip_prefix('/')?,
                };
                Some(PluginFile {
                    below,
                    name: &file.name,
                    bytes: &file.bytes,
                })
            });
            found.extend(files);
        }
        found
    }

    /// Writes all of it into a directory that is not there yet.
    pub(crate) fn write_to(&self, dir: &Path) -> io::Result<()> {
        self.tree.write(dir)
    }
}

/// Directly in its directory, and Markdown.
fn is_markdown(file: &PluginFile<'_>) -> bool {
    !file.below.contains('/') && file.below.ends_with(".md")
}

/// A text as it stands between the quotation marks of a JSON string.
fn json_inner(text: &str) -> String {
    let quoted = serde_json::Value::from(text).to_string();
    quoted[1..quoted.len() - 1].to_owned()
}

/// The plug-ins that are used.
#[derive(Debug, Default)]
pub struct Plugins {
    /// Each as the user said yes to it.
    pub used: Vec<Plugin>,
    /// Parts that are not used, and why, in a sentence each.
    pub notices: Vec<String>,
}

impl Plugins {
    /// Those of this user.
    pub fn of_user(user: &UserDirs) -> Self {
        let records = PluginRecords::of_user(user);
        let mut all = Self::default();
        for record in records.list() {
            let name = &record.name;
            match Plugin::read(&records.dir_of(name)) {
                Ok(plugin) if plugin.hash() == record.hash && plugin.name() == name => {
                    all.used.push(plugin);
                }
                Ok(_) => all.notices.push(format!(
                    "the plug-in {name} has changed since you said yes to it, and is not used until you have seen it anew and said yes"
                )),
                Err(error) => all.notices.push(format!(
                    "the plug-in {name} is not used: {error}; update it to bring it back"
                )),
            }
        }
        all
    }

    /// The directories of all that are installed, whatever is in them.
    pub(crate) fn dirs(user: &UserDirs) -> Vec<PathBuf> {
        let records = PluginRecords::of_user(user);
        let dirs = records.list().into_iter();
        dirs.map(|record| records.dir_of(&record.name))
            .filter(|dir| fs::symlink_metadata(dir).is_ok_and(|found| found.is_dir()))
            .collect()
    }
}

#[cfg(test)]
mod tests;
