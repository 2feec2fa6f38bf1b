//! Repositories whose configuration, attributes and hooks want things run: the program's own git runs nothing of it, and what
//! it would need is refused by name.

use std::{
    fs,
    os::unix::fs::{PermissionsExt as _, symlink},
    path::{Path, PathBuf},
    sync::Arc,
};

use teammate_core::port::{RemovalReason, WorktreeError, Worktrees};
use teammate_sandbox::{Level, Sandbox, SandboxRules};
use teammate_tools::{
    TeamSandbox,
    git::{Programs, TrustedPrograms},
    worktrees::GitWorktrees,
};

use crate::{
    bash::{is_running, mark},
    support::{knows_helper, sandbox_in},
    worktrees::{Repo, commit, git, named, worktrees_in},
};

/// A repository with a worktree of alice's that has work to merge, and a place where whatever runs leaves a file.
struct Hostile {
    repo: Repo,
    ran: PathBuf,
}

/// What became of what is tried.
type Ends = Vec<(&'static str, Result<(), WorktreeError>)>;

impl Hostile {
    /// Both sides have changed the same file in different places. The attributes are in the tree.
    async fn new(attributes: &str) -> Self {
        let repo = Repo::new();
        let ran = repo.root.parent().unwrap().join("ran");
        fs::create_dir(&ran).unwrap();
        repo.write("f.txt", "1\n2\n3\n4\n5\n6\n7\n8\n9\n");
        repo.write(".gitattributes", attributes);
        repo.commit("lines");
        let alice = repo.make("alice").await;
        fs::write(alice.path.join("f.txt"), "one\n2\n3\n4\n5\n6\n7\n8\n9\n").unwrap();
        commit(&alice.path, "hers");
        repo.write("f.txt", "1\n2\n3\n4\n5\n6\n7\n8\nnine\n");
        repo.commit("mine");
        Self { repo, ran }
    }

    /// A command that leaves a file, and fails.
    fn trap(&self, name: &str) -> String {
        let name = name.replace(|c: char| !c.is_alphanumeric(), "-");
        format!("touch {}/{name}; false", self.ran.display())
    }

    fn set(&self, key: &str, value: &str) {
        self.repo.git(&["config", key, value]);
    }

    fn hook(&self, dir: &str, name: &str) {
        let path = self.repo.root.join(dir).join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, format!("#!/bin/sh\n{}\n", self.trap(name))).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    }

    /// All that the program has git do.
    async fn tries(&self) -> Ends {
        let (alice, bob) = (named("alice"), named("bob"));
        let worktrees = &self.repo.worktrees;
        // Git has to look into the file again.
        let file = fs::File::options()
            .write(true)
            .open(self.repo.root.join("f.txt"));
        file.unwrap()
            .set_modified(std::time::SystemTime::UNIX_EPOCH)
            .unwrap();
        let ends = vec![
            ("list", worktrees.list().await.map(drop)),
            ("diff", worktrees.diff(&alice).await.map(drop)),
            ("create", worktrees.create(&bob).await.map(drop)),
            ("merge", worktrees.merge(&alice).await.map(drop)),
            (
                "remove",
                worktrees.remove(&bob, RemovalReason::Asked).await.map(drop),
            ),
        ];
        assert_eq!(self.has_run(), Vec::<String>::new());
        ends
    }

    fn has_run(&self) -> Vec<String> {
        let there = fs::read_dir(&self.ran).unwrap();
        there
            .map(|file| file.unwrap().file_name().into_string().unwrap())
            .collect()
    }

    /// Whether one of them was refused by this name; the others went well, or were refused so, too.
    fn is_refused(&self, ends: Ends, wanted: &str, name: &str) {
        let mut refused = Vec::new();
        for (what, end) in ends {
            match end {
                // What was not made is not removed.
                Ok(()) | Err(WorktreeError::Unknown { .. }) => {}
                Err(WorktreeError::Untrusted(names)) => {
                    assert!(names.iter().any(|found| found == name), "{what}: {names:?}");
                    refused.push(what);
                }
                Err(error) => panic!("{name}: {what}: {error}"),
            }
        }
        assert!(
            refused.contains(&wanted),
            "{name}: only {refused:?} refused"
        );
        let status = self.repo.root.join(".git/MERGE_HEAD");
        assert!(!status.exists(), "{name}: half a merge");
        let text = self.repo.read("f.txt");
        assert!(text.contains("nine") && (refused.contains(&"merge") || text.contains("one")));
        let bob = self.repo.root.join(".team/worktrees/bob");
        assert!(!bob.exists(), "{name}: half a worktree");
    }
}

