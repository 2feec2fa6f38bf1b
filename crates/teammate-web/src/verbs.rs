//! The verbs of the page: those of the port `Door`, and every command of the prompt by its own name.

mod asked;

use axum::http::StatusCode;
use serde_json::{Value, json};
use teammate_core::request::RequestId;
use teammate_view::t;
use teammate_view::{Choices, Verb, VerbAnswer, VerbRefusal};

pub(crate) use self::asked::Asked;
use crate::{feed::TeamFeed, once::AnsweredVerb};

pub(crate) async fn ask(feed: &TeamFeed, verb: Verb) -> AnsweredVerb {
    if let Verb::Answer {
        request, saw: None, ..
    } = &verb
        && has_digest(feed, *request)
    {
        let why = t!(
            "{request} is answered with the digest that was shown (`saw`); look at it again. Nothing was answered",
            request
        );
        return refused(StatusCode::GONE, &why);
    }
    match feed.door.ask(verb).await {
        Ok(VerbAnswer::Lines(lines)) => done(StatusCode::OK, json!({ "lines": lines })),
        Ok(VerbAnswer::Choices(choices)) => {
            done(StatusCode::OK, json!({ "choices": choices_of(&choices) }))
        }
        Ok(VerbAnswer::GoesOn(_)) => refused(
            StatusCode::UNPROCESSABLE_ENTITY,
            t("this goes on at a terminal: `teammate` opens it there"),
        ),
        Err(why) => refused(status(&why), &why.into_text()),
    }
}

/// By this a page knows an answer that came too late from one that has to be given anew.
fn status(refusal: &VerbRefusal) -> StatusCode {
    match refusal {
        VerbRefusal::Settled(_) => StatusCode::CONFLICT,
        VerbRefusal::OtherDigest(_) => StatusCode::GONE,
        VerbRefusal::Other(_) => StatusCode::UNPROCESSABLE_ENTITY,
    }
}

/// Whether a request has something to show of which an answer has to say that it was seen.
fn has_digest(feed: &TeamFeed, id: RequestId) -> bool {
    let view = feed.view();
    let request = view.team().requests().get(id);
    request.is_some_and(|request| request.is_pending() && request.digest().is_some())
}

fn choices_of(choices: &Choices) -> Vec<Value> {
    let groups = choices.groups.iter().map(|group| {
        let all = group.choices.iter().map(|choice| {
            json!({
                "line": choices.line(choice), "text": choice.text, "more": choice.more,
                "is_current": choice.is_current,
            })
        });
        json!({ "title": group.title, "choices": all.collect::<Vec<_>>() })
    });
    groups.collect()
}

fn refused(status: StatusCode, why: &str) -> AnsweredVerb {
    done(status, json!({ "why": why }))
}

fn done(status: StatusCode, body: Value) -> AnsweredVerb {
    AnsweredVerb {
        status: status.as_u16(),
        body,
    }
}
