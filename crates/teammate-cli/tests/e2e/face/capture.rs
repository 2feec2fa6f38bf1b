//! The picture in docs/screen.md, made by a real team in a real terminal.

use super::*;
use crate::{
    docs::page_named,
    play::{Scene as _, bash, calls, play, say, spawn},
};

fn shop() -> World {
    full(&play([
        (
            "lead",
            vec![
                spawn([
                    ("alice", "coder", "Look at it"),
                    ("bob", "tester", "Look at it"),
                ])
                .after_mail("parser"),
                say("Good.").after_mail("41"),
                say("I wait.").otherwise(),
            ],
        ),
        (
            "alice",
            vec![
                bash("cargo publish --dry-run").after(" is yours"),
                say("I have looked.").otherwise(),
            ],
        ),
        (
            "bob",
            vec![
                calls([("glob", serde_json::json!({ "pattern": "tests/**" }))])
                    .after_mail("How many"),
                say("All **41** pass.").after("No files match"),
                say("I have looked.").otherwise(),
            ],
        ),
    ]))
}

#[test]
fn the_picture_in_its_page_is_what_a_terminal_shows() {
    let world = shop();
    let terminal = Terminal::sized(&world, SIZE, &["--team", "shop"]);
    terminal.says("Please have a parser written");
    terminal.until(" bob ");
    terminal.comes_to_rest();
    let add = |words: &[&str]| {
        let arguments = [&["--team", "shop", "tasks", "add"], words].concat();
        world.teammate(&arguments).ends(0);
    };
    // What alice hears and what the board says of her claim come in any order: they are not among the last lines.
    add(&["Parser", "--requires", "role:coder"]);
    terminal.until("1 NEEDS YOU");
    terminal.says("@bob How many tests pass?");
    terminal.until("says: Good.");
    add(&["Docs", "--requires", "role:tester", "--blocked-by", "1"]);
    terminal.until("#2 Docs");
    add(&["Release", "--requires", "role:tester", "--blocked-by", "2"]);
    terminal.until("created #3 (after #2)");
    let shown = same_each_time(&terminal.shows(), PLACE);
    let page = page_named("docs/screen.md");
    let picture = page.of("text").next().map(|block| block.text.trim_end());
    assert_eq!(picture.unwrap_or_default(), shown, "\n{shown}");
}

/// Where the picture says that it is.
const PLACE: &str = "/home/ann/shop · anthropic:claude-sonnet-4-5 · mode ask";

/// Times, tokens and the place are another each time.
pub(super) fn same_each_time(shown: &str, place: &str) -> String {
    let line = |line: &str| match line {
        line if line.starts_with("── /") => format!("{:─<80}", format!("── {place} ")),
        line => line.to_owned(),
    };
    let lines: Vec<String> = shown.lines().map(|text| line(&times(text))).collect();
    lines.join("\n")
}

/// Each time of day is the same one, each time that passed, and each time that is left; and so is each number of tokens.
fn times(line: &str) -> String {
    let words = line.split_inclusive(' ').map(|word| {
        let bare = word.trim_end();
        let digits = bare
            .bytes()
            .all(|byte| byte.is_ascii_digit() || byte == b':');
        let new = match (digits, bare.matches(':').count(), bare.len()) {
            (true, 2, 8) => "14:05:02",
            (true, 1, 4) if bare.starts_with('9') => "9:58",
            (true, 1, 4) => "0:02",
            _ => bare,
        };
        format!("{new}{}", &word[bare.len()..])
    });
    let line: String = words.collect();
    match line.strip_suffix(" tokens") {
        Some(rest) => {
            let number = rest.rsplit(' ').next().unwrap_or_default();
            format!(
                "{}{:>width$} tokens",
                &rest[..rest.len() - number.len()],
                "4220",
                width = number.len()
            )
        }
        None => line,
    }
}