/// Settings that name programs which nothing of what is done here needs.
const SWITCHED_OFF: [&str; 34] = [
    "alias.merge",
    "alias.status",
    "alias.worktree",
    "core.alternateRefsCommand",
    "core.askPass",
    "core.editor",
    "core.fsmonitor",
    "core.gitProxy",
    "core.pager",
    "core.sshCommand",
    "credential.helper",
    "credential.https://a.b.helper",
    "diff.external",
    "diff.x.command",
    "diff.x.textconv",
    "difftool.x.cmd",
    "filter.unused.clean",
    "filter.unused.process",
    "filter.unused.smudge",
    "gpg.program",
    "gpg.ssh.program",
    "interactive.diffFilter",
    "merge.unused.driver",
    "mergetool.x.cmd",
    "pager.diff",
    "pager.status",
    "pager.worktree",
    "remote.origin.receivepack",
    "remote.origin.uploadpack",
    "remote.origin.vcs",
    "sequence.editor",
    "tar.x.command",
    "trailer.x.command",
    "uploadpack.packObjectsHook",
];

#[tokio::test]
async fn what_is_not_needed_is_switched_off_wherever_it_is_set() {
    for place in ["local", "included", "worktree"] {
        let hostile = Hostile::new("* diff=x\n").await;
        let included = hostile.repo.root.join(".git/more").display().to_string();
        let at: &[&str] = match place {
            "local" => &["config", "--local"],
            "included" => {
                hostile.set("include.path", &included);
                &["config", "--file", &included]
            }
            _ => {
                hostile.set("extensions.worktreeConfig", "true");
                &["config", "--worktree"]
            }
        };
        for key in SWITCHED_OFF {
            let trap = hostile.trap(key);
            let alias = if key.starts_with("alias") { "!" } else { "" };
            hostile
                .repo
                .git(&[at, &[key, &format!("{alias}{trap}")]].concat());
        }
        for (key, value) in [
            ("remote.origin.url", "ext::sh -c true"),
            ("protocol.ext.allow", "always"),
            ("submodule.x.update", "!true"),
            ("commit.gpgSign", "true"),
        ] {
            hostile.repo.git(&[at, &[key, value]].concat());
        }
        // Git does not run them for what is done here.
        hostile.hook(".git/hooks", "pre-push");
        let is_old = is_git_older_than_2_40();
        for (what, end) in hostile.tries().await {
            if is_old && what == "merge" {
                let why = end.unwrap_err().to_string();
                assert!(why.contains("only git 2.40 or newer"), "{place}: {why}");
                continue;
            }
            assert!(end.is_ok(), "{place}: {what}: {}", end.unwrap_err());
        }
        if !is_old {
            assert_eq!(
                hostile.repo.read("f.txt"),
                "one\n2\n3\n4\n5\n6\n7\n8\nnine\n"
            );
        }
        // The traps do work.
        hostile
            .repo
            .git(&["-c", "alias.y=status", "status", "--short"]);
        assert!(!hostile.has_run().is_empty(), "{place}");
    }
}

#[tokio::test]
async fn a_filter_that_is_needed_is_refused_by_name_and_not_skipped() {
    for key in ["filter.x.clean", "filter.x.smudge", "filter.x.process"] {
        for place in ["tree", "info", "file"] {
            let line = "f.txt filter=x\n";
            let hostile = Hostile::new(if place == "tree" { line } else { "" }).await;
            match place {
                "info" => hostile.repo.write(".git/info/attributes", line),
                "file" => {
                    hostile.repo.write(".git/attributes", line);
                    let file = hostile.repo.root.join(".git/attributes");
                    hostile.set("core.attributesFile", &file.display().to_string());
                }
                _ => {}
            }
            hostile.set(key, &hostile.trap(key));
            let ends = hostile.tries().await;
            hostile.is_refused(ends, "create", key);
        }
    }
}

