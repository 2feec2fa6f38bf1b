//! Which files that git ignores come into a new worktree: those that the settings name, by git's own patterns, and the repository's
//! file.

use std::{
    collections::BTreeSet,
    io::Read as _,
    path::{Component, Path, PathBuf},
};

use teammate_core::port::{Furnished, Workspace, WorktreeError};
use teammate_process::{is_guarded, resolved};

use super::{
    super::{WorkspaceRepo, repository::Repository, wanted::Extras},
    names::{collapsed, paths},
};
use crate::git::RunWith;

/// The file in which a repository names ignored files that worktrees get, in the form of `.gitignore`.
const INCLUDE_FILE: &str = ".worktreeinclude";

/// The longest such file, in bytes; its end is passed over.
const INCLUDE_BYTES_MAX: u64 = 64 << 10;

/// How many patterns of the settings, and lines of that file, are looked at.
const PATTERNS_MAX: usize = 100;

impl WorkspaceRepo {
    /// The files and directories to link to: what the patterns name, as far as git has nothing below it.
    pub(super) async fn choose_links(
        &self,
        extras: &Extras,
        links: &mut BTreeSet<PathBuf>,
        furnished: &mut Furnished,
    ) -> Result<(), WorktreeError> {
        let rules = self.rules(extras);
        for pattern in extras.setup.link.iter().take(PATTERNS_MAX) {
            let Some(parts) = parts(pattern, &mut furnished.missing) else {
                continue;
            };
            let listed = self.listed(&["--others"], &specs(pattern)).await?;
            let named = listed.iter().filter(|file| self.may_come(file, &rules));
            let named: BTreeSet<PathBuf> = named
                .map(|file| file.components().take(parts).collect())
                .collect();
            for link in named {
                let spec = [spec("literal", &link)];
                let kinds = ["--cached", "--others", "--exclude-standard"];
                match self.listed(&kinds, &spec).await?.is_empty() {
                    true => {
                        links.insert(link);
                    }
                    false => furnished.missing.push(format!(
                        "No link was made to {}: git does not ignore all of it.",
                        link.display()
                    )),
                }
            }
        }
        Ok(())
    }

    /// The files to copy.
    pub(super) async fn choose_files(
        &self,
        repository: &Repository,
        extras: &Extras,
        files: &mut BTreeSet<PathBuf>,
        furnished: &mut Furnished,
    ) -> Result<(), WorktreeError> {
        let rules = self.rules(extras);
        let mut listed = Vec::new();
        for pattern in extras.setup.copy.iter().take(PATTERNS_MAX) {
            if parts(pattern, &mut furnished.missing).is_some() {
                listed.extend(self.listed(&["--others"], &specs(pattern)).await?);
            }
        }
        let lines = included(&repository.top);
        if !lines.is_empty() {
            let lines: Vec<String> = lines.iter().map(|it| format!("--exclude={it}")).collect();
            let mut kinds = vec!["--others", "--ignored"];
            kinds.extend(lines.iter().map(String::as_str));
            listed.extend(self.listed(&kinds, &[]).await?);
        }
        let (come, stay): (Vec<_>, Vec<_>) = listed
            .into_iter()
            .partition(|file| self.may_come(file, &rules));
        let held = stay.iter().filter(|file| !self.is_of_programs(file));
        let held: Vec<PathBuf> = held.cloned().collect();
        if !held.is_empty() {
            furnished.missing.push(format!(
                "Not copied, for a rule denies it or it decides what programs do: {}.",
                collapsed(&held).join(", ")
            ));
        }
        files.extend(come);
        Ok(())
    }

    /// The workspace as the rules see it.
    fn rules(&self, extras: &Extras) -> Workspace {
        Workspace {
            root: self.root.clone(),
            team_dir: self.team_dir.clone(),
            outputs: PathBuf::new(),
            tmp: None,
            unreadable: extras.deny.clone(),
        }
    }

    /// Whether a file of the workspace may come into a worktree.
    fn may_come(&self, file: &Path, rules: &Workspace) -> bool {
        !self.is_of_programs(file)
            && !is_guarded(file)
            && !rules.is_unreadable(&self.root.join(file))
    }

    /// Whether it is git's or a team's own.
    fn is_of_programs(&self, file: &Path) -> bool {
        let full = self.root.join(file);
        let is_team = |part: &Path| part.starts_with(".team") || part.starts_with(".teams");
        full.starts_with(&self.team_dir)
            || is_team(file)
            || file.components().any(|part| part.as_os_str() == ".git")
    }

    /// Files of the workspace that git lists, as paths from there.
    async fn listed(
        &self,
        kinds: &[&str],
        specs: &[String],
    ) -> Result<Vec<PathBuf>, WorktreeError> {
        let mut args = vec!["ls-files", "-z"];
        args.extend(kinds);
        args.push("--");
        args.extend(specs.iter().map(String::as_str));
        let said = self.git.run_with(&self.root, &args, RunWith::default());
        let bytes = said.await?.bytes("list files")?;
        Ok(paths(&bytes).collect())
    }
}

/// Of how many parts the paths are that a pattern means; nothing if it leads out of the workspace.
fn parts(pattern: &str, said: &mut Vec<String>) -> Option<usize> {
    let path = Path::new(pattern);
    let is_name = |part: Component<'_>| matches!(part, Component::Normal(_) | Component::CurDir);
    let parts = path.components().filter(|part| *part != Component::CurDir);
    match parts.count() {
        0 => None,
        count if path.components().all(is_name) && !pattern.contains('\0') => Some(count),
        _ => {
            said.push(format!(
                "'{pattern}' is no path within the workspace, and nothing came of it."
            ));
            None
        }
    }
}

/// The pattern for git: with its special characters, and as it is written.
fn specs(pattern: &str) -> Vec<String> {
    let path: PathBuf = Path::new(pattern)
        .components()
        .filter(|part| *part != Component::CurDir)
        .collect();
    match pattern.contains(['*', '?', '[']) {
        // The files of a directory that it names are meant, too.
        true => vec![
            spec("glob", &path),
            spec("glob", &path.join("**")),
            spec("literal", &path),
        ],
        false => vec![spec("literal", &path)],
    }
}

fn spec(magic: &str, path: &Path) -> String {
    format!(":({magic}){}", path.display())
}

/// The patterns in the repository's file.
fn included(top: &Path) -> Vec<String> {
    let mut bytes = Vec::new();
    let read = resolved::open_file(&top.join(INCLUDE_FILE))
        .and_then(|file| file.take(INCLUDE_BYTES_MAX).read_to_end(&mut bytes));
    if read.is_err() {
        return Vec::new();
    }
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let lines = text.lines().map(|line| match line.ends_with("\\ ") {
        true => line,
        false => line.trim_end(),
    });
    lines
        .filter(|line| !line.is_empty() && !line.starts_with('#') && !line.contains('\0'))
        .take(PATTERNS_MAX)
        .map(str::to_owned)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_stay_within_the_workspace() {
        let mut said = Vec::new();
        assert_eq!(parts("./packages/*/node_modules/", &mut said), Some(3));
        assert!(said.is_empty());
        for out in ["/etc/passwd", "../other/.env", "a/../../b"] {
            assert_eq!(parts(out, &mut said), None, "{out}");
        }
        assert_eq!(said.len(), 3);
        assert_eq!(specs("./a/.env"), [":(literal)a/.env"]);
        assert_eq!(
            specs("app/[id]/.env"),
            [
                ":(glob)app/[id]/.env",
                ":(glob)app/[id]/.env/**",
                ":(literal)app/[id]/.env"
            ]
        );
    }
}
