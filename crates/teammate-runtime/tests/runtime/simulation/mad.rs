//! A model that does whatever comes to its mind, until its budget is spent; then it only talks. It takes little, counts what
//! it is sent, and when it is asked for a summary it may do anything else.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use serde_json::{Value, json};
use teammate_core::{
    block::Block,
    model::{
        ModelFailure, ModelRef, ModelRequest, Remedy, Reply, StopReason, StreamPart, Usage, Wire,
    },
    port::{BoxFuture, Model, ModelSource, PartSink},
    tool::{CallId, ToolCall, ToolInput},
};

use crate::simulation::{chance::Chance, check};

/// Tool calls of all members together.
const CALLS_MAX: u64 = 60;

/// What it takes, in tokens.
pub(crate) const CONTEXT_TOKENS: u64 = 800;

/// The model. Clones are the same.
#[derive(Clone)]
pub(crate) struct Mad {
    chance: Chance,
    calls: Arc<AtomicU64>,
    /// How long it thinks at most, in milliseconds.
    thinks: u64,
    /// What was wrong with a request.
    wrong: Arc<Mutex<Option<String>>>,
}

/// Finds it under every name.
pub(crate) struct Mads(pub(crate) Mad);

impl ModelSource for Mads {
    fn open(&self, _: &ModelRef) -> Result<Arc<dyn Model>, ModelFailure> {
        Ok(Arc::new(self.0.clone()))
    }
}

impl Mad {
    pub(crate) fn new(chance: Chance) -> Self {
        Self::thinking(chance, 40)
    }

    /// The same, which thinks so long at most, in milliseconds.
    pub(crate) fn thinking(chance: Chance, thinks: u64) -> Self {
        Self {
            chance,
            calls: Arc::default(),
            thinks,
            wrong: Arc::default(),
        }
    }

    /// What was wrong with a request, if anything was.
    pub(crate) fn wrong(&self) -> Option<String> {
        self.wrong.lock().unwrap().clone()
    }

    fn call(&self, number: u64) -> (&'static str, Value) {
        let anybody = ["lead", "a", "b", "c", "d", "nobody"];
        let content = format!("letter {number}");
        match self.chance.below(9) {
            // A team of one shows little.
            _ if number < 5 => return self.spawn_call(number),
            0..=2 => return self.task_call(number),
            3..=5 => return self.request_call(number),
            _ => {}
        }
        match self.chance.below(15) {
            14 => ("compact", json!({ "focus": content })),
            0..=3 => {
                let to = self.chance.pick(&anybody);
                ("send_message", json!({ "to": to, "content": content }))
            }
            4 => ("broadcast", json!({ "content": content })),
            5 | 6 => self.spawn_call(number),
            7 => ("wait_for_team", json!({})),
            8 => ("read_inbox", json!({})),
            9 | 10 => ("work", json!({})),
            11 => {
                let job = format!("b{}", self.chance.between(1, 6));
                let seconds = self.chance.below(2);
                (
                    "task_output",
                    json!({ "job_id": job, "timeout_seconds": seconds }),
                )
            }
            12 => {
                let job = format!("b{}", self.chance.between(1, 6));
                ("task_stop", json!({ "job_id": job }))
            }
            _ => ("list_teammates", json!({})),
        }
    }

    fn spawn_call(&self, number: u64) -> (&'static str, Value) {
        let input = json!({
            "name": self.chance.pick(&["a", "b", "c", "d"]),
            "role": "any",
            "prompt": format!("assignment {number}"),
            "fresh": self.chance.below(5) == 0,
            "require_plan": self.chance.below(5) == 0,
        });
        ("spawn_teammate", input)
    }

    /// Something about requests, of which there are few, so that answers come twice, late and from the wrong ones.
    fn request_call(&self, number: u64) -> (&'static str, Value) {
        let request = format!("req_{}", self.chance.between(1, 8));
        let name = self.chance.pick(&["a", "b", "c", "d"]);
        let approve = self.chance.below(2) == 0;
        let why = format!("reason {number}");
        match self.chance.below(12) {
            0 => {
                let input = json!({ "name": name, "now": self.chance.below(3) == 0 });
                ("request_shutdown", input)
            }
            1 | 2 => {
                let input = json!({ "request_id": request, "approve": approve, "reason": why });
                ("respond_shutdown", input)
            }
            3 => {
                let lift = self.chance.below(3) == 0;
                let input = json!({ "name": name, "task": why, "lift": lift });
                ("request_plan", input)
            }
            8 => ("idle", json!({ "waits_for": why })),
            4 | 5 => ("submit_plan", json!({ "plan": why })),
            6 | 7 => {
                let input = json!({ "request_id": request, "approve": approve, "feedback": why });
                ("review_plan", input)
            }
            _ => ("scribble", json!({})),
        }
    }

