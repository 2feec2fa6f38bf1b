//! Answers to questions: only of what was seen, and nothing by accident.

use teammate_core::request::{Digest, RequestId};
use teammate_view::{
    AnswerChoice, Verb,
    keys::KeyAction,
    strays::{KeyVerdict, TooEarly},
};

use super::{KeyStep, ask};
use crate::app::{App, Focus};

/// A question, as it is on the screen.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ScreenQuestion {
    pub(crate) request: RequestId,
    /// Of what it asks for; a shutdown has none.
    pub(crate) digest: Option<Digest>,
}

impl ScreenQuestion {
    /// Tells it apart from all others.
    pub(crate) fn key(&self) -> String {
        let digest = self.digest.as_ref().map(Digest::short);
        format!("{} {}", self.request, digest.unwrap_or_default())
    }
}

pub(crate) fn chosen(app: &App) -> Option<ScreenQuestion> {
    let needs = app.needs();
    let request = needs.get(app.places.need_row)?.kind.request()?;
    let known = app.view().team().requests().get(request)?;
    Some(ScreenQuestion {
        request,
        digest: known.digest().cloned(),
    })
}

/// A key that answers was pressed.
pub(super) fn answer(app: &mut App, action: KeyAction, verdict: KeyVerdict) -> KeyStep {
    let Some(asked) = chosen(app) else {
        app.say(who_was_first(app));
        return KeyStep::Stay;
    };
    if action == KeyAction::AnswerNoBecause {
        app.prompt.interject(&format!("/deny {} ", asked.request));
        // What was said is of another question.
        app.note.take_back();
        app.focus = Focus::Prompt;
        return KeyStep::Stay;
    }
    match verdict {
        KeyVerdict::Answers { digest } if digest == asked.key() => {}
        KeyVerdict::Answers { .. } | KeyVerdict::NoAnswer => {
            app.say("Not answered: another question is there now");
            return KeyStep::Stay;
        }
        KeyVerdict::TooEarly(why) => {
            app.say(match why {
                TooEarly::NoQuestion => "Not answered: the question has its answer already",
                TooEarly::NotSeenWhole => "Not answered: go down to its end first",
                TooEarly::JustSeen => "Not answered: it came on the screen just now; press again",
                TooEarly::Typing => "Not answered: you were typing; press the key once more",
            });
            return KeyStep::Stay;
        }
    }
    let choice = AnswerChoice::of_action(action).unwrap_or(AnswerChoice::No);
    ask(
        app,
        Verb::Answer {
            request: asked.request,
            saw: asked.digest,
            answer: choice.answer(""),
        },
    )
}

/// Why a key answers nothing whose question has gone: who has answered it.
fn who_was_first(app: &App) -> String {
    let gone = app.last_asked.and_then(|id| {
        let request = app.view().team().requests().get(id)?;
        (!request.is_pending()).then(|| (id, request.describe()))
    });
    match gone {
        Some((id, how)) => format!("Not answered: {id} is already settled ({how})"),
        None => "Not answered: nothing is asked here".to_owned(),
    }
}
