//! Bundles as references of a git remote. What talks to it is the user's own git, with the user's credentials, in a repository
//! that holds nothing but objects and references: its configuration is this program's, and no member sees it.

use std::{
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use teammate_core::{
    MemberName,
    port::{BoxFuture, TransferError},
    team::{CommitId, Term},
};
use teammate_sandbox::{UserCommand, UserOutput};
use uuid::Uuid;

use super::{
    BUNDLE_BYTES_MAX, BundleStore, OWN_REFERENCES, RemoteAddress, WorkBundle,
    bundles::{ended, newest_first},
};

/// All branches of a remote, as they are there.
pub(super) const HEADS: &str = "+refs/heads/*:refs/heads/*";
/// How git fetches what is named, and nothing else.
pub(super) const FETCH: [&str; 4] = ["fetch", "--quiet", "--no-tags", "--no-write-fetch-head"];
/// How long a remote may take.
const TIME: Duration = Duration::from_secs(300);
/// How much of git's complaint is passed on, in characters.
const WHY_CHARS_MAX: usize = 600;

/// The beginning of git's line: the user's environment, without what would lead git to another repository.
const ENVIRONMENT: &str = "env -u GIT_DIR -u GIT_WORK_TREE -u GIT_INDEX_FILE -u GIT_OBJECT_DIRECTORY -u GIT_COMMON_DIR \
    -u GIT_CONFIG_COUNT -u GIT_CONFIG_PARAMETERS -u GIT_NAMESPACE LC_ALL=C GIT_TERMINAL_PROMPT=0 GIT_ASKPASS=false \
    GIT_ALLOW_PROTOCOL=https:ssh:file GIT_NO_LAZY_FETCH=1";

/// Nothing of a repository runs, and nothing is tidied up meanwhile.
const SETTINGS: [&str; 6] = [
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "gc.auto=0",
    "maintenance.auto=false",
    "submodule.recurse=false",
    "fetch.fsckObjects=true",
];

/// Bundles of one team at a remote.
#[derive(Debug, Clone)]
pub struct RemoteBundles {
    pub(super) remote: RemoteAddress,
    /// The repository between members' and the remote's.
    pub(super) dir: PathBuf,
    team: String,
}

impl RemoteBundles {
    /// At this remote, by the repository that [`worker_clone`](super::worker_clone) made. `team` as in
    /// [`GitWorkTransfer::new`](super::GitWorkTransfer::new).
    pub(super) fn new(remote: RemoteAddress, dir: PathBuf, team: &str) -> Self {
        let team = team.to_owned();
        Self { remote, dir, team }
    }

    /// The word that tells the team's references from those of other teams.
    pub fn team(&self) -> &str {
        &self.team
    }

    fn references(&self, member: &MemberName) -> String {
        format!("{OWN_REFERENCES}{}/{member}/", self.team)
    }

    pub(super) async fn git(
        &self,
        what: &'static str,
        args: &[&str],
    ) -> Result<String, TransferError> {
        git_in(&self.dir, &self.remote, what, args).await
    }

    async fn saved_terms(&self, member: &MemberName) -> Result<Vec<Term>, TransferError> {
        let (prefix, remote) = (self.references(member), self.remote.as_str());
        let pattern = format!("{prefix}*/wip");
        let list = ["ls-remote", "--refs", "--", remote, &pattern];
        let said = self.git("list the saved work", &list).await?;
        let names = said.lines().filter_map(|line| line.split('\t').nth(1));
        let numbers = names.filter_map(|name| name.strip_prefix(&prefix)?.strip_suffix("/wip"));
        Ok(newest_first(numbers))
    }

    /// Fetches the remote's branches.
    pub(super) async fn heads(&self) -> Result<(), TransferError> {
        let heads = [&FETCH[..], &["--", self.remote.as_str(), HEADS]].concat();
        self.git("give its branches", &heads).await?;
        Ok(())
    }

    async fn push(
        &self,
        member: &MemberName,
        term: Term,
        bundle: WorkBundle,
    ) -> Result<(), TransferError> {
        let file = ScratchFile::new(&self.dir);
        let path = file.write(&bundle.bytes)?;
        let reference = &bundle.reference;
        let same = format!("+{reference}:{reference}");
        let take = [&FETCH[..], &[&*path, &*same]].concat();
        if self.git("take the work", &take).await.is_err() {
            // It may build on what the remote has got since.
            self.heads().await?;
            self.git("take the work", &take).await?;
        }
        let (prefix, remote) = (self.references(member), self.remote.as_str());
        let head = format!("+{}:{prefix}{term}/head", bundle.head);
        let push = [
            "push",
            "--quiet",
            "--atomic",
            "--no-verify",
            "--",
            remote,
            &same,
            &head,
        ];
        self.git("keep the work", &push).await?;
        for old in ended(&self.saved_terms(member).await?, term) {
            let remove = ["wip", "head"].map(|kind| format!(":{prefix}{old}/{kind}"));
            let remove = [
                "push",
                "--quiet",
                "--no-verify",
                "--",
                remote,
                &remove[0],
                &remove[1],
            ];
            // It only takes room.
            let _ = self.git("forget old work", &remove).await;
        }
        Ok(())
    }

    async fn fetch(
        &self,
        member: &MemberName,
        term: Term,
        has: &[CommitId],
    ) -> Result<Vec<u8>, TransferError> {
        let reference = format!("{}{term}/wip", self.references(member));
        let same = format!("+{reference}:{reference}");
        let remote = self.remote.as_str();
        let fetch = [&FETCH[..], &["--", remote, &*same]].concat();
        self.git("give the saved work", &fetch).await?;
        let file = ScratchFile::new(&self.dir);
        let path = file.0.to_string_lossy().into_owned();
        let mut bundle = vec![
            "bundle",
            "create",
            "--quiet",
            &path,
            "--ignore-missing",
            &reference,
        ];
        bundle.push("--not");
        bundle.extend(has.iter().map(CommitId::as_str));
        self.git("bundle the saved work", &bundle).await?;
        file.read()
    }
}

impl BundleStore for RemoteBundles {
    fn put<'a>(
        &'a self,
        member: &'a MemberName,
        term: Term,
        bundle: WorkBundle,
    ) -> BoxFuture<'a, Result<(), TransferError>> {
        Box::pin(self.push(member, term, bundle))
    }

    fn terms<'a>(
        &'a self,
        member: &'a MemberName,
    ) -> BoxFuture<'a, Result<Vec<Term>, TransferError>> {
        Box::pin(self.saved_terms(member))
    }

    fn get<'a>(
        &'a self,
        member: &'a MemberName,
        term: Term,
        has: &'a [CommitId],
    ) -> BoxFuture<'a, Result<Option<Vec<u8>>, TransferError>> {
        Box::pin(async move { self.fetch(member, term, has).await.map(Some) })
    }
}