#[tokio::test]
async fn a_merge_that_would_stop_half_way_for_a_filter_changes_nothing() {
    let hostile = Hostile::new("").await;
    let alice = hostile.repo.root.join(".team/worktrees/alice");
    fs::write(alice.join("a.txt"), "a\n").unwrap();
    fs::write(alice.join("z.secret"), "z\n").unwrap();
    fs::write(alice.join(".gitattributes"), "*.secret filter=x\n").unwrap();
    commit(&alice, "a secret");
    hostile.set("filter.x.smudge", &hostile.trap("smudge"));
    let before = hostile.repo.standing();
    let error = hostile
        .repo
        .worktrees
        .merge(&named("alice"))
        .await
        .unwrap_err();
    assert_eq!(
        error,
        WorktreeError::Untrusted(vec!["filter.x.smudge".to_owned()])
    );
    assert_eq!(hostile.repo.standing(), before);
    assert!(!hostile.repo.root.join("a.txt").exists());
    assert_eq!(hostile.has_run(), Vec::<String>::new());
}

#[tokio::test]
async fn a_merge_driver_that_is_needed_is_refused_by_name() {
    for (attributes, default) in [("* merge=x\n", None), ("", Some("x"))] {
        let hostile = Hostile::new(attributes).await;
        hostile.set("merge.x.driver", &hostile.trap("driver"));
        if let Some(default) = default {
            hostile.set("merge.default", default);
        }
        let ends = hostile.tries().await;
        hostile.is_refused(ends, "merge", "merge.x.driver");
    }
}

#[tokio::test]
async fn a_hook_that_is_there_for_it_is_refused_by_name() {
    for (hook, what) in [
        ("post-checkout", "create"),
        ("reference-transaction", "create"),
        ("post-index-change", "create"),
        ("pre-merge-commit", "merge"),
        ("prepare-commit-msg", "merge"),
        ("commit-msg", "merge"),
        ("post-merge", "merge"),
    ] {
        let hostile = Hostile::new("").await;
        hostile.hook(".git/hooks", hook);
        let ends = hostile.tries().await;
        hostile.is_refused(ends, what, &format!("hooks/{hook}"));
    }
    let hostile = Hostile::new("").await;
    hostile.hook(".husky", "post-checkout");
    hostile.repo.commit("hooks");
    hostile.set("core.hooksPath", ".husky");
    let ends = hostile.tries().await;
    hostile.is_refused(ends, "create", "hooks/post-checkout");
}

#[tokio::test]
async fn what_is_included_on_a_condition_is_refused_by_name() {
    let hostile = Hostile::new("* filter=x\n").await;
    let included = hostile.repo.root.join(".git/more").display().to_string();
    hostile.repo.git(&[
        "config",
        "--file",
        &included,
        "filter.x.smudge",
        &hostile.trap("x"),
    ]);
    hostile.set("includeIf.gitdir:**/worktrees/bob.path", &included);
    let ends = hostile.tries().await;
    hostile.is_refused(ends, "create", "includeif.gitdir:**/worktrees/bob.path");
}

#[tokio::test]
async fn what_looks_like_a_repository_is_none() {
    let outer = Hostile::new("").await;
    let sub = outer.repo.root.join("sub");
    let written = outer.repo.root.parent().unwrap().join("written");
    for dir in [&sub, &written] {
        fs::create_dir_all(dir.join("refs")).unwrap();
        fs::create_dir_all(dir.join("tree/.team")).unwrap();
        symlink(outer.repo.root.join(".git/objects"), dir.join("objects")).unwrap();
        fs::copy(outer.repo.root.join(".git/HEAD"), dir.join("HEAD")).unwrap();
        let trap = outer.trap("bare");
        let config = format!(
            "[core]\n\tbare = false\n\tworktree = {}\n\tfsmonitor = \"{trap}\"\n[filter \"x\"]\n\tsmudge = \"{trap}\"\n",
            dir.display()
        );
        fs::write(dir.join("config"), config).unwrap();
        for root in [dir.clone(), dir.join("tree")] {
            let worktrees = worktrees_in(&root, TrustedPrograms::default());
            assert!(worktrees.create(&named("bob")).await.is_err());
            assert!(worktrees.list().await.is_err(), "{}", root.display());
        }
    }
    assert_eq!(outer.has_run(), Vec::<String>::new());
}

