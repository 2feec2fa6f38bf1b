//! Answers to questions: only of what was seen, and nothing by accident.

use teammate_core::request::{Digest, RequestId};
use teammate_view::language::translated_sentence;
use teammate_view::t;
use teammate_view::{
    AnswerChoice, Need, SeenRequest, Verb, asking_the_same,
    keys::KeyAction,
    strays::{KeyVerdict, TooEarly},
};

use super::KeyStep;
use crate::app::{App, Focus};

/// A question, as it is on the screen.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ScreenQuestion {
    pub(crate) request: RequestId,
    /// Of what it asks for; a shutdown has none.
    pub(crate) digest: Option<Digest>,
    /// Those that ask exactly the same: its answer is theirs.
    pub(crate) alike: Vec<SeenRequest>,
}

impl ScreenQuestion {
    /// Tells it apart from all others.
    pub(crate) fn key(&self) -> String {
        let digest = self.digest.as_ref().map(Digest::short);
        format!("{} {}", self.request, digest.unwrap_or_default())
    }
}

/// The need on the screen, if there is one: the chosen one, or the last where there are fewer by now.
fn chosen_need(app: &App) -> Option<Need> {
    let mut needs = app.grouped_needs();
    let last = needs.len().checked_sub(1)?;
    Some(needs.swap_remove(app.places.need_row.min(last)))
}

pub(crate) fn chosen(app: &App) -> Option<ScreenQuestion> {
    let need = chosen_need(app)?;
    let team = app.view().team();
    let request = need.request_in(team)?;
    Some(ScreenQuestion {
        request: request.id,
        digest: request.digest().cloned(),
        alike: asking_the_same(team, request),
    })
}

/// Whether what is typed now takes the last answer back: it was the first letter of a word.
pub(super) fn is_taken_back(app: &mut App) -> bool {
    let now = app.millis();
    let is_word = app.answers.takes_back(now);
    if is_word {
        app.say(t("Not answered: you were typing; press the key once more"));
    }
    is_word
}

/// A key that answers was pressed.
pub(super) fn answer(app: &mut App, action: KeyAction, verdict: KeyVerdict) -> KeyStep {
    let Some(asked) = chosen(app) else {
        app.say(who_was_first(app));
        return KeyStep::Stay;
    };
    if action == KeyAction::AnswerNoBecause {
        let and_alike = if asked.alike.is_empty() { "" } else { "+" };
        app.prompt
            .interject(&format!("/deny {}{and_alike} ", asked.request));
        // What was said is of another question.
        app.note.take_back();
        app.focus = Focus::Prompt;
        return KeyStep::Stay;
    }
    match verdict {
        KeyVerdict::Answers { digest } if digest == asked.key() => {}
        KeyVerdict::Answers { .. } | KeyVerdict::NoAnswer => {
            app.say(t("Not answered: another question is there now"));
            return KeyStep::Stay;
        }
        KeyVerdict::TooEarly(why) => {
            app.say(match why {
                TooEarly::NoQuestion => t("Not answered: the question has its answer already"),
                TooEarly::NotSeenWhole => t("Not answered: go down to its end first"),
                TooEarly::JustSeen => {
                    t("Not answered: it came on the screen just now; press again")
                }
                TooEarly::Typing => t("Not answered: you were typing; press the key once more"),
            });
            return KeyStep::Stay;
        }
    }
    let choice = AnswerChoice::of_action(action).unwrap_or(AnswerChoice::No);
    let verb = Verb::Answer {
        request: asked.request,
        saw: asked.digest,
        answer: choice.answer(""),
        alike: asked.alike,
        device: None,
    };
    app.may_ask(verb).map_or(KeyStep::Stay, KeyStep::AskSoon)
}

/// Why a key answers nothing whose question has gone: who has answered it.
fn who_was_first(app: &App) -> String {
    let gone = app.last_asked.and_then(|id| {
        let request = app.view().team().requests().get(id)?;
        (!request.is_pending()).then(|| (id, translated_sentence(&request.describe()).into_owned()))
    });
    match gone {
        Some((id, how)) => t!("Not answered: {id} is already settled ({how})", id, how),
        None => t("Not answered: nothing is asked here").to_owned(),
    }
}
