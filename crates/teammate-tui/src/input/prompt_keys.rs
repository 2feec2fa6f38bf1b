//! Keys in the prompt.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use teammate_core::MemberName;
use teammate_view::{Completion, Move, Verb};

use super::{Step, keys::ask};
use crate::app::{App, Focus, Overlay, ScreenKind};

pub(super) fn handle(app: &mut App, key: KeyEvent) -> Step {
    if app.prompt.search.is_some()
        && let Some(step) = searching(app, key)
    {
        return step;
    }
    let ctrl = key.modifiers.contains(KeyModifiers::CONTROL);
    let alt = key.modifiers.contains(KeyModifiers::ALT);
    let shift = key.modifiers.contains(KeyModifiers::SHIFT);
    if !matches!(key.code, KeyCode::Tab | KeyCode::BackTab) {
        app.prompt.completion = None;
    }
    match key.code {
        KeyCode::Enter if alt || shift => app.prompt.editor.newline(),
        KeyCode::Char('j') if ctrl => app.prompt.editor.newline(),
        KeyCode::Enter => return enter(app),
        KeyCode::Tab if !shift => tab(app, true),
        KeyCode::BackTab | KeyCode::Tab => tab(app, false),
        KeyCode::Char('r') if ctrl => app.prompt.search_on(),
        KeyCode::Char('d') if ctrl && app.prompt.editor.is_empty() => return Step::Leave,
        KeyCode::Up => up(app),
        KeyCode::Down => down(app),
        KeyCode::End if app.prompt.editor.is_empty() => {
            (app.places.back, app.places.frozen) = (0, None);
            app.past = None;
        }
        _ => edit(app, key, ctrl, alt),
    }
    Step::Stay
}

/// Keys that change the text or move in it.
fn edit(app: &mut App, key: KeyEvent, ctrl: bool, alt: bool) {
    let editor = &mut app.prompt.editor;
    match key.code {
        KeyCode::Left if ctrl || alt => editor.go(Move::WordLeft),
        KeyCode::Right if ctrl || alt => editor.go(Move::WordRight),
        KeyCode::Char('b') if alt => editor.go(Move::WordLeft),
        KeyCode::Char('f') if alt => editor.go(Move::WordRight),
        KeyCode::Left => editor.go(Move::Left),
        KeyCode::Right => editor.go(Move::Right),
        KeyCode::Char('b') if ctrl => editor.go(Move::Left),
        KeyCode::Char('f') if ctrl => editor.go(Move::Right),
        KeyCode::Home => editor.go(Move::Home),
        KeyCode::End => editor.go(Move::End),
        KeyCode::Char('a') if ctrl => editor.go(Move::Home),
        KeyCode::Char('e') if ctrl => editor.go(Move::End),
        KeyCode::Backspace if ctrl || alt => editor.delete(Move::WordLeft),
        KeyCode::Char('h') if ctrl => editor.delete(Move::Left),
        KeyCode::Backspace => editor.delete(Move::Left),
        KeyCode::Delete => editor.delete(Move::Right),
        KeyCode::Char('d') if ctrl => editor.delete(Move::Right),
        KeyCode::Char('d') if alt => editor.delete(Move::WordRight),
        KeyCode::Char('w') if ctrl => editor.delete(Move::WordLeft),
        KeyCode::Char('u') if ctrl => editor.delete(Move::Home),
        KeyCode::Char('k') if ctrl => editor.delete(Move::End),
        KeyCode::Char('y') if ctrl => editor.yank(),
        KeyCode::Char('_' | '7') if ctrl => {
            editor.undo();
        }
        KeyCode::Char('_') if alt => {
            editor.redo();
        }
        KeyCode::Char(c) if !ctrl && !alt => editor.insert(c),
        _ => {}
    }
}

fn searching(app: &mut App, key: KeyEvent) -> Option<Step> {
    let ctrl = key.modifiers.contains(KeyModifiers::CONTROL);
    match key.code {
        KeyCode::Char('r') if ctrl => app.prompt.search_on(),
        KeyCode::Esc => app.prompt.end_search(false),
        KeyCode::Backspace => app.prompt.search_for(|word| {
            word.pop();
        }),
        KeyCode::Char(c) if !ctrl => app.prompt.search_for(|word| word.push(c)),
        _ => {
            app.prompt.end_search(true);
            return if key.code == KeyCode::Enter {
                Some(Step::Stay)
            } else {
                None
            };
        }
    }
    Some(Step::Stay)
}