    /// Something about the board, which has few tasks, so that many want the same.
    fn task_call(&self, number: u64) -> (&'static str, Value) {
        let task = self.chance.between(1, 6);
        let member = self.chance.pick(&["a", "b", "c", "d"]);
        match self.chance.below(10) {
            0..=2 => {
                let earlier: Vec<u64> = if self.chance.below(2) == 0 {
                    vec![task]
                } else {
                    Vec::new()
                };
                let subject = format!("task {number}");
                let input = json!({ "subject": subject, "blocked_by": earlier });
                ("create_task", input)
            }
            3..=5 => {
                let result = format!("result {number}");
                (
                    "complete_task",
                    json!({ "task_id": task, "result": result }),
                )
            }
            6 => ("claim_task", json!({ "task_id": task })),
            7 => ("update_task", json!({ "task_id": task, "owner": member })),
            8 => {
                let status = self
                    .chance
                    .pick(&["pending", "failed", "deleted", "completed"]);
                let input = json!({ "task_id": task, "status": status });
                ("update_task", input)
            }
            _ => {
                let input = json!({ "task_id": task, "add_blocked_by": [task + 1] });
                ("update_task", input)
            }
        }
    }

    fn blocks(&self) -> (Vec<Block>, StopReason) {
        let mut blocks = Vec::new();
        if self.chance.below(3) > 0 {
            for _ in 0..self.chance.between(1, 3) {
                let number = self.calls.fetch_add(1, Ordering::Relaxed);
                if number >= CALLS_MAX {
                    break;
                }
                let (tool, input) = self.call(number);
                blocks.push(Block::tool_use(&ToolCall {
                    id: CallId::new(format!("call_{number}")),
                    name: tool.to_owned(),
                    input: ToolInput::from_json(input.to_string()),
                }));
            }
        }
        if blocks.is_empty() {
            return (vec![Block::text("I am through.")], StopReason::EndTurn);
        }
        (blocks, StopReason::ToolUse)
    }

    /// What comes of a wish for a summary.
    fn summary(&self) -> (Vec<Block>, StopReason) {
        let text = || vec![Block::text("Much was said.")];
        match self.chance.below(8) {
            0 => (Vec::new(), StopReason::EndTurn),
            1 => (self.blocks().0, StopReason::ToolUse),
            2 => (text(), StopReason::Refusal),
            3 => (text(), StopReason::ContextFull),
            _ => (text(), StopReason::EndTurn),
        }
    }

    async fn think(
        &self,
        request: ModelRequest,
        mut parts: PartSink,
    ) -> Result<Reply, ModelFailure> {
        let pause = |bound| tokio::time::sleep(Duration::from_millis(self.chance.below(bound)));
        pause(self.thinks).await;
        let failure = |what: &str, remedy| {
            let what = what.to_owned();
            Err(ModelFailure { what, remedy })
        };
        match self.chance.below(40) {
            0 | 1 => return failure("busy", Remedy::Retry { after: None }),
            2 => return failure("broken", Remedy::Never),
            3 | 4 => return failure("too long", Remedy::Shorten),
            _ => {}
        }
        parts(StreamPart::Started);
        pause(10).await;
        if let Err(wrong) = check::is_acceptable(&request.messages) {
            *self.wrong.lock().unwrap() = Some(wrong);
        }
        let bytes: usize = request
            .messages
            .iter()
            .flat_map(|message| &message.blocks)
            .map(Block::weight)
            .sum();
        let last = request.messages.last().unwrap().blocks.last().unwrap();
        let (blocks, stop) = match last.json().contains("Write a summary of this conversation") {
            true => self.summary(),
            false => self.blocks(),
        };
        let is_cut = stop == StopReason::EndTurn && self.chance.below(10) == 0;
        Ok(Reply {
            blocks,
            stop: if is_cut {
                StopReason::ContextFull
            } else {
                stop
            },
            usage: Usage {
                input: bytes as u64 / 4,
                output: self.chance.between(1, 100),
                ..Usage::default()
            },
            model: "mad".to_owned(),
            wire: Wire::Plain,
        })
    }
}

impl Model for Mad {
    fn answer(
        &self,
        request: ModelRequest,
        parts: PartSink,
    ) -> BoxFuture<'_, Result<Reply, ModelFailure>> {
        Box::pin(self.think(request, parts))
    }

    fn rate_limit_key(&self) -> &'static str {
        "mad"
    }
}
