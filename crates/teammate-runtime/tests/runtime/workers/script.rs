//! Models that say what the test wrote for each member, and a tool that records what really ran.

use std::{
    collections::{HashMap, VecDeque},
    path::Path,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use serde_json::{Value, json, value::RawValue};
use teammate_core::{
    block::Block,
    model::{ModelFailure, ModelRef, ModelRequest, Remedy, Reply, StopReason, Usage, Wire},
    permission::Location,
    port::{Action, BoxFuture, Model, ModelSource, PartSink, ReadyCall, Target, Tool, ToolContext},
    tool::{CallId, EffectClass, Outcome, ToolCall, ToolInput, ToolSpec},
};

/// The calls of one answer; none ends the turn.
pub(crate) type Line = Vec<(&'static str, Value)>;

/// What is left to say, by member. Members that have nothing left end their turns.
#[derive(Clone, Default)]
pub(crate) struct Script(Arc<Mutex<Play>>);

#[derive(Default)]
struct Play {
    lines: HashMap<String, VecDeque<Line>>,
    trouble: Trouble,
    /// Whose machine does not reach the server.
    cut_off: Option<String>,
    askers: Vec<String>,
    usage: Usage,
}

/// What is wrong with the server.
#[derive(Clone, Copy, Default)]
pub(crate) enum Trouble {
    #[default]
    None,
    /// It does not answer.
    Away,
    /// It answers 429, and says when to come again.
    Refuses { after: Duration },
}

impl Script {
    pub(crate) fn add(&self, who: &str, lines: Vec<Line>) {
        let all = &mut self.0.lock().unwrap().lines;
        all.entry(who.to_owned()).or_default().extend(lines);
    }

    pub(crate) fn set_trouble(&self, trouble: Trouble) {
        self.0.lock().unwrap().trouble = trouble;
    }

    pub(crate) fn cut_off(&self, who: &str) {
        self.0.lock().unwrap().cut_off = Some(who.to_owned());
    }

    /// What each answer uses from now on.
    pub(crate) fn set_usage(&self, usage: Usage) {
        self.0.lock().unwrap().usage = usage;
    }

    /// How often a member has asked.
    pub(crate) fn asked(&self, who: &str) -> usize {
        let askers = self.askers();
        askers.iter().filter(|asker| *asker == who).count()
    }

    /// Who has asked, in order.
    pub(crate) fn askers(&self) -> Vec<String> {
        self.0.lock().unwrap().askers.clone()
    }
}

impl Play {
    /// What a member says next, and what that uses.
    fn next(&mut self, who: &str) -> Result<(Line, Usage), ModelFailure> {
        self.askers.push(who.to_owned());
        let fails = |what: &str, remedy| {
            let what = what.to_owned();
            Err(ModelFailure { what, remedy })
        };
        let trouble = match self.cut_off.as_deref() == Some(who) {
            true => Trouble::Away,
            false => self.trouble,
        };
        match trouble {
            Trouble::Away => return fails("no answer", Remedy::Retry { after: None }),
            Trouble::Refuses { after } => {
                return fails("429", Remedy::SlowDown { after: Some(after) });
            }
            Trouble::None => {}
        }
        let line = self.lines.get_mut(who).and_then(VecDeque::pop_front);
        Ok((line.unwrap_or_default(), self.usage))
    }
}

impl ModelSource for Script {
    fn open(&self, _: &ModelRef) -> Result<Arc<dyn Model>, ModelFailure> {
        Ok(Arc::new(self.clone()))
    }
}

impl Model for Script {
    fn answer(
        &self,
        request: ModelRequest,
        _: PartSink,
    ) -> BoxFuture<'_, Result<Reply, ModelFailure>> {
        let who = match request.conversation.split_once('/') {
            Some((_, name)) if !name.contains('/') => name,
            _ => "sub",
        };
        let (calls, usage) = match self.0.lock().unwrap().next(who) {
            Ok(next) => next,
            Err(failure) => return Box::pin(std::future::ready(Err(failure))),
        };
        let count = request.messages.len();
        let (blocks, stop) = if calls.is_empty() {
            (vec![Block::text("That is all.")], StopReason::EndTurn)
        } else {
            let call = |(at, (tool, input)): (usize, (&str, Value))| {
                Block::tool_use(&ToolCall {
                    id: CallId::new(format!("call_{who}_{count}_{at}")),
                    name: tool.to_owned(),
                    input: ToolInput::from_json(input.to_string()),
                })
            };
            (
                calls.into_iter().enumerate().map(call).collect(),
                StopReason::ToolUse,
            )
        };
        Box::pin(std::future::ready(Ok(Reply {
            blocks,
            stop,
            usage,
            model: "script:one".to_owned(),
            wire: Wire::Plain,
        })))
    }

    fn rate_limit_key(&self) -> &'static str {
        "script"
    }
}

pub(crate) fn spawn(name: &str) -> (&'static str, Value) {
    let input = json!({ "name": name, "role": "coder", "prompt": "begin" });
    ("spawn_teammate", input)
}

pub(crate) fn toil(what: &str) -> (&'static str, Value) {
    ("toil", json!({ "what": what }))
}

/// The same about a file: a rule can allow it.
pub(crate) fn toil_at(path: &str) -> (&'static str, Value) {
    ("toil", json!({ "what": path, "path": path }))
}

/// A tool that needs permission. With the input `for ever` it runs until it is dropped, with `rest N` for so many seconds.
#[derive(Clone)]
pub(crate) struct Toil {
    spec: Arc<ToolSpec>,
    done: Arc<Mutex<Vec<String>>>,
    running: Arc<AtomicUsize>,
}

impl Default for Toil {
    fn default() -> Self {
        let spec = ToolSpec {
            name: "toil".into(),
            description: "Toils.".into(),
            schema: RawValue::from_string("{\"type\":\"object\"}".to_owned()).unwrap(),
            class: EffectClass::Executes,
        };
        Self {
            spec: Arc::new(spec),
            done: Arc::default(),
            running: Arc::default(),
        }
    }
}

impl Toil {
    /// What was done, in order.
    pub(crate) fn done(&self) -> Vec<String> {
        self.done.lock().unwrap().clone()
    }

    /// How many run now.
    pub(crate) fn running(&self) -> usize {
        self.running.load(Ordering::SeqCst)
    }

    async fn toil(&self, what: String) -> Outcome {
        self.running.fetch_add(1, Ordering::SeqCst);
        let _runs = Runs(&self.running);
        if what == "for ever" {
            std::future::pending::<()>().await;
        }
        if let Some(count) = what.strip_prefix("rest ") {
            tokio::time::sleep(Duration::from_secs(count.parse().unwrap())).await;
        }
        self.done.lock().unwrap().push(what);
        Outcome::ok("done")
    }
}

impl Tool for Toil {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn read<'a>(&'a self, input: &ToolInput, _: &'a ToolContext) -> Result<ReadyCall<'a>, Outcome> {
        let input: Value = input.parse()?;
        let what = input["what"].as_str().unwrap_or_default().to_owned();
        Ok(ReadyCall {
            action: Action {
                target: target(&input),
                shows: input.to_string(),
                summary: input.to_string(),
            },
            preview: None,
            run: Box::pin(self.toil(what)),
        })
    }
}

fn target(input: &Value) -> Target {
    let Some(path) = input["path"].as_str() else {
        return Target::Team;
    };
    Target::Path(Location {
        resolved: path.into(),
        full: Path::new("/nowhere").join(path),
        written: path.into(),
    })
}

struct Runs<'a>(&'a AtomicUsize);

impl Drop for Runs<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}
