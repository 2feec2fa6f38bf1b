//! Looks for text in the pane: `/`, then the word and Enter; the keys for the next place and the one before go on. It wraps around.

mod spots;
mod story;

use teammate_view::keys::{KeyAction, KeyCode, KeyContext, KeyPress};
use teammate_view::t;

pub(super) use self::story::{reach, turn_fold, visible};
use super::KeyStep;
use crate::app::{App, Focus, Spot};

/// Which way one looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    /// From where one is, that place included.
    Here,
    Onward,
    Back,
}

/// Does it; nothing if it is no such action.
pub(super) fn perform(app: &mut App, action: KeyAction) -> Option<KeyStep> {
    match action {
        KeyAction::Search => begin(app),
        KeyAction::SearchNext => go(app, Way::Onward),
        KeyAction::SearchPrevious => go(app, Way::Back),
        _ => return None,
    }
    Some(KeyStep::Stay)
}

fn begin(app: &mut App) {
    if spots::are_here(app) {
        app.focus = Focus::Pane;
        app.find.typed = Some(String::new());
    } else {
        app.say(nothing_here(app));
    }
}

/// A key while the word is typed.
pub(super) fn typing(app: &mut App, action: Option<KeyAction>, press: KeyPress) -> KeyStep {
    let Some(word) = &mut app.find.typed else {
        return KeyStep::Stay;
    };
    match (press.typed(), action) {
        (Some(c), _) => word.push(c),
        (None, Some(KeyAction::DeleteLeft)) => {
            word.pop();
        }
        (None, Some(KeyAction::CutToStart)) => word.clear(),
        (None, Some(KeyAction::Close | KeyAction::Interrupt)) => app.find.typed = None,
        (None, action) if press.code() == KeyCode::Enter || action == Some(KeyAction::Send) => {
            let word = app.find.typed.take().unwrap_or_default();
            look_for(app, word);
        }
        // What can be done everywhere can be done from here, too.
        (None, Some(action)) if action.contexts().contains(&KeyContext::Everywhere) => {
            app.find.typed = None;
            return super::perform(app, action);
        }
        (None, _) => {}
    }
    KeyStep::Stay
}

/// Looks for a word; without one for the last again.
pub(super) fn look_for(app: &mut App, word: String) {
    app.focus = Focus::Pane;
    if !word.is_empty() {
        app.find.word = word;
    }
    go(app, Way::Here);
}

fn go(app: &mut App, way: Way) {
    let word = app.find.word.clone();
    if word.is_empty() {
        let key = app.setup.keys.name(KeyAction::Search);
        return app.say(t!("Nothing was looked for yet: {key} begins", key));
    }
    let Some((all, here)) = spots::find(app, &word) else {
        return app.say(nothing_here(app));
    };
    let Some((number, is_around)) = next(&all, here, way) else {
        return app.say(t!("Nothing here has \"{word}\" in it", word));
    };
    spots::stand(app, all[number], &word);
    let around = match (is_around, way) {
        (false, _) => "",
        (true, Way::Here | Way::Onward) => t(", from the beginning again"),
        (true, Way::Back) => t(", from the end again"),
    };
    app.say(t!(
        "\"{word}\": {number} of {count}{around}",
        word,
        number = number + 1,
        count = all.len(),
        around
    ));
}

fn nothing_here(app: &App) -> String {
    let title = app.kind.title();
    t!(
        "In {title} nothing is looked for: that is for members, board, mail and longer answers",
        title
    )
}

/// The number of the place that comes next, and whether one went around for it.
fn next(all: &[Spot], here: Spot, way: Way) -> Option<(usize, bool)> {
    let last = all.len().checked_sub(1)?;
    let found = match way {
        Way::Here => all.iter().position(|spot| *spot >= here),
        Way::Onward => all.iter().position(|spot| *spot > here),
        Way::Back => all.iter().rposition(|spot| *spot < here),
    };
    let around = match way {
        Way::Here | Way::Onward => 0,
        Way::Back => last,
    };
    Some((found.unwrap_or(around), found.is_none()))
}
