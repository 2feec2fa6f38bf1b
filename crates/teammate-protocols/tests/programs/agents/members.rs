//! Agents that answer a member: which conversation they go on with.

use std::sync::Arc;

use teammate_core::{
    port::{AgentClient, AgentPast, AgentQuestion, AgentUpdate, BoxFuture, OpenAgent},
    tool::{Outcome, ToolCall, ToolSpec},
};
use teammate_protocols::acp::{MemberOpening, NativeTools, open_for_member};

use crate::agents::bench::Bench;

/// A member without tools.
struct Member;

impl AgentClient for Member {
    fn hear(&self, _: AgentUpdate) {}

    fn allows(&self, _: AgentQuestion) -> BoxFuture<'_, bool> {
        Box::pin(async { true })
    }

    fn tools(&self) -> Vec<ToolSpec> {
        Vec::new()
    }

    fn call(&self, _: ToolCall) -> BoxFuture<'_, Outcome> {
        Box::pin(async { Outcome::error("there are no tools") })
    }
}

async fn opened(bench: &Bench, session: Option<&str>) -> OpenAgent {
    let opening = bench.trial.opening.clone();
    let member = MemberOpening {
        socket_dir: opening.own.0[0].clone(),
        opening,
        session: session.map(str::to_owned),
        bridge: bench.trial.tool_server.clone().unwrap(),
        native: NativeTools {
            command: "bash",
            write: "write_file",
        },
    };
    let opened = open_for_member(&bench.trial.settings, member, Arc::new(Member)).await;
    opened.unwrap_or_else(|why| panic!("{why}"))
}

/// A conversation in which one thing was said, and what becomes of it when the member is opened again.
async fn past_of(bench: &Bench) -> (String, OpenAgent) {
    let first = opened(bench, None).await;
    assert_eq!(first.past, AgentPast::New(None));
    first.agent.prompt("SAY hello".to_owned()).await.unwrap();
    first.agent.close().await;
    let again = opened(bench, Some(&first.session)).await;
    (first.session, again)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_conversation_is_loaded_by_another_process_where_one_breaks_over_it() {
    let bench = Bench::of("breaks-once");
    let (session, again) = past_of(&bench).await;
    assert_eq!(again.session, session);
    let AgentPast::Loaded(past) = again.past else {
        panic!("{:?}", again.past);
    };
    assert_eq!(past.matches("SAY hello").count(), 1, "{past}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_conversation_over_which_each_process_breaks_is_given_up_with_the_reason() {
    let bench = Bench::of("breaks");
    let (session, again) = past_of(&bench).await;
    assert_ne!(again.session, session);
    let why = "it refused session/load: Internal error".to_owned();
    assert_eq!(again.past, AgentPast::New(Some(why)));
}
