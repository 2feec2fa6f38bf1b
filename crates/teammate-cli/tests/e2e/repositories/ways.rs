//! All the ways in which a repository is opened, and what must hold after each.

use std::{
    fs, thread,
    time::{Duration, Instant},
};

use super::{
    Expects, Row,
    site::{self, Site, Snapshot},
    starts::{Ended, HANGS, Start, Typed, prompt, words},
};

/// The most memory that the program may have held at once, whatever the repository brings.
const MEMORY_KIB_MAX: u64 = 512 * 1024;

/// What only looks at a team.
const LOOKS: [&str; 10] = [
    "team",
    "team --json",
    "tasks",
    "tasks show 1",
    "inbox",
    "inbox lead",
    "inbox --json",
    "requests",
    "worktrees",
    "cost",
];

/// What answers and ends.
const ANSWERS: [&str; 6] = [
    "approve req_000001",
    "approve 1 --always",
    "resume --answers wait",
    "deny req_000001",
    "stop worker",
    "stop",
];

/// What changes the board.
const BOARD: [&str; 8] = [
    "tasks add more",
    "tasks edit 1 --subject other",
    "tasks assign 1 worker",
    "tasks reopen 1",
    "run Go",
    "tasks complete 1",
    "tasks fail 1 --because so",
    "tasks delete 1",
];

/// What touches worktrees.
const WORKTREES: [&str; 4] = [
    "worktrees diff worker",
    "worktrees merge worker",
    "worktrees keep worker",
    "worktrees remove worker",
];

