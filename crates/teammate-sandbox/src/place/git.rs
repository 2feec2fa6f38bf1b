//! The files that git reads to know what it runs, and where they stand: commands do not change them.

use std::{
    fs,
    io::{self, Read as _},
    path::{Path, PathBuf},
};

use rustix::fs::{Mode, OFlags};

use super::{Draft, Place, Watched, held_if_there};
use crate::{
    failure::{Failure, Step as _},
    guard::leads_to_submodule,
    submodules::Submodules,
};

/// Of a repository, what belongs to its other working trees.
const GIT_OF_OTHERS: [&str; 4] = ["HEAD", "index", "worktrees", "config.worktree"];
/// Of a worktree's own part of a repository, what decides where it belongs.
const WORKTREE_PROTECTED: [&str; 3] = ["commondir", "config.worktree", "gitdir"];

/// The longest file of a repository that is read here, in bytes.
const TEXT_BYTES_MAX: u64 = 256 * 1024;

/// The use that git makes of the submodules of a repository.
#[derive(Clone, Copy, PartialEq, Eq)]
enum SubmoduleUse {
    /// It updates them: it writes their settings anew, and the files `.git` that lead to them. A guard looks after both.
    Updates,
    /// Nothing: they belong to another working tree.
    None,
}

/// The use that git makes of a repository.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum GitUse<'a> {
    /// It commits, where it stands.
    Commits,
    /// It makes, merges and removes worktrees in this directory.
    Worktrees(&'a Path),
}

impl GitUse<'_> {
    /// Whether a worktree's part of a repository is not this git's to change. What a command has made there, other than git
    /// does it, is no worktree.
    fn protects(self, dir: &Path) -> bool {
        let common = fs::symlink_metadata(dir.join("commondir"));
        let is_worktree = common.is_ok_and(|data| data.is_file());
        match self {
            Self::Commits => is_worktree,
            Self::Worktrees(own) => {
                let top = read_small(&dir.join("gitdir")).unwrap_or_default();
                is_worktree && !Path::new(top.trim_end()).starts_with(own)
            }
        }
    }
}

impl Draft {
    /// The repository that a directory is in, which may begin above it.
    pub(super) fn git_of(&mut self, dir: &Path, git_use: GitUse<'_>) -> Result<(), Failure> {
        let Some(top) = repository_around(dir) else {
            self.watched.push(Watched::at(dir.join(".git")));
            return Ok(());
        };
        let git = top.join(".git");
        if top != dir && git_use == GitUse::Commits {
            self.policy.shown.extend(held_if_there(top)?);
        }
        if git.is_dir() {
            if top != dir && git_use == GitUse::Commits {
                self.writable(&git)?;
            }
            let layout = Layout::of(&git);
            self.worktrees_of(&git, layout, git_use)?;
            self.protect_repository(&git, layout, SubmoduleUse::Updates);
            return Ok(());
        }
        self.names.push(git.clone());
        let (dir, common) = match kept_elsewhere(&git).step_at("read", &git)? {
            Elsewhere::Worktree { dir, common } => (dir, common),
            Elsewhere::Submodule { dir } => {
                self.writable(&dir)?;
                self.protect_repository(&dir, Layout::of(&dir), SubmoduleUse::Updates);
                return Ok(());
            }
            Elsewhere::Unknown => return Ok(()),
        };
        let layout = Layout::of(&common);
        self.writable(&common)?;
        self.protect_repository(&common, layout, SubmoduleUse::None);
        self.submodules_in(&dir.join("modules"), SubmoduleUse::Updates);
        match git_use {
            GitUse::Commits => {
                for name in GIT_OF_OTHERS {
                    let found = held_if_there(&common.join(name))?;
                    self.policy.protected.extend(found);
                }
                self.writable(&dir)?;
            }
            GitUse::Worktrees(_) => self.worktrees_of(&common, layout, git_use)?,
        }
        for name in WORKTREE_PROTECTED {
            let found = held_if_there(&dir.join(name))?;
            self.policy.protected.extend(found);
        }
        self.worktree_settings(layout, &dir);
        Ok(())
    }

