//! Keys: the table says what each one does, by where it goes; here it is done.

mod answers;
mod everywhere;
mod file;
mod find;
mod leave;
mod mouse;
mod overlay;
mod palette;
mod pane;
mod press;
mod send;
mod typing;

use std::time::Instant;

use crossterm::event::KeyEvent;
use teammate_core::Timestamp;
use teammate_view::{
    Verb,
    keys::{KeyAction, KeyContext},
    strays::KeyVerdict,
};

pub(crate) use self::{
    answers::{ScreenQuestion, chosen as chosen_question},
    leave::go_on,
    mouse::mouse,
    overlay::show_choices,
};
use crate::{
    app::{App, Focus, MemberFile, Overlay, ScreenKind},
    end::ScreenEnd,
};

/// The step after a key.
#[derive(Debug)]
pub(crate) enum KeyStep {
    /// Nothing but what changed on the screen.
    Stay,
    /// The team is asked for this.
    Ask(Verb),
    /// The team is asked for this in a moment, unless a letter follows: an answer.
    AskSoon(Verb),
    /// What would be asked in a moment is not asked.
    TakeBack,
    /// The past is looked at: as it was at that moment, or from now on back.
    Past(Option<Timestamp>),
    /// Everything is drawn anew.
    Redraw,
    /// The text goes to the terminal's clipboard.
    Copy(String),
    /// The terminal belongs to another program for a while.
    Lend(Lent),
    /// The user leaves.
    Leave(ScreenEnd),
}

/// Whom the terminal is lent to.
#[derive(Debug)]
pub(crate) enum Lent {
    /// The shell that the program was started from: the program is suspended.
    Shell,
    Command(String),
    /// The user's editor, with the prompt's text.
    Editor,
    /// The user's editor, with a file.
    File(MemberFile),
    /// The user's pager, with a text.
    Pager(String),
}

/// Does what a key is for. What is asked of the team is newer than what was said before: its answer says what came of it.
pub(crate) fn handle(app: &mut App, key: KeyEvent) -> KeyStep {
    let said = app.note.number();
    let step = take(app, key);
    if let KeyStep::Ask(_) | KeyStep::AskSoon(_) = step
        && app.note.number() == said
    {
        app.note.take_back();
    }
    step
}

fn take(app: &mut App, key: KeyEvent) -> KeyStep {
    app.last_key = Instant::now();
    let Some(press) = press::press(key) else {
        return KeyStep::Stay;
    };
    if press.typed().is_some() && answers::is_taken_back(app) {
        return KeyStep::TakeBack;
    }
    let context = context(app);
    let action = app.setup.keys.action(context, press);
    let verdict = app.answers.key(context, action, app.millis());
    if action != Some(KeyAction::Close) {
        app.last_escape = None;
    }
    if action != Some(KeyAction::Interrupt) && app.interrupt.other_key() {
        app.note.take_back();
    }
    if let Some(after) = app.leaving {
        return leave::answer(app, after, action, press);
    }
    if app.find.typed.is_some() {
        return find::typing(app, action, press);
    }
    if let Some(Overlay::Palette(_)) = &app.overlay {
        return palette::key(app, action, press);
    }
    if app.overlay.is_some()
        && let Some(step) = overlay::key(app, action, press)
    {
        return step;
    }
    if app.prompt.search.is_some() && app.focus == Focus::Prompt {
        return typing::searching(app, action, press);
    }
    match (action, verdict) {
        (Some(action), KeyVerdict::NoAnswer) => perform(app, action),
        (Some(action), verdict) => answers::answer(app, action, verdict),
        (None, _) => typing::typed(app, press),
    }
}

/// A text is pasted: never sent by that.
pub(crate) fn paste(app: &mut App, text: &str) -> KeyStep {
    let step = match answers::is_taken_back(app) {
        true => KeyStep::TakeBack,
        false => KeyStep::Stay,
    };
    put_in(app, text);
    step
}

fn put_in(app: &mut App, text: &str) {
    app.answers.key(KeyContext::Prompt, None, app.millis());
    if let Some(word) = &mut app.find.typed {
        word.push_str(text.lines().next().unwrap_or_default());
        return;
    }
    if let Some(Overlay::Palette(palette)) = &mut app.overlay {
        palette.type_in(|typed| typed.push_str(text.lines().next().unwrap_or_default()));
        return;
    }
    app.overlay = None;
    app.focus = Focus::Prompt;
    app.prompt.end_search(true);
    let before = app.prompt.editor.before();
    // A command of the user's own takes paths as they are.
    let may_begin = before.is_empty() || before.ends_with(char::is_whitespace);
    let word = (may_begin && !before.starts_with('!'))
        .then(|| app.setup.environment.pasted(text))
        .flatten();
    app.prompt.editor.paste(word.as_deref().unwrap_or(text));
    app.prompt.completion = None;
}

/// Where keys go.
pub(crate) fn context(app: &App) -> KeyContext {
    match (app.focus, app.kind) {
        _ if app.find.typed.is_some() || app.leaving.is_some() => KeyContext::Prompt,
        _ if matches!(app.overlay, Some(Overlay::Palette(_))) => KeyContext::Prompt,
        (Focus::Prompt, _) => KeyContext::Prompt,
        (Focus::Pane, ScreenKind::Needs) if app.overlay.is_none() => KeyContext::Needs,
        (Focus::Pane, _) => KeyContext::Pane,
    }
}

/// Does an action: of a key, or of the word that was typed for it.
pub(crate) fn perform(app: &mut App, action: KeyAction) -> KeyStep {
    everywhere::perform(app, action)
        .or_else(|| typing::perform(app, action))
        .or_else(|| pane::perform(app, action))
        .unwrap_or(KeyStep::Stay)
}

/// Asks for something, if the present is looked at.
fn ask(app: &mut App, verb: Verb) -> KeyStep {
    app.may_ask(verb).map_or(KeyStep::Stay, KeyStep::Ask)
}
