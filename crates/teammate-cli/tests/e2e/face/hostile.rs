//! Texts that would command the terminal: nothing but text and our own sequences reaches it.

use super::{sequences::foreign, *};
use crate::play::{Scene as _, bash, play, say, send, spawn};

/// Clears, sets the title, writes the clipboard, asks for answers, changes the direction, rings.
const COMMANDS: &str = "\u{1b}[2J\u{1b}[31mred\u{1b}]0;owned\u{7}\u{1b}]52;c;b3duZWQ=\u{7}\u{1b}[6n\u{1b}[c\u{1b}c\u{1b}P0;0|x\u{1b}\\\
    \u{9b}2J\u{9d}52;c;b3duZWQ=\u{9c}\u{202e}gnp.exe\u{2066}x\u{2069}\u{200f}\u{7}\u{8}\u{8}\rover\u{0}\u{7f}\u{e}";

#[test]
fn only_text_and_our_own_sequences_reach_the_terminal() {
    let line = "0123456789abcdef".repeat(1 << 16);
    let hostile = format!(
        "{COMMANDS} **{COMMANDS}** [{COMMANDS}](http://{COMMANDS})\n\n```\n{COMMANDS}\n```\n"
    );
    let printed = "printf '\\033]52;c;b3duZWQ=\\007\\033[2J\\033c\\342\\200\\256\\n'; exit 3";
    let world = full(&play([
        (
            "lead",
            vec![
                say(&hostile).after_mail("Say"),
                say(&format!("{line}{COMMANDS}")).after_mail("Long"),
                spawn([("alice", "coder", COMMANDS)]).after_mail("Spawn"),
                say("Well.").otherwise(),
            ],
        ),
        (
            "alice",
            vec![
                bash(printed),
                bash(&format!("echo '{COMMANDS}'")),
                send("lead", &hostile),
                say("alice is through").otherwise(),
            ],
        ),
    ]));
    let terminal = Terminal::sized(&world, SIZE, &["--permission-mode", "bypass"]);
    terminal.says("Say it");
    terminal.until("acted \"Say it\"");
    terminal.says("Spawn alice");
    terminal.until("says: alice is through");
    terminal.says("Long one");
    terminal.until("acted \"Long one\"");
    // Pasted text is no more trusted.
    terminal.keys(&format!(
        "\u{1b}[200~{}\u{1b}[201~",
        "\u{202e}\u{9b}2J pasted"
    ));
    terminal.until("pasted");
    terminal.keys(CTRL_U);
    for key in [
        "\u{1b}1", "\u{1b}2", "\u{1b}3", "\u{1b}4", "\u{1b}5", "\u{1b}6", "\u{1b}2",
    ] {
        let before = terminal.bytes().len();
        terminal.keys(key);
        until(|| terminal.bytes().len() > before, || terminal.shows());
        for _ in 0..20 {
            terminal.keys("\u{1b}[5~");
        }
    }
    terminal.until("[2 lead]");
    terminal.keys("@alice\r");
    terminal.until("[2 alice]");
    terminal.keys("\u{f}");
    terminal.until("]52;c;b3duZWQ=");
    terminal.keys("@lead\r");
    terminal.leaves_only_text();
    world.assert_at_rest();
}

impl Terminal {
    fn leaves_only_text(mut self) {
        self.until_prompt("lead", "");
        self.keys("/quit\r");
        assert_eq!(self.leaves().code(), Some(0), "{}", self.shows());
        assert!(self.is_restored());
        let bytes = self.bytes();
        if let Some(found) = foreign(&bytes) {
            panic!("not ours: {found}\n{}", self.shows());
        }
    }
}
