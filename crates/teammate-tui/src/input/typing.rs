//! Actions at the prompt, and what is typed.

use teammate_view::t;
use teammate_view::{
    Completion, Move, Words,
    keys::{KeyAction, KeyCode, KeyPress},
};

use super::{KeyStep, leave, send};
use crate::{
    app::{App, Focus, ScreenKind},
    end::After,
};

/// A word of this prompt that is no action of a key.
const AT: [&str; 2] = ["/at", "TIME: shows the team at that moment"];

/// Does it; nothing if it is no action of the prompt.
pub(super) fn perform(app: &mut App, action: KeyAction) -> Option<KeyStep> {
    if let Some(step) = in_list(app, action) {
        return Some(step);
    }
    app.prompt.completion = None;
    let editor = &mut app.prompt.editor;
    match action {
        KeyAction::Send => return Some(send::enter(app)),
        KeyAction::NewLine => editor.newline(),
        KeyAction::SearchHistory => app.prompt.search_on(),
        KeyAction::RowUp => up(app),
        KeyAction::RowDown => down(app),
        KeyAction::CursorLeft => editor.go(Move::Left),
        KeyAction::CursorRight => editor.go(Move::Right),
        KeyAction::WordLeft => editor.go(Move::WordLeft),
        KeyAction::WordRight => editor.go(Move::WordRight),
        KeyAction::LineStart => editor.go(Move::Home),
        KeyAction::LineEnd if editor.is_empty() => follow(app),
        KeyAction::LineEnd => editor.go(Move::End),
        KeyAction::DeleteLeft => editor.delete(Move::Left),
        // As at every prompt of a shell.
        KeyAction::DeleteRight if editor.is_empty() => {
            return Some(leave::leave(app, After::Nothing));
        }
        KeyAction::DeleteRight => editor.delete(Move::Right),
        KeyAction::CutWordLeft => editor.delete(Move::WordLeft),
        KeyAction::CutWordRight => editor.delete(Move::WordRight),
        KeyAction::CutToStart => editor.delete(Move::Home),
        KeyAction::CutToEnd => editor.delete(Move::End),
        KeyAction::PutBack => editor.yank(),
        KeyAction::Undo => {
            editor.undo();
        }
        KeyAction::Redo => {
            editor.redo();
        }
        _ => return None,
    }
    if changes_word(action) {
        offer(app);
    }
    Some(KeyStep::Stay)
}

/// A key that goes through the list of what is offered, or takes a name from it.
fn in_list(app: &mut App, action: KeyAction) -> Option<KeyStep> {
    let is_there = app.prompt.completion.is_some();
    match action {
        KeyAction::CompletePrevious => tab(app, false),
        KeyAction::RowUp if is_there => step(app, false),
        KeyAction::RowDown if is_there => step(app, true),
        // Somebody who chooses a name goes on with the sentence; a command is done.
        KeyAction::Send if app.prompt.has_chosen_name() => app.prompt.completion = None,
        _ => return None,
    }
    Some(KeyStep::Stay)
}

/// Whether the word before the cursor may be another one after it.
fn changes_word(action: KeyAction) -> bool {
    matches!(
        action,
        KeyAction::DeleteLeft | KeyAction::DeleteRight | KeyAction::CutWordLeft
    )
}

/// Shows what fits the word before the cursor, as it is typed.
fn offer(app: &mut App) {
    let before = app.prompt.editor.before();
    app.prompt.completion = Completion::of(&before, &Seen(app));
}

/// Shows what is new again.
fn follow(app: &mut App) {
    (app.places.back, app.places.frozen) = (0, None);
    app.past = None;
}

