//! Ten things that people do, from a terminal: what stands there then, and how many keys it took. The counts are in
//! docs/project/faces.md.

use std::fs;

use super::{shop::shop, *};
use crate::{page::Page, setup};

/// Rows and columns in which a question of some lines stands whole.
const PLENTY: (u16, u16) = (30, 100);

/// A person's hand: it counts what it presses.
struct Hand<'a> {
    terminal: &'a Terminal,
    keys: usize,
    begun: Instant,
}

impl<'a> Hand<'a> {
    fn at(terminal: &'a Terminal) -> Self {
        Self {
            terminal,
            keys: 0,
            begun: Instant::now(),
        }
    }

    /// One key, however many bytes it sends.
    fn key(&mut self, key: &str) {
        self.keys += 1;
        self.terminal.keys(key);
    }

    /// Words, a key a letter, and Enter.
    fn line(&mut self, text: &str) {
        self.keys += text.chars().count() + 1;
        self.terminal.keys(&format!("{text}\r"));
    }

    /// A key that counts once it was on the screen long enough: pressed until something comes of it, counted once.
    fn answer(&mut self, key: &str, has_come: impl FnMut(&Terminal) -> bool) {
        self.keys += 1;
        self.terminal.presses(key, has_come);
    }

    /// What it took.
    fn done(self, scene: &'static str, most: usize) -> Taken {
        assert!(self.keys <= most, "{scene}: {} keys", self.keys);
        Taken {
            scene,
            keys: self.keys,
            seconds: self.begun.elapsed().as_secs_f64(),
        }
    }
}

struct Taken {
    scene: &'static str,
    keys: usize,
    seconds: f64,
}

/// Who has nothing yet sets up a server of their own.
fn sets_up() -> Taken {
    let (world, url) = (setup::nothing_yet(), setup::server());
    let terminal = Terminal::open(&world, 100, &[]);
    let mut hand = Hand::at(&terminal);
    for (question, answer) in [
        ("Set one up now? [Y/n]", ""),
        ("Which? [1]", "5"),
        ("Its base URL", url.as_str()),
        ("Does it want a key? [y/N]", "y"),
        ("Which? [3]", ""),
        ("The key (it is not shown):", setup::KEY),
        ("Which model? [small]", ""),
        ("How much may members do", ""),
    ] {
        terminal.until(question);
        hand.line(answer);
    }
    terminal.until("Type to talk with the lead (local:small)");
    let taken = hand.done(
        "set up a server of one's own, its address and key included",
        70,
    );
    terminal.quits();
    taken
}

#[test]
fn ten_things_take_so_many_keys() {
    let mut all = vec![sets_up()];
    let program = std::path::Path::new(env!("CARGO_BIN_EXE_teammate"));
    let path = std::env::var("PATH").unwrap();
    let path = format!("{}:{path}", program.parent().unwrap().display());
    let world = shop().env("PATH", &path);
    let mut terminal = Terminal::sized(&world, PLENTY, &[]);
    terminal.until_prompt("lead", "");

    let mut hand = Hand::at(&terminal);
    hand.line("spawn two");
    terminal.until(" erin ");
    all.push(hand.done("spawn two members, in words", 10));

    terminal.says("build the shop");
    terminal.until("3 NEED YOU");
    let mut hand = Hand::at(&terminal);
    hand.key(CTRL_N);
    for left in ["2 NEED YOU", "1 NEEDS YOU", "live"] {
        hand.answer("y", |terminal| {
            let shown = terminal.shows();
            match left {
                "live" => !shown.contains("NEED"),
                left => shown.contains(left),
            }
        });
    }
    all.push(hand.done("answer three questions", 4));
    let changed = || fs::read_to_string(world.path("src/parse.rs")).unwrap();
    until(|| changed().contains("Looks without"), changed);

    let mut hand = Hand::at(&terminal);
    hand.key("\u{1b}OR");
    terminal.until("after #1");
    all.push(hand.done("see what a task waits for", 1));

    let mut hand = Hand::at(&terminal);
    hand.key(TAB);
    hand.line("@alice");
    terminal.until_prompt("alice", "");
    hand.key(F2);
    terminal.until("Looks without taking");
    hand.line("Keep the old name, too");
    terminal.until("I keep the old name");
    all.push(hand.done("look at a change and send it back with words", 35));

    let mut hand = Hand::at(&terminal);
    hand.key("\u{1b}[17~");
    terminal.until("Tokens over time");
    all.push(hand.done("see what it costs", 1));

    let mut hand = Hand::at(&terminal);
    hand.key(TAB);
    hand.key("{");
    terminal.until("PAST");
    hand.key(F1);
    hand.key("\u{1b}");
    terminal.until(" live");
    all.push(hand.done("go a turn back, look around, and come back", 4));

    let mut hand = Hand::at(&terminal);
    hand.key(TAB);
    terminal.until_prompt("alice", "");
    hand.line("!teammate share > run.html");
    let shared = || fs::read_to_string(world.path("run.html")).unwrap_or_default();
    until(|| shared().contains("</html>"), || terminal.shows());
    hand.key(ENTER);
    all.push(hand.done("share the run as a file", 29));
    terminal.until("[1 Team]");

    let mut hand = Hand::at(&terminal);
    // In another terminal.
    hand.keys += "teammate web".len() + 1;
    let page = Page::of(&world, &[]);
    hand.line("!teammate web pair");
    until(|| terminal.printed().contains("#key="), || terminal.shows());
    hand.key(ENTER);
    terminal.until("[1 Team]");
    drop(page);
    all.push(hand.done("serve the page, and get its address for a telephone", 33));

    let mut hand = Hand::at(&terminal);
    let begun = hand.begun;
    hand.line("/quit");
    let stop = hand.done("stop", 6);
    assert_eq!(terminal.leaves_paused().code(), Some(0));
    all.push(Taken {
        seconds: begun.elapsed().as_secs_f64(),
        ..stop
    });

    println!("| what | keys | seconds |\n|---|---|---|");
    for Taken {
        scene,
        keys,
        seconds,
    } in all
    {
        println!("| {scene} | {keys} | {seconds:.1} |");
    }
}
