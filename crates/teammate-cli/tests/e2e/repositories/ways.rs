//! All the ways in which a repository is opened, and what must hold after each.

use std::{
    fs, thread,
    time::{Duration, Instant},
};

use super::{
    Commands, Expects, Row,
    site::{self, Site, Snapshot},
    starts::{Ended, Start, Typed, prompt, words},
};

/// The most memory that the program may have held at once, whatever the repository brings.
const MEMORY_KIB_MAX: u64 = 512 * 1024;

/// Every command that looks at a team or changes it, and a run between them.
const ALL: [&str; 35] = [
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
    "log",
    "doctor",
    "rules",
    "trust",
    "trust --list",
    "send lead hello",
    "send worker hello",
    "tasks add more",
    "tasks edit 1 --subject other",
    "tasks assign 1 worker",
    "tasks reopen 1",
    "approve req_000001",
    "approve 1 --always",
    "run Go",
    "deny req_000001",
    "tasks complete 1",
    "tasks fail 1 --because so",
    "tasks delete 1",
    "worktrees diff worker",
    "worktrees merge worker",
    "worktrees keep worker",
    "worktrees remove worker",
    "stop worker",
    "stop",
    "resume",
];

/// Some of each kind: all of them open a team's files in the same way.
const SOME: [&str; 14] = [
    "team",
    "log",
    "doctor",
    "rules",
    "trust",
    "trust --list",
    "send lead hello",
    "tasks add more",
    "run Go",
    "inbox lead",
    "approve 1 --always",
    "worktrees merge worker",
    "stop",
    "resume",
];

/// Each way is a few starts, one after the other, in a copy of the repository of its own.
pub(super) fn of(row: &Row) -> Vec<Vec<Start>> {
    let lines = |lines: &[&'static str]| lines.iter().map(|line| words(line)).collect();
    let commands: Vec<Start> = lines(match row.commands {
        Commands::Some => &SOME,
        Commands::All => &ALL,
    });
    match row.expects {
        Expects::Opens => vec![
            commands,
            lines(&["resume", "run --plan-approver user Go"]),
            lines(&[
                "resume --answers wait",
                "run --answers wait Go",
                "resume --answers wait",
            ]),
            vec![prompt(Typed::Pipe)],
            vec![prompt(Typed::Terminal)],
        ],
        Expects::Unknown | Expects::Ruined | Expects::Refused => {
            // One copy does: nothing of it may change.
            let mut closed = commands;
            closed.push(words("resume --answers wait"));
            closed.push(prompt(Typed::Pipe));
            closed.push(prompt(Typed::Terminal));
            // A yes to what a project brings is none to its team.
            closed.extend(["trust --yes", "run Go"].map(words));
            vec![closed, adoption()]
        }
    }
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

/// Opens a repository in one way and shows what went wrong; in how many starts.
#[expect(clippy::print_stdout, reason = "shown where a test fails")]
pub(super) fn go(row: &Row, way: &[Start]) -> usize {
    let site = Site::new();
    (row.make)(&site);
    let mut wrong = Vec::new();
    let (precious, team) = (site.precious(), site::snapshot(&site.path(".team")));
    let is_adopted = |start: &Start| start.arguments.contains(&"--team");
    let mut has_adopted = false;
    for start in way {
        has_adopted |= is_adopted(start);
        let shown = format!("{}: teammate {}", row.name, start.shown());
        let ended = match start.run(&site, &row.flags) {
            Ok(ended) => ended,
            Err(hang) => {
                wrong.push(format!("{shown}: {hang}"));
                break;
            }
        };
        let mut problems = found_after(&site, &ended, &precious);
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
    if let Some(left) = left_running(&site) {
        wrong.push(format!(
            "{}: teammate {}: {left} runs on",
            row.name,
            way[0].shown()
        ));
    }
    for why in &wrong {
        println!("{why}");
    }
    wrong.len()
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
