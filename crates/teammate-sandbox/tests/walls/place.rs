//! A workspace in a home directory of its own, and a view of it.

use std::{
    fs,
    io::Read as _,
    path::{Path, PathBuf},
};

use std::os::fd::AsFd as _;

use teammate_sandbox::{
    CommandLimits, Ended, Failure, Held, Helper, Level, Network, Order, Policy, Running, View,
    helper_is,
};
use tempfile::TempDir;

/// A user's home with a project in it, keys, and a state directory.
pub(crate) struct Place {
    _root: TempDir,
    pub home: PathBuf,
    pub project: PathBuf,
    pub helper: Helper,
    pub view: View,
}

/// What a command printed, and its exit code; None if it was killed.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Said {
    pub text: String,
    pub code: Option<i32>,
}

impl Place {
    pub(crate) fn new() -> Self {
        Self::at(Level::Full)
    }

    /// A place where commands are held this well.
    pub(crate) fn at(level: Level) -> Self {
        begin();
        let helper = Helper::start(level).unwrap();
        Self::with(helper)
    }

    /// A place whose commands are started by this helper.
    pub(crate) fn with(helper: Helper) -> Self {
        let root = TempDir::with_prefix_in("walls", directory()).unwrap();
        let home = root.path().canonicalize().unwrap().join("home");
        let project = home.join("project");
        for dir in [
            "project/.git/hooks",
            "project/src",
            ".ssh",
            ".config/app",
            "project/.team",
            "tmp",
        ] {
            fs::create_dir_all(home.join(dir)).unwrap();
        }
        for (file, text) in [
            ("project/.git/config", "[core]\n"),
            ("project/src/main.c", "int main() {}\n"),
            ("project/.team/journal.jsonl", "sealed\n"),
            (".ssh/id", "KEY\n"),
            (".netrc", "PASSWORD\n"),
            (".profile", "umask 22\n"),
            (".config/app/token", "TOKEN\n"),
            (".config/plain", "shown\n"),
        ] {
            fs::write(home.join(file), text).unwrap();
        }
        let view = helper.view(policy(&home)).unwrap();
        Self {
            _root: root,
            home,
            project,
            helper,
            view,
        }
    }

    /// The same place under another policy.
    pub(crate) fn see(&mut self, policy: Policy) {
        self.view = self.helper.view(policy).unwrap();
    }

    pub(crate) fn held(&self, path: &str) -> Held {
        held(&self.home, path)
    }

    pub(crate) fn policy(&self) -> Policy {
        policy(&self.home)
    }

    pub(crate) fn order(&self, script: &str) -> Order {
        Order {
            program: "/bin/bash".into(),
            arguments: vec!["-c".into(), script.into()],
            environment: vec![
                (
                    "PATH".into(),
                    "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin".into(),
                ),
                ("HOME".into(), self.home.to_str().unwrap().into()),
                ("LC_ALL".into(), "C".into()),
            ],
            directory: self.project.clone(),
            limits: CommandLimits::default(),
        }
    }

    /// Runs a script to its end.
    pub(crate) async fn run(&self, script: &str) -> Said {
        self.try_run(&self.order(script), None).await.unwrap()
    }

    pub(crate) async fn try_run(
        &self,
        order: &Order,
        network: Option<Network>,
    ) -> Result<Said, Failure> {
        let (mut reader, writer) = std::io::pipe().unwrap();
        let mut running = self
            .view
            .run(order, writer.as_fd(), writer.as_fd(), network)?;
        drop(writer);
        let reading = tokio::task::spawn_blocking(move || {
            let mut bytes = Vec::new();
            reader.read_to_end(&mut bytes).unwrap();
            String::from_utf8_lossy(&bytes).into_owned()
        });
        let ended = running.ended().await?;
        running.kill();
        let text = reading.await.unwrap();
        Ok(Said {
            text,
            code: match ended {
                Ended::Program(status) => status.code(),
                Ended::Limit(_) | Ended::Killed => None,
            },
        })
    }

    /// Starts a script whose output nobody reads.
    pub(crate) fn start(&self, script: &str) -> Running {
        let nowhere = fs::File::options().write(true).open("/dev/null").unwrap();
        self.view
            .run(&self.order(script), nowhere.as_fd(), nowhere.as_fd(), None)
            .unwrap()
    }
}

fn held(home: &Path, path: &str) -> Held {
    Held::open(&home.join(path)).unwrap()
}

/// The project is open, git's configuration in it protected, `.team` and secrets are hidden.
fn policy(home: &Path) -> Policy {
    let held = |path: &str| held(home, path);
    Policy {
        writable: vec![held("project")],
        tmp: Some(held("tmp")),
        protected: vec![held("project/.git/config"), held("project/.git/hooks")],
        hidden: vec![
            held("project/.team"),
            held(".ssh"),
            held(".netrc"),
            held(".config/app"),
        ],
        home: Some(Held::open(home).unwrap()),
        has_own_network: true,
        ..Policy::default()
    }
}

/// Where another user's run of these tests makes its files.
pub(crate) const DIRECTORY: &str = "WALLS_DIRECTORY";

pub(crate) fn directory() -> PathBuf {
    let default = || env!("CARGO_TARGET_TMPDIR").into();
    std::env::var_os(DIRECTORY).map_or_else(default, PathBuf::from)
}

/// Says which program is the helper.
pub(crate) fn begin() {
    helper_is(PathBuf::from(env!("CARGO_BIN_EXE_teammate-sandbox")));
}