/// Each way is a few starts, one after the other, in a copy of the repository of its own.
fn ways() -> Vec<Vec<Start>> {
    let one = |line| vec![words(line)];
    let lines = |lines: &[&'static str]| lines.iter().map(|line| words(line)).collect();
    vec![
        one("run Go"),
        one("run --answers wait Go"),
        one("run --plan-approver user Go"),
        one("resume"),
        one("resume --answers wait"),
        vec![prompt(Typed::Pipe)],
        vec![prompt(Typed::Terminal)],
        lines(&LOOKS),
        lines(&["log", "doctor", "rules", "trust", "trust --list"]),
        lines(&["send lead hello", "send worker hello", "run Go"]),
        lines(&ANSWERS),
        lines(&BOARD),
        lines(&WORKTREES),
    ]
}

/// With the user's yes to the team itself.
fn adoption() -> Vec<Start> {
    let mut all: Vec<Start> = [
        "trust --team --yes",
        "team",
        "tasks",
        "requests",
        "run Go",
        "resume --answers wait",
    ]
    .into_iter()
    .map(words)
    .collect();
    all.push(prompt(Typed::Terminal));
    all
}

/// Opens a repository in all ways and shows what went wrong; in how many.
#[expect(clippy::print_stdout, reason = "shown where a test fails")]
pub(super) fn open(row: &Row) -> usize {
    let mut wrong = Vec::new();
    let mut ways = ways();
    if row.expects != Expects::Opens {
        // A yes to what a project brings is none to its team.
        ways.push(vec![words("trust --yes"), words("run Go")]);
        ways.push(adoption());
    }
    for way in ways {
        let site = Site::new();
        (row.make)(&site);
        go(row, &site, &way, &mut wrong);
        // One that hangs has failed: nobody needs to wait for all of it.
        if wrong.iter().filter(|why| why.contains(HANGS)).count() > 1 {
            break;
        }
    }
    for why in &wrong {
        println!("{why}");
    }
    wrong.len()
}

fn go(row: &Row, site: &Site, way: &[Start], wrong: &mut Vec<String>) {
    let (precious, team) = (site.precious(), site::snapshot(&site.path(".team")));
    let is_adopted = |start: &Start| start.arguments.contains(&"--team");
    let mut has_adopted = false;
    for start in way {
        has_adopted |= is_adopted(start);
        let shown = format!("{}: teammate {}", row.name, start.shown());
        let ended = match start.run(site, &row.flags) {
            Ok(ended) => ended,
            Err(hang) => {
                wrong.push(format!("{shown}: {hang}"));
                break;
            }
        };
        let mut problems = found_after(site, &ended, &precious);
        let said = if has_adopted {
            row.adopted(start, &ended)
        } else {
            row.found(start, &ended)
        };
        problems.extend(said.err().map(str::to_owned));
        let stays_closed = row.expects != Expects::Opens && !has_adopted;
        if stays_closed {
            let touched = site::changed(&team, &site::snapshot(&site.path(".team")));
            problems.extend(listed("touched, though the team stays closed", &touched));
        }
        if !problems.is_empty() {
            wrong.push(format!(
                "{shown} ({}): {}\n{}",
                ended.code,
                problems.join("; "),
                ended.excerpt()
            ));
        }
    }
    if let Some(left) = left_running(site) {
        wrong.push(format!(
            "{}: teammate {}: {left} runs on",
            row.name,
            way[0].shown()
        ));
    }
}

/// What must never be, whatever was opened.
fn found_after(site: &Site, ended: &Ended, precious: &Snapshot) -> Vec<String> {
    let mut problems: Vec<String> = listed("ran", &site.ran()).into_iter().collect();
    problems.extend(listed(
        "written",
        &site::changed(precious, &site.precious()),
    ));
    if ended.memory_kib > MEMORY_KIB_MAX {
        problems.push(format!("it took {} MiB", ended.memory_kib / 1024));
    }
    if ended.code > 128 && ended.code != 130 || ended.err.contains("panicked") {
        problems.push("it crashed".to_owned());
    }
    if ended.code == 2 {
        problems.push("there is no such command: this tests nothing".to_owned());
    }
    problems
}

/// The first of many.
fn listed(what: &str, names: &[String]) -> Option<String> {
    let first = names.iter().take(3).cloned().collect::<Vec<_>>().join(", ");
    (!names.is_empty()).then(|| format!("{what}: {first} ({})", names.len()))
}

impl Row {
    /// What must be said of it as it was found.
    fn found(&self, start: &Start, ended: &Ended) -> Result<(), &'static str> {
        let opens = start.opens();
        match self.expects {
            Expects::Opens if opens && !ended.is_fine() && !ended.said("there is no team") => {
                Err("it does not open")
            }
            Expects::Opens => Ok(()),
            Expects::Unknown | Expects::Ruined | Expects::Refused if !start.needs_team() => Ok(()),
            Expects::Unknown | Expects::Ruined | Expects::Refused if ended.code == 0 => {
                Err("it is opened as if it were the user's")
            }
            Expects::Unknown | Expects::Ruined
                if !ended.said("trust --team") || !ended.said(".team") =>
            {
                Err("it does not say what to do with a team that is not proven the user's")
            }
            Expects::Refused if !ended.said(".team") => Err("it does not say what is wrong"),
            Expects::Unknown | Expects::Ruined | Expects::Refused => Ok(()),
        }
    }

    /// What must be said after the user said yes to the team.
    fn adopted(&self, start: &Start, ended: &Ended) -> Result<(), &'static str> {
        let (opens, is_fine) = (start.opens(), ended.is_fine());
        match self.expects {
            Expects::Unknown if (opens || start.arguments.contains(&"--team")) && !is_fine => {
                Err("it does not open after it was adopted")
            }
            Expects::Refused if opens && is_fine => Err("it opens"),
            Expects::Opens | Expects::Unknown | Expects::Ruined | Expects::Refused => Ok(()),
        }
    }
}

/// A process that still works in the site, a moment after all has ended.
fn left_running(site: &Site) -> Option<String> {
    let root = site.root().canonicalize().unwrap();
    let begun = Instant::now();
    loop {
        let processes = fs::read_dir("/proc").ok()?.flatten();
        let mut ours = processes.filter(|process| {
            fs::read_link(process.path().join("cwd")).is_ok_and(|dir| dir.starts_with(&root))
        });
        let left = ours.next()?;
        if begun.elapsed() > Duration::from_secs(10) {
            let command = fs::read(left.path().join("cmdline")).unwrap_or_default();
            return Some(String::from_utf8_lossy(&command).replace('\0', " "));
        }
        thread::sleep(Duration::from_millis(20));
    }
}
