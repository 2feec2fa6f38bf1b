//! Models that play two scripts at once, and the tools they use. What comes next is read from the conversation, so that a model
//! goes on after a kill as if there had been none.

use std::{collections::BTreeSet, sync::Arc, time::Duration};

use serde_json::{Value, json, value::RawValue};
use teammate_core::{
    block::Block,
    model::{
        ChatMessage, ModelFailure, ModelRef, ModelRequest, Reply, Role, StopReason, Usage, Wire,
    },
    port::{Action, BoxFuture, Model, ModelSource, PartSink, ReadyCall, Target, Tool, ToolContext},
    tool::{CallId, EffectClass, Outcome, ToolCall, ToolInput, ToolSpec},
};

use super::{Pair, Script};

/// How many steps a worker has to do.
const STEPS: usize = 5;

/// A call of a tool.
pub(super) type Call = (&'static str, Value);

impl Script {
    /// What the lead does for it, an answer after the other; `who` plays it.
    fn leads(self, who: &str) -> Vec<Vec<Call>> {
        let team = format!("team-{who}");
        let spawn = |more: Value| {
            let mut input = json!({ "name": who, "role": "any", "prompt": "Begin" });
            let fields = input.as_object_mut().unwrap();
            fields.extend(more.as_object().unwrap().clone());
            ("spawn_teammate", input)
        };
        match self {
            Self::TeamEnd => vec![
                vec![
                    ("create_team", json!({ "name": team })),
                    spawn(json!({ "team": team })),
                ],
                vec![("toil", json!({}))],
                vec![("delete_team", json!({ "name": team }))],
            ],
            Self::Shutdown => vec![
                vec![spawn(json!({}))],
                vec![("toil", json!({}))],
                vec![("request_shutdown", json!({ "name": who }))],
            ],
            Self::Plan => vec![vec![spawn(json!({ "require_plan": true }))]],
            Self::Question => vec![vec![spawn(json!({}))]],
            Self::TeamStop | Self::MemberStop => Vec::new(),
        }
    }

    /// What a member does for it after so many answers; `last` is what it has heard since.
    fn plays(self, answers: usize, last: &str) -> Vec<Call> {
        if let Some(id) = request_after("asks you to shut down (", last) {
            let agree = json!({ "request_id": id, "approve": true });
            return vec![("respond_shutdown", agree), ("toil", json!({}))];
        }
        match self {
            Self::TeamEnd | Self::Shutdown if answers < STEPS => vec![("toil", json!({}))],
            Self::Plan if answers == 0 => vec![("submit_plan", json!({ "plan": "act" }))],
            Self::Plan if last.contains("[Plan approved]") => vec![("act", json!({}))],
            Self::Question if answers == 0 => vec![("act", json!({}))],
            Self::TeamEnd
            | Self::Shutdown
            | Self::Plan
            | Self::Question
            | Self::TeamStop
            | Self::MemberStop => Vec::new(),
        }
    }
}

/// The id of a request that is named after these words.
fn request_after(words: &str, text: &str) -> Option<String> {
    let (_, rest) = text.rsplit_once(words)?;
    let id = rest.get(..10)?;
    id.starts_with("req_").then(|| id.to_owned())
}

/// The lead does both scripts side by side, and then approves the plans that it has not approved yet.
fn lead(pair: Pair, answers: usize, heard: &str, said: &str) -> Vec<Call> {
    let (first, second) = (pair.0.leads("ann"), pair.1.leads("bea"));
    let of = |script: &[Vec<Call>]| script.get(answers).cloned().unwrap_or_default();
    let calls = [of(&first), of(&second)].concat();
    if !calls.is_empty() {
        return calls;
    }
    let asked = heard.split("review_plan(request_id: \\\"").skip(1);
    let ids: BTreeSet<&str> = asked.filter_map(|rest| rest.get(..10)).collect();
    ids.into_iter()
        .filter(|id| !said.contains(id))
        .map(|id| ("review_plan", json!({ "request_id": id, "approve": true })))
        .collect()
}

/// What these messages say.
fn text<'a>(messages: impl Iterator<Item = &'a Arc<ChatMessage>>) -> String {
    let blocks = messages.flat_map(|message| &message.blocks);
    blocks.map(|block| block.json().to_owned()).collect()
}

/// The model of everybody.
#[derive(Clone, Copy)]
pub(super) struct Actors(pub(super) Pair);

impl ModelSource for Actors {
    fn open(&self, _: &ModelRef) -> Result<Arc<dyn Model>, ModelFailure> {
        Ok(Arc::new(*self))
    }
}

impl Model for Actors {
    fn answer(
        &self,
        request: ModelRequest,
        _: PartSink,
    ) -> BoxFuture<'_, Result<Reply, ModelFailure>> {
        let is_answer = |one: &&Arc<ChatMessage>| one.role == Role::Assistant;
        let messages = &request.messages;
        let answers = messages.iter().filter(is_answer).count();
        let last = text(messages.iter().rev().take_while(|one| !is_answer(one)));
        let who = request.conversation.split_once('/').map(|(_, name)| name);
        let calls = match who {
            Some("ann") => self.0.0.plays(answers, &last),
            Some("bea") => self.0.1.plays(answers, &last),
            _ => {
                let heard = text(messages.iter().filter(|one| !is_answer(one)));
                let said = text(messages.iter().filter(is_answer));
                lead(self.0, answers, &heard, &said)
            }
        };
        let block = |(at, (tool, input)): (usize, (&str, Value))| {
            Block::tool_use(&ToolCall {
                id: CallId::new(format!("call_{answers}_{at}")),
                name: tool.to_owned(),
                input: ToolInput::from_json(input.to_string()),
            })
        };
        let (blocks, stop) = match calls.is_empty() {
            true => (vec![Block::text("That is all.")], StopReason::EndTurn),
            false => (
                calls.into_iter().enumerate().map(block).collect(),
                StopReason::ToolUse,
            ),
        };
        Box::pin(async move {
            tokio::time::sleep(Duration::from_millis(100)).await;
            Ok(Reply {
                blocks,
                stop,
                usage: Usage::default(),
                model: "actor".to_owned(),
                wire: Wire::Plain,
            })
        })
    }

    fn rate_limit_key(&self) -> &'static str {
        "actors"
    }
}

/// A tool that takes a second.
struct Takes(ToolSpec);

/// `toil` may run without asking, `act` may not.
pub(super) fn tools() -> Vec<Arc<dyn Tool>> {
    let tool = |name: &'static str, class| -> Arc<dyn Tool> {
        Arc::new(Takes(ToolSpec {
            name: name.into(),
            description: "Takes a second.".into(),
            schema: RawValue::from_string("{\"type\":\"object\"}".to_owned()).unwrap(),
            class,
        }))
    };
    vec![
        tool("toil", EffectClass::Reads),
        tool("act", EffectClass::Executes),
    ]
}

impl Tool for Takes {
    fn spec(&self) -> &ToolSpec {
        &self.0
    }

    fn read<'a>(&'a self, _: &ToolInput, _: &'a ToolContext) -> Result<ReadyCall<'a>, Outcome> {
        Ok(ReadyCall {
            action: Action {
                target: Target::Team,
                shows: self.0.name.to_string(),
                summary: self.0.name.to_string(),
            },
            preview: None,
            run: Box::pin(async {
                tokio::time::sleep(Duration::from_secs(1)).await;
                Outcome::ok("done")
            }),
        })
    }
}
