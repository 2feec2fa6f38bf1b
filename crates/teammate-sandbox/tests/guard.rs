//! Names that decide what programs do later: what commands write there is moved away, and nothing of the guard's is in the workspace.
#![allow(clippy::unwrap_used, reason = "helpers of tests are tests")]

use std::{
    collections::BTreeSet,
    fs,
    io::Read as _,
    os::{fd::AsFd as _, unix::fs::symlink},
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, Instant},
};

use teammate_sandbox::{
    By, CommandLimits, Content, GuardDirs, GuardLook, HeldFile, Level, Order, Place, Running,
    Sandbox, SandboxRules, Streams, Vouch, helper_is,
};
use tempfile::TempDir;

const LEVELS: [Level; 3] = [Level::Full, Level::Landlock, Level::None];

/// A repository whose commits have only these contents.
#[derive(Debug, Default)]
struct Repository(BTreeSet<&'static str>);

impl Repository {
    fn has(&self, content: &Content<'_>) -> bool {
        match content {
            Content::File { bytes, .. } => self.0.iter().any(|known| known.as_bytes() == *bytes),
            Content::Link(_) => false,
        }
    }
}

impl Vouch for Repository {
    fn is_known(&self, _: &Path, _: &Path, content: &Content<'_>) -> bool {
        self.has(content)
    }

    fn is_saved(&self, _: &Path, content: &Content<'_>) -> bool {
        self.has(content)
    }
}

/// A repository whose next step has written what a commit has, by the time that it is asked.
#[derive(Debug)]
struct NextStep(PathBuf);

impl Vouch for NextStep {
    fn is_known(&self, _: &Path, _: &Path, content: &Content<'_>) -> bool {
        fs::write(&self.0, "of a commit\n").unwrap();
        matches!(content, Content::File { bytes, .. } if *bytes == b"of a commit\n")
    }

    fn is_saved(&self, _: &Path, _: &Content<'_>) -> bool {
        false
    }
}

struct Bench {
    _dir: TempDir,
    root: PathBuf,
    team: PathBuf,
    sandbox: Sandbox,
}

impl Bench {
    fn new(level: Level) -> Self {
        helper_is(PathBuf::from(env!("CARGO_BIN_EXE_teammate-sandbox")));
        let dir = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        let root = dir.path().canonicalize().unwrap().join("work");
        let team = root.join(".team");
        fs::create_dir_all(&team).unwrap();
        fs::create_dir_all(root.join(".git/hooks")).unwrap();
        fs::write(root.join(".git/config"), "[core]\n").unwrap();
        let bench = Self {
            _dir: dir,
            root,
            team,
            sandbox: Self::sandbox(level),
        };
        let known = BTreeSet::from(["of a commit\n"]);
        bench.sandbox.vouched_by(Arc::new(Repository(known)));
        bench
    }

    fn sandbox(level: Level) -> Sandbox {
        Sandbox::new(SandboxRules {
            at_most: level,
            home: None,
            ..SandboxRules::default()
        })
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.root.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn read(&self, name: &str) -> Option<String> {
        fs::read_to_string(self.root.join(name)).ok()
    }

    fn place(&self) -> Place {
        Place {
            root: self.root.clone(),
            teams: vec![self.team.clone()],
            worktrees: self.team.join("worktrees"),
            by: By::Member,
            own: Vec::new(),
            tmp: None,
            shown: Arc::default(),
            closed: Default::default(),
            fixed: Default::default(),
            repositories: Arc::default(),
            guard: Some(GuardDirs::of_team(&self.team, None)),
        }
    }

    fn start(&self, script: &str) -> (Running, std::io::PipeReader) {
        self.start_in(&self.place(), script)
    }

    fn start_in(&self, place: &Place, script: &str) -> (Running, std::io::PipeReader) {
        let (reader, writer) = std::io::pipe().unwrap();
        let order = Order {
            program: "/bin/bash".into(),
            arguments: vec!["-c".into(), script.into()],
            environment: vec![
                ("PATH".into(), "/usr/bin:/bin".into()),
                ("LC_ALL".into(), "C".into()),
            ],
            directory: self.root.clone(),
            limits: CommandLimits::default(),
        };
        let streams = Streams::to(writer.as_fd(), writer.as_fd());
        let running = self.sandbox.start(place, order, streams, None).unwrap();
        (running, reader)
    }

    /// What it printed, and what was held of it, by name.
    fn run(&self, script: &str) -> (String, Vec<HeldFile>) {
        let (mut running, mut reader) = self.start(script);
        let mut said = String::new();
        reader.read_to_string(&mut said).unwrap();
        running
            .ended_within(Duration::from_secs(30))
            .unwrap()
            .unwrap();
        let looking = running.looking().unwrap();
        let held = match looking.is_needed() {
            true => looking.look(),
            false => Vec::new(),
        };
        drop(running);
        (said, held)
    }

    fn holds(&self, script: &str) -> Vec<String> {
        let (_, held) = self.run(script);
        let mut names: Vec<String> = held
            .iter()
            .map(|held| held.name().display().to_string())
            .collect();
        names.sort();
        names
    }

    fn names(&self) -> BTreeSet<String> {
        let names = fs::read_dir(&self.root).unwrap();
        names
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect()
    }
}

fn names(names: &[&str]) -> BTreeSet<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

#[tokio::test]
async fn nothing_of_the_guard_is_in_the_workspace_while_commands_run_or_after() {
    for level in LEVELS {
        let bench = Bench::new(level);
        let (said, held) = bench.run("ls -A; ls -A .git");
        assert!(held.is_empty());
        assert!(
            said.ends_with(".git\n.team\nconfig\nhooks\n"),
            "{level}: {said}"
        );
        let (running, _reader) = bench.start("sleep 30");
        assert_eq!(bench.names(), names(&[".git", ".team"]));
        drop(running);
        bench.sandbox.close();
        assert_eq!(bench.names(), names(&[".git", ".team"]));
    }
}

#[tokio::test]
async fn what_a_command_writes_is_held_whatever_way_it_takes() {
    for level in LEVELS {
        let bench = Bench::new(level);
        bench.write("Makefile", "all:\n");
        bench.write(".vscode/settings.json", "{}\n");
        symlink("shared", bench.root.join(".agents")).unwrap();
        bench.write("shared/a.md", "mine\n");
        for (script, held) in [
            ("echo evil > .envrc", &[".envrc"][..]),
            (
                "mkdir -p .github/workflows && echo evil > .github/workflows/x.yml",
                &[".github/workflows/x.yml"],
            ),
            ("echo evil > x && mv x .gitlab-ci.yml", &[".gitlab-ci.yml"]),
            ("ln Makefile .envrc", &[".envrc"]),
            ("ln -s /etc/passwd .envrc", &[".envrc"]),
            (
                "mkdir d && echo evil > d/tasks.json && mv d .zed",
                &[".zed/tasks.json"],
            ),
            (
                "mkdir g && mkdir g/workflows && echo evil > g/workflows/y && ln -s g .gitea",
                &[".gitea"],
            ),
            ("mkfifo .mcp.json", &[".mcp.json"]),
            ("echo evil > .vscode/tasks.json", &[".vscode/tasks.json"]),
            (
                "echo evil > .vscode/settings.json",
                &[".vscode/settings.json"],
            ),
            ("chmod +x .vscode/settings.json", &[".vscode/settings.json"]),
            (
                "ln .vscode/settings.json h && echo evil >> h",
                &[".vscode/settings.json"],
            ),
            (
                "mv .vscode v && mkdir .vscode && echo evil > .vscode/settings.json",
                &[".vscode/settings.json"],
            ),
            ("rm -r .vscode && echo evil > .vscode", &[".vscode"]),
            ("echo evil > shared/a.md", &["shared/a.md"]),
            (
                "rm .agents && mkdir .agents && echo evil > .agents/b.md",
                &[".agents/b.md"],
            ),
            ("echo /x > .git/commondir", &[".git/commondir"]),
            (
                "mkdir .git/info && echo x > .git/info/attributes",
                &[".git/info/attributes"],
            ),
            (
                "mkdir .idea && for i in $(seq 2100); do echo > .idea/$i; done",
                &[".idea"],
            ),
            ("truncate -s 20M .envrc", &[".envrc"]),
        ] {
            let script = format!("{script}; rm -rf g v h 2>/dev/null; true");
            let found = bench.holds(&script).into_iter();
            // Some of very many files are held before there are that many, and what a link leads to before that is gone.
            let whole = |name: String| match name.split_once('/') {
                Some((".idea", _)) => ".idea".to_owned(),
                Some(("g", _)) => ".gitea".to_owned(),
                Some(_) | None => name,
            };
            let found: BTreeSet<String> = found.map(whole).collect();
            assert_eq!(found, names(held), "{level}: {script}");
            assert_eq!(
                bench.read(".vscode/settings.json").as_deref(),
                Some("{}\n"),
                "{level}: {script}"
            );
            assert_eq!(
                bench.read(".agents/a.md").as_deref(),
                Some("mine\n"),
                "{level}: {script}"
            );
            let clean = names(&[".agents", ".git", ".team", ".vscode", "Makefile", "shared"]);
            let left: BTreeSet<String> = bench.names().difference(&clean).cloned().collect();
            assert!(
                left.is_subset(&names(&[".github"])),
                "{level}: {script}: {left:?}"
            );
        }
    }
}

#[tokio::test]
async fn what_commits_had_may_come_and_go_and_what_is_nowhere_else_is_put_back() {
    let bench = Bench::new(Level::Full);
    bench.write(".envrc", "of a commit\n");
    bench.write(".mcp.json", "the user's, not committed\n");
    let (_, held) = bench.run("rm .envrc .mcp.json; mkdir .vscode; echo of a commit > .vscode/x");
    assert!(held.is_empty(), "{held:?}");
    assert_eq!(bench.read(".envrc"), None);
    assert_eq!(
        bench.read(".mcp.json").as_deref(),
        Some("the user's, not committed\n")
    );
    assert_eq!(bench.read(".vscode/x").as_deref(), Some("of a commit\n"));
}

#[tokio::test]
async fn what_the_user_does_between_commands_is_the_user_s() {
    let bench = Bench::new(Level::Full);
    bench.run("true");
    bench.write(".envrc", "the user's\n");
    assert_eq!(bench.holds("cat .envrc"), [""; 0]);
    fs::remove_file(bench.root.join(".envrc")).unwrap();
    assert_eq!(bench.holds("true"), [""; 0]);
    assert_eq!(bench.read(".envrc"), None);
    assert_eq!(
        bench.holds("echo the user\\'s > .envrc"),
        [""; 0],
        "known by now"
    );
}

#[tokio::test]
async fn a_yes_puts_the_very_file_in_place_that_was_shown() {
    let bench = Bench::new(Level::Full);
    bench.write(".envrc", "before\n");
    let (_, held) = bench.run("echo after > .envrc");
    let [held] = &held[..] else {
        panic!("{held:?}")
    };
    assert_eq!(
        (held.text_before().as_deref(), &*held.text()),
        (Some("before\n"), "after\n")
    );
    assert_eq!(bench.read(".envrc").as_deref(), Some("before\n"));
    held.put_in_place().unwrap();
    assert_eq!(bench.read(".envrc").as_deref(), Some("after\n"));
    assert_eq!(
        bench.holds("echo before > .envrc; echo after > .envrc"),
        [""; 0]
    );

    let (_, held) = bench.run("echo other > .envrc");
    fs::write(held[0].held_at(), "swapped\n").unwrap();
    held[0].put_in_place().unwrap_err();
    assert_eq!(bench.read(".envrc").as_deref(), Some("after\n"));
}

#[tokio::test]
async fn a_command_that_writes_in_a_circle_or_goes_on_after_its_end_leaves_nothing() {
    for level in LEVELS {
        let bench = Bench::new(level);
        let script = "(while :; do echo evil > .envrc; echo x > .git/commondir; done) & sleep 0.5; exec 9>.mcp.json; \
            (sleep 0.2; echo late >&9; sleep 30) & exit";
        let (mut running, _reader) = bench.start(script);
        running
            .ended_within(Duration::from_secs(30))
            .unwrap()
            .unwrap();
        let looking = running.looking().unwrap();
        running.kill();
        drop(running);
        bench.sandbox.close();
        let held = looking.look();
        assert!(held.len() >= 2, "{level}: {held:?}");
        assert_eq!(bench.names(), names(&[".git", ".team"]), "{level}");
        assert!(!bench.root.join(".git/commondir").exists(), "{level}");
    }
}

#[tokio::test]
async fn a_running_command_s_file_is_moved_away_while_it_runs() {
    let bench = Bench::new(Level::Full);
    let (running, mut reader) = bench.start(
        "echo evil > .envrc; mkdir .zed; until ! test -e .envrc; do sleep 0.01; done; \
         echo evil > .zed/x; until ! test -e .zed/x; do sleep 0.01; done; echo gone",
    );
    let mut said = String::new();
    reader.read_to_string(&mut said).unwrap();
    assert_eq!(said, "gone\n");
    drop(running);
}

/// Git looks at a file that it has just written: a name that nothing stands at ends it.
#[tokio::test]
async fn a_name_that_something_stood_at_is_never_without_it_while_commands_run() {
    let bench = Bench::new(Level::Full);
    bench.write(".gitmodules", "the user's\n");
    let (said, held) = bench.run(
        "for round in {1..100}; do
            echo $round > new && mv new .gitmodules
            until [ \"$line\" = \"the user's\" ]; do
                [ -e .gitmodules ] || echo gone
                read -r line < .gitmodules
            done
            line=
        done 2>&1",
    );
    assert_eq!(said, "");
    assert_eq!(held.len(), 100);
    assert_eq!(bench.read(".gitmodules").unwrap(), "the user's\n");
}

/// Git goes on while it is asked about what was seen a moment ago.
#[tokio::test]
async fn what_is_another_file_by_now_is_looked_at_anew() {
    let mut bench = Bench::new(Level::Full);
    bench.sandbox = Bench::sandbox(Level::Full);
    let next = NextStep(bench.root.join(".envrc"));
    bench.sandbox.vouched_by(Arc::new(next));
    let (_, held) = bench.run("echo 'half of a' > .envrc");
    assert!(held.is_empty(), "{held:?}");
    assert_eq!(bench.read(".envrc").unwrap(), "of a commit\n");
}

#[tokio::test]
async fn what_is_held_is_listed_until_it_is_taken_or_removed() {
    let bench = Bench::new(Level::Full);
    let (_, told) = bench.run("echo 1 > .envrc; echo 2 > .mcp.json");
    told[0].write_note(b"alice").unwrap();
    drop(told);
    // As another process of the user's does it, while a command runs.
    let other = Bench::sandbox(Level::Full);
    let (mut running, _reader) = bench.start("until test -e go; do sleep 0.01; done");
    let held = other.held(&bench.place());
    let seen: Vec<_> = (held.iter())
        .map(|held| {
            (
                held.number(),
                held.name().to_owned(),
                held.text(),
                held.note(),
            )
        })
        .collect();
    assert_eq!(
        seen,
        [
            (
                1,
                ".envrc".into(),
                "1\n".to_owned(),
                Some(b"alice".to_vec())
            ),
            (2, ".mcp.json".into(), "2\n".to_owned(), None),
        ]
    );
    assert!(held[0].held_since().is_some_and(|at| at.elapsed().is_ok()));
    held[0].put_in_place().unwrap();
    held[1].remove().unwrap();
    assert!(other.held(&bench.place()).is_empty());
    bench.write("go", "");
    running
        .ended_within(Duration::from_secs(30))
        .unwrap()
        .unwrap();
    assert!(running.looking().unwrap().look().is_empty());
    drop(running);
    assert_eq!(bench.read(".envrc").as_deref(), Some("1\n"));
    assert_eq!(bench.holds("echo 1 > .envrc"), [""; 0]);
    let (_, held) = bench.run("echo 3 > .mcp.json");
    assert_eq!(held[0].number(), 3, "none is used twice");
}

/// How long `true` takes there, looked at as members' commands are.
fn cost(bench: &Bench, place: &Place) -> Duration {
    let begun = Instant::now();
    let (mut running, _reader) = bench.start_in(place, "true");
    running
        .ended_within(Duration::from_secs(30))
        .unwrap()
        .unwrap();
    if let Some(looking) = running.looking().filter(GuardLook::is_needed) {
        looking.look();
    }
    drop(running);
    begun.elapsed()
}

#[tokio::test]
#[ignore = "a measurement: cargo test --release -p teammate-sandbox --test guard cost -- --ignored --nocapture"]
async fn cost_of_the_guard_beside_the_same_command_without_it() {
    for files in [0, 10, 200, 2_000] {
        let bench = Bench::new(Level::Full);
        for number in 0..files {
            let name = format!(".github/workflows/{number}.yml");
            bench.write(&name, &"on: push\n".repeat(200));
        }
        let guarded = bench.place();
        let plain = Place {
            guard: None,
            ..guarded.clone()
        };
        // What changed a moment ago is read each time.
        std::thread::sleep(Duration::from_millis(100));
        let (mut with, mut without) = (Vec::new(), Vec::new());
        for _ in 0..301 {
            with.push(cost(&bench, &guarded));
            without.push(cost(&bench, &plain));
        }
        with.sort();
        without.sort();
        println!(
            "{files} files at guarded names: median {:?} with the guard, {:?} without; least {:?}, {:?}",
            with[150], without[150], with[0], without[0]
        );
    }
}
