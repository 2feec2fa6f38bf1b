//! Fills the submodules of a new worktree from what the workspace has of them, without any network. What it does not have stays
//! empty, which [`missing`](super::missing) tells.

use std::path::{Path, PathBuf};

use teammate_core::port::WorktreeError;

use super::{WorkspaceRepo, repository::Repository};
use crate::git::RunWith;

/// How many submodules of one worktree are filled.
const SUBMODULES_MAX: usize = 100;

/// A submodule that a working tree's commit has.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Submodule {
    pub(super) name: String,
    /// From the top of the working tree.
    pub(super) path: String,
}

/// A working tree whose submodules are to be filled, and where repositories for them may be.
struct FilledTree {
    top: PathBuf,
    modules: Vec<PathBuf>,
}

impl WorkspaceRepo {
    /// Fills those of the worktree at `top`, and theirs in turn.
    pub(super) async fn fill_submodules(&self, repository: &Repository, top: &Path) {
        let kept = [&repository.git_dir, &repository.common_dir];
        let mut waiting = vec![FilledTree {
            top: top.to_owned(),
            modules: kept.map(|dir| dir.join("modules")).to_vec(),
        }];
        let mut left = SUBMODULES_MAX;
        while let Some(tree) = waiting.pop() {
            for submodule in self.submodules(&tree.top).await.unwrap_or_default() {
                let mut kept = tree.modules.iter();
                let Some(source) = kept.find_map(|dir| kept_in(dir, &submodule.name)) else {
                    continue;
                };
                let place = tree.top.join(&submodule.path);
                if left == 0 || place.join(".git").exists() {
                    continue;
                }
                left -= 1;
                if self.fill(&tree.top, &submodule, &source).await.is_ok() {
                    waiting.push(FilledTree {
                        top: place,
                        modules: vec![source.join("modules")],
                    });
                }
            }
        }
    }

    /// Clones a submodule from the repository that the workspace keeps for it, and checks it out.
    async fn fill(
        &self,
        top: &Path,
        submodule: &Submodule,
        source: &Path,
    ) -> Result<(), WorktreeError> {
        let Submodule { name, path } = submodule;
        let url = format!("submodule.{name}.url={}", source.display());
        // What the settings say of another way to update it does not count.
        let update = [
            "-c",
            &url,
            "submodule",
            "update",
            "--checkout",
            "--no-fetch",
            "--",
            path,
        ];
        let with = RunWith {
            variables: &[("GIT_ALLOW_PROTOCOL", "file")],
            ..RunWith::default()
        };
        let said = self.git.run_with(top, &update, with).await?;
        said.bytes("fill a submodule")?;
        let settings = source.join("config");
        let settings = settings.to_string_lossy();
        let origin = ["config", "--file", &settings, "--get", "remote.origin.url"];
        if let Some(origin) = self.git.query(&self.root, &origin).await? {
            let set = ["config", "remote.origin.url", &origin];
            self.git.run(&top.join(path), &set).await?;
        }
        Ok(())
    }

    /// The submodules that the commit of a working tree has, as far as it names them.
    pub(super) async fn submodules(&self, top: &Path) -> Result<Vec<Submodule>, WorktreeError> {
        if !top.join(".gitmodules").is_file() {
            return Ok(Vec::new());
        }
        let named = [
            "config",
            "--file",
            ".gitmodules",
            "-z",
            "--get-regexp",
            r"^submodule\..*\.path$",
        ];
        let named = self.git.run(top, &named).await?.out;
        let staged = self
            .git
            .run_ok("list files", top, &["ls-files", "-z", "--stage"])
            .await?;
        Ok(read_submodules(&named, &staged))
    }
}

/// The repository of that name in a directory of such; no link leads to one elsewhere.
fn kept_in(modules: &Path, name: &str) -> Option<PathBuf> {
    let modules = modules.canonicalize().ok()?;
    let dir = modules.join(name).canonicalize().ok()?;
    (dir.starts_with(&modules) && dir.join("HEAD").is_file()).then_some(dir)
}

/// Those that have both a name and a commit. Git takes no name that leads out of its directory, and neither does this.
fn read_submodules(named: &str, staged: &str) -> Vec<Submodule> {
    let links: Vec<&str> = staged
        .split('\0')
        .filter_map(|entry| entry.strip_prefix("160000 ")?.split_once('\t'))
        .map(|(_, path)| path)
        .collect();
    let is_plain = |name: &str| {
        !name.is_empty() && !name.contains('=') && name.split('/').all(|part| part != "..")
    };
    named
        .split('\0')
        .filter_map(|entry| entry.split_once('\n'))
        .filter_map(|(key, path)| {
            let name = key.strip_prefix("submodule.")?.strip_suffix(".path")?;
            (is_plain(name) && links.contains(&path)).then(|| Submodule {
                name: name.to_owned(),
                path: path.to_owned(),
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_submodule_has_a_name_and_a_commit() {
        let named = "submodule.the lib.path\nlib/a b\0submodule.gone.path\ngone\0submodule.../x.path\nx\0submodule.a=b.path\nx\0";
        let staged = "100644 ab 0\t.gitmodules\x00160000 cd 0\tlib/a b\x00160000 cd 0\tx\0";
        let lib = Submodule {
            name: "the lib".to_owned(),
            path: "lib/a b".to_owned(),
        };
        assert_eq!(read_submodules(named, staged), [lib]);
    }
}
