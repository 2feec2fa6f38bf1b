//! What keys do, and what the person may change.

use super::*;
use crate::{text::TextLine, width::WidthPolicy};

fn key(text: &str) -> KeyPress {
    text.parse().unwrap()
}

fn settings(json: &str) -> KeySettings {
    serde_json::from_str(json).unwrap()
}

/// What is wrong with the wishes.
fn wrong(json: &str) -> Vec<String> {
    let errors = KeyTable::new(&settings(json)).expect_err("it is wrong");
    errors.iter().map(ToString::to_string).collect()
}

#[test]
fn nothing_is_wrong_with_the_defaults() {
    let table = KeyTable::new(&KeySettings::default()).unwrap();
    assert_eq!(table, KeyTable::default());
    for action in KeyAction::ALL {
        let written = action.default_keys().len();
        assert_eq!(
            table.keys(*action).len(),
            written,
            "{action:?} has a key that is none"
        );
        assert!(written > 0);
    }
    let mut names: Vec<&str> = KeyAction::ALL.iter().map(|action| action.name()).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), KeyAction::ALL.len());
    let mut words: Vec<&str> = KeyAction::ALL
        .iter()
        .filter_map(|action| action.word())
        .collect();
    words.sort_unstable();
    let count = words.len();
    words.dedup();
    assert_eq!(words.len(), count, "two actions have one word");
}

#[test]
fn a_key_does_what_its_place_says() {
    let table = KeyTable::default();
    let does = |context, text| table.action(context, key(text));
    use KeyContext::{Needs, Pane, Prompt};
    assert_eq!(does(Prompt, "Enter"), Some(KeyAction::Send));
    assert_eq!(does(Pane, "Enter"), Some(KeyAction::Open));
    assert_eq!(does(Needs, "Enter"), Some(KeyAction::Open));
    assert_eq!(does(Pane, "n"), Some(KeyAction::SearchNext));
    assert_eq!(does(Needs, "n"), Some(KeyAction::AnswerNo));
    for context in [Prompt, Pane, Needs] {
        assert_eq!(does(context, "Ctrl-N"), Some(KeyAction::NextNeed));
        assert_eq!(does(context, "Alt-6"), Some(KeyAction::ShowCost));
        assert_eq!(does(context, "Space"), None);
    }
}

#[test]
fn nothing_is_answered_outside_of_needs_and_nothing_typed_is_lost() {
    let table = KeyTable::default();
    for c in ' '..='~' {
        let key = KeyPress::plain(KeyCode::Char(c));
        assert_eq!(table.action(KeyContext::Prompt, key), None, "{c}");
        let in_pane = table.action(KeyContext::Pane, key);
        assert!(!in_pane.is_some_and(KeyAction::is_answer), "{c}");
    }
    let answers = KeyAction::ALL.iter().filter(|action| action.is_answer());
    let keys: Vec<&[&str]> = answers.map(|action| action.default_keys()).collect();
    assert_eq!(keys, [["y"], ["a"], ["p"], ["t"], ["n"], ["w"]]);
}

#[test]
fn the_person_can_have_other_keys() {
    let wishes = settings(
        r#"{"vi": true, "send": "Ctrl-X", "new_line": ["Enter", "Alt-Enter"], "suspend": []}"#,
    );
    let table = KeyTable::new(&wishes).unwrap();
    let does = |context, text| table.action(context, key(text));
    assert_eq!(does(KeyContext::Prompt, "Ctrl-X"), Some(KeyAction::Send));
    assert_eq!(does(KeyContext::Prompt, "Enter"), Some(KeyAction::NewLine));
    assert_eq!(does(KeyContext::Prompt, "Ctrl-J"), None);
    assert_eq!(does(KeyContext::Prompt, "Ctrl-Z"), None);
    for (text, action) in [
        ("h", KeyAction::PaneLeft),
        ("j", KeyAction::ItemDown),
        ("k", KeyAction::ItemUp),
        ("l", KeyAction::PaneRight),
        ("g", KeyAction::First),
        ("G", KeyAction::Last),
        ("Ctrl-U", KeyAction::HalfPageUp),
        ("Ctrl-D", KeyAction::HalfPageDown),
        ("/", KeyAction::Search),
        ("Up", KeyAction::ItemUp),
    ] {
        assert_eq!(does(KeyContext::Pane, text), Some(action));
        assert_eq!(does(KeyContext::Needs, text), Some(action));
        assert_eq!(does(KeyContext::Prompt, "j"), None);
    }
    assert_eq!(
        does(KeyContext::Prompt, "Ctrl-U"),
        Some(KeyAction::CutToStart)
    );
    let footer = table.footer(KeyContext::Prompt, 60, WidthPolicy::Narrow);
    assert!(footer.plain().starts_with("^X send  "), "{footer:?}");
}