fn tab(app: &mut App, forward: bool) {
    if app.prompt.completion.is_none() {
        let before = app.prompt.editor.before();
        app.prompt.completion = Completion::of(&before, &Seen(app));
    }
    let prompt = &mut app.prompt;
    let Some(completion) = &mut prompt.completion else {
        // Nothing fits what is typed: the key goes on to the screen above.
        app.focus = Focus::Pane;
        return;
    };
    let (back, with) = completion.step(forward);
    prompt.editor.replace_before(back, with);
    if completion.is_only_one() {
        prompt.completion = None;
    }
}

/// What can be completed: the desk knows commands and files, the view knows members.
struct Seen<'a>(&'a App);

impl teammate_view::Words for Seen<'_> {
    fn commands(&self) -> Vec<(String, String)> {
        self.0.setup.desk.commands()
    }

    fn members(&self) -> Vec<String> {
        let members = self.0.present().team().members();
        members.map(|member| member.name.to_string()).collect()
    }

    fn files(&self, begin: &str) -> Vec<String> {
        self.0.setup.desk.files(begin)
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

/// Sends what is typed, or does what it says.
fn enter(app: &mut App) -> Step {
    if app.prompt.editor.continue_line() {
        return Step::Stay;
    }
    if app.prompt.editor.text().trim().is_empty() {
        return Step::Stay;
    }
    if app.past.is_some() {
        app.say("This is the past: Esc goes back to now; what you typed stays");
        return Step::Stay;
    }
    let text = app.prompt.take();
    app.setup.desk.add_history(&text);
    let line = text.trim();
    if line == "?" || line == "/help" {
        app.overlay = Some(help(app));
        return Step::Stay;
    }
    if let Some(kind) = screen_word(line) {
        app.show(kind);
        return Step::Stay;
    }
    if matches!(line, "/quit" | "/exit") {
        return Step::Leave;
    }
    let is_command = line.starts_with('/')
        && !line
            .split_whitespace()
            .next()
            .is_some_and(|word| word[1..].contains('/'));
    if let Some(command) = line.strip_prefix('!').filter(|rest| !rest.is_empty()) {
        return Step::Shell(command.to_owned());
    }
    if is_command {
        return ask(app, Verb::Typed(line.to_owned()));
    }
    if let Some(step) = addressed(app, line) {
        return step;
    }
    let to = app.prompt.to().clone();
    ask(app, Verb::Say { to, text })
}

/// `@NAME TEXT` is for another member; `@NAME` alone turns the prompt to it.
fn addressed(app: &mut App, line: &str) -> Option<Step> {
    let (word, text) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let name = MemberName::parse(word.strip_prefix('@')?).ok()?;
    app.present().team().member(&name)?;
    if text.trim().is_empty() {
        app.places.member = Some(name.clone());
        app.prompt.turn_to(name);
        return Some(Step::Stay);
    }
    let text = text.trim().to_owned();
    Some(ask(app, Verb::Say { to: name, text }))
}

/// Screens that have a word of their own. `/team` and its like print nothing here: the screen shows it.
fn screen_word(line: &str) -> Option<ScreenKind> {
    Some(match line {
        "/team" => ScreenKind::Team,
        "/member" => ScreenKind::Member,
        "/board" | "/tasks" => ScreenKind::Board,
        "/mail" => ScreenKind::Mail,
        "/needs" | "/requests" => ScreenKind::Needs,
        "/cost" => ScreenKind::Cost,
        _ => return None,
    })
}

fn help(app: &App) -> Overlay {
    let mut lines = super::help::lines();
    lines.push(String::new());
    let commands = app.setup.desk.commands();
    lines.extend(
        commands
            .into_iter()
            .map(|(word, about)| format!("{word:<14} {about}")),
    );
    Overlay {
        title: "Keys and commands".to_owned(),
        lines,
        scroll: 0,
    }
}