    /// Those below, which were there when the team was opened. What the user has removed since is not made again.
    pub(super) fn repositories_below(&mut self, place: &Place) {
        let mut links = Vec::new();
        for git in place.repositories.iter() {
            match fs::symlink_metadata(git) {
                Ok(found) if found.is_dir() => {
                    self.protect_repository(git, Layout::of(git), SubmoduleUse::Updates);
                }
                Ok(_) => links.push(git),
                Err(_) => {}
            }
        }
        links.into_iter().for_each(|git| self.protect_link(git));
    }

    /// Protects what a repository keeps for its worktrees, which says where git finds their settings.
    fn worktrees_of(
        &mut self,
        git: &Path,
        layout: Layout,
        git_use: GitUse<'_>,
    ) -> Result<(), Failure> {
        let worktrees = git.join("worktrees");
        // Before they are listed: what is made meanwhile is seen as a change.
        self.watched.push(Watched::at(worktrees.clone()));
        let Ok(entries) = fs::read_dir(&worktrees) else {
            return Ok(());
        };
        for entry in entries {
            let dir = entry.step_at("list", &worktrees)?.path();
            if !git_use.protects(&dir) {
                continue;
            }
            for path in WORKTREE_PROTECTED.map(|name| dir.join(name)) {
                // A link would be a command's.
                if fs::symlink_metadata(&path).is_ok_and(|data| data.is_file()) {
                    self.policy.protected.extend(held_if_there(&path)?);
                }
            }
            self.worktree_settings(layout, &dir);
            self.submodules_in(&dir.join("modules"), SubmoduleUse::None);
        }
        Ok(())
    }

    /// The settings of one working tree, which are in `dir`.
    fn worktree_settings(&mut self, layout: Layout, dir: &Path) {
        if layout.has_worktree_settings {
            self.names.push(dir.join("config.worktree"));
        }
    }

    /// A repository, and those that it keeps for its submodules.
    fn protect_repository(&mut self, git: &Path, layout: Layout, submodules: SubmoduleUse) {
        self.names.push(git.join("config"));
        self.protect_programs(git, layout);
        self.submodules_in(&git.join("modules"), submodules);
    }

    /// Protects what decides what git runs, but for the settings.
    fn protect_programs(&mut self, git: &Path, layout: Layout) {
        self.names.push(git.join("hooks"));
        self.names.push(git.join("info"));
        if !layout.names_worktree {
            self.names.push(git.join("commondir"));
        }
        self.worktree_settings(layout, git);
    }

    /// Protects what a repository keeps for its submodules: git checks them out, and what it runs there stays.
    fn submodules_in(&mut self, modules: &Path, git_use: SubmoduleUse) {
        let modules = modules.to_owned();
        let found = Submodules::below([&modules]);
        let between = found.between.into_iter();
        self.watched
            .extend(between.map(|(path, changed)| Watched { path, changed }));
        if !found.beyond.is_empty() {
            self.names.push(modules);
            return;
        }
        for dir in &found.repositories {
            let settings = dir.join("config");
            match git_use {
                SubmoduleUse::Updates => self.guarded.push(settings),
                SubmoduleUse::None => self.names.push(settings),
            }
            self.protect_programs(dir, Layout::of(dir));
        }
        match git_use {
            SubmoduleUse::Updates => self.modules.push(modules),
            SubmoduleUse::None => {}
        }
    }

    /// The file `.git` of a working tree below. Those of submodules git makes and removes.
    fn protect_link(&mut self, git: &Path) {
        let text = read_small(git).unwrap_or_default();
        match leads_to_submodule(git, text.as_bytes(), &self.modules) {
            true => self.guarded.push(git.to_owned()),
            false => self.names.push(git.to_owned()),
        }
    }
}

/// The settings of a repository's own configuration that decide where git reads more.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Layout {
    /// Each working tree has settings of its own.
    has_worktree_settings: bool,
    /// It names its working tree; with a file `commondir` beside it, git would not read that.
    names_worktree: bool,
}

impl Layout {
    /// Files that the configuration includes have no say in this. Of one that cannot be read, the usual layout with settings of
    /// working trees is assumed.
    fn of(git: &Path) -> Self {
        let assumed = Self {
            has_worktree_settings: true,
            names_worktree: false,
        };
        match read_small(&git.join("config")) {
            Ok(text) => Self::read(&text),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Self::default(),
            Err(_) => assumed,
        }
    }