#[tokio::test]
async fn nothing_is_fetched_for_a_promise() {
    let hostile = Hostile::new("").await;
    let origin = hostile.repo.root.parent().unwrap().join("origin.git");
    let root = hostile.repo.root.display().to_string();
    let to = origin.display().to_string();
    hostile.repo.git(&["clone", "-q", "--bare", &root, &to]);
    let blob = hostile.repo.git(&["rev-parse", "HEAD:f.txt"]);
    fs::remove_file(
        hostile
            .repo
            .root
            .join(".git/objects")
            .join(&blob[..2])
            .join(&blob[2..]),
    )
    .unwrap();
    for (url, key) in [
        (to, "remote.origin.uploadpack"),
        (format!("ext::{}", hostile.trap("ext")), "core.pager"),
        ("ssh://a.invalid/b".to_owned(), "core.sshCommand"),
    ] {
        hostile.set("remote.origin.url", &url);
        hostile.set("remote.origin.promisor", "true");
        hostile.set("remote.origin.partialclonefilter", "blob:none");
        hostile.set("extensions.partialClone", "origin");
        hostile.set("protocol.ext.allow", "always");
        hostile.set(key, &hostile.trap(key));
        let error = hostile
            .repo
            .worktrees
            .create(&named("bob"))
            .await
            .unwrap_err();
        assert!(matches!(error, WorktreeError::Failed { .. }), "{error}");
        assert_eq!(hostile.has_run(), Vec::<String>::new());
        assert!(!hostile.repo.root.join(".team/worktrees/bob").exists());
    }
}

#[tokio::test]
async fn a_git_that_leads_to_somebody_else_s_repository_is_refused() {
    let theirs = Repo::new();
    let (their_git, before) = (theirs.root.join(".git"), theirs.standing());
    let at = |prepare: &dyn Fn(&Path)| {
        let repo = Repo::beside_others();
        prepare(&repo.root);
        repo
    };
    let file = at(&|root| {
        fs::write(
            root.join(".git"),
            format!("gitdir: {}\n", their_git.display()),
        )
        .unwrap();
    });
    let link = at(&|root| {
        symlink(&their_git, root.join(".git")).unwrap();
    });
    let common = at(&|root| {
        git(root, &["init", "-q"]);
        fs::write(root.join(".git/commondir"), their_git.display().to_string()).unwrap();
    });
    let elsewhere = at(&|root| {
        git(root, &["init", "-q", "-b", "main"]);
        git(
            root,
            &[
                "-c",
                "user.name=A",
                "-c",
                "user.email=a@b",
                "commit",
                "-q",
                "--allow-empty",
                "-m",
                "x",
            ],
        );
        git(
            root,
            &[
                "config",
                "core.worktree",
                &theirs.root.display().to_string(),
            ],
        );
    });
    for repo in [file, link, common, elsewhere] {
        let error = repo.worktrees.create(&named("bob")).await.unwrap_err();
        assert!(matches!(error, WorktreeError::LeadsAway { .. }), "{error}");
        assert!(!repo.root.join(".team/worktrees/bob").exists());
    }
    assert_eq!(theirs.standing(), before);
    assert!(!their_git.join("worktrees").exists());
}

#[tokio::test]
async fn a_submodule_and_borrowed_objects_are_nobody_else_s() {
    let (theirs, ours) = (Repo::new(), Repo::new());
    let from = theirs.root.display().to_string();
    ours.git(&[
        "-c",
        "protocol.file.allow=always",
        "submodule",
        "--quiet",
        "add",
        &from,
        "sub",
    ]);
    ours.commit("sub");
    let root = ours.root.join("sub");
    fs::create_dir(root.join(".team")).unwrap();
    git(&root, &["config", "user.name", "A"]);
    let worktrees = worktrees_in(&root, TrustedPrograms::default());
    worktrees.create(&named("bob")).await.unwrap();
    assert!(root.join(".team/worktrees/bob/f.txt").exists());

    let borrower = theirs.root.parent().unwrap().join("borrower");
    let to = borrower.display().to_string();
    theirs.git(&["clone", "-q", "--shared", &from, &to]);
    fs::create_dir(borrower.join(".team")).unwrap();
    let worktrees = worktrees_in(&borrower, TrustedPrograms::default());
    worktrees.create(&named("bob")).await.unwrap();
}

