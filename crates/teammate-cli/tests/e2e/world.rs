//! A world for one test: a workspace, a home and a model, and the program in it.

mod found;
mod run;

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::Arc,
    thread,
    time::{Duration, Instant},
};

use serde_json::Value;
use tempfile::TempDir;

pub(crate) use self::run::{Run, Running};

/// Longer than this nothing may take: a hang fails instead of blocking. No test passes or fails by its speed.
pub(crate) const HANG: Duration = Duration::from_secs(600);

/// A directory with everything that one team needs.
pub(crate) struct World {
    root: Arc<TempDir>,
    model: String,
    environment: Vec<(String, String)>,
}

impl World {
    /// With a play as the model.
    pub(crate) fn playing(play: &Value) -> Self {
        let world = Self::with_model("none:none");
        world.replay(play)
    }

    /// With a model by name.
    pub(crate) fn with_model(model: &str) -> Self {
        Self::at(tempfile::tempdir().unwrap(), model)
    }

    /// Outside the system's temporary directory, where workspaces of people are: commands see another `/tmp` anyway.
    pub(crate) fn outside_tmp() -> Self {
        let root = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        Self::at(root, "none:none")
    }

    fn at(root: TempDir, model: &str) -> Self {
        fs::create_dir(root.path().join("work")).unwrap();
        Self {
            root: Arc::new(root),
            model: model.to_owned(),
            environment: Vec::new(),
        }
    }

    /// The same world with another play.
    pub(crate) fn replay(mut self, play: &Value) -> Self {
        let path = self.root.path().join("play.json");
        fs::write(&path, play.to_string()).unwrap();
        self.model = format!("scripted:{}", path.display());
        self
    }

    /// The same place once more, to look at it in another environment.
    pub(crate) fn again(&self) -> Self {
        Self {
            root: self.root.clone(),
            model: self.model.clone(),
            environment: self.environment.clone(),
        }
    }

    /// With this in the environment.
    pub(crate) fn env(mut self, name: &str, value: &str) -> Self {
        self.environment.push((name.to_owned(), value.to_owned()));
        self
    }

    /// The workspace.
    pub(crate) fn work(&self) -> PathBuf {
        self.root.path().join("work")
    }

    pub(crate) fn path(&self, below: &str) -> PathBuf {
        self.work().join(below)
    }

    /// What the program's environment is: nothing of ours but the path.
    pub(crate) fn variables(&self) -> Vec<(String, String)> {
        let home = self.root.path().join("home").display().to_string();
        let mut variables = vec![
            // A story of the full screen says so by `env`.
            ("TEAMMATE_SCREEN".to_owned(), "plain".to_owned()),
            ("PATH".to_owned(), std::env::var("PATH").unwrap()),
            ("HOME".to_owned(), home),
            ("TERM".to_owned(), "xterm-256color".to_owned()),
            ("LANG".to_owned(), "C.UTF-8".to_owned()),
            ("TEAMMATE_MODEL".to_owned(), self.model.clone()),
        ];
        variables.extend(self.environment.clone());
        variables
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_teammate"));
        command
            .args(arguments)
            .env_clear()
            .envs(self.variables())
            .current_dir(self.work())
            .stdin(Stdio::null());
        command
    }

    /// Runs the program to its end.
    pub(crate) fn teammate(&self, arguments: &[&str]) -> Run {
        self.start(arguments).end()
    }

    /// Gives the lead a job, in its last conversation; everything is allowed.
    pub(crate) fn run(&self, job: &str) -> Run {
        self.teammate(&["run", "--continue", "--permission-mode", "bypass", job])
    }

    /// Gives the lead a job in a new conversation; everything is allowed.
    pub(crate) fn run_anew(&self, job: &str) -> Run {
        self.teammate(&["run", "--permission-mode", "bypass", job])
    }

    /// Goes on.
    pub(crate) fn resume(&self) -> Run {
        self.teammate(&["resume", "--permission-mode", "bypass"])
    }

    /// Starts the program.
    pub(crate) fn start(&self, arguments: &[&str]) -> Running {
        self.launch(self.command(arguments))
    }

    pub(crate) fn launch(&self, command: Command) -> Running {
        let place = tempfile::tempdir_in(self.root.path()).unwrap().keep();
        Running::launched(command, &place)
    }

    /// Makes an empty file in the workspace as soon as a file of the team has this text in it: commands do not see that file.
    pub(crate) fn touch_when(&self, below: &str, text: &'static str, name: &str) {
        let (looked_at, made) = (self.path(below), self.path(name));
        thread::spawn(move || {
            let begun = Instant::now();
            let is_there =
                || fs::read_to_string(&looked_at).is_ok_and(|found| found.contains(text));
            while begun.elapsed() < HANG && !is_there() {
                thread::sleep(Duration::from_millis(5));
            }
            // The test may be over, and its workspace gone.
            let _ = fs::write(made, "");
        });
    }
}

/// Waits until something holds.
pub(crate) fn until(mut holds: impl FnMut() -> bool, otherwise: impl Fn() -> String) {
    let begun = Instant::now();
    while !holds() {
        assert!(begun.elapsed() < HANG, "{}", otherwise());
        thread::sleep(Duration::from_millis(5));
    }
}

pub(crate) fn json_lines(text: &str) -> Vec<Value> {
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}")))
        .collect()
}

/// Does it here and now.
pub(crate) fn now<T>(work: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap()
        .block_on(work)
}

/// All files below a directory.
pub(crate) fn files(dir: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(dir) else {
        return Vec::new();
    };
    entries
        .map(|entry| entry.unwrap().path())
        .flat_map(|path| {
            if path.is_dir() {
                files(&path)
            } else {
                vec![path]
            }
        })
        .collect()
}
