//! One start of the program in a hostile repository: as a command, through a pipe, at a terminal.

use std::{
    fs,
    io::{Read as _, Write as _},
    path::Path,
    process::{Child, Command, Stdio},
    sync::{Arc, Mutex},
    thread,
    time::{Duration, Instant},
};

use super::site::Site;

/// Longer than this nothing may take: far more than anything needs.
const HANG: Duration = Duration::from_secs(300);

/// What is typed at the prompt; the last line pauses members that work.
const TYPED: &str = "Go\n/team\n/tasks\n/requests\n/quit\np\n";

/// One start of the program.
pub(super) struct Start {
    pub(super) arguments: Vec<&'static str>,
    /// Where it is typed at, if it is.
    typed: Typed,
}

#[derive(Clone, Copy, PartialEq)]
pub(super) enum Typed {
    Nothing,
    Pipe,
    Terminal,
}

/// How a start ended.
pub(super) struct Ended {
    pub(super) code: i32,
    pub(super) out: String,
    pub(super) err: String,
    pub(super) memory_kib: u64,
}

pub(super) fn words(line: &'static str) -> Start {
    Start {
        arguments: line.split(' ').collect(),
        typed: Typed::Nothing,
    }
}

pub(super) fn prompt(typed: Typed) -> Start {
    Start {
        arguments: Vec::new(),
        typed,
    }
}

impl Ended {
    /// Done, something refused, or interrupted when it asked.
    pub(super) fn is_fine(&self) -> bool {
        matches!(self.code, 0 | 4 | 7 | 130)
    }

    /// The beginning of what was said, indented.
    pub(super) fn excerpt(&self) -> String {
        let text = format!("{}{}", self.out, self.err);
        let text: String = text.chars().take(500).collect();
        text.lines().map(|line| format!("    {line}\n")).collect()
    }

    pub(super) fn said(&self, text: &str) -> bool {
        // At a terminal lines are broken anywhere.
        let plain = |text: &str| text.split_whitespace().collect::<String>();
        plain(&self.err).contains(&plain(text)) || plain(&self.out).contains(&plain(text))
    }
}

impl Start {
    pub(super) fn shown(&self) -> String {
        let at = match self.typed {
            Typed::Nothing => "",
            Typed::Pipe => "(typed through a pipe)",
            Typed::Terminal => "(typed at a terminal)",
        };
        self.arguments.join(" ") + at
    }

    /// Whether it opens the team to run it.
    pub(super) fn opens(&self) -> bool {
        matches!(self.arguments.first(), None | Some(&"run" | &"resume"))
    }

    /// Whether it can do nothing without the team.
    pub(super) fn needs_team(&self) -> bool {
        let verb = self.arguments.first();
        !matches!(verb, Some(&"log" | &"doctor" | &"rules" | &"trust"))
    }

    pub(super) fn run(&self, site: &Site, flags: &[&str]) -> Result<Ended, String> {
        let mut arguments = self.arguments.clone();
        if self.opens() {
            arguments.extend(flags);
        }
        match self.typed {
            Typed::Nothing | Typed::Pipe => self.piped(site, &arguments),
            Typed::Terminal => at_terminal(site, &arguments),
        }
    }

    fn piped(&self, site: &Site, arguments: &[&str]) -> Result<Ended, String> {
        let logs = tempfile::tempdir_in(site.root().join("logs"))
            .unwrap()
            .keep();
        let (out, err) = (logs.join("out"), logs.join("err"));
        let mut child = Command::new(env!("CARGO_BIN_EXE_teammate"))
            .args(arguments)
            .env_clear()
            .envs(site.variables("home"))
            .current_dir(site.work())
            .stdin(Stdio::piped())
            .stdout(fs::File::create(&out).unwrap())
            .stderr(fs::File::create(&err).unwrap())
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();
        if self.typed == Typed::Pipe {
            // It may have refused by now.
            let _ = stdin.write_all(TYPED.as_bytes());
        }
        drop(stdin);
        let read = |path: &Path| String::from_utf8_lossy(&fs::read(path).unwrap()).into_owned();
        // A member that asks waits for the user, as it should.
        let asks = || read(&err).contains("teammate approve req_");
        match end(&mut child, &asks) {
            Ok((code, memory_kib)) => Ok(Ended {
                code,
                out: read(&out),
                err: read(&err),
                memory_kib,
            }),
            Err(hang) => Err(format!("{hang}:\n{}{}", read(&out), read(&err))),
        }
    }
}

