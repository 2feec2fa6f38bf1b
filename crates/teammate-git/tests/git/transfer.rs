//! Work that moves from one machine to another: two clones of one remote, with bundles at the remote or among objects.

mod hostile;
mod late;
mod looked_at;

use std::{
    fs,
    os::unix::fs::{PermissionsExt as _, symlink},
    path::{Path, PathBuf},
    sync::Arc,
};

use teammate_core::{
    MemberName,
    port::{
        Bringing, BroughtWork, ObjectStore, SavedWork, TransferError, WorkOf, WorkThatCame,
        WorkTransfer as _, Worktrees as _,
    },
    team::Term,
};
use teammate_git::{
    GitWorktrees, TrustedPrograms,
    transfer::{
        BundleStore, FetchedWorktrees, GitWorkTransfer, ObjectBundles, RemoteAddress, worker_clone,
    },
};
use teammate_process::TeamSandbox;
use teammate_sandbox::SandboxRules;
use teammate_testkit::memory::MemoryObjects;

use crate::{
    repo::{commit, git, named},
    support::knows_helper,
};

/// Where bundles lie.
#[derive(Clone)]
pub(crate) enum By {
    Remote,
    Objects(Arc<dyn ObjectStore>),
}

pub(crate) fn both() -> [By; 2] {
    [By::Remote, By::Objects(Arc::new(MemoryObjects::default()))]
}

/// A remote with one commit, and room for machines.
pub(crate) struct Land {
    dir: tempfile::TempDir,
    by: By,
}

/// A worker's machine: its clone and what carries work.
pub(crate) struct Machine {
    pub(crate) root: PathBuf,
    pub(crate) worktrees: GitWorktrees,
    pub(crate) transfer: GitWorkTransfer,
}

impl Land {
    pub(crate) fn new(by: By) -> Self {
        let dir = tempfile::TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        let land = Self { dir, by };
        let origin = land.path("origin");
        fs::create_dir_all(&origin).unwrap();
        git(&origin, &["init", "-q", "-b", "main"]);
        for (key, value) in [("user.name", "Somebody"), ("user.email", "s@example.org")] {
            git(&origin, &["config", key, value]);
        }
        for (path, text) in [
            ("f.txt", "one\n"),
            ("gone.txt", "gone\n"),
            ("old.txt", "moved as it is\n"),
            ("run.sh", "#!/bin/sh\n"),
            (".gitignore", "*.log\n"),
        ] {
            fs::write(origin.join(path), text).unwrap();
        }
        commit(&origin, "first");
        git(
            &land.path(""),
            &["clone", "-q", "--bare", "origin", "remote.git"],
        );
        land
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.dir.path().canonicalize().unwrap().join(name)
    }

    pub(crate) async fn machine(&self, name: &str) -> Machine {
        self.machine_with(name, |bundles| bundles).await
    }

    pub(crate) async fn machine_with(
        &self,
        name: &str,
        around: impl FnOnce(Arc<dyn BundleStore>) -> Arc<dyn BundleStore>,
    ) -> Machine {
        knows_helper();
        let remote = self.path("remote.git").display().to_string();
        let remote = RemoteAddress::parse(&remote).unwrap();
        let clone = worker_clone(remote, &self.path(name), "app").await.unwrap();
        let root = clone.workspace;
        for (key, value) in [("user.name", "Somebody"), ("user.email", "s@example.org")] {
            git(&root, &["config", key, value]);
        }
        let bundles: Arc<dyn BundleStore> = match &self.by {
            By::Remote => Arc::new(clone.bundles),
            By::Objects(objects) => Arc::new(ObjectBundles::new(objects.clone())),
        };
        fs::create_dir_all(root.join(".team")).unwrap();
        let worktrees = GitWorktrees::new(
            (root.clone(), root.join(".team")),
            vec![
                ("PATH".to_owned(), std::env::var("PATH").unwrap()),
                ("HOME".to_owned(), "/nowhere".to_owned()),
            ],
            TeamSandbox::new(
                SandboxRules {
                    write: vec![self.path("")],
                    ..SandboxRules::default()
                },
                [],
            ),
            TrustedPrograms::default(),
        );
        let transfer = GitWorkTransfer::new(worktrees.clone(), around(bundles), "app");
        Machine {
            root,
            worktrees,
            transfer,
        }
    }
}

