//! The REPL as the user at a terminal sees it: a terminal with the program in it, and a team to talk with.

mod bytes;
mod editing;
mod layout;
mod questions;
mod talk;

use std::{
    fmt::Write as _,
    io::{Read as _, Write as _},
    process::{Child, ExitStatus},
    sync::{Arc, Mutex},
    thread,
    time::{Duration, Instant},
};

use pty_process::{
    Size,
    blocking::{Command, Pty, open},
};
use rustix::termios::{LocalModes, tcgetattr};

use crate::{
    play::{Scene as _, play, say, spawn},
    world::{World, until},
};

const ROWS: u16 = 50;

/// A terminal with the program in it.
pub(crate) struct Terminal {
    pty: Arc<Pty>,
    child: Child,
    screen: Arc<Mutex<vt100::Parser>>,
    /// Every byte that came.
    bytes: Arc<Mutex<Vec<u8>>>,
    /// Reads them until nobody has the terminal open any more.
    reading: thread::JoinHandle<()>,
    /// The modes it had before the program came.
    before: LocalModes,
}

impl Terminal {
    pub(crate) fn open(world: &World, columns: u16, arguments: &[&str]) -> Self {
        Self::sized(world, (ROWS, columns), arguments)
    }

    /// With so many rows and columns.
    pub(crate) fn sized(world: &World, size: (u16, u16), arguments: &[&str]) -> Self {
        Self::running(
            world,
            size,
            Command::new(env!("CARGO_BIN_EXE_teammate")).args(arguments),
        )
    }

    /// With another program in it, which may run ours.
    pub(crate) fn running(world: &World, (rows, columns): (u16, u16), command: Command) -> Self {
        let (pty, pts) = open().unwrap();
        let before = tcgetattr(&pty).unwrap().local_modes;
        pty.resize(Size::new(rows, columns)).unwrap();
        let child = command
            .env_clear()
            .envs(world.variables())
            .current_dir(world.work())
            .spawn(pts)
            .unwrap();
        let screen = Arc::new(Mutex::new(vt100::Parser::new(rows, columns, 1_000)));
        let pty = Arc::new(pty);
        let (from, to) = (pty.clone(), screen.clone());
        let bytes = Arc::<Mutex<Vec<u8>>>::default();
        let all = bytes.clone();
        let reading = thread::spawn(move || {
            let mut chunk = [0; 4_096];
            // An error means that the program has gone.
            while let Ok(count @ 1..) = (&*from).read(&mut chunk) {
                all.lock().unwrap().extend_from_slice(&chunk[..count]);
                to.lock().unwrap().process(&chunk[..count]);
            }
        });
        Self {
            pty,
            child,
            screen,
            bytes,
            reading,
            before,
        }
    }

    /// What stands on the screen, line by line.
    pub(crate) fn shows(&self) -> String {
        let parser = self.screen.lock().unwrap();
        let (_, columns) = parser.screen().size();
        let mut text = String::new();
        for row in parser.screen().rows(0, columns) {
            let _ = writeln!(text, "{}", row.trim_end());
        }
        text.trim_end().to_owned()
    }

    /// What stands on the screen with its colours and styles, as the sequences that draw it.
    pub(crate) fn drawn(&self) -> String {
        let parser = self.screen.lock().unwrap();
        let bytes = parser.screen().contents_formatted();
        String::from_utf8_lossy(&bytes).replace('\u{1b}', "\n^")
    }

    /// Looks at the screen, cell by cell.
    pub(crate) fn with_screen<T>(&self, look: impl FnOnce(&vt100::Screen) -> T) -> T {
        look(self.screen.lock().unwrap().screen())
    }

    /// The process.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// The row and the column of the cursor, from 0; nothing if it is hidden.
    pub(crate) fn cursor(&self) -> Option<(u16, u16)> {
        let parser = self.screen.lock().unwrap();
        let screen = parser.screen();
        (!screen.hide_cursor()).then(|| screen.cursor_position())
    }