#[tokio::test]
async fn the_exclude_file_is_a_file_of_the_repository() {
    let repo = Repo::new();
    let (exclude, theirs) = (
        repo.root.join(".git/info/exclude"),
        repo.root.join("../theirs"),
    );
    fs::write(&theirs, "theirs\n").unwrap();
    fs::remove_file(&exclude).unwrap();
    symlink(&theirs, &exclude).unwrap();
    let error = repo.worktrees.create(&named("bob")).await.unwrap_err();
    assert!(error.to_string().contains("'exclude' is a link"), "{error}");
    assert_eq!(fs::read_to_string(&theirs).unwrap(), "theirs\n");
    fs::remove_file(&exclude).unwrap();
    let made = std::process::Command::new("mkfifo").arg(&exclude).status();
    assert!(made.unwrap().success());
    let error = repo.worktrees.create(&named("bob")).await.unwrap_err();
    assert!(error.to_string().contains("it is no file"), "{error}");
}

/// All that is in the repository now.
fn trusting(root: &Path) -> TrustedPrograms {
    let (root, environment) = (root.to_owned(), environment("/nowhere"));
    let programs = Programs::read(&root, &environment).unwrap().into_set();
    TrustedPrograms::asking(move || programs.clone())
}

fn environment(home: &str) -> Vec<(String, String)> {
    let variables = [
        ("PATH", std::env::var("PATH").unwrap()),
        ("HOME", home.to_owned()),
    ];
    variables
        .map(|(name, value)| (name.to_owned(), value))
        .into()
}

/// The worktrees of a user with this home directory.
pub(crate) fn worktrees_of(
    repo: &Repo,
    home: &str,
    sandbox: TeamSandbox,
    trusted: TrustedPrograms,
) -> Arc<dyn Worktrees> {
    knows_helper();
    let dirs = (repo.root.clone(), repo.root.join(".team"));
    Arc::new(GitWorktrees::new(dirs, environment(home), sandbox, trusted))
}

/// A file that is stored in capitals.
fn stores_capitals(repo: &Repo) -> [(&'static str, &'static str); 3] {
    repo.write(".gitattributes", "*.big filter=big\n");
    repo.commit("attributes");
    [
        ("filter.big.clean", "tr a-z A-Z"),
        ("filter.big.smudge", "tr A-Z a-z"),
        ("filter.big.required", "true"),
    ]
}

#[tokio::test]
async fn a_filter_works_after_a_yes_until_it_changes() {
    let repo = Repo::new();
    for (key, value) in stores_capitals(&repo) {
        repo.git(&["config", key, value]);
    }
    repo.write("x.big", "text\n");
    repo.commit("x");
    assert_eq!(repo.git(&["cat-file", "-p", "HEAD:x.big"]), "TEXT");
    let both = ["filter.big.clean", "filter.big.smudge"]
        .map(str::to_owned)
        .to_vec();
    let refused = repo.worktrees.create(&named("alice")).await.unwrap_err();
    assert_eq!(refused, WorktreeError::Untrusted(both));

    let worktrees = worktrees_in(&repo.root, trusting(&repo.root));
    let alice = worktrees.create(&named("alice")).await.unwrap().worktree;
    assert_eq!(
        fs::read_to_string(alice.path.join("x.big")).unwrap(),
        "text\n"
    );
    fs::write(alice.path.join("y.big"), "more\n").unwrap();
    commit(&alice.path, "more");
    worktrees.merge(&named("alice")).await.unwrap();
    assert_eq!(repo.read("y.big"), "more\n");
    assert_eq!(repo.git(&["cat-file", "-p", "HEAD:y.big"]), "MORE");

    repo.git(&["config", "filter.big.smudge", "touch ran"]);
    let refused = worktrees.create(&named("bob")).await.unwrap_err();
    assert_eq!(
        refused,
        WorktreeError::Untrusted(vec!["filter.big.smudge".to_owned()])
    );
    assert!(!repo.root.join("ran").exists());
}

