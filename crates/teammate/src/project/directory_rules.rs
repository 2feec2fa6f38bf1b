//! Directories of rules: `.claude/rules` and `.cursor/rules`, with a file for each. The head of a file may say for which files
//! of the project its rules are meant; members read that before the text and judge for themselves.

use std::path::Path;

use super::{
    front_matter::FrontMatter,
    source_dir::{self, SourceDir},
};

/// The most files of one directory.
const FILES_MAX: usize = 50;
const DEPTH_MAX: usize = 3;

/// The form of such a directory.
#[derive(Debug, Clone, Copy)]
pub(super) struct RuleDir {
    pub(super) path: &'static str,
    /// How its files end.
    pub(super) endings: &'static [&'static str],
    /// The key of the paths that a file is meant for.
    pub(super) paths: &'static str,
}

/// Where Claude Code looks.
pub(super) const CLAUDE: RuleDir = RuleDir {
    path: ".claude/rules",
    endings: &[".md"],
    paths: "paths",
};

/// Where Cursor looks.
pub(super) const CURSOR: RuleDir = RuleDir {
    path: ".cursor/rules",
    endings: &[".mdc", ".md"],
    paths: "globs",
};

/// One file.
pub(super) struct RuleFile {
    /// Its path below the directory that has the rules.
    pub(super) below: String,
    pub(super) text: String,
}

impl RuleDir {
    /// The files of this kind in `dir`, in order.
    pub(super) fn read(self, dir: &Path, max: usize, notices: &mut Vec<String>) -> Vec<RuleFile> {
        let folder = match SourceDir::of_workspace(dir, self.path) {
            Ok(Some(folder)) => folder,
            Ok(None) => return Vec::new(),
            Err(notice) => {
                notices.push(notice);
                return Vec::new();
            }
        };
        let names = folder.files("", DEPTH_MAX, FILES_MAX).into_iter();
        let is_rule = |name: &String| self.endings.iter().any(|end| name.ends_with(end));
        let mut rules = Vec::new();
        for name in names.filter(is_rule) {
            match self.rule(&folder, &name, max) {
                Ok(Some(text)) => rules.push(RuleFile {
                    below: folder.shown(&name),
                    text,
                }),
                Ok(None) => {}
                Err(notice) => notices.push(notice),
            }
        }
        rules
    }

    /// The text of one, behind what it is meant for; nothing if it is empty.
    fn rule(self, folder: &SourceDir, name: &str, max: usize) -> Result<Option<String>, String> {
        let wrong = |why: String| format!("{} {why}; members do not get it", folder.shown(name));
        let Some(bytes) = folder.read(name, max)? else {
            return Ok(None);
        };
        if bytes.len() > max {
            return Err(wrong(format!("is longer than {max} bytes")));
        }
        let text = source_dir::text(&bytes).map_err(wrong)?;
        if !text.starts_with("---") {
            let text = text.trim();
            return Ok((!text.is_empty()).then(|| text.to_owned()));
        }
        let front = FrontMatter::read(&text).map_err(wrong)?;
        if front.body.is_empty() {
            return Ok(None);
        }
        Ok(Some(match self.meant_for(&front) {
            Some(what) => format!("(For {what}.)\n{}", front.body),
            None => front.body,
        }))
    }

    fn meant_for(self, front: &FrontMatter) -> Option<String> {
        if front.text("alwaysApply") == Some("true") {
            return None;
        }
        let paths = front.text(self.paths).map(str::to_owned);
        let paths = paths.or_else(|| Some(front.list(self.paths)?.join(", ")));
        match paths.filter(|paths| !paths.is_empty()) {
            Some(paths) => Some(format!("work on files that match {paths}")),
            None => Some(format!("this case: {}", front.text("description")?)),
        }
    }
}
