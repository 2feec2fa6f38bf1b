//! The table of refusals (`refusals.toml`), each row told to a real adapter by a server that refuses until the request is as it
//! wants it: of each kind of request that a team makes, for a summary and a subagent are asked as a turn is.

use std::{sync::Arc, time::Duration};

use serde::Deserialize;
use serde_json::Value;
use teammate_core::{
    block::Block,
    model::{
        AnswerOptions, ChatMessage, Effort, ModelFailure, ModelRequest, Origin, Remedy, Role, Wire,
    },
    port::Model,
    tool::{CallId, Outcome},
};
use teammate_models::{ModelFacts, ModelSettings, RequestSettings};
use teammate_testkit::{Answer, Server};

use crate::{ask, call, request, user_says};

#[derive(Deserialize)]
struct Table {
    refusal: Vec<Refusal>,
}

#[derive(Deserialize, Clone)]
struct Refusal {
    from: String,
    #[serde(default = "chat")]
    wire: String,
    status: u16,
    header: Option<(String, String)>,
    body: String,
    does: String,
}

fn chat() -> String {
    "chat".to_owned()
}

impl Refusal {
    fn answer(&self) -> Answer {
        let kind = match self.body.starts_with('<') {
            true => "text/html",
            false => "application/json",
        };
        let answer = Answer::body(self.status, kind, self.body.clone());
        match &self.header {
            Some((name, value)) => answer.header(name, value),
            None => answer,
        }
    }

    fn model(&self, url: &str) -> Box<dyn Model> {
        let form = match self.wire.as_str() {
            "messages" => "adaptive",
            _ => "reasoning-effort",
        };
        let facts = format!(
            r#"thinking = {{ form = "{form}", levels = {{ high = "high" }}, default = "high" }}"#
        );
        let settings = ModelSettings {
            facts: toml::from_str::<ModelFacts>(&facts).unwrap(),
            request: RequestSettings {
                temperature: Some(0.5),
                stop: vec!["END".into()],
                service_tier: Some("default".into()),
                user_id: Some("u1".into()),
                ..RequestSettings::default()
            },
            ..ModelSettings::default()
        };
        match self.wire.as_str() {
            "messages" => Box::new(crate::anthropic(url).with_settings(settings)),
            "responses" => Box::new(crate::responses(url).with_settings(settings)),
            "chat" => Box::new(crate::openai(url).with_settings(settings)),
            other => panic!("{}: no wire {other}", self.from),
        }
    }

