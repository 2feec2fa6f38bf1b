//! A tool that records what really ran.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use serde_json::{Value, value::RawValue};
use teammate_core::{
    permission::{Destination, HostName},
    port::{
        Action, ConnectArgs, Connecting, ReadyCall, Target, TeamApi, Tool, ToolContext, Unlisted,
    },
    tool::{EffectClass, Outcome, ToolInput, ToolSpec},
};

/// A tool that needs permission. With the input `for ever` it runs until it is dropped.
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

    async fn toil(&self, what: String, team: &dyn TeamApi) -> Outcome {
        self.running.fetch_add(1, Ordering::SeqCst);
        let _runs = Runs(&self.running);
        if what == "for ever" {
            std::future::pending::<()>().await;
        }
        if what == "ten seconds" {
            tokio::time::sleep(Duration::from_secs(10)).await;
        }
        let done = match what.strip_prefix("connect ") {
            Some(host) => connects(team, host).await,
            None => what,
        };
        self.done.lock().unwrap().push(done);
        Outcome::ok("done")
    }
}

impl Tool for Toil {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn read<'a>(
        &'a self,
        input: &ToolInput,
        context: &'a ToolContext,
    ) -> Result<ReadyCall<'a>, Outcome> {
        let input: Value = input.parse()?;
        let what = input["what"].as_str().unwrap_or_default().to_owned();
        Ok(ReadyCall {
            action: Action {
                target: Target::Team,
                shows: input.to_string(),
                summary: input.to_string(),
            },
            preview: None,
            run: Box::pin(self.toil(what, &*context.team)),
        })
    }
}

/// What a command hears that connects there.
async fn connects(team: &dyn TeamApi, host: &str) -> String {
    let host = HostName::parse(host).unwrap();
    let ask = ConnectArgs {
        to: Destination { host, port: 443 },
        by: Connecting::Command("a command".to_owned()),
        unlisted: Unlisted::Ask,
    };
    format!("{:?}", team.connect(ask).await)
}

struct Runs<'a>(&'a AtomicUsize);

impl Drop for Runs<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}
