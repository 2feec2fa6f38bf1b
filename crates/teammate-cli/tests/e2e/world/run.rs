//! Runs of the program, as long as they go on and afterwards.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Child, Command, ExitStatus},
    thread,
    time::{Duration, Instant},
};

use super::{HANG, until};
use crate::published;

/// A run that has ended.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Run {
    /// It ended like this; otherwise everything is shown.
    #[track_caller]
    pub(crate) fn ends(self, code: i32) -> Self {
        assert_eq!(
            self.code, code,
            "\n--- out\n{}\n--- err\n{}",
            self.out, self.err
        );
        self
    }

    /// Standard error says this.
    #[track_caller]
    pub(crate) fn complains(self, text: &str) -> Self {
        assert!(
            self.err.contains(text),
            "'{text}' is not said in\n{}\n--- out\n{}",
            self.err,
            self.out
        );
        self
    }

    /// Standard output says this.
    #[track_caller]
    pub(crate) fn says(self, text: &str) -> Self {
        assert!(
            self.out.contains(text),
            "'{text}' is not said in\n{}\n--- err\n{}",
            self.out,
            self.err
        );
        self
    }
}

/// A run that goes on. Killed when dropped.
pub(crate) struct Running {
    child: Child,
    arguments: Vec<String>,
    out: PathBuf,
    err: PathBuf,
}

impl Running {
    /// Starts it. What it prints goes to files in this directory.
    pub(super) fn launched(mut command: Command, place: &Path) -> Self {
        let (out, err) = (place.join("out"), place.join("err"));
        let arguments = command
            .get_args()
            .map(|argument| argument.display().to_string())
            .collect();
        let child = command
            .stdout(fs::File::create(&out).unwrap())
            .stderr(fs::File::create(&err).unwrap())
            .spawn()
            .unwrap();
        Self {
            child,
            arguments,
            out,
            err,
        }
    }

    /// Waits for the end. What programs get is as it was published.
    pub(crate) fn end(mut self) -> Run {
        let status = self.wait();
        let run = Run {
            code: code(status),
            out: fs::read_to_string(&self.out).unwrap(),
            err: fs::read_to_string(&self.err).unwrap(),
        };
        published::assert_as_published(&self.arguments, &run.out);
        run
    }

    fn wait(&mut self) -> ExitStatus {
        let begun = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status;
            }
            if begun.elapsed() > HANG {
                panic!("it hangs:\n{}\n{}", self.out(), self.err());
            }
            thread::sleep(Duration::from_millis(5));
        }
    }

    pub(crate) fn out(&self) -> String {
        fs::read_to_string(&self.out).unwrap()
    }

    pub(crate) fn err(&self) -> String {
        fs::read_to_string(&self.err).unwrap()
    }

    /// Waits until standard output or error has this in it.
    pub(crate) fn until(&self, text: &str) {
        until(
            || self.out().contains(text) || self.err().contains(text),
            || format!("'{text}' does not come:\n{}\n{}", self.out(), self.err()),
        );
    }

    pub(crate) fn signal(&self, signal: rustix::process::Signal) {
        let pid = i32::try_from(self.child.id()).unwrap();
        let pid = rustix::process::Pid::from_raw(pid).unwrap();
        // It may just have ended.
        let _ = rustix::process::kill_process(pid, signal);
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    pub(crate) fn stdin(&mut self) -> std::process::ChildStdin {
        self.child.stdin.take().unwrap()
    }

    pub(crate) fn is_over(&mut self) -> bool {
        self.child.try_wait().unwrap().is_some()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn code(status: ExitStatus) -> i32 {
    use std::os::unix::process::ExitStatusExt as _;
    status
        .code()
        .unwrap_or_else(|| 128 + status.signal().unwrap())
}