#[test]
fn what_cannot_be_says_what_to_do() {
    assert_eq!(
        wrong(r#"{"send": "Crtl-X"}"#),
        [r#"[keys] send: "Crtl-X" is no key; did you mean Ctrl-X?"#]
    );
    assert_eq!(
        wrong(r#"{"send": "Alt-Entre"}"#),
        [r#"[keys] send: "Alt-Entre" is no key; did you mean Alt-Enter?"#]
    );
    assert_eq!(
        wrong(r#"{"send": "Command-Q"}"#),
        [
            r#"[keys] send: "Command-Q" is no key. Write it as Ctrl-N, Alt-1, Shift-Tab, F2, PgUp or x"#
        ]
    );
    assert_eq!(
        wrong(r#"{"folds": "Ctrl-X"}"#),
        ["[keys] folds: there is no such action; did you mean all_folds?"]
    );
    assert_eq!(
        wrong(r#"{"sendd": "Ctrl-X"}"#),
        ["[keys] sendd: there is no such action; did you mean send?"]
    );
    assert!(
        wrong(r#"{"teleport": "Ctrl-X"}"#)[0]
            .starts_with("[keys] teleport: there is no such action. There are: vi, team, member,")
    );
    assert_eq!(
        wrong(r#"{"undo": "Ctrl-W"}"#),
        [
            "[keys] Ctrl-W would be cut_word_left and undo at the prompt: give one of them another key"
        ]
    );
    assert_eq!(
        wrong(r#"{"undo": "Ctrl-N"}"#),
        ["[keys] Ctrl-N would be next_need and undo at the prompt: give one of them another key"]
    );
    assert_eq!(
        wrong(r#"{"suspend": "Ctrl-I"}"#),
        ["[keys] Tab would be switch_pane and suspend everywhere: give one of them another key"]
    );
    assert_eq!(
        wrong(r#"{"repaint": "r"}"#),
        [
            "[keys] repaint: r could no longer be typed at the prompt. Take it with Ctrl or Alt, or a function key"
        ]
    );
    for thoughtless in ["Space", "Shift-Enter"] {
        let json = format!(r#"{{"answer_once": "{thoughtless}"}}"#);
        assert_eq!(
            wrong(&json),
            [format!(
                "[keys] answer_once: {thoughtless} is pressed too easily to answer a question. Take a letter"
            )]
        );
    }
    assert_eq!(
        wrong(r#"{"copy": "j", "vi": true}"#).len(),
        2,
        "in panes and in Needs"
    );
    assert_eq!(
        wrong(r#"{"a": "x", "b": "y"}"#).len(),
        2,
        "all is said at once"
    );
}

#[test]
fn the_footer_says_what_fits_and_how_to_see_the_rest() {
    let table = KeyTable::default();
    let footer = |context, width| table.footer(context, width, WidthPolicy::Narrow).plain();
    assert_eq!(
        footer(KeyContext::Prompt, 60),
        "Enter send  Tab panes  ^N needs you  F1-F6 screens  ? keys"
    );
    assert_eq!(
        footer(KeyContext::Prompt, 140),
        "Enter send  Tab panes  ^N needs you  F1-F6 screens  ^P commands  Esc Esc interrupt  Shift-Enter new line  ? keys"
    );
    assert_eq!(
        footer(KeyContext::Needs, 70),
        "y once  a always  n no  w why  ^N ^P next  Esc back  ? keys"
    );
    assert!(footer(KeyContext::Pane, 140).contains("[ ] time"));
    assert_eq!(footer(KeyContext::Pane, 8), "? keys");
    assert_eq!(footer(KeyContext::Pane, 3), "? …");
}

#[test]
fn help_and_page_have_every_action_once() {
    let table = KeyTable::default();
    let help: Vec<String> = table.help().iter().map(TextLine::plain).collect();
    let page = table.markdown();
    for action in KeyAction::ALL {
        let name = format!("`{}` |", action.name());
        assert_eq!(page.matches(&name).count(), 1, "{name}");
        let lines = help.iter().filter(|line| {
            let rest = line.get(28..).map(str::trim_start);
            rest.is_some_and(|rest| rest.contains(action.does()))
        });
        assert!(lines.count() > 0, "{action:?}");
    }
    assert!(page.starts_with("### Everywhere\n\n| key | does | word | name |\n"));
    assert!(page.contains("| `F3`, `Alt-3` | shows the task board | `/board` | `board` |\n"));
    let columns = page.lines().filter(|line| line.starts_with('|'));
    assert!(
        columns
            .into_iter()
            .all(|line| line.matches('|').count() == 5)
    );
}
