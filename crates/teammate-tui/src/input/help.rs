//! The keys, as `?` shows them.

/// Each key and what it does.
const KEYS: [(&str, &str); 21] = [
    (
        "F1-F6, Alt-1-6",
        "screens: team, member, board, mail, needs, cost",
    ),
    (
        "Ctrl-N",
        "the next thing that needs you; what you typed stays",
    ),
    ("y  a  n  w", "in Needs: once, always, no, no and why"),
    (
        "Tab",
        "completes a /command, @member or @file; else prompt and pane",
    ),
    ("Enter", "prompt: sends; list: opens"),
    (
        "Shift-Enter, Alt-Enter",
        "a new line; also Ctrl-J, and \\ before Enter",
    ),
    ("Up, Down", "lines of the text, then what was typed before"),
    ("Ctrl-R", "searches what was typed before"),
    ("Alt-Up", "takes back your last words that nobody has heard"),
    (
        "Esc",
        "closes, leaves the pane; twice interrupts the member shown",
    ),
    (
        "Ctrl-C",
        "sets the text aside; else interrupts all; twice leaves",
    ),
    ("PgUp, PgDn, End", "scroll; End follows again"),
    ("Ctrl-O", "folds and unfolds the outputs of calls"),
    (
        "[ ]  { }",
        "in a pane: a step, a turn through the past; End is now",
    ),
    (
        "c  v",
        "in a pane: copy the last words; show them in $PAGER",
    ),
    (
        "Ctrl-W, U, K, Y",
        "delete a word, to the start, to the end; put it back",
    ),
    ("Ctrl-_", "takes back the last change of the text"),
    ("Ctrl-G", "edits the text in $VISUAL"),
    ("Ctrl-Z, Ctrl-L", "suspends; draws everything anew"),
    ("!COMMAND", "runs it yourself, outside of the sandbox"),
    ("/quit, Ctrl-D", "leaves"),
];

pub(super) fn lines() -> Vec<String> {
    let lines = KEYS.iter();
    lines
        .map(|(key, does)| format!("{key:<24}{does}"))
        .collect()
}
