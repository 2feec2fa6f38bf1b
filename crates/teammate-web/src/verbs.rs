//! What the page may ask of a team: the verbs of the port `Door`, and every command of the prompt by its own name.

mod asked;

use std::time::Duration;

use axum::http::StatusCode;
use serde_json::{Value, json};
use teammate_core::request::{Digest, RequestId};
use teammate_view::{Choices, Verb, VerbAnswer};
use tokio::time::timeout;

pub(crate) use self::asked::Asked;
use crate::{feed::TeamFeed, once::Done};

/// How many times the team is looked at again after an answer was refused, to say who was first.
const LOOKS: usize = 8;

/// So long is waited for each look.
const LOOK_WITHIN: Duration = Duration::from_millis(250);

/// Does it.
pub(crate) async fn ask(feed: &TeamFeed, verb: Verb) -> Done {
    if let Verb::Answer { request, saw, .. } = &verb
        && let Some(done) = settled(feed, *request, saw.as_ref())
    {
        return done;
    }
    let request = match &verb {
        Verb::Answer { request, saw, .. } => Some((*request, saw.clone())),
        Verb::Say { .. } | Verb::Interrupt(_) | Verb::Recall(_) | Verb::Typed(_) => None,
    };
    let mut changes = feed.changes();
    match feed.door.ask(verb).await {
        Ok(VerbAnswer::Lines(lines)) => done(StatusCode::OK, json!({ "lines": lines })),
        Ok(VerbAnswer::Choices(choices)) => {
            done(StatusCode::OK, json!({ "choices": choices_of(&choices) }))
        }
        Ok(VerbAnswer::GoesOn(_)) => done(
            StatusCode::UNPROCESSABLE_ENTITY,
            json!({ "why": "this goes on at a terminal: `teammate` opens it there" }),
        ),
        Err(why) => {
            // Another face may have been first, whose record is about to come.
            for _ in 0..LOOKS {
                let Some((request, saw)) = &request else {
                    break;
                };
                if let Some(done) = settled(feed, *request, saw.as_ref()) {
                    return done;
                }
                let _ = timeout(LOOK_WITHIN, changes.changed()).await;
            }
            done(StatusCode::UNPROCESSABLE_ENTITY, json!({ "why": why }))
        }
    }
}

/// Why this request cannot be answered any more: it is settled, or asks for something else than was shown.
fn settled(feed: &TeamFeed, id: RequestId, saw: Option<&Digest>) -> Option<Done> {
    let view = feed.view();
    let Some(request) = view.team().requests().get(id) else {
        let why = format!("there is no request {id}: /requests lists them");
        return Some(done(
            StatusCode::UNPROCESSABLE_ENTITY,
            json!({ "why": why }),
        ));
    };
    if !request.is_pending() {
        let why = format!("{id} is settled: {}", request.state.describe());
        return Some(done(StatusCode::CONFLICT, json!({ "why": why })));
    }
    let asked = request.digest();
    (asked.is_some() && asked != saw).then(|| {
        let why = format!(
            "{id} asks for something else than was shown; look at it again. Nothing was answered"
        );
        done(StatusCode::GONE, json!({ "why": why }))
    })
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

fn done(status: StatusCode, body: Value) -> Done {
    Done {
        status: status.as_u16(),
        body,
    }
}