/// The prompt as the user has it.
fn at_terminal(site: &Site, arguments: &[&str]) -> Result<Ended, String> {
    let (pty, pts) = pty_process::blocking::open().unwrap();
    pty.resize(pty_process::Size::new(50, 200)).unwrap();
    let mut child = pty_process::blocking::Command::new(env!("CARGO_BIN_EXE_teammate"))
        .args(arguments)
        .env_clear()
        .envs(site.variables("home"))
        .current_dir(site.work())
        .spawn(pts)
        .unwrap();
    let pty = Arc::new(pty);
    let shown = Arc::<Mutex<Vec<u8>>>::default();
    let (from, to) = (pty.clone(), shown.clone());
    let reader = thread::spawn(move || {
        let mut chunk = [0; 4_096];
        // An error means that the program has gone.
        while let Ok(count @ 1..) = (&*from).read(&mut chunk) {
            to.lock().unwrap().extend_from_slice(&chunk[..count]);
        }
    });
    for line in TYPED.lines() {
        // Wait a moment until the team has done something; a process that has ended reads nothing.
        pause(&mut child, Duration::from_millis(150));
        let _ = (&*pty).write_all(format!("{line}\r").as_bytes());
    }
    let ended = end(&mut child, &|| false);
    // What it said last may still be on its way; whatever it left running may keep the terminal.
    let begun = Instant::now();
    while !reader.is_finished() && begun.elapsed() < Duration::from_secs(1) {
        thread::sleep(Duration::from_millis(5));
    }
    let shown = shown.lock().unwrap();
    let out = String::from_utf8_lossy(&shown).into_owned();
    match ended {
        Ok((code, memory_kib)) => Ok(Ended {
            code,
            out,
            err: String::new(),
            memory_kib,
        }),
        Err(hang) => Err(format!("{hang}:\n{out}")),
    }
}

fn pause(child: &mut Child, time: Duration) {
    let begun = Instant::now();
    while begun.elapsed() < time && child.try_wait().unwrap().is_none() {
        thread::sleep(Duration::from_millis(5));
    }
}

/// Waits for the end, or interrupts it when it asks: how it ended and the most memory it held.
fn end(child: &mut Child, asks: &dyn Fn() -> bool) -> Result<(i32, u64), String> {
    let (begun, mut memory, mut is_asked) = (Instant::now(), 0, false);
    loop {
        if !is_asked && asks() {
            is_asked = true;
            let id = i32::try_from(child.id()).unwrap();
            let id = rustix::process::Pid::from_raw(id).unwrap();
            let _ = rustix::process::kill_process(id, rustix::process::Signal::INT);
        }
        // The last one, which is of the program: before it began, the number was that of this process.
        memory = match peak(child.id()) {
            0 => memory,
            peak => peak,
        };
        if let Some(status) = child.try_wait().unwrap() {
            use std::os::unix::process::ExitStatusExt as _;
            let code = status.code().or(status.signal().map(|signal| 128 + signal));
            return Ok((code.unwrap(), memory));
        }
        if begun.elapsed() > HANG {
            let _ = child.kill();
            let _ = child.wait();
            return Err("it hangs".to_owned());
        }
        thread::sleep(Duration::from_millis(8));
    }
}

/// The most memory that a process has held so far, in KiB; 0 where that is not told.
fn peak(id: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{id}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let number = line.and_then(|line| line.split_whitespace().next()?.parse().ok());
    number.unwrap_or_default()
}
