//! A tool that changes something: never twice for one call, and never before its caller's plan is approved.

use std::{
    collections::BTreeSet,
    sync::{Arc, Mutex},
    time::Duration,
};

use serde_json::value::RawValue;
use teammate_core::{
    port::{Action, Caller, Journal, ReadyCall, Target, Tool, ToolContext},
    team::TeamState,
    tool::{EffectClass, Outcome, ToolInput, ToolSpec},
};

/// The time within which a process reads that it has closed a gate, and cuts what began in between.
const CUT_WITHIN: Duration = Duration::from_millis(50);

/// What was done, by call, and what was wrong with it.
#[derive(Clone, Default)]
pub(crate) struct Done(Arc<Mutex<(BTreeSet<String>, Vec<String>)>>);

impl Done {
    /// How many calls were done; all of them rightly.
    pub(crate) fn rightly(&self) -> usize {
        let done = self.0.lock().unwrap();
        assert!(done.1.is_empty(), "{:?}", done.1);
        done.0.len()
    }

    fn note(&self, call: &str, was_closed: bool) {
        let mut done = self.0.lock().unwrap();
        if !done.0.insert(call.to_owned()) {
            done.1.push(format!("{call} was done twice"));
        }
        if was_closed {
            done.1
                .push(format!("{call} was done before its plan was approved"));
        }
    }
}

/// The tool.
pub(crate) struct Scribble {
    spec: ToolSpec,
    done: Done,
    journals: Vec<Arc<dyn Journal>>,
}

impl Scribble {
    /// It is done wrongly if each of these journals says so.
    pub(crate) fn new(done: Done, journals: Vec<Arc<dyn Journal>>) -> Self {
        let spec = ToolSpec {
            name: "scribble".into(),
            description: "Changes something.".into(),
            schema: RawValue::from_string("{\"type\":\"object\"}".to_owned()).unwrap(),
            class: EffectClass::Writes,
        };
        Self {
            spec,
            done,
            journals,
        }
    }

    /// Whether the caller's gate is closed. What is written counts, not what the harness has in mind.
    async fn is_closed(&self, caller: &Caller) -> bool {
        for journal in &self.journals {
            let read = journal.read(0).await.unwrap();
            let team = TeamState::of(&read.records);
            let member = team.member(&caller.name);
            let is_closed =
                member.is_some_and(|m| m.incarnation == caller.incarnation && m.gate.is_closed());
            if !is_closed {
                return false;
            }
        }
        true
    }
}

impl Tool for Scribble {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn read<'a>(
        &'a self,
        _: &ToolInput,
        context: &'a ToolContext,
    ) -> Result<ReadyCall<'a>, Outcome> {
        let run = async {
            let is_closed = self.is_closed(&context.caller).await;
            if is_closed {
                // It may have been written after this call began. Then the call ends here.
                tokio::time::sleep(CUT_WITHIN).await;
            }
            self.done.note(context.caller.call.as_str(), is_closed);
            Outcome::ok("scribbled")
        };
        Ok(ReadyCall {
            action: Action {
                target: Target::Team,
                shows: "scribble".to_owned(),
                summary: "scribble".to_owned(),
            },
            preview: None,
            run: Box::pin(run),
        })
    }
}
