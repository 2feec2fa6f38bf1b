//! A worker's clone of the team's repository: made once, in a directory of the worker's own.

use std::{
    fs,
    path::{Path, PathBuf},
};

use teammate_core::port::TransferError;

use super::{
    RemoteAddress, RemoteBundles,
    remote::{FETCH, HEADS, git_in},
};

/// The repository that talks to the remote.
const POST: &str = "post.git";
/// The directory that members work in.
const WORKSPACE: &str = "workspace";

/// A worker's own copy of a team's repository.
#[derive(Debug, Clone)]
pub struct WorkerClone {
    /// The directory that members work in: a repository with the remote's branches as `origin`'s.
    pub workspace: PathBuf,
    /// Where work goes out and comes in.
    pub bundles: RemoteBundles,
}

/// The clone in this directory, made if it is not there. What was cut off while it was made is made anew.
///
/// # Errors
///
/// The remote does not answer, or the directory cannot be written.
pub async fn worker_clone(
    remote: RemoteAddress,
    dir: &Path,
    team: &str,
) -> Result<WorkerClone, TransferError> {
    let bundles = remote_bundles(remote, dir, team).await?;
    let workspace = dir.join(WORKSPACE);
    if !workspace.exists() {
        make(&workspace, |part| fill_workspace(&bundles, dir, part)).await?;
    }
    Ok(WorkerClone { workspace, bundles })
}

/// Bundles at a remote, for a workspace that is a clone of it already. What talks to the remote is in this directory, and made if it
/// is not there.
///
/// # Errors
///
/// The remote does not answer, or the directory cannot be written.
pub async fn remote_bundles(
    remote: RemoteAddress,
    dir: &Path,
    team: &str,
) -> Result<RemoteBundles, TransferError> {
    make_dir(dir)?;
    let post = dir.join(POST);
    if !post.exists() {
        make(&post, |part| fill_post(remote.clone(), dir, part)).await?;
    }
    Ok(RemoteBundles::new(remote, post, team))
}

/// Makes a directory under another name, so that one of the right name is whole.
async fn make<F: Future<Output = Result<(), TransferError>>>(
    dir: &Path,
    fill: impl FnOnce(String) -> F,
) -> Result<(), TransferError> {
    let part = dir.with_extension("part");
    let io = |error: std::io::Error| failed(dir, &error);
    if part.exists() {
        fs::remove_dir_all(&part).map_err(io)?;
    }
    fill(part.to_string_lossy().into_owned()).await?;
    fs::rename(&part, dir).map_err(io)
}

async fn fill_post(remote: RemoteAddress, dir: &Path, part: String) -> Result<(), TransferError> {
    let init = ["init", "--quiet", "--bare", "--template=", "--", &part];
    git_in(dir, &remote, "be made room for", &init).await?;
    let part = Path::new(&part);
    let url = remote.as_str();
    let fetch = [&FETCH[..], &["--", url, HEADS]].concat();
    git_in(part, &remote, "be cloned", &fetch).await?;
    let head = ["ls-remote", "--symref", "--", url, "HEAD"];
    let said = git_in(part, &remote, "say its branch", &head).await?;
    let branch = said.lines().find_map(|line| {
        let (name, _) = line.strip_prefix("ref: ")?.split_once('\t')?;
        name.starts_with("refs/heads/").then_some(name)
    });
    if let Some(branch) = branch {
        let set = ["symbolic-ref", "HEAD", branch];
        git_in(part, &remote, "say its branch", &set).await?;
    }
    Ok(())
}

async fn fill_workspace(
    bundles: &RemoteBundles,
    dir: &Path,
    part: String,
) -> Result<(), TransferError> {
    let (remote, post) = (&bundles.remote, bundles.dir.to_string_lossy());
    let clone = [
        "clone",
        "--quiet",
        "--template=",
        "--no-hardlinks",
        "--no-tags",
        "--no-recurse-submodules",
        "--",
        &post,
        &part,
    ];
    git_in(dir, remote, "be cloned", &clone).await?;
    let address = ["remote", "set-url", "origin", remote.as_str()];
    git_in(Path::new(&part), remote, "be named in its clone", &address).await?;
    Ok(())
}

fn make_dir(dir: &Path) -> Result<(), TransferError> {
    fs::create_dir_all(dir).map_err(|error| failed(dir, &error))
}

fn failed(dir: &Path, error: &std::io::Error) -> TransferError {
    TransferError::Io {
        what: format!("{} cannot be made", dir.display()),
        why: error.to_string(),
    }
}