    fn read(config: &str) -> Self {
        let mut layout = Self::default();
        let mut section = "";
        for line in config.lines() {
            let mut line = line.trim();
            if let Some((name, rest)) = line.strip_prefix('[').and_then(|it| it.split_once(']')) {
                (section, line) = (name, rest.trim());
            }
            let end = line.find(|c: char| c == '=' || c.is_whitespace());
            let key = &line[..end.unwrap_or(line.len())];
            let is =
                |a: &str, b: &str| section.eq_ignore_ascii_case(a) && key.eq_ignore_ascii_case(b);
            layout.has_worktree_settings |= is("extensions", "worktreeConfig");
            layout.names_worktree |= is("core", "worktree");
        }
        layout
    }
}

/// The nearest directory upwards that git takes for the top of a working tree.
pub(super) fn repository_around(dir: &Path) -> Option<&Path> {
    dir.ancestors().find(|dir| dir.join(".git").exists())
}

/// Where the file `.git` of a working tree leads to.
enum Elsewhere {
    /// To what a repository keeps for this worktree of it.
    Worktree { dir: PathBuf, common: PathBuf },
    /// To what a repository keeps for this submodule of it.
    Submodule { dir: PathBuf },
    /// To what does not know this working tree: it is not for those who work here.
    Unknown,
}

/// What a repository keeps for the worktree with this file `.git`: the directory that the file names, and that names it in turn.
pub fn git_dir_of_worktree(git: &Path) -> Option<PathBuf> {
    match kept_elsewhere(git) {
        Ok(Elsewhere::Worktree { dir, .. }) => Some(dir),
        Ok(Elsewhere::Submodule { .. } | Elsewhere::Unknown) | Err(_) => None,
    }
}

fn kept_elsewhere(git: &Path) -> io::Result<Elsewhere> {
    let text = read_small(git)?;
    let (Some(top), Some(dir)) = (git.parent(), text.strip_prefix("gitdir: ")) else {
        return Ok(Elsewhere::Unknown);
    };
    // A link to nowhere, or to what we may not see.
    let Ok(dir) = top.join(dir.trim_end()).canonicalize() else {
        return Ok(Elsewhere::Unknown);
    };
    let back = read_small(&dir.join("gitdir")).unwrap_or_default();
    let knows_worktree = leads_to(&dir, back.trim_end(), git);
    let common = dir
        .parent()
        .filter(|all| all.ends_with("worktrees"))
        .and_then(Path::parent);
    if let (Some(common), true) = (common, knows_worktree) {
        let common = common.to_owned();
        return Ok(Elsewhere::Worktree { dir, common });
    }
    let config = read_small(&dir.join("config")).unwrap_or_default();
    let mut trees = config
        .lines()
        .filter_map(|line| line.trim().strip_prefix("worktree = "));
    let knows_submodule = trees.any(|tree| leads_to(&dir, tree, top));
    Ok(if knows_submodule {
        Elsewhere::Submodule { dir }
    } else {
        Elsewhere::Unknown
    })
}

/// The text of a file that a repository keeps. A pipe that nobody writes to, or anything else that is no file, is empty.
fn read_small(path: &Path) -> io::Result<String> {
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    let file = fs::File::from(rustix::fs::open(path, flags, Mode::empty())?);
    let mut text = String::new();
    if file.metadata()?.is_file() {
        file.take(TEXT_BYTES_MAX).read_to_string(&mut text)?;
    }
    Ok(text)
}

/// Whether a path in a directory is this one.
fn leads_to(dir: &Path, path: &str, wanted: &Path) -> bool {
    let found = dir.join(path).canonicalize().ok();
    !path.is_empty() && found.is_some() && found == wanted.canonicalize().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_layout_of_a_repository_is_read_from_its_configuration() {
        let read = |text| {
            let layout = Layout::read(text);
            (layout.has_worktree_settings, layout.names_worktree)
        };
        assert_eq!(read("[core]\n\tbare = false\n"), (false, false));
        assert_eq!(read("[Extensions]\n\tworktreeconfig=true\n"), (true, false));
        assert_eq!(read("[extensions] worktreeConfig\n"), (true, false));
        assert_eq!(read("[core]\n\tWorktree = ../../../lib\n"), (false, true));
        let branch = "[branch \"worktree\"]\n\tremote = origin\n[x]\nworktree = a\n";
        assert_eq!(read(branch), (false, false));
    }
}