/// Runs the user's git in a repository of this program's, to the end that is meant.
pub(super) async fn git_in(
    dir: &Path,
    remote: &RemoteAddress,
    what: &'static str,
    args: &[&str],
) -> Result<String, TransferError> {
    let settings = SETTINGS.iter().flat_map(|setting| ["-c", setting]);
    let words = settings.chain(args.iter().copied()).map(quoted);
    let line = format!("{ENVIRONMENT} git {}", words.collect::<Vec<_>>().join(" "));
    #[expect(
        clippy::disallowed_methods,
        reason = "the user chose the repository; nothing else of the line is anybody's but this program's"
    )]
    let command = UserCommand::configured(line);
    let failed = |why: String| TransferError::Remote {
        remote: remote.to_string(),
        what,
        why,
    };
    match command.output(dir, TIME).await {
        Ok(Some(UserOutput { status, stdout, .. })) if status.success() => {
            Ok(String::from_utf8_lossy(&stdout).into_owned())
        }
        Ok(Some(said)) => Err(failed(complaint(&said.stderr))),
        Ok(None) => Err(failed(format!("it took longer than {} s", TIME.as_secs()))),
        Err(error) => Err(failed(error.to_string())),
    }
}

fn complaint(stderr: &[u8]) -> String {
    let text = String::from_utf8_lossy(stderr);
    let lines = text.lines().map(str::trim);
    let said = lines.filter(|line| !line.is_empty() && !line.starts_with("hint:"));
    let said = said.collect::<Vec<_>>().join("; ");
    said.chars().take(WHY_CHARS_MAX).collect()
}

/// A word for the shell.
fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// A file beside the repository that is removed again.
struct ScratchFile(PathBuf);

impl ScratchFile {
    fn new(dir: &Path) -> Self {
        Self(dir.join(format!("{}.bundle", Uuid::now_v7().simple())))
    }

    fn write(&self, bytes: &[u8]) -> Result<String, TransferError> {
        fs::write(&self.0, bytes).map_err(|error| self.failed(&error))?;
        Ok(self.0.to_string_lossy().into_owned())
    }

    fn read(&self) -> Result<Vec<u8>, TransferError> {
        let found = fs::metadata(&self.0).map_err(|error| self.failed(&error))?;
        if found.len() > BUNDLE_BYTES_MAX as u64 {
            let max = BUNDLE_BYTES_MAX >> 20;
            return Err(TransferError::TooLarge { max });
        }
        fs::read(&self.0).map_err(|error| self.failed(&error))
    }

    fn failed(&self, error: &std::io::Error) -> TransferError {
        TransferError::Io {
            what: format!("the bundle {} cannot be used", self.0.display()),
            why: error.to_string(),
        }
    }
}

impl Drop for ScratchFile {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_one_word_for_the_shell() {
        assert_eq!(quoted("a b"), "'a b'");
        assert_eq!(quoted("it's; rm"), r"'it'\''s; rm'");
    }
}