    /// Another size, as when the user pulls at the window. As in some terminals nothing of what stood there stays: this one
    /// would keep halves of wide characters, and stumble over them.
    pub(crate) fn resize(&self, rows: u16, columns: u16) {
        let mut parser = self.screen.lock().unwrap();
        parser.process(b"\x1b[2J");
        parser.screen_mut().set_size(rows, columns);
        self.pty.resize(Size::new(rows, columns)).unwrap();
    }

    /// Ends the program as a crash does, and waits until it has gone.
    pub(crate) fn crash(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    pub(crate) fn until(&self, text: &str) {
        until(
            || self.shows().contains(text),
            || format!("'{text}' does not come:\n{}", self.shows()),
        );
    }

    pub(crate) fn keys(&self, keys: &str) {
        (&*self.pty).write_all(keys.as_bytes()).unwrap();
    }

    /// Whether nothing is typed at the prompt.
    pub(crate) fn is_at_prompt(&self) -> bool {
        self.shows().lines().last() == Some(">")
    }

    /// Waits for the prompt, types a line.
    pub(crate) fn types(&self, line: &str) {
        until(
            || self.is_at_prompt(),
            || format!("no prompt:\n{}", self.shows()),
        );
        self.keys(&format!("{line}\r"));
    }

    /// Types, also where nobody may read any more.
    pub(crate) fn tries_keys(&self, keys: &str) {
        let _ = (&*self.pty).write_all(keys.as_bytes());
    }

    /// How the program has ended, if it has.
    pub(crate) fn ended(&mut self) -> Option<ExitStatus> {
        self.child.try_wait().unwrap()
    }

    /// Whether the terminal edits lines, echoes and signals as before the program came.
    pub(crate) fn is_restored(&self) -> bool {
        tcgetattr(&*self.pty).unwrap().local_modes == self.before
    }

    /// Everything that was ever written to the terminal.
    pub(crate) fn printed(&self) -> String {
        String::from_utf8_lossy(&self.bytes.lock().unwrap()).into_owned()
    }

    /// The same, as it came.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        self.bytes.lock().unwrap().clone()
    }

    /// Waits until the program has ended and what it wrote is read.
    pub(crate) fn leaves(&mut self) -> ExitStatus {
        for _ in 0..12_000 {
            if let Some(status) = self.ended() {
                self.reads_the_rest();
                return status;
            }
            thread::sleep(Duration::from_millis(5));
        }
        panic!("it does not leave:\n{}", self.shows());
    }

    /// Reads what the program wrote last. Programs that it has left may have the terminal open, too: these are not awaited.
    fn reads_the_rest(&self) {
        let waits = Instant::now() + Duration::from_secs(2);
        while !self.reading.is_finished() && Instant::now() < waits {
            thread::sleep(Duration::from_millis(1));
        }
    }

    /// The same, also if it asks first what becomes of members that work: the team pauses.
    pub(crate) fn leaves_paused(&mut self) -> ExitStatus {
        let mut is_answered = false;
        until(
            || {
                let shown = self.shows();
                let keys = match () {
                    () if shown.contains("Leave how?") => "p\r",
                    () if shown.contains("Members work: p pauses") => "p",
                    () => "",
                };
                if !keys.is_empty() && !is_answered {
                    is_answered = true;
                    self.tries_keys(keys);
                }
                self.ended().is_some()
            },
            || "it does not leave".to_owned(),
        );
        self.leaves()
    }

    /// Leaves by a command; what stands on the screen then.
    pub(crate) fn quits(mut self) -> String {
        self.types("/quit");
        assert_eq!(self.leaves_paused().code(), Some(0), "{}", self.shows());
        self.shows()
    }

    pub(crate) fn ends(mut self, code: i32) -> String {
        let status = self.leaves();
        assert_eq!(status.code(), Some(code), "{}", self.shows());
        self.shows()
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn small_team() -> World {
    World::playing(&play([
        (
            "lead",
            vec![
                spawn([("alice", "coder", "Begin")]).after("Spawn alice"),
                say("You said: {{mail}}").after_mail("hello"),
                say("I wait.").otherwise(),
            ],
        ),
        ("alice", vec![say("I hear {{mail}}").otherwise()]),
    ]))
}