impl Machine {
    /// Alice works here from now on, under this term.
    pub(crate) async fn take(&self, term: u64) -> BroughtWork {
        let why = Bringing::ToWork { delivered: None };
        self.transfer.bring(&alice(term), why).await.unwrap()
    }

    pub(crate) async fn take_what_came(&self, term: u64) -> WorkThatCame {
        match self.take(term).await {
            BroughtWork::Came(came) => came,
            other => panic!("{other:?}"),
        }
    }

    pub(crate) async fn save(&self, term: u64) -> Result<SavedWork, TransferError> {
        self.transfer.save(&alice(term)).await
    }

    /// The team's worktrees as the lead and the user of this machine see them.
    pub(crate) fn seen_from_here(&self) -> FetchedWorktrees {
        let here = Arc::new(self.worktrees.clone());
        FetchedWorktrees::new(here, Arc::new(self.transfer.clone()))
    }

    /// Alice's worktree.
    pub(crate) fn place(&self) -> PathBuf {
        self.worktrees.path(&named("alice"))
    }

    pub(crate) fn write(&self, path: &str, text: &str) {
        fs::write(self.place().join(path), text).unwrap();
    }

    pub(crate) fn read(&self, path: &str) -> String {
        fs::read_to_string(self.place().join(path)).unwrap()
    }

    pub(crate) fn git(&self, args: &[&str]) -> String {
        git(&self.place(), args)
    }
}

pub(crate) fn alice(term: u64) -> WorkOf {
    WorkOf {
        member: MemberName::parse("alice").unwrap(),
        term: Term(term),
    }
}

/// What saving must not touch.
fn standing(dir: &Path) -> [String; 4] {
    [
        git(dir, &["ls-files", "--stage"]),
        git(dir, &["status", "--porcelain", "--branch"]),
        git(dir, &["rev-parse", "HEAD"]),
        git(dir, &["diff", "--cached", "--name-status"]),
    ]
}

/// Files of every kind: committed, changed, new, gone, renamed, staged, binary, with modes, links.
fn work(alice: &Machine) {
    alice.write("done.txt", "committed\n");
    commit(&alice.place(), "done");
    alice.write("f.txt", "one\ntwo\n");
    alice.write("new dir.txt", "a new file\n");
    alice.write("zeile\nende.txt", "a line end in its name\n");
    fs::write(alice.place().join("bytes.bin"), [0, 255, 13, 10, 0, 1]).unwrap();
    fs::remove_file(alice.place().join("gone.txt")).unwrap();
    alice.git(&["mv", "old.txt", "moved.txt"]);
    alice.write("staged.txt", "staged\n");
    alice.git(&["add", "staged.txt"]);
    let script = alice.place().join("run.sh");
    fs::set_permissions(script, fs::Permissions::from_mode(0o755)).unwrap();
    symlink("f.txt", alice.place().join("link")).unwrap();
    symlink("/nowhere/at all", alice.place().join("dangling")).unwrap();
    alice.write("build.log", "ignored\n");
    let big = fs::File::create(alice.place().join("big.bin")).unwrap();
    big.set_len(20 << 20).unwrap();
}

fn assert_came(there: &Machine) {
    let place = there.place();
    for (path, text) in [
        ("done.txt", "committed\n"),
        ("f.txt", "one\ntwo\n"),
        ("new dir.txt", "a new file\n"),
        ("zeile\nende.txt", "a line end in its name\n"),
        ("moved.txt", "moved as it is\n"),
        ("staged.txt", "staged\n"),
    ] {
        assert_eq!(there.read(path), text, "{path}");
    }
    assert_eq!(
        fs::read(place.join("bytes.bin")).unwrap(),
        [0, 255, 13, 10, 0, 1]
    );
    for gone in ["gone.txt", "old.txt", "build.log", "big.bin"] {
        assert!(!place.join(gone).exists(), "{gone}");
    }
    let mode = fs::metadata(place.join("run.sh"))
        .unwrap()
        .permissions()
        .mode();
    assert_eq!(mode & 0o111, 0o111);
    let links = ["link", "dangling"].map(|link| fs::read_link(place.join(link)).unwrap());
    assert_eq!(links, [PathBuf::from("f.txt"), "/nowhere/at all".into()]);
    let log = there.git(&["log", "--format=%s"]);
    assert_eq!(
        log, "done\nfirst",
        "what was not committed is not committed"
    );
    assert_eq!(there.git(&["branch", "--show-current"]), "teammate/alice");
    assert_eq!(there.git(&["diff", "--cached", "--name-only"]), "");
}