#[tokio::test]
async fn the_user_s_own_configuration_is_the_user_s() {
    let repo = Repo::new();
    let home = repo.root.join("../home");
    fs::create_dir(&home).unwrap();
    let config = home.join(".gitconfig").display().to_string();
    let settings = stores_capitals(&repo);
    for (key, value) in settings {
        repo.git(&["config", "--file", &config, key, value]);
    }
    fs::write(repo.root.join("x.big"), "TEXT\n").unwrap();
    repo.commit("stored without the filter");
    fs::write(repo.root.join("x.big"), "text\n").unwrap();
    let home = home.canonicalize().unwrap().display().to_string();
    let worktrees = worktrees_of(
        &repo,
        &home,
        TeamSandbox::default(),
        TrustedPrograms::default(),
    );
    let alice = worktrees.create(&named("alice")).await.unwrap().worktree;
    assert_eq!(
        fs::read_to_string(alice.path.join("x.big")).unwrap(),
        "text\n"
    );
    // The same words in the repository make no difference; other words do.
    for (key, value) in settings {
        repo.git(&["config", key, value]);
    }
    worktrees.create(&named("bob")).await.unwrap();
    repo.git(&["config", "filter.big.smudge", "touch ran"]);
    let refused = worktrees.create(&named("carol")).await.unwrap_err();
    assert_eq!(
        refused,
        WorktreeError::Untrusted(vec!["filter.big.smudge".to_owned()])
    );
}

#[tokio::test]
async fn what_git_runs_after_a_yes_is_held_like_a_command() {
    knows_helper();
    let has_walls = Sandbox::default().level().unwrap() == Level::Full;
    let hostile = Hostile::new("").await;
    let (repo, away) = (&hostile.repo, mark(931));
    let secret = repo.root.join("../state");
    fs::create_dir(&secret).unwrap();
    fs::write(secret.join("key"), "key\n").unwrap();
    let secret = secret.canonicalize().unwrap();
    let hook = repo.root.join(".git/hooks/post-checkout");
    fs::create_dir_all(hook.parent().unwrap()).unwrap();
    let text = format!(
        "#!/bin/sh\ncat {0}/key > {2}/read; touch {1}/outside {2}/.team/forged; setsid sleep {away} & exit 0\n",
        secret.display(),
        hostile.ran.display(),
        repo.root.display()
    );
    fs::write(&hook, text).unwrap();
    fs::set_permissions(&hook, fs::Permissions::from_mode(0o755)).unwrap();
    let sandbox = sandbox_in(&repo.root, SandboxRules::default().hiding(secret));
    let worktrees = worktrees_of(repo, "/nowhere", sandbox, trusting(&repo.root));
    worktrees.create(&named("bob")).await.unwrap();
    assert!(!is_running(&away));
    assert!(repo.root.join("read").exists());
    if has_walls {
        assert_eq!(fs::read_to_string(repo.root.join("read")).unwrap(), "");
        assert_eq!(hostile.has_run(), Vec::<String>::new());
        assert!(!repo.root.join(".team/forged").exists());
    }
}

#[tokio::test]
async fn a_configuration_that_cannot_be_read_is_refused_in_time() {
    let repo = Repo::new();
    let pipe = repo.root.join(".git/pipe");
    assert!(
        std::process::Command::new("mkfifo")
            .arg(&pipe)
            .status()
            .unwrap()
            .success()
    );
    repo.git(&["config", "core.bare", "false"]);
    let text = repo.read(".git/config") + "[include]\n\tpath = pipe\n";
    repo.write(".git/config", &text);
    let error = repo.worktrees.create(&named("bob")).await.unwrap_err();
    assert!(
        error.to_string().contains("longer than 5 seconds"),
        "{error}"
    );
}

/// Such a git cannot tell the attributes that files get by a merge.
fn is_git_older_than_2_40() -> bool {
    let said = std::process::Command::new("git").arg("--version").output();
    let said = String::from_utf8(said.unwrap().stdout).unwrap();
    let version = said.trim_start_matches("git version ").split('.');
    let version: Vec<u32> = version.filter_map(|part| part.parse().ok()).collect();
    version[..2] < [2, 40][..]
}