    /// Whether the server takes this request.
    fn takes(&self, body: &str) -> bool {
        let json: Value = serde_json::from_str(body).unwrap();
        let messages = || json["messages"].as_array().into_iter().flatten();
        let (verb, rest) = self.does.split_once(' ').unwrap_or((&self.does, ""));
        match verb {
            "limit" | "room" => {
                let limits = ["max_tokens", "max_completion_tokens", "max_output_tokens"];
                let sent = limits.iter().find_map(|name| json[name].as_u64());
                sent.unwrap() <= rest.parse().unwrap()
            }
            "field" => json.get(rest).is_some(),
            "without" => !body.contains(&format!(r#""{rest}":"#)),
            "joined" => !messages()
                .zip(messages().skip(1))
                .any(|(before, after)| before["role"] == "tool" && after["role"] == "user"),
            "no-system" => messages().all(|message| message["role"] != "system"),
            "content-text" => messages().all(|message| !message["content"].is_null()),
            "short-ids" => messages()
                .filter_map(|message| message["tool_call_id"].as_str())
                .chain(messages().filter_map(|message| message["tool_calls"][0]["id"].as_str()))
                .all(|id| id.len() == 9),
            "no-tools" => json["tools"].is_null(),
            "no-tool" => !body.contains(&format!(r#""name":"{rest}""#)),
            "no-pictures" => !body.contains("base64"),
            _ => false,
        }
    }

    /// The failure that the row wants; `None` if the request is to be answered.
    fn failure(&self) -> Option<(Remedy, &str)> {
        let (verb, rest) = self.does.split_once(' ').unwrap_or((&self.does, ""));
        let after = || Some(Duration::from_millis(rest.parse().unwrap()));
        Some(match verb {
            "shorten" => (Remedy::Shorten, ""),
            "retry" => (Remedy::Retry { after: None }, ""),
            "slow-down" => (Remedy::SlowDown { after: None }, ""),
            "wait" => (Remedy::SlowDown { after: after() }, ""),
            "never" => (Remedy::Never, rest),
            _ => return None,
        })
    }
}

/// A conversation with everything that a server might refuse: a call with its result, and mail with a picture behind it.
fn conversation(wire: Wire) -> ModelRequest {
    let picture = Block::from_json(
        r#"{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBORw0KGgo="}}"#.to_owned(),
    );
    let id = CallId::new("call_long_one_1".into());
    let origin = Some(Origin::new(wire, "test:model"));
    let calls = vec![call(id.as_str(), "bash", r#"{"command":"ls"}"#)];
    let told = vec![
        Block::tool_result(&id, &Outcome::ok("a.txt")),
        picture.unwrap(),
        Block::text("mail: go on"),
    ];
    let mut messages = user_says("hi");
    messages.push(Arc::new(ChatMessage::new(Role::Assistant, calls, origin)));
    messages.push(Arc::new(ChatMessage::new(Role::User, told, None)));
    ModelRequest {
        max_tokens: 16_000,
        options: AnswerOptions {
            effort: Effort::High,
            ..AnswerOptions::default()
        },
        ..request(&messages)
    }
}

/// A kind of request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Of a member's turn, with everything in it.
    Turn,
    /// The question for a summary, behind results of tools.
    Summary,
    /// The same when the last word was the model's.
    SummaryAtRest,
    /// The first request of a member or a subagent, which also warms the prompt cache.
    First,
    /// A trial: few tokens are asked for.
    Trial,
}

const KINDS: [Kind; 5] = [
    Kind::Turn,
    Kind::Summary,
    Kind::SummaryAtRest,
    Kind::First,
    Kind::Trial,
];

impl Kind {
    fn request(self, wire: Wire) -> ModelRequest {
        let turn = conversation(wire);
        let begun = &turn.messages[..1];
        let with = |messages: Vec<Arc<ChatMessage>>| ModelRequest {
            messages,
            ..turn.clone()
        };
        let said = |role, blocks| Arc::new(ChatMessage::new(role, blocks, None));
        let question = || Block::text("Summarize this conversation.");
        match self {
            Self::Turn => turn,
            Self::Summary => {
                let results = &turn.messages[2].blocks;
                let asked = results.iter().cloned().chain([question()]).collect();
                with([&turn.messages[..2], &[said(Role::User, asked)]].concat())
            }
            Self::SummaryAtRest => {
                let last = [
                    said(Role::Assistant, vec![Block::text("It is done.")]),
                    said(Role::User, vec![question()]),
                ];
                with([&turn.messages, &last[..]].concat())
            }
            Self::First => with(begun.to_vec()),
            Self::Trial => ModelRequest {
                max_tokens: 64,
                ..with(begun.to_vec())
            },
        }
    }
}

/// What is wrong with how this row went for a request of this kind.
async fn problem(row: &Refusal, kind: Kind) -> Option<String> {
    let (told, ends) = (
        row.clone(),
        ["/chat/completions", "/messages", "/responses"],
    );
    let server = Server::for_others(move |seen| match &seen.path {
        path if !ends.iter().any(|end| path.ends_with(end)) => {
            Answer::error(404, "not_found_error", path)
        }
        _ if told.takes(&seen.body) => Answer::text("fine"),
        _ => told.answer(),
    })
    .await
    .unwrap();
    let model = row.model(&server.url());
    let wire = match row.wire.as_str() {
        "messages" => Wire::Anthropic,
        "responses" => Wire::Responses,
        _ => Wire::OpenAi,
    };
    let (answer, _) = ask(&*model, kind.request(wire)).await;
    match (answer, row.failure()) {
        (Ok(reply), None) if reply.text() == "fine" => {
            // It is known from then on for all kinds, but for room, which the next conversation leaves. What was not in the first
            // request cannot be known.
            let then = match kind {
                _ if row.does.starts_with("room") => &[][..],
                Kind::Turn => &KINDS,
                Kind::Summary | Kind::SummaryAtRest | Kind::First | Kind::Trial => &[kind],
            };
            for next in then {
                let refused = server.totals().requests;
                let again = ask(&*model, next.request(wire)).await.0;
                let tries = server.totals().requests - refused;
                if again.is_err() || tries != 1 {
                    return Some(format!("then {next:?}: {tries} requests, {again:?}"));
                }
            }
            None
        }
        (Err(ModelFailure { what, remedy }), Some((wanted, hint))) => {
            (remedy != wanted || !what.contains(hint)).then(|| format!("{remedy:?}: {what}"))
        }
        (answer, _) => Some(format!("{answer:?}")),
    }
}

#[tokio::test]
async fn every_refusal_of_the_table_is_answered_as_it_says() {
    let table: Table = toml::from_str(include_str!("refusals.toml")).unwrap();
    assert!(table.refusal.len() >= 120);
    let mut wrong = Vec::new();
    for (row, kind) in table
        .refusal
        .iter()
        .flat_map(|row| KINDS.map(|kind| (row, kind)))
    {
        if let Some(problem) = problem(row, kind).await {
            wrong.push(format!("{} ({}), {kind:?}: {problem}", row.from, row.does));
        }
    }
    assert!(wrong.is_empty(), "{}\n{}", wrong.len(), wrong.join("\n"));
}
