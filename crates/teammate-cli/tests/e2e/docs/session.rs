//! Runs the sessions that pages show in `console` blocks, from the top of a page to its end: `$ COMMAND` in a
//! terminal, `> TEXT` at the prompt that a command before opened. Every other line must appear, in any order, because
//! members work side by side. Figures may differ.

use std::{collections::BTreeSet, fs, path::Path};

use super::page::{self, Block, Page};
use crate::{
    terminal::Terminal,
    world::{World, until},
};

/// Wide enough for the lines that the pages show.
const COLUMNS: u16 = 120;

/// The job that the play knows.
pub(crate) const JOB: &str =
    "Two spaces in a title give two dashes. Have alice fix slug.sh and bob test it.";

/// Where the pages say that they are.
const PLACE: &str = "/tmp/first-hour";

/// What to do, and what must be seen then.
struct Step {
    line: usize,
    action: Action,
    shown: Vec<String>,
}

enum Action {
    /// A command that opens the prompt.
    Open(Vec<String>),
    /// A command that ends by itself.
    Run(Vec<String>),
    /// A line at the prompt.
    Type(String),
}

/// A workspace with the play and the files that the pages use.
pub(crate) fn workspace() -> World {
    let world = World::with_model("scripted:play.json");
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("plays/first-hour");
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        fs::copy(entry.path(), world.work().join(entry.file_name())).unwrap();
    }
    world
}

/// Runs the page's sessions in this world.
pub(crate) fn play(page: &Page, world: &World) {
    play_blocks(page, page.of("console"), world);
}

/// Runs these of them. What else the page says to do stands between them, and is done by who calls this.
pub(crate) fn play_blocks<'a>(page: &Page, blocks: impl Iterator<Item = &'a Block>, world: &World) {
    let mut prompt: Option<Terminal> = None;
    for step in steps(page, blocks) {
        let place = format!("{}:{}", page.name, step.line);
        match &step.action {
            Action::Run(arguments) => {
                let run = world.teammate(&words(arguments));
                step.must_be_in(&format!("{}{}", run.out, run.err), world, &place);
            }
            Action::Open(arguments) => {
                let terminal = Terminal::open(world, COLUMNS, &words(arguments));
                step.wait_for(prompt.insert(terminal), world, &place);
            }
            Action::Type(text) => {
                let terminal = prompt.take();
                let terminal = terminal.unwrap_or_else(|| panic!("{place}: no prompt is open"));
                terminal.types(text);
                // Where members work it asks first what becomes of them.
                let leaves = text == "p" || text == "/quit" && step.shown.is_empty();
                if leaves {
                    terminal.ends(0);
                } else {
                    step.wait_for(prompt.insert(terminal), world, &place);
                }
            }
        }
    }
    assert!(prompt.is_none(), "{}: the prompt is left open", page.name);
}

fn words(arguments: &[String]) -> Vec<&str> {
    arguments.iter().map(String::as_str).collect()
}

impl Step {
    fn must_be_in(&self, printed: &str, world: &World, place: &str) {
        let missing = missing(&self.shown, printed, world);
        assert!(missing.is_empty(), "{place}: no {missing:#?} in\n{printed}");
    }

    /// Waits until the terminal shows what the page does.
    fn wait_for(&self, terminal: &Terminal, world: &World, place: &str) {
        until(
            || missing(&self.shown, &terminal.shows(), world).is_empty(),
            || {
                let shows = terminal.shows();
                let missing = missing(&self.shown, &shows, world);
                format!("{place}: no {missing:#?} in\n{shows}")
            },
        );
    }
}

fn steps<'a>(page: &Page, blocks: impl Iterator<Item = &'a Block>) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    for block in blocks {
        for (n, text) in block.text.lines().enumerate() {
            let line = block.line + 1 + n;
            let action = match (text.strip_prefix("$ teammate"), text.strip_prefix("> ")) {
                (Some(arguments), _) => Some(command(arguments, &block.text)),
                (None, Some(typed)) => Some(Action::Type(typed.to_owned())),
                (None, None) => None,
            };
            if let Some(action) = action {
                steps.push(Step {
                    line,
                    action,
                    shown: Vec::new(),
                });
            } else if !text.is_empty() && text != "..." {
                let step = steps.last_mut();
                let step = step.unwrap_or_else(|| panic!("{}:{line}: before any step", page.name));
                step.shown.push(text.to_owned());
            }
        }
    }
    steps
}

/// `teammate` and `teammate resume` open the prompt if the block goes on with a line that is typed there.
fn command(arguments: &str, block: &str) -> Action {
    let words: Vec<String> = match arguments.trim() {
        "" => Vec::new(),
        arguments => page::words(arguments),
    };
    let is_prompt = words
        .iter()
        .all(|word| word.starts_with("--") || word == "resume");
    if is_prompt && block.lines().any(|line| line.starts_with("> ")) {
        Action::Open(words)
    } else {
        Action::Run(words)
    }
}

/// The lines that are not there.
fn missing(shown: &[String], seen: &str, world: &World) -> Vec<String> {
    let seen = seen.replace(&world.work().display().to_string(), PLACE);
    let seen: BTreeSet<String> = seen.lines().map(without_figures).collect();
    let shown = shown.iter();
    let missing = shown.filter(|line| !seen.contains(&without_figures(line)));
    missing.cloned().collect()
}

/// Numbers become `N`, units of time `s`, blanks between words one: tables are as wide as their figures.
fn without_figures(line: &str) -> String {
    let mut plain = String::new();
    let mut rest = line.chars().peekable();
    while let Some(c) = rest.next() {
        if !c.is_ascii_digit() {
            plain.push(c);
            continue;
        }
        plain.push('N');
        while rest
            .next_if(|c| c.is_ascii_digit() || matches!(c, '.' | ',' | ':'))
            .is_some()
        {}
    }
    let words = plain.split_whitespace();
    let words = words.map(|word| match word {
        "min" | "h" => "s",
        word => word,
    });
    words.collect::<Vec<_>>().join(" ")
}