/// A key that does nothing by the table: a character is typed, wherever the keys go.
pub(super) fn typed(app: &mut App, press: KeyPress) -> KeyStep {
    let Some(c) = press.typed() else {
        return KeyStep::Stay;
    };
    // In the screen of needs a letter may be an answer that came too late: it must not become text either.
    if app.focus == Focus::Pane && app.kind == ScreenKind::Needs {
        choose_by_number(app, c);
        return KeyStep::Stay;
    }
    app.focus = Focus::Prompt;
    if c == '?' && app.prompt.editor.is_empty() {
        return super::perform(app, KeyAction::Help);
    }
    app.prompt.editor.insert(c);
    offer(app);
    KeyStep::Stay
}

/// Goes to the need of this number.
fn choose_by_number(app: &mut App, digit: char) {
    let number = digit.to_digit(10).map(|digit| digit as usize);
    let row = number.and_then(|number| number.checked_sub(1));
    if let Some(row) = row.filter(|row| *row < app.grouped_needs().len()) {
        app.places.choose_need(row);
    }
}

/// A key while what was typed before is searched.
pub(super) fn searching(app: &mut App, action: Option<KeyAction>, press: KeyPress) -> KeyStep {
    match (action, press.typed()) {
        (Some(KeyAction::SearchHistory), _) => app.prompt.search_on(),
        (Some(KeyAction::Close | KeyAction::Interrupt), _) => app.prompt.end_search(false),
        (Some(KeyAction::DeleteLeft), _) => app.prompt.search_for(|word| {
            word.pop();
        }),
        (None, Some(c)) => app.prompt.search_for(|word| word.push(c)),
        // Enter takes what was found, and sends nothing.
        (Some(KeyAction::Send), _) => app.prompt.end_search(true),
        (Some(action), _) => {
            app.prompt.end_search(true);
            return super::perform(app, action);
        }
        (None, None) if press.code() == KeyCode::Enter => app.prompt.end_search(true),
        (None, None) => {}
    }
    KeyStep::Stay
}

/// Completes, or goes between prompt and pane if nothing is offered.
pub(super) fn tab(app: &mut App, forward: bool) {
    if app.focus == Focus::Pane {
        app.focus = Focus::Prompt;
        return;
    }
    if app.prompt.completion.is_none() {
        offer(app);
    }
    match app.prompt.completion {
        Some(_) => step(app, forward),
        None => app.focus = Focus::Pane,
    }
}

/// Goes through what is offered: the chosen word is in the text.
fn step(app: &mut App, forward: bool) {
    let prompt = &mut app.prompt;
    let Some(completion) = &mut prompt.completion else {
        return;
    };
    let (back, with) = completion.step(forward);
    prompt.editor.replace_before(back, with);
    if completion.is_only_one() {
        prompt.completion = None;
    }
}

/// The commands and words of keys that can be typed here, with a line about each.
pub(super) fn commands(app: &App) -> Vec<(String, String)> {
    Seen(app).commands()
}

/// The words that can be completed: the environment knows commands and files, the view knows members.
struct Seen<'a>(&'a App);

impl Words for Seen<'_> {
    fn commands(&self) -> Vec<(String, String)> {
        let mut commands = self.0.setup.environment.commands();
        commands.push(AT.map(|text| t(text).to_owned()).into());
        for action in KeyAction::ALL {
            let Some(word) = action.word() else { continue };
            if commands.iter().all(|(known, _)| known != word) {
                commands.push((word.to_owned(), action.does().to_owned()));
            }
        }
        commands
    }

    fn members(&self) -> Vec<String> {
        let members = self.0.present().team().members();
        members.map(|member| member.name.to_string()).collect()
    }

    fn files(&self, begin: &str) -> Vec<String> {
        self.0.setup.environment.files(begin)
    }
}

fn up(app: &mut App) {
    if app.prompt.editor.go_line(false) {
        return;
    }
    let typed = app.prompt.editor.text();
    if let Some(text) = app.prompt.history.up(&typed).map(str::to_owned) {
        app.prompt.editor.set(&text);
    }
}

fn down(app: &mut App) {
    if app.prompt.editor.go_line(true) {
        return;
    }
    if let Some(text) = app.prompt.history.down().map(str::to_owned) {
        app.prompt.editor.set(&text);
    }
}
