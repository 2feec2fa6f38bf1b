//! Enter at the prompt: what is typed is said to a member, or is a command.

use teammate_core::MemberName;
use teammate_view::t;
use teammate_view::{Verb, keys::KeyAction};

use super::{KeyStep, Lent, ask, find, leave, perform};
use crate::{app::App, end::After};

/// Sends what is typed, or does what it says.
pub(super) fn enter(app: &mut App) -> KeyStep {
    if app.prompt.editor.continue_line() || app.prompt.editor.text().trim().is_empty() {
        return KeyStep::Stay;
    }
    let typed = app.prompt.editor.text();
    if let Some(moment) = typed.trim().strip_prefix("/at ") {
        return go_to(app, moment.trim());
    }
    let is_leaving = matches!(typed.trim(), "/quit" | "/exit");
    if app.past.is_some() && !is_leaving {
        let key = app.setup.keys.name(KeyAction::Close);
        app.say(t!(
            "This is the past: {key} goes back to now; what you typed stays",
            key
        ));
        return KeyStep::Stay;
    }
    let text = app.prompt.take();
    app.notes.clear();
    app.setup.environment.add_history(&text);
    let line = text.trim();
    if let Some(step) = command(app, line) {
        return step;
    }
    if let Some(step) = addressed(app, line) {
        return step;
    }
    let to = app.prompt.to().clone();
    ask(app, Verb::Say { to, text })
}

/// Shows the team as it was at that moment.
fn go_to(app: &mut App, moment: &str) -> KeyStep {
    let moment = match app.setup.environment.moment(moment) {
        Ok(moment) => moment,
        Err(why) => {
            app.say(why);
            return KeyStep::Stay;
        }
    };
    app.prompt.take();
    match &mut app.past {
        Some(past) => past.go_to_moment(moment),
        None => return KeyStep::Past(Some(moment)),
    }
    app.leave_past_at_its_end();
    KeyStep::Stay
}

/// Does what begins with `/` or `!`, and `?` alone.
fn command(app: &mut App, line: &str) -> Option<KeyStep> {
    if matches!(line, "/quit" | "/exit") {
        return Some(leave::leave(app, After::Nothing));
    }
    if line == "?" {
        return Some(perform(app, KeyAction::Help));
    }
    if let Some(command) = line.strip_prefix('!').filter(|rest| !rest.is_empty()) {
        return Some(KeyStep::Lend(Lent::Command(command.to_owned())));
    }
    let word = line.strip_prefix('/')?.split_whitespace().next()?;
    // `/usr/bin` is a path.
    if word.contains('/') {
        return None;
    }
    if let Some(word) = line.strip_prefix("/find ") {
        find::look_for(app, word.trim().to_owned());
        return Some(KeyStep::Stay);
    }
    if let Some(action) = worded(line) {
        return Some(perform(app, action));
    }
    Some(ask(app, Verb::Typed(line.to_owned())))
}

/// The action of a word that stands alone. Answers are not given by a word without the question's id, and a word that interrupts
/// counts for no key that is pressed twice.
fn worded(line: &str) -> Option<KeyAction> {
    let word = match line {
        "/tasks" => "/board",
        "/requests" => "/needs",
        other => other,
    };
    let mut actions = KeyAction::ALL.iter();
    let found = actions.find(|action| action.word() == Some(word))?;
    let is_command = matches!(found, KeyAction::Stop | KeyAction::Interrupt);
    (!found.is_answer() && !is_command).then_some(*found)
}

/// `@NAME TEXT` is for another member; `@NAME` alone turns the prompt to it.
fn addressed(app: &mut App, line: &str) -> Option<KeyStep> {
    let (word, text) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let name = MemberName::parse(word.strip_prefix('@')?).ok()?;
    app.present().team().member(&name)?;
    if text.trim().is_empty() {
        app.places.member = Some(name.clone());
        app.prompt.turn_to(name);
        return Some(KeyStep::Stay);
    }
    let text = text.trim().to_owned();
    Some(ask(app, Verb::Say { to: name, text }))
}
