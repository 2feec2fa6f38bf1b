//! What the page may ask of a team: the verbs of the port `Door`, and every command of the prompt by its own name.

use axum::http::StatusCode;
use serde::Deserialize;
use serde_json::{Value, json};
use teammate_core::{
    MemberName,
    permission::Breadth,
    request::{Answer, Digest, RequestId},
};
use teammate_view::{Choices, Verb, VerbAnswer};

use crate::{KeyScope, feed::TeamFeed, once::Done, refusal::Refusal};

/// How many times the team is looked at again after an answer was refused, to say who was first.
const LOOKS: usize = 8;

/// The body of a request.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Asked {
    /// The id of the team that was shown.
    pub(crate) team: String,
    /// Made by the page for this request: the same key twice is once.
    pub(crate) key: String,
    /// The digest of what was shown.
    saw: Option<String>,
    request: Option<String>,
    answer: Option<String>,
    /// Why not.
    why: Option<String>,
    to: Option<String>,
    text: Option<String>,
    member: Option<String>,
    mail: Option<String>,
    /// What is typed behind a command.
    words: Option<String>,
}

/// The answers of a request.
const ANSWERS: &str = "once, always, prefix, tool, no or why";

impl Asked {
    /// The verb, and what a key has to be good for to ask it.
    pub(crate) fn verb(&self, name: &str) -> Result<(Verb, KeyScope), Refusal> {
        let member = |name: &str| MemberName::parse(name).map_err(|error| wrong(error.to_string()));
        Ok(match name {
            "answer" => self.answer()?,
            "say" => {
                let to = member(self.to.as_deref().unwrap_or("lead"))?;
                let text = self.text.clone().filter(|text| !text.trim().is_empty());
                let text = text.ok_or_else(|| wrong("`text` says what is sent"))?;
                (Verb::Say { to, text }, KeyScope::Steer)
            }
            "interrupt" => {
                let whom = self.member.as_deref().map(member).transpose()?;
                (Verb::Interrupt(whom), KeyScope::Steer)
            }
            "recall" => {
                let mail = self.mail.as_deref().map(|id| {
                    serde_json::from_value(Value::String(id.to_owned()))
                        .map_err(|_| wrong("`mail` is the id of a message"))
                });
                (Verb::Recall(mail.transpose()?), KeyScope::Steer)
            }
            command => {
                let words = self.words.as_deref().unwrap_or_default();
                let line = format!("/{command} {words}");
                (Verb::Typed(line.trim_end().to_owned()), KeyScope::Steer)
            }
        })
    }

    fn answer(&self) -> Result<(Verb, KeyScope), Refusal> {
        let request = self
            .request
            .as_deref()
            .and_then(|id| id.parse::<RequestId>().ok());
        let request = request.ok_or_else(|| wrong("`request` is an id as req_000003"))?;
        let saw: Option<Digest> = match &self.saw {
            Some(saw) => Some(
                serde_json::from_value(Value::String(saw.clone()))
                    .map_err(|_| wrong("`saw` is the digest that was shown, whole"))?,
            ),
            None => None,
        };
        let yes = |always| Answer::Approve {
            note: String::new(),
            mode: None,
            always,
        };
        let (answer, scope) = match self.answer.as_deref() {
            Some("once") => (yes(None), KeyScope::Answer),
            Some("always") => (yes(Some(Breadth::Exact)), KeyScope::Steer),
            Some("prefix") => (yes(Some(Breadth::Prefix)), KeyScope::Steer),
            Some("tool") => (yes(Some(Breadth::Tool)), KeyScope::Steer),
            Some("no" | "why") => {
                let because = self.why.clone().unwrap_or_default();
                (Answer::Reject { because }, KeyScope::Answer)
            }
            Some(_) | None => return Err(wrong(format!("`answer` is {ANSWERS}"))),
        };
        Ok((
            Verb::Answer {
                request,
                saw,
                answer,
            },
            scope,
        ))
    }
}

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
                let next =
                    tokio::time::timeout(std::time::Duration::from_millis(250), changes.changed());
                let _ = next.await;
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

fn wrong(text: impl Into<String>) -> Refusal {
    Refusal::new(StatusCode::UNPROCESSABLE_ENTITY, text)
}
