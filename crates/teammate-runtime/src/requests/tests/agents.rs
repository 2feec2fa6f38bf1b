//! An agent of another make that answers alice: how long it goes on running.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use serde_json::json;
use teammate_core::{
    MemberName,
    model::Usage,
    name::AgentName,
    port::{
        AgentAnswer, AgentError, AgentOrder, AgentPast, AgentSession, AgentSource, AgentTerms,
        BoxFuture, OpenAgent,
    },
};

use super::stage::{Line, Stage, until};

/// Agents that say one word at once.
#[derive(Default)]
struct Agents {
    opened: AtomicUsize,
    running: Arc<AtomicUsize>,
}

struct Answers(Arc<AtomicUsize>);

impl AgentSource for Agents {
    fn find(&self, _: &AgentName) -> Result<AgentTerms, String> {
        Ok(AgentTerms { gate: Ok(()) })
    }

    fn open(&self, order: AgentOrder) -> BoxFuture<'_, Result<OpenAgent, AgentError>> {
        self.opened.fetch_add(1, Ordering::SeqCst);
        self.running.fetch_add(1, Ordering::SeqCst);
        let past = match order.session {
            Some(_) => AgentPast::Loaded(String::new()),
            None => AgentPast::New(None),
        };
        let agent = Arc::new(Answers(self.running.clone()));
        let session = "one".to_owned();
        Box::pin(async {
            Ok(OpenAgent {
                agent,
                session,
                past,
            })
        })
    }
}

impl AgentSession for Answers {
    fn prompt(&self, _: String) -> BoxFuture<'_, Result<AgentAnswer, AgentError>> {
        Box::pin(async {
            Ok(AgentAnswer {
                text: "Done.".to_owned(),
                stopped_by: None,
                usage: Usage::default(),
            })
        })
    }

    fn cut(&self) -> BoxFuture<'_, bool> {
        Box::pin(async { true })
    }

    fn close(&self) -> BoxFuture<'_, ()> {
        self.0.fetch_sub(1, Ordering::SeqCst);
        Box::pin(async {})
    }
}

#[tokio::test(start_paused = true)]
async fn an_agent_ends_ten_minutes_after_its_last_turn_and_goes_on_when_mail_comes() {
    let agents = Arc::new(Agents::default());
    let running = || agents.running.load(Ordering::SeqCst);
    let stage = Stage::new().with_agents(agents.clone());
    let alice = json!({ "name": "alice", "role": "coder", "prompt": "begin", "agent": "other" });
    stage.lines("lead", vec![Line::Call("spawn_teammate", alice)]);
    let host = stage.open().await;
    let lead = MemberName::lead();
    host.send_as_user(lead.as_str(), "go").await.unwrap();
    host.wait_idle().await;
    assert_eq!(running(), 1);
    // It does not say what it used.
    let spent = host.spending().member(&"alice".parse().unwrap()).sum();
    assert!(spent.usage.input > 0 && spent.usage.output > 0, "{spent:?}");
    assert_eq!(spent.usage.estimated, spent.tokens());
    tokio::time::sleep(Duration::from_mins(9)).await;
    assert_eq!(running(), 1);

    // Its time begins anew with each turn.
    host.send_as_user("alice", "and").await.unwrap();
    host.wait_idle().await;
    tokio::time::sleep(Duration::from_mins(9)).await;
    assert_eq!(running(), 1);
    tokio::time::sleep(Duration::from_mins(1)).await;
    until(|| running() == 0).await;
    assert_eq!(agents.opened.load(Ordering::SeqCst), 1);

    host.send_as_user("alice", "more").await.unwrap();
    host.wait_idle().await;
    assert_eq!((running(), agents.opened.load(Ordering::SeqCst)), (1, 2));
    host.close().await;
    assert_eq!(running(), 0);
}
