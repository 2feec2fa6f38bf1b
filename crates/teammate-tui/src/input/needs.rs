//! Keys that answer a question. They count only in this screen, and only if all of the question was seen.

use std::time::Instant;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use teammate_core::request::Answer;
use teammate_view::Verb;

use super::{Step, keys::ask};
use crate::app::{App, Asked, Focus, Verdict};

/// Does what the key answers; nothing if it is no such key.
pub(super) fn handle(app: &mut App, key: KeyEvent, now: Instant) -> Option<Step> {
    if key
        .modifiers
        .intersects(KeyModifiers::CONTROL | KeyModifiers::ALT)
    {
        return None;
    }
    let KeyCode::Char(letter @ ('y' | 'a' | 'n' | 'w')) = key.code else {
        return None;
    };
    let asked = chosen(app)?;
    if letter == 'w' {
        app.prompt.editor.set(&format!("/deny {} ", asked.request));
        app.focus = Focus::Prompt;
        return Some(Step::Stay);
    }
    let step = match app.guard.judge(&asked, now) {
        Verdict::Counts => {
            let answer = match letter {
                'y' => Answer::yes(),
                'a' => Answer::Approve {
                    note: String::new(),
                    mode: None,
                    always: true,
                },
                _ => Answer::no(""),
            };
            ask(
                app,
                Verb::Answer {
                    request: asked.request,
                    saw: asked.digest,
                    answer,
                },
            )
        }
        verdict => {
            app.say(match verdict {
                Verdict::NotAllSeen => "Not answered: go down to its end first (Down, PgDn)",
                Verdict::Typing => "Not answered: you were typing; press the key once more",
                Verdict::TooSoon | Verdict::Counts => {
                    "Not answered: it came on the screen just now; press the key once more"
                }
            });
            Step::Stay
        }
    };
    Some(step)
}

/// The chosen question, as it is on the screen.
pub(crate) fn chosen(app: &App) -> Option<Asked> {
    let needs = app.needs();
    let request = needs.get(app.places.need_row)?.what.request()?;
    let known = app.view().team().requests().get(request)?;
    Some(Asked {
        request,
        digest: known.permission().map(|ask| ask.digest.clone()),
    })
}
