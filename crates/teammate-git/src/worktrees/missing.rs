//! Gaps of a worktree, in sentences with the command that fills each: submodules, files of Git LFS, paths outside of a sparse
//! checkout, history and objects that were never fetched. Nothing here fetches.

use std::{fs::File, io::Read as _, path::Path};

use teammate_process::{blocking, resolved};

use super::{WorkspaceRepo, repository::Repository};

/// How many are named in a sentence.
const NAMED_MAX: usize = 5;
/// The longest pointer that stands for a file of Git LFS, in bytes.
const POINTER_BYTES_MAX: u64 = 1024;
/// How a pointer begins.
const POINTER: &[u8] = b"version https://git-lfs.github.com/spec/";

impl WorkspaceRepo {
    /// The gaps of the worktree at `top`, as far as git knows of them.
    pub(super) async fn missing(&self, repository: &Repository, top: &Path) -> Vec<String> {
        let mut missing = Vec::new();
        missing.extend(self.empty_submodules(top).await);
        missing.extend(self.pointers(top).await);
        missing.extend(self.settings_of_clone(top).await);
        if repository.common_dir.join("shallow").is_file() {
            missing.push(
                "The repository is a shallow clone, and older commits are missing; `git fetch --unshallow` brings them."
                    .to_owned(),
            );
        }
        missing
    }

    async fn empty_submodules(&self, top: &Path) -> Option<String> {
        let submodules = self.submodules(top).await.ok()?;
        let is_empty = |path: &String| !top.join(path).join(".git").exists();
        let paths = submodules.into_iter().map(|submodule| submodule.path);
        let (is, what) = sentence(&paths.filter(is_empty).collect::<Vec<_>>(), "submodule")?;
        Some(format!(
            "{what} {is} empty; `git submodule update --init` there fills what the user has set up."
        ))
    }

    /// Files of Git LFS whose content is not there.
    async fn pointers(&self, top: &Path) -> Option<String> {
        let list = ["ls-files", "-z", ":(attr:filter=lfs)"];
        let listed = self.git.run(top, &list).await.ok()?.out;
        let (top, names) = (top.to_owned(), listed);
        let pointers: Vec<String> = blocking::run(move |_| {
            let names = names.split('\0').filter(|name| !name.is_empty());
            let pointers = names.filter(|name| is_pointer(&top.join(name)));
            pointers.map(str::to_owned).collect()
        })
        .await;
        let (is, what) = sentence(&pointers, "file")?;
        Some(format!(
            "{what} of Git LFS {is} only a pointer here; `git lfs pull` brings the content."
        ))
    }

    /// Gaps that the repository's settings tell: how much was fetched and checked out.
    async fn settings_of_clone(&self, top: &Path) -> Vec<String> {
        let settings = [
            "config",
            "-z",
            "--get-regexp",
            r"^(core\.sparsecheckout|remote\..*\.promisor)$",
        ];
        let Ok(said) = self.git.run(top, &settings).await else {
            return Vec::new();
        };
        let is_on = |value: &str| matches!(value, "true" | "yes" | "on" | "1");
        let settings = said.out.split('\0').filter_map(|it| it.split_once('\n'));
        let on: Vec<&str> = settings
            .filter(|(_, value)| is_on(value))
            .map(|it| it.0)
            .collect();
        let mut missing = Vec::new();
        if on.contains(&"core.sparsecheckout") {
            missing.push(
                "It is a sparse checkout, as the workspace is: `git sparse-checkout list` shows what is here, \
                 `git sparse-checkout add DIR` brings more."
                    .to_owned(),
            );
        }
        if on.iter().any(|key| key.ends_with(".promisor")) {
            missing.push(
                "The repository is a partial clone, and files of other commits may be missing; \
                 `git fetch --refetch --no-filter` brings them."
                    .to_owned(),
            );
        }
        missing
    }
}

/// The subject of a sentence about these, and its verb; nothing if there are none.
fn sentence(names: &[String], kind: &str) -> Option<(&'static str, String)> {
    let shown = names[..names.len().min(NAMED_MAX)].join(", ");
    match names.len() {
        0 => None,
        1 => Some(("is", format!("The {kind} {shown}"))),
        count if count > NAMED_MAX => Some(("are", format!("{count} {kind}s ({shown} ...)"))),
        _ => Some(("are", format!("The {kind}s {shown}"))),
    }
}

/// Whether the text that Git LFS has committed for a file stands in its place.
fn is_pointer(path: &Path) -> bool {
    let begins = |file: File| {
        let mut begin = Vec::new();
        let is_short = file.metadata()?.len() <= POINTER_BYTES_MAX;
        file.take(POINTER.len() as u64).read_to_end(&mut begin)?;
        Ok(is_short && begin == POINTER)
    };
    resolved::open_file(path).and_then(begins).unwrap_or(false)
}