#[tokio::test]
async fn all_that_was_saved_is_where_the_member_goes() {
    for by in both() {
        let land = Land::new(by);
        let (w1, w2) = (land.machine("w1").await, land.machine("w2").await);
        assert_eq!(w1.take(1).await, BroughtWork::Nothing);
        work(&w1);
        let before = standing(&w1.place());
        let saved = w1.save(1).await.unwrap();
        assert_eq!(standing(&w1.place()), before);
        assert_eq!(saved.commit.as_str(), w1.git(&["rev-parse", "HEAD"]));
        let left: Vec<_> = saved.left_out.iter().map(ToString::to_string).collect();
        assert_eq!(left, ["big.bin (20 MiB)"]);

        let came = w2.take_what_came(2).await;
        assert_eq!(came.commit, saved.commit);
        let told = came.to_string();
        assert!(told.contains("Not saved: big.bin (20 MiB)."), "{told}");
        assert!(told.contains(" UTC: commit "), "{told}");
        assert_eq!((came.aside, came.missing), (None, None));
        assert_came(&w2);
        // The driver may begin anew under the same term.
        assert_eq!(w2.take(2).await, BroughtWork::Here);
    }
}

#[tokio::test]
async fn what_has_not_changed_is_not_saved_again() {
    let land = Land::new(By::Remote);
    let w1 = land.machine("w1").await;
    w1.take(1).await;
    w1.write("f.txt", "two\n");
    let first = w1.save(1).await.unwrap();
    assert_eq!(w1.save(1).await.unwrap(), first);
    w1.write("f.txt", "three\n");
    assert_ne!(w1.save(1).await.unwrap().saved, first.saved);
}

#[tokio::test]
async fn a_directory_that_became_a_link_or_a_file_arrives_so() {
    let land = Land::new(By::Remote);
    let (w1, w2) = (land.machine("w1").await, land.machine("w2").await);
    w1.take(1).await;
    for dir in ["a", "b"] {
        fs::create_dir(w1.place().join(dir)).unwrap();
        w1.write(&format!("{dir}/in.txt"), "in\n");
    }
    w1.write("c", "a file\n");
    commit(&w1.place(), "directories");
    fs::remove_dir_all(w1.place().join("a")).unwrap();
    fs::remove_dir_all(w1.place().join("b")).unwrap();
    fs::remove_file(w1.place().join("c")).unwrap();
    symlink("f.txt", w1.place().join("a")).unwrap();
    w1.write("b", "a file\n");
    fs::create_dir(w1.place().join("c")).unwrap();
    w1.write("c/in.txt", "in\n");
    w1.save(1).await.unwrap();
    w2.take_what_came(2).await;
    assert_eq!(
        fs::read_link(w2.place().join("a")).unwrap(),
        Path::new("f.txt")
    );
    assert_eq!(
        (w2.read("b"), w2.read("c/in.txt")),
        ("a file\n".into(), "in\n".into())
    );
}

#[tokio::test]
async fn the_lead_s_work_is_that_of_the_workspace() {
    let land = Land::new(By::Remote);
    let (w1, w2) = (land.machine("w1").await, land.machine("w2").await);
    let lead = |term| WorkOf {
        member: MemberName::lead(),
        term: Term(term),
    };
    let why = Bringing::ToWork { delivered: None };
    w1.transfer.bring(&lead(1), why).await.unwrap();
    fs::write(w1.root.join("plan.txt"), "plan\n").unwrap();
    commit(&w1.root, "plan");
    fs::write(w1.root.join("f.txt"), "changed\n").unwrap();
    w1.transfer.save(&lead(1)).await.unwrap();
    w2.transfer.bring(&lead(2), why).await.unwrap();
    assert_eq!(
        git(&w2.root, &["log", "-1", "--format=%s %D"])
            .split(',')
            .next(),
        Some("plan HEAD -> main")
    );
    assert_eq!(git(&w2.root, &["status", "--porcelain"]), " M f.txt");
}
