//! Hooks that are code of the program which opens the team. They read what commands read, and answer what commands print.

use std::{sync::Arc, time::Duration};

use serde_json::Value;
use teammate_core::{
    hook::{HookCall, HookEnd, HookEvent, HookRun, Matcher},
    port::{BoxFuture, Hooks},
};
use tokio::{task::JoinSet, time::timeout};

use super::TranscriptOf;

/// The answer of a hook: what a command would print as JSON, or why there is none.
pub type HookAnswer = BoxFuture<'static, Result<Value, String>>;

/// A hook that is code. As a command it can refuse, ask, hold back and halt, and allows nothing.
#[derive(Clone)]
pub struct CallbackHook {
    /// The event at which it runs.
    pub event: HookEvent,
    /// For which tools, sources or triggers.
    pub matcher: Matcher,
    /// Its name, as people and models read it.
    pub name: String,
    /// Whether its failure counts as a refusal.
    pub required: bool,
    /// How long it may take.
    pub limit: Duration,
    /// What it answers to what hooks read.
    pub answer: Arc<dyn Fn(Value) -> HookAnswer + Send + Sync>,
}

/// All hooks of a team: commands, and behind them code.
pub(crate) struct AllHooks {
    pub(crate) commands: Option<Arc<dyn Hooks>>,
    pub(crate) callbacks: Vec<CallbackHook>,
    pub(crate) transcript: TranscriptOf,
}

impl Hooks for AllHooks {
    fn listens(&self, event: HookEvent) -> bool {
        let commands = self.commands.as_ref();
        commands.is_some_and(|commands| commands.listens(event))
            || self.callbacks.iter().any(|hook| hook.event == event)
    }

    fn run<'a>(&'a self, call: &'a HookCall) -> BoxFuture<'a, Vec<HookRun>> {
        Box::pin(async move {
            let commands = async {
                match &self.commands {
                    Some(commands) => commands.run(call).await,
                    None => Vec::new(),
                }
            };
            let (mut ends, callbacks) = tokio::join!(commands, self.answers(call));
            ends.extend(callbacks);
            ends
        })
    }
}

impl AllHooks {
    /// How those of code ended.
    async fn answers(&self, call: &HookCall) -> Vec<HookRun> {
        let names = call.matched();
        let is_meant = |hook: &&CallbackHook| {
            let fits = names
                .as_ref()
                .is_none_or(|names| hook.matcher.matches(names));
            hook.event == call.occasion.event() && fits
        };
        let meant: Vec<&CallbackHook> = self.callbacks.iter().filter(is_meant).collect();
        let mut running = JoinSet::new();
        for (at, hook) in meant.iter().enumerate() {
            let told = call.to_json(&(self.transcript)(&call.identity.member));
            let (answer, limit) = ((hook.answer)(told), hook.limit);
            running.spawn(async move { (at, ended(timeout(limit, answer).await.ok())) });
        }
        let mut ends: Vec<HookEnd> = vec![HookEnd::Failed("it failed".to_owned()); meant.len()];
        while let Some(done) = running.join_next().await {
            if let Ok((at, end)) = done
                && let Some(place) = ends.get_mut(at)
            {
                *place = end;
            }
        }
        let runs = meant.into_iter().zip(ends);
        runs.map(|(hook, end)| HookRun {
            hook: hook.name.clone(),
            required: hook.required,
            end,
        })
        .collect()
    }
}

fn ended(answer: Option<Result<Value, String>>) -> HookEnd {
    match answer {
        Some(Ok(answer)) => HookEnd::Exited {
            code: Some(0),
            stdout: answer.to_string(),
            stderr: String::new(),
        },
        Some(Err(why)) => HookEnd::Failed(why),
        None => HookEnd::Failed("it took too long".to_owned()),
    }
}
